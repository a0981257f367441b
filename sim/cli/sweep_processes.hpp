// A sweep whose points several processes share.
#pragma once

#include <mutex>

#include "sim/cli/sweep_crew.hpp"
#include "sim/processes/processes.hpp"

namespace weft::cli {

/// On process 0: gives the points of its crew to the other processes, one at a time.
class PointServer {
 public:
  PointServer(Processes& processes, const SweepPlan& plan, Crew& crew)
      : processes_(processes), plan_(plan), crew_(crew), present_(processes.count() - 1) {}
  /// Answers the requests of processes; returns whether any may ask again.
  bool serve();

 private:
  Processes& processes_;
  const SweepPlan& plan_;
  Crew& crew_;
  unsigned present_;  // Other processes that have not left.
};

/// On other processes: asks for points.
class PointClient {
 public:
  PointClient(Processes& processes, const SweepPlan& plan) : processes_(processes), plan_(plan) {}
  /// Asks for the next point, as Crew::Take.
  const SweepPoint* take(const SweepPoint* done);
  /// Tells process 0 that this process asks no more.
  void leave();

 private:
  Processes& processes_;
  const SweepPlan& plan_;
  std::mutex mutex_;
};

}  // namespace weft::cli
