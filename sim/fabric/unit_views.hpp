// Values of the units of a node for waves.
#pragma once

#include "sim/barrier/barrier_unit.hpp"
#include "sim/combine/combine_unit.hpp"

namespace weft {

/// Inputs and outputs of a node's barrier unit in a cycle.
struct BarrierView {
  BarrierUnit::In in;
  BarrierUnit::Out out;
  bool inside = false;  ///< The node waits for a release.
};

/// Inputs from links and outputs of a node's combine unit in a cycle.
struct CombineView {
  CombineUnit::In in;
  CombineUnit::Out out;
};

}  // namespace weft
