// When packets were delivered.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/nic/packet_id.hpp"
#include "sim/packet/packet.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// A delivered packet: its tail was on the wire into its destination in `cycle`.
struct Arrival {
  std::uint32_t src = 0;      ///< Source address.
  std::uint32_t body_at = 0;  ///< Offset of its body in the receive window, flits.
  std::uint32_t flits = 0;    ///< Of its body.
  std::uint64_t cycle = 0;
};

/// Records the arrival of every packet, if asked to. The packets of a message may arrive in any
/// order.
class ArrivalMonitor {
 public:
  ArrivalMonitor(const Graph& graph, bool record)
      : graph_(graph),
        arriving_(record ? graph.nodes * graph.nic_links : 0),
        arrivals_(record ? graph.nodes : 0) {}

  /// Takes a flit that is on a link in a cycle.
  void note(std::uint32_t link, const Flit& flit, std::uint64_t cycle) {
    if (!records() || graph_.links[link].dst_block >= graph_.nodes) return;
    Arriving& a = arriving_[link];  // Links into interfaces come first.
    if (!a.in_packet) a.header = Header::unpack(flit.data, graph_.header);
    a.in_packet = !flit.last;
    if (flit.last && !is_ack(a.header.off, graph_.header)) {
      arrivals_[graph_.links[link].dst_block].push_back(
          {a.header.src, without_id(a.header.off, graph_.header), a.header.len, cycle});
    }
  }
  /// What is on the links is lost.
  void restart() {
    for (Arriving& a : arriving_) a.in_packet = false;
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

/// Assembles the packets that arrived at one node, in whatever order, into messages by their
/// offsets in the receive window.
class ArrivedMessages {
 public:
  explicit ArrivedMessages(std::vector<Arrival> packets) : packets_(std::move(packets)) {
    std::stable_sort(packets_.begin(), packets_.end(),
                     [](const Arrival& a, const Arrival& b) { return a.body_at < b.body_at; });
  }

  /// Cycle in which the last packet of a message of `flits` body flits arrived; nothing if part of
  /// the message did not arrive. Of equal messages without a body the first that is not taken yet.
  std::optional<std::uint64_t> take(std::uint32_t src, std::uint32_t offset, std::uint32_t flits) {
    auto p = std::lower_bound(packets_.begin(), packets_.end(), offset,
                              [](const Arrival& a, std::uint32_t off) { return a.body_at < off; });
    std::uint64_t end = 0;
    for (std::uint32_t missing = flits;
         p != packets_.end() && p->body_at - offset < std::max(flits, 1U); ++p) {
      if (p->src != src || (p->flits == 0) != (flits == 0)) continue;
      p->src = kTaken;
      end = std::max(end, p->cycle);
      missing -= p->flits;
      if (missing == 0) return end;
    }
    return {};
  }

 private:
  static constexpr std::uint32_t kTaken = ~std::uint32_t{0};  // No address.

  std::vector<Arrival> packets_;  // By offset, those of one offset in order of time.
};

}  // namespace weft
