// weft sweep: many runs, side by side, into one folder.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <exception>
#include <iterator>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/interrupt.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/output.hpp"
#include "sim/cli/sweep_plan.hpp"
#include "sim/cli/sweep_results.hpp"
#include "sim/engine/prepare.hpp"
#include "sim/report/result_text.hpp"

namespace weft::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kFormat = R"(SWEEP is a JSON file; paths are those of `weft run --set`:
  {"base": "xbar16",                           a configuration, or the name of one
   "set": {"workload.message_flits": 4},       for all points (optional, as all that follows)
   "limits": {"max_cycles": 1000000, "watchdog": 100000},
   "engine": "model",
   "losses": true,                             count what `weft run --losses` does
   "seeds": 5,                                 each point with its seed and the 4 after it
   "axes": [{"router.vc_depth": [4, 8]},       one path and its values
            [{"topology.dims": [4, 4]},        what is set together
             {"topology.dims": [8, 8], "nic.controllers": 2, "label": "large"}]]}
Every value is combined with every other. An axis has each value once, and does not replace what
another axis, "set" or "limits" set. A label is what the table and `weft plot` say for what is set
beside it. "series": [{"name", "set", "engine", "losses", "axes"},
...] in the place of "axes" is the union of several such products. Of the losses the table has the
packet-cycles of waiting for links between routers. With "seeds", DIR/confidence.csv has for each
setting the runs without a failure (n) and of cycles, accepted_rate, latency_mean, latency_p99,
round_trip_mean and round_trip_p99 the mean and the half-width of its 95 % confidence interval
(..._ci95, Student's t).

Runs that DIR already holds, failed ones included, are not made again, whatever the build of weft.
After Ctrl-C the table has the runs that are done; the same command makes the others. The engines
with RTL run one at a time. Exit status: the worst of all runs.)";

// Which points: those whose number, modulo `of`, is `number`.
struct Shard {
  std::uint64_t number = 0, of = 1;
};

struct SweepArguments {
  std::string sweep, dir, shard;
  unsigned jobs = std::clamp(std::thread::hardware_concurrency(), 1u, 256u);
  bool retry = false, progress = false;
};

// Executes a run; a failure becomes part of the result.
SweepRun run_point(const SweepPoint& point, RouteChecks& routes) {
  SweepRun run;
  const auto failed = [&](int status, const std::string& why) {
    run.status = status;
    run.failure = why;
    return run;
  };
  try {
    RunOptions options;
    options.engine = point.engine;
    options.losses = point.losses;
    const PreparedRun prepared = prepare_run(point.config, options, routes);
    run.result = weft::run(point.config, prepared, options);
    const std::string why = failure_of(*run.result);
    return why.empty() ? run : failed(1, why);
  } catch (const ConfigError& error) {
    return failed(2, error.what());
  } catch (const NoProgressError& error) {
    return failed(3, error.what());
  } catch (const std::exception& error) {
    return failed(1, error.what());
  }
}

// The points that are still to be run, taken by threads.
class Crew {
 public:
  Crew(std::vector<const SweepPoint*> points, SweepResults& results,
       const SweepArguments& arguments)
      : points_(std::move(points)), results_(results), arguments_(arguments) {
    for (const SweepPoint* point : points_) left_weight_ += point->weight;
  }

  /// Runs all points. Throws what kept a result from being written.
  void run();

 private:
  void work();
  void show_progress() const;

  std::vector<const SweepPoint*> points_;
  SweepResults& results_;
  const SweepArguments& arguments_;
  RouteChecks routes_;

  std::mutex mutex_;  // Of all that follows, and of results_.
  std::condition_variable news_;
  std::size_t next_ = 0, done_ = 0, failed_ = 0;
  unsigned working_ = 0;
  double left_weight_ = 0, done_weight_ = 0, busy_s_ = 0;
  std::exception_ptr error_;
  // Verilated models of all runs share one context and one cache: engines with RTL take turns.
  std::mutex rtl_turn_;
};

