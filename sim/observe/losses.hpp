// Why the links of a fabric of routers idle: every cycle of every link counts for one cause.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/observe/held_packets.hpp"
#include "sim/observe/loss_sums.hpp"

namespace weft {

/// What a node's endpoint and network interface have done.
struct NodeSends {
  bool posted = false;      ///< The interface takes a descriptor in this cycle.
  std::uint32_t sent = 0;   ///< Messages sent completely.
  bool in_barrier = false;  ///< The endpoint has entered a barrier and not left it.
};

/// Counts link cycles by cause, cycle by cycle.
class Losses {
 public:
  explicit Losses(const Graph& graph);

  /// Called once for each cycle from 1 on, after `packets.update` for that cycle. `sends`: by node.
  void add(const Wires& wires, HeldPackets& packets, const std::vector<NodeSends>& sends);

  /// The sums so far. Idle cycles since a program's last message count as kEnd. `traffic`: see
  /// LossSums::traffic.
  LossSums sums(bool traffic) const;
  /// The cycles so far of each link between routers, in the order of their routers.
  std::vector<LinkLosses> links(bool traffic) const;

 private:
  struct Out {
    std::uint32_t link = 0, block = 0, port = 0, node = 0;
    std::uint64_t unposted = 0;    // Causes without those idle cycles.
    LossSums::Causes causes = {};  // Without them.
  };

  void note_wants(HeldPackets& packets);
  void add_ejection(const Out& out, const Wires& wires, const HeldPackets& packets);
  LossSums::Tail tail_of(const Out& out, const Wires& wires, const HeldPackets& packets) const;

  const Graph& graph_;
  std::vector<Out> links_, ejections_;
  std::vector<LossSums::Cause> wants_;  // By out-port.
  std::vector<std::uint64_t> posted_;   // By node: number of posted messages.
  LossSums sums_;                       // Sums without the causes, which are in links_.
};

}  // namespace weft
