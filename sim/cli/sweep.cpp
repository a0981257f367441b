// weft sweep: many runs, side by side, into one folder.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/interrupt.hpp"
#include "sim/cli/build.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/output.hpp"
#include "sim/cli/sweep_crew.hpp"
#include "sim/cli/sweep_plan.hpp"
#include "sim/cli/sweep_processes.hpp"
#include "sim/cli/sweep_results.hpp"
#include "sim/processes/processes.hpp"

namespace weft::cli {
namespace {

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

Runs that DIR already holds, failed ones included, are not made again if they are of this build of
weft: each has its version and commit. Those of another build are, unless with --keep-builds. After
Ctrl-C the table has the runs that are done; the same command makes the others. The engines
with RTL run one at a time. With `mpirun -n N weft sweep ...` N processes share the points. Exit
status: the worst of all runs.)";

// A shard of the points: those whose number, modulo `of`, is `number`.
struct Shard {
  std::uint64_t number = 0, of = 1;
};

struct SweepArguments {
  std::string sweep, dir, shard;
  unsigned jobs = 0;  // Runs at the same time; 0: as many as cores.
  bool retry = false, progress = false, keep_builds = false;
};

// Reads a shard, "2/20". Throws ConfigError.
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

// The points of a shard; `todo`: those that are to be run, only the first of equal ones.
struct Share {
  std::vector<const SweepPoint*> own, todo;
  std::size_t found = 0;
};
Share share_of(const SweepPlan& plan, const Shard& shard, const SweepResults& results, bool retry) {
  Share share;
  std::set<std::string> planned;
  for (const SweepPoint& point : plan.points) {
    const bool is_new = planned.insert(point.key).second;
    if ((planned.size() - 1) % shard.of != shard.number) continue;
    if (is_new || shard.of == 1) share.own.push_back(&point);
    if (!is_new) continue;
    const std::optional<int> known = results.status(point);
    if (!known || (retry && *known != 0)) {
      share.todo.push_back(&point);
    } else {
      ++share.found;
    }
  }
  return share;
}

// Notes how many of the points have only runs of another build, and what will be done with these.
void note_other_builds(const SweepResults& results, const std::vector<const SweepPoint*>& points,
                       const char* consequence) {
  std::set<std::string> builds;
  std::size_t count = 0;
  for (const SweepPoint* point : points) {
    const std::string* const build = results.other_build(*point);
    if (build == nullptr) continue;
    builds.insert(*build);
    ++count;
  }
  if (count == 0) return;
  fmt::print(
      stderr,
      "weft: {} of {} points have runs of another build of weft ({}; this one: {} {}), which "
      "{} (--keep-builds keeps them)\n",
      count, points.size(), printable(fmt::format("{}", fmt::join(builds, ", "))), build_version(),
      build_commit(), consequence);
}
constexpr const char* kMadeAnew = "are made anew";

// Prints where the results are: the tables, or the file of a shard.
void print_results(const SweepPlan& plan, const SweepResults& results, const Statuses& now,
                   const std::string& file) {
  print_line("failed", fmt::format("{}", now.failed));
  print_line("results", file);
  if (file == results.csv() && plan.seeds != 0) print_line("confidence", results.confidence());
  finish_stdout();
}

// Ends the command with the status of the worst of `points` runs.
void end_by_worst(const Statuses& now, std::size_t points, const std::string& file) {
  const std::string what = fmt::format("{} of {} points failed: see {}", now.failed, points, file);
  if (now.worst == 1) throw CheckError(what);
  if (now.worst == 2) throw ConfigError(what);
  if (now.worst == 3) throw NoProgressError(what);
}

// Prints the summary at the end, in process 0 or a single process.
void conclude(const SweepArguments& arguments, const SweepPlan& plan, const SweepResults& results,
              const Share& share) {
  const bool whole = arguments.shard.empty();
  if (whole) results.write_csv();
  const std::string file = whole ? results.csv() : results.jsonl();
  const Statuses now = statuses(results, share.own);
  if (interrupted() && now.missing != 0) {
    throw InterruptError(fmt::format(
        "interrupted: {} of {} points are in {}; the same command again makes the others",
        share.own.size() - now.missing, share.own.size(), file));
  }
  print_line("points",
             fmt::format("{} ({} runs made now, {} found in {})", share.own.size(),
                         share.todo.size(), share.found, whole ? results.jsonl() : arguments.dir));
  print_results(plan, results, now, file);
  end_by_worst(now, share.own.size(), file);
}

// Runs the points of one process. Process 0 writes the folder's file, and takes over those of the
// others when they have left.
void run_process(const SweepArguments& arguments, const Crew::Options& options,
                 Processes& processes) {
  const SweepPlan plan = read_sweep(arguments.sweep);
  if (processes.number() != 0) {
    processes.wait_for_all();
    PointClient client(processes, plan);
    {
      SweepResults results(arguments.dir, plan, arguments.keep_builds,
                           fmt::format("process-{}", processes.number()));
      Crew({}, results, options).run([&](const SweepPoint* done) { return client.take(done); });
    }
    client.leave();
    return;
  }
  SweepResults results(arguments.dir, plan, arguments.keep_builds);
  processes.wait_for_all();
  const Share share = share_of(plan, {}, results, arguments.retry);
  note_other_builds(results, share.own, kMadeAnew);
  {
    const InterruptScope scope;
    Crew crew(share.todo, results, options);
    PointServer server(processes, plan, crew);
    crew.run({}, [&] { return server.serve(); });
  }
  results.take_over_parts();
  conclude(arguments, plan, results, share);
}

void run_sweep(const SweepArguments& arguments) {
  const std::unique_ptr<Processes> processes = join_processes();
  const Crew::Options options = {
      .jobs = arguments.jobs != 0   ? arguments.jobs
              : !processes->alone() ? 1
                                    : std::clamp(std::thread::hardware_concurrency(), 1u, 256u),
      .progress = arguments.progress && processes->leads()};
  if (!processes->alone()) {
    if (!arguments.shard.empty()) {
      throw ConfigError("--shard", "", printable(arguments.shard),
                        "none with mpirun, whose processes share all points");
    }
    return run_process(arguments, options, *processes);
  }
  const Shard shard = shard_of(arguments.shard);
  const SweepPlan plan = read_sweep(arguments.sweep);
  SweepResults results(
      arguments.dir, plan, arguments.keep_builds,
      arguments.shard.empty() ? "" : fmt::format("{}-of-{}", shard.number, shard.of));
  const Share share = share_of(plan, shard, results, arguments.retry);
  note_other_builds(results, share.own, kMadeAnew);
  {
    const InterruptScope scope;
    Crew(share.todo, results, options).run();
  }
  conclude(arguments, plan, results, share);
}

void merge(const SweepArguments& arguments) {
  const SweepPlan plan = read_sweep(arguments.sweep);
  if (!std::filesystem::is_directory(arguments.dir)) {
    throw ConfigError("-o", "", printable(arguments.dir), "a folder of `weft sweep --shard`");
  }
  const SweepResults results(arguments.dir, plan, arguments.keep_builds);
  results.write_csv();
  const std::vector<const SweepPoint*> points = share_of(plan, {}, results, false).own;
  note_other_builds(results, points, "do not count");
  const Statuses now = statuses(results, points);
  print_line("points", fmt::format("{} of {}", points.size() - now.missing, points.size()));
  print_results(plan, results, now, results.csv());
  if (now.missing != 0) {
    throw CheckError(fmt::format("{} of {} points are missing: `weft sweep {} -o {}` makes them",
                                 now.missing, points.size(), arguments.sweep, arguments.dir));
  }
  end_by_worst(now, points.size(), results.csv());
}

// Adds the names that both commands have.
void add_names(CLI::App& command, SweepArguments& arguments) {
  command.add_option("SWEEP", arguments.sweep, "Sweep file: a base configuration and axes")
      ->required();
  command.add_option("-o", arguments.dir, "Folder of the results")
      ->type_name("DIR")
      ->check(expect_name)
      ->required();
  command.add_flag("--keep-builds", arguments.keep_builds,
                   "Let runs of another build of weft count: another version or commit");
}

}  // namespace

void add_sweep(CLI::App& app) {
  auto arguments = std::make_shared<SweepArguments>();
  CLI::App* command = app.add_subcommand(
      "sweep", "Many runs into DIR/results.jsonl and DIR/results.csv; resumes where it stopped");
  add_names(*command, *arguments);
  command
      ->add_option("-j", arguments->jobs,
                   "Runs at the same time, by default one on each core (with mpirun one in each "
                   "process); the results are the same")
      ->type_name("N")
      ->check(CLI::Range(1, 256));
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
