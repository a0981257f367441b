// When messages stood on the wires into their destinations.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/packet/packet.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// When the last flit of a message stood on the wire into its destination.
struct Arrival {
  std::uint32_t src = 0;  ///< Source address.
  std::uint32_t end = 0;  ///< Place behind its body in the receive window, flits.
  std::uint64_t cycle = 0;
};

/// Notes the arrival of every message, where that is asked for.
class ArrivalMonitor {
 public:
  ArrivalMonitor(const Graph& graph, bool record)
      : graph_(graph),
        arriving_(record ? graph.nodes * graph.nic_links : 0),
        arrivals_(record ? graph.nodes : 0) {}

  /// A flit stands on a link in a cycle.
  void note(std::uint32_t link, const Flit& flit, std::uint64_t cycle) {
    if (!records() || graph_.links[link].dst_block >= graph_.nodes) return;
    Arriving& a = arriving_[link];  // Links into interfaces come first.
    if (!a.in_packet) a.header = Header::unpack(flit.data, graph_.header);
    a.in_packet = !flit.last;
    if (flit.last && a.header.eom) {
      arrivals_[graph_.links[link].dst_block].push_back(
          {a.header.src, a.header.off + a.header.len, cycle});
    }
  }

  bool records() const { return !arriving_.empty(); }

  /// By node, in order of time.
  const std::vector<std::vector<Arrival>>& arrivals() const { return arrivals_; }

 private:
  struct Arriving {
    bool in_packet = false;
    Header header;
  };

  const Graph& graph_;
  std::vector<Arriving> arriving_;  // By link.
  std::vector<std::vector<Arrival>> arrivals_;
};

}  // namespace weft
