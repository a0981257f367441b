// Configuration of a router, without its model.
#pragma once

#include <cstdint>

#include "sim/packet/packet.hpp"

namespace weft {

/// Configuration of a router (sim/router/vc_router.hpp).
struct VcRouterConfig {
  unsigned num_ports = 5;  ///< All ports, 2 to 64.
  unsigned num_local = 1;  ///< Local ports, the last ones: they lead to network interfaces.
  unsigned num_vc = 2;     ///< VCs of each link from a neighbour or interface, 1 to 65535.
  unsigned depth = 8;      ///< Buffer of each VC, flits.
  unsigned local_depth = kRxDepth;  ///< Buffer of an interface, flits.
  bool hold_packet = true;          ///< A packet keeps its out-port while it has flits and credits.
  /// Virtual cut-through: a header needs credits for its whole packet, but not towards an
  /// interface.
  bool cut_through = false;
  /// Store and forward: a header from a neighbour waits for the tail of its packet; not with
  /// `cut_through`.
  bool store_forward = false;
  bool age = false;  ///< Oldest packet first; else round-robin (packet_order).
  /// Without `age`: packets in transit that may go before one from a local port; 0: both are
  /// treated alike.
  unsigned own_after = 3;
  bool stamps = false;  ///< Flits carry stamps even if `age` does not need them: routing does.
  /// Headers may have further routes, `VcRouter::In::minimal`, besides their own; needs a port to a
  /// neighbour and two VCs; not with `pipeline` 3.
  bool adaptive = false;
  /// Cycles from a link to the next, 1 to 3. 1: all in the cycle of arrival. 2: route computation
  /// in the cycle of arrival, the rest in another. 3: VC and switch allocation in a cycle before
  /// that in which a flit moves.
  unsigned pipeline = 1;
  /// VC sets that the route units give on links to neighbours (set_mask); the RTL builds only what
  /// these need.
  std::uint32_t sets = low_mask(kVcSets);

  /// 64-bit words for the credits of a port, one bit for each VC.
  static constexpr unsigned words(unsigned num_vc) { return (num_vc + 63) / 64; }

  bool operator==(const VcRouterConfig&) const = default;
};

}  // namespace weft