void Crew::work() {
  std::unique_lock lock(mutex_);
  while (next_ < points_.size() && !error_ && !interrupted()) {
    const SweepPoint& point = *points_[next_++];
    lock.unlock();
    const auto start = Clock::now();
    SweepRun run;
    {
      std::unique_lock turn(rtl_turn_, std::defer_lock);
      if (find_engine(point.engine).rtl) turn.lock();
      run = run_point(point, routes_);
    }
    lock.lock();
    busy_s_ += std::chrono::duration<double>(Clock::now() - start).count();
    if (interrupted() && run.status != 0) break;  // It ended early.
    done_weight_ += point.weight;
    left_weight_ -= point.weight;
    ++done_;
    if (run.status != 0) {
      ++failed_;
      fmt::print(stderr, "{}weft: {}: {}\n", arguments_.progress ? "\r\x1b[K" : "",
                 printable(point_in_words(point)), printable(run.failure));
    }
    try {
      results_.add(point, run);
    } catch (...) {
      error_ = std::current_exception();
    }
    news_.notify_all();
  }
  --working_;
  news_.notify_all();
}

void Crew::show_progress() const {
  std::string left;
  if (done_weight_ > 0) {
    const auto at_once = std::min<std::size_t>(arguments_.jobs, points_.size() - done_);
    const double seconds = busy_s_ / done_weight_ * left_weight_;
    left =
        fmt::format("  about {:.0f} s left", seconds / std::max(1.0, static_cast<double>(at_once)));
  }
  fmt::print(stderr, "\r\x1b[K{} of {} points  {} failed{}", done_, points_.size(), failed_, left);
  std::fflush(stderr);
}

void Crew::run() {
  std::vector<std::jthread> threads;
  std::unique_lock lock(mutex_);
  working_ = static_cast<unsigned>(std::min<std::size_t>(arguments_.jobs, points_.size()));
  for (unsigned i = 0; i < working_; ++i) threads.emplace_back([this] { work(); });
  while (working_ > 0) {
    if (arguments_.progress) show_progress();
    news_.wait(lock);
  }
  if (arguments_.progress) fmt::print(stderr, "\r\x1b[K");
  if (error_) std::rethrow_exception(error_);
}

// "2/20". Throws ConfigError.
Shard shard_of(const std::string& text) {
  Shard shard;
  if (text.empty()) return shard;
  const char* const end = text.data() + text.size();
  const auto number = std::from_chars(text.data(), end, shard.number);
  const bool slash = number.ec == std::errc() && number.ptr != end && *number.ptr == '/';
  const auto of = std::from_chars(slash ? number.ptr + 1 : end, end, shard.of);
  if (of.ec == std::errc() && of.ptr == end && shard.number < shard.of) return shard;
  throw ConfigError("--shard", "", printable(text), "I/N, with I from 0 to N - 1");
}

// How the runs of points ended.
struct Statuses {
  std::size_t missing = 0, failed = 0;
  int worst = 0;
};
Statuses statuses(const SweepResults& results, const std::vector<const SweepPoint*>& points) {
  Statuses all;
  for (const SweepPoint* point : points) {
    const std::optional<int> own = results.status(*point);
    all.missing += !own;
    all.failed += own.value_or(0) != 0;
    all.worst = std::max(all.worst, own.value_or(0));
  }
  return all;
}

[[noreturn]] void fail_by(int status, const std::string& what) {
  if (status == 2) throw ConfigError(what);
  if (status == 3) throw NoProgressError(what);
  throw CheckError(what);
}

std::vector<const SweepPoint*> pointers(const SweepPlan& plan) {
  std::vector<const SweepPoint*> points;
  for (const SweepPoint& point : plan.points) points.push_back(&point);
  return points;
}

void print_tables(const SweepPlan& plan, const SweepResults& results) {
  print_line("results", results.csv());
  if (plan.seeds != 0) print_line("confidence", results.confidence());
}

