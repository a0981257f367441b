// Runs the points of a sweep, several at a time.
#pragma once

#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <vector>

#include "sim/cli/sweep_plan.hpp"
#include "sim/cli/sweep_results.hpp"
#include "sim/run/prepare.hpp"

namespace weft::cli {

/// The points that are still to be run; threads take them.
class Crew {
 public:
  struct Options {
    unsigned jobs = 1;      ///< Number of threads.
    bool progress = false;  ///< Show progress on standard error.
  };
  /// `results` must outlive it.
  Crew(std::vector<const SweepPoint*> points, SweepResults& results, const Options& options);

  /// Replacement for taking points from this crew: returns null if there are no more; `done`: the
  /// point that the thread has just run, or null. Called by several threads at a time.
  using Take = std::function<const SweepPoint*(const SweepPoint* done)>;
  /// Called repeatedly during the run: returns whether other processes have points of this crew.
  using Serve = std::function<bool()>;
  /// Runs all points. Throws if a result could not be written.
  void run(const Take& take = {}, const Serve& serve = {});

  /// Takes a point that no thread has taken yet, for another process; null: there are no more.
  const SweepPoint* give();
  /// Notes that another process has run a point.
  void done_elsewhere(const SweepPoint& point);

 private:
  using Clock = std::chrono::steady_clock;

  const SweepPoint* next(const Take& take, const SweepPoint* done);
  void work(const Take& take);
  void run_points(const Take& take);
  void count(const SweepPoint& point);
  void show_progress() const;

  std::vector<const SweepPoint*> points_;
  SweepResults& results_;
  Options options_;
  RouteChecks routes_;

  std::mutex mutex_;  // Guards all members below, and results_.
  std::condition_variable news_;
  std::size_t next_ = 0, done_ = 0, failed_ = 0;
  unsigned working_ = 0;
  double left_weight_ = 0, done_weight_ = 0;
  Clock::time_point begin_ = Clock::now();
  std::exception_ptr error_;
  // Verilated models of all runs share one context and one cache: engines with RTL take turns.
  std::mutex rtl_turn_;
};

}  // namespace weft::cli
