// The state of a node for waves.
#pragma once

#include <cstdint>

#include "sim/fabric/unit_views.hpp"
#include "sim/packet/packet.hpp"

namespace weft {

/// State of a node in the waves, without its links.
struct NodeView {
  std::uint32_t state = 0;  ///< 0 running, 1 sleeping, 2 halted, 3 faulted.
  std::uint32_t pc = 0;     ///< For RV32; else 0.
  NicStatus status = {};
  BarrierView barrier = {};  ///< Used with barrier units.
  CombineView combine = {};  ///< Used with combine units.
};

}  // namespace weft
