// Runs the points of a sweep, several at a time.
#include "sim/cli/sweep_crew.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <thread>

#include "sim/base/error.hpp"
#include "sim/base/host_memory.hpp"
#include "sim/base/interrupt.hpp"
#include "sim/cli/output.hpp"
#include "sim/engine/engine.hpp"
#include "sim/report/result_text.hpp"

namespace weft::cli {
namespace {

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
    Config config = point.config;
    const PreparedRun prepared = prepare_run(config, options, routes);
    run.result = weft::run(config, prepared, options);
    const std::string why = failure_of(*run.result);
    return why.empty() ? run : failed(1, why);
  } catch (const ConfigError& error) {
    return failed(2, error.what());
  } catch (const NoProgressError& error) {
    return failed(3, error.what());
  } catch (const std::exception& error) {
    if (const auto why = shortage(error)) return failed(2, *why);
    return failed(1, error.what());
  }
}

}  // namespace

Crew::Crew(std::vector<const SweepPoint*> points, SweepResults& results, const Options& options)
    : points_(std::move(points)), results_(results), options_(options) {
  for (const SweepPoint* point : points_) left_weight_ += point->weight;
}

const SweepPoint* Crew::give() {
  const std::lock_guard lock(mutex_);
  return next_ < points_.size() ? points_[next_++] : nullptr;
}

void Crew::done_elsewhere(const SweepPoint& point) {
  const std::lock_guard lock(mutex_);
  count(point);
  news_.notify_all();
}

void Crew::count(const SweepPoint& point) {
  done_weight_ += point.weight;
  left_weight_ -= point.weight;
  ++done_;
}

const SweepPoint* Crew::next(const Take& take, const SweepPoint* done) {
  {
    const std::lock_guard lock(mutex_);
    if (error_ || interrupted()) return nullptr;
  }
  return take ? take(done) : give();
}

void Crew::work(const Take& take) {
  try {
    run_points(take);
  } catch (...) {
    const std::lock_guard lock(mutex_);
    error_ = std::current_exception();
  }
  const std::lock_guard lock(mutex_);
  --working_;
  news_.notify_all();
}

void Crew::run_points(const Take& take) {
  const SweepPoint* point = nullptr;
  while ((point = next(take, point)) != nullptr) {
    SweepRun run;
    {
      std::unique_lock turn(rtl_turn_, std::defer_lock);
      if (find_engine(point->engine).rtl) turn.lock();
      run = run_point(*point, routes_);
    }
    const std::lock_guard lock(mutex_);
    if (interrupted() && run.status != 0) break;  // The run was interrupted.
    count(*point);
    if (run.status != 0) {
      ++failed_;
      fmt::print(stderr, "{}weft: {}: {}\n", options_.progress ? "\r\x1b[K" : "",
                 printable(point_in_words(*point)), printable(run.failure));
    }
    results_.add(*point, run);
    news_.notify_all();
  }
}

void Crew::show_progress() const {
  std::string left;
  if (done_weight_ > 0) {
    const double seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
    left = fmt::format("  about {:.0f} s left", seconds / done_weight_ * left_weight_);
  }
  fmt::print(stderr, "\r\x1b[K{} of {} points  {} failed{}", done_, points_.size(), failed_, left);
  std::fflush(stderr);
}

void Crew::run(const Take& take, const Serve& serve) {
  constexpr std::chrono::milliseconds kServeEvery(1);
  std::vector<std::jthread> threads;
  std::unique_lock lock(mutex_);
  working_ = take ? options_.jobs
                  : static_cast<unsigned>(std::min<std::size_t>(options_.jobs, points_.size()));
  for (unsigned i = 0; i < working_; ++i) {
    try {
      threads.emplace_back([&] { work(take); });
    } catch (...) {
      error_ = std::current_exception();  // Runs that have started are completed.
      working_ = i;
    }
  }
  std::size_t shown = points_.size() + 1;
  for (bool serves = static_cast<bool>(serve); working_ > 0 || serves;) {
    if (options_.progress && shown != done_) show_progress();
    shown = done_;
    if (serves) {
      lock.unlock();
      serves = serve();
      lock.lock();
      news_.wait_for(lock, kServeEvery);
    } else {
      news_.wait(lock);
    }
  }
  if (options_.progress) fmt::print(stderr, "\r\x1b[K");
  if (error_) std::rethrow_exception(error_);
}

}  // namespace weft::cli
