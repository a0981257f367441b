// Following the routes of one network together with other processes.
#pragma once

#include <cstdint>
#include <exception>
#include <span>

#include "sim/analysis/route_check.hpp"

namespace weft {

/// The routes that one process follows, and what it has found. A step is all routes to one
/// destination, or from one source; they are numbered in the order in which one process alone would
/// take them.
struct RouteShare {
  unsigned number = 0, count = 1;  ///< Steps `number`, `number` + `count`, ....
  RouteCheck& check;               ///< Distances and diameter; with a VC for each destination also
  std::uint64_t cycle_step = 0;    ///< the cycle of this step, the first that has one.
  std::exception_ptr error = {};   ///< Null: all routes reach their destinations.
  std::uint64_t step = 0;          ///< The last one that was begun, in which the error is.
  std::span<std::uint64_t> waits = {};  ///< Dependencies of channels, one bit each.
};

/// This process among others that check the routes of the same network.
class RouteSharers {
 public:
  virtual ~RouteSharers() = default;
  virtual unsigned number() const = 0;  ///< Of this process, from 0 on.
  virtual unsigned count() const = 0;
  /// A step of all: makes what each has found the same, that of all. Where one or more have an
  /// error, throws in all of them that of the lowest step.
  virtual void unite(RouteShare& own) = 0;
};

}  // namespace weft
