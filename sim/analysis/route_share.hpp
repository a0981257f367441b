// Following the routes of one network together with other processes.
#pragma once

#include <cstdint>
#include <exception>
#include <span>

#include "sim/analysis/route_check.hpp"

namespace weft {

/// The routes that one process follows, and its findings. A step is all routes to one destination,
/// or from one source; steps are numbered in the order in which a single process would take them.
struct RouteShare {
  unsigned number = 0, count = 1;  ///< The share: steps `number`, `number` + `count`, and so on.
  RouteCheck& check;               ///< Findings: distances and diameter; with a VC for each
                                   ///< destination also a cycle.
  std::uint64_t cycle_step = 0;    ///< First step with a cycle, that of `check`.
  std::exception_ptr error = {};   ///< Error of a route; null: all routes reach their destinations.
  std::uint64_t step = 0;          ///< Last step that was begun: the one with the error.
  std::span<std::uint64_t> waits = {};  ///< Dependencies of channels, one bit each.
};

/// This process among several that check the routes of the same network.
class RouteSharers {
 public:
  virtual ~RouteSharers() = default;
  virtual unsigned number() const = 0;  ///< Number of this process, from 0 on.
  virtual unsigned count() const = 0;
  /// Unites the findings: afterwards each process has those of all. If some have an error, throws
  /// in all of them that of the lowest step. All processes call it together.
  virtual void unite(RouteShare& own) = 0;
};

}  // namespace weft
