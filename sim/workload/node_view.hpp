// The state of a node that waves show.
#pragma once

#include <cstdint>

#include "sim/fabric/unit_views.hpp"
#include "sim/packet/packet.hpp"

namespace weft {

/// State of a node in the waves, besides its links.
struct NodeView {
  std::uint32_t state = 0;  ///< 0 running, 1 sleeping, 2 halted, 3 faulted.
  std::uint32_t pc = 0;     ///< RV32 only, else 0.
  NicStatus status = {};
  BarrierView barrier = {};  ///< With barrier units.
  CombineView combine = {};  ///< With combine units.
};

}  // namespace weft
