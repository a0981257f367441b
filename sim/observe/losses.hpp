// Why the links of a network of routers idle: every cycle of every link goes to one cause.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/observe/held_packets.hpp"
#include "sim/observe/loss_sums.hpp"

namespace weft {

/// What a node's program and interface have done.
struct NodeSends {
  bool posted = false;      ///< A descriptor is taken in this cycle.
  std::uint32_t sent = 0;   ///< Messages sent to their last flit.
  bool in_barrier = false;  ///< The program has entered a barrier that is not over for it.
};

/// Counts them, cycle by cycle.
class Losses {
 public:
  explicit Losses(const Graph& graph);

  /// Once for each cycle from 1 on, after `packets` has taken that in. `sends`: by node.
  void add(const Wires& wires, HeldPackets& packets, const std::vector<NodeSends>& sends);

  /// Until a program posts again, what it lets idle counts as kEnd. `traffic`: see
  /// LossSums::traffic.
  LossSums sums(bool traffic) const;

 private:
  struct Out {
    std::uint32_t link = 0, block = 0, port = 0, node = 0;
  };

  void note_wants(HeldPackets& packets);
  void add_ejection(const Out& out, const Wires& wires, const HeldPackets& packets);
  LossSums::Tail tail_of(const Out& out, const Wires& wires, const HeldPackets& packets) const;

  const Graph& graph_;
  std::vector<Out> links_, ejections_;
  std::vector<LossSums::Cause> wants_;   // By out-port.
  std::vector<std::uint64_t> unposted_;  // By node: idle link-cycles since its last message.
  std::vector<std::uint64_t> posted_;    // By node: messages.
  LossSums sums_;                        // Of unposted_ nothing is in it.
};

}  // namespace weft