void run_sweep(const SweepArguments& arguments) {
  const Shard shard = shard_of(arguments.shard);
  const bool alone = arguments.shard.empty();
  const SweepPlan plan = read_sweep(arguments.sweep);
  SweepResults results(arguments.dir, plan,
                       alone ? "" : fmt::format("{}-of-{}", shard.number, shard.of));

  std::vector<const SweepPoint*> own, todo;
  std::set<std::string> planned;
  std::size_t found = 0;
  for (const SweepPoint& point : plan.points) {
    const bool is_new = planned.insert(point.key).second;  // Equal points share one run.
    if ((planned.size() - 1) % shard.of != shard.number) continue;
    if (is_new || alone) own.push_back(&point);
    if (!is_new) continue;
    const std::optional<int> known = results.status(point);
    if (!known || (arguments.retry && *known != 0)) {
      todo.push_back(&point);
    } else {
      ++found;
    }
  }
  {
    const InterruptScope scope;
    Crew(todo, results, arguments).run();
  }
  if (alone) results.write_csv();
  const std::string file = alone ? results.csv() : results.jsonl();
  const Statuses now = statuses(results, own);
  if (interrupted() && now.missing != 0) {
    throw InterruptError(fmt::format(
        "interrupted: {} of {} points are in {}; the same command again makes the others",
        own.size() - now.missing, own.size(), file));
  }
  print_line("points", fmt::format("{} ({} runs made now, {} found in {})", own.size(), todo.size(),
                                   found, alone ? results.jsonl() : arguments.dir));
  print_line("failed", fmt::format("{}", now.failed));
  if (alone) {
    print_tables(plan, results);
  } else {
    print_line("results", file);
  }
  finish_stdout();
  if (now.worst == 0) return;
  fail_by(now.worst, fmt::format("{} of {} points failed: see {}", now.failed, own.size(), file));
}

void merge(const SweepArguments& arguments) {
  const SweepPlan plan = read_sweep(arguments.sweep);
  const SweepResults results(arguments.dir, plan);
  results.write_csv();
  const Statuses now = statuses(results, pointers(plan));
  print_line("points",
             fmt::format("{} of {}", plan.points.size() - now.missing, plan.points.size()));
  print_line("failed", fmt::format("{}", now.failed));
  print_tables(plan, results);
  finish_stdout();
  if (now.missing != 0) {
    throw CheckError(fmt::format("{} of {} points are missing: `weft sweep {} -o {}` makes them",
                                 now.missing, plan.points.size(), arguments.sweep, arguments.dir));
  }
  if (now.worst == 0) return;
  fail_by(now.worst, fmt::format("{} of {} points failed: see {}", now.failed, plan.points.size(),
                                 results.csv()));
}

// What both commands take.
void add_names(CLI::App& command, SweepArguments& arguments) {
  command.add_option("SWEEP", arguments.sweep, "Sweep file: a base configuration and axes")
      ->required();
  command.add_option("-o", arguments.dir, "Folder of the results")
      ->type_name("DIR")
      ->check(expect_name)
      ->required();
}

}  // namespace

void add_sweep(CLI::App& app) {
  auto arguments = std::make_shared<SweepArguments>();
  CLI::App* command = app.add_subcommand(
      "sweep", "Many runs into DIR/results.jsonl and DIR/results.csv; resumes where it stopped");
  add_names(*command, *arguments);
  command->add_option("-j", arguments->jobs, "Runs at the same time; the results are the same")
      ->type_name("N")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  command->add_flag("--retry", arguments->retry, "Run again what failed before");
  command
      ->add_option("--shard", arguments->shard,
                   "Only each N-th point from the I-th on (from 0), into DIR/results.I-of-N.jsonl; "
                   "`weft merge` makes the tables")
      ->type_name("I/N");
  arguments->progress = isatty(STDERR_FILENO) != 0;
  command->add_flag("--progress", arguments->progress,
                    "Show progress although standard error is no terminal");
  command->footer(kFormat);
  command->callback([arguments] { run_sweep(*arguments); });
}

void add_merge(CLI::App& app) {
  auto arguments = std::make_shared<SweepArguments>();
  CLI::App* command = app.add_subcommand(
      "merge", "The tables of a sweep whose points were run by `weft sweep --shard`");
  add_names(*command, *arguments);
  command->footer(
      "Takes the runs of all shards over into DIR/results.jsonl and writes DIR/results.csv. Exit\n"
      "status: the worst of all runs, 1 if points are missing.");
  command->callback([arguments] { merge(*arguments); });
}

}  // namespace weft::cli
