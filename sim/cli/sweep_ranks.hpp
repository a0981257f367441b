// A sweep whose points several processes share.
#pragma once

#include <mutex>

#include "sim/cli/sweep_crew.hpp"
#include "sim/ranks/ranks.hpp"

namespace weft::cli {

/// On rank 0: gives the points of its crew to the other ranks, one at a time.
class PointServer {
 public:
  PointServer(Ranks& ranks, const SweepPlan& plan, Crew& crew)
      : ranks_(ranks), plan_(plan), crew_(crew), present_(ranks.count() - 1) {}
  /// Answers what ranks have asked; returns whether any may ask again.
  bool serve();

 private:
  Ranks& ranks_;
  const SweepPlan& plan_;
  Crew& crew_;
  unsigned present_;  // Other ranks that have not left.
};

/// On another rank: asks for points.
class PointClient {
 public:
  PointClient(Ranks& ranks, const SweepPlan& plan) : ranks_(ranks), plan_(plan) {}
  /// The next point, as Crew::Take.
  const SweepPoint* take(const SweepPoint* done);
  /// It asks no more.
  void leave();

 private:
  Ranks& ranks_;
  const SweepPlan& plan_;
  std::mutex mutex_;
};

}  // namespace weft::cli
