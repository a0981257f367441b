// When packets were delivered.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/nic/packet_id.hpp"
#include "sim/packet/arriving_packet.hpp"
#include "sim/packet/packet.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// A delivered packet: its tail was on the wire into its destination in `cycle`.
struct Arrival {
  std::uint32_t src = 0;      ///< Source address.
  std::uint32_t body_at = 0;  ///< Offset of the body in the receive window, flits.
  std::uint32_t flits = 0;    ///< Flits of the body.
  std::uint64_t cycle = 0;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(src, body_at, flits, cycle);
  }
};

/// Records the arrival of every packet that an interface keeps, if asked to: not of packets with an
/// error or of repeated ones. The packets of a message may arrive in any order.
class ArrivalMonitor {
 public:
  /// `parity`: flits carry parity.
  ArrivalMonitor(const Graph& graph, bool record, bool parity)
      : graph_(graph),
        parity_(parity),
        arriving_(record ? graph.nodes * graph.nic_links : 0),
        taken_(record ? graph.nodes : 0),
        arrivals_(record ? graph.nodes : 0) {
    if (graph.header.id_w == 0) return;
    for (std::vector<bool>& slots : taken_) {
      slots.assign(graph.addresses() << (graph.header.id_w - 2), true);
    }
  }

  /// Notes a flit that is on a link into an interface in `cycle`; `windows`: of the interface.
  void note(std::uint32_t link, const Flit& flit, std::uint64_t cycle,
            const ReceiveWindows& windows) {
    if (!records()) return;
    ArrivingPacket& packet = arriving_[link];  // Links into interfaces come first.
    const std::uint32_t node = graph_.links[link].dst_block;
    if (!packet.take(flit, graph_.header, parity_) || !kept(node, packet, windows)) return;
    const Header& header = packet.header;
    arrivals_[node].push_back(
        {header.src, without_id(header.off, graph_.header), header.len, cycle});
  }
  /// Forgets the packets that are on the links.
  void restart() {
    for (ArrivingPacket& packet : arriving_) packet.inside = false;
  }

  bool records() const { return !arriving_.empty(); }

  /// Arrivals by node, in order of time.
  const std::vector<std::vector<Arrival>>& arrivals() const { return arrivals_; }

  /// Checkpoint state of a node.
  template <class Archive>
  void archive_node(Archive& archive, std::uint32_t node) {
    if (!records()) return;
    const std::uint32_t links = graph_.nic_links;
    for (std::uint32_t l = node * links; l < (node + 1) * links; ++l) archive(arriving_[l]);
    archive(taken_[node]);
    archive.any_size(arrivals_[node]);
  }

 private:
  // Whether a node's interface keeps a completed packet.
  bool kept(std::uint32_t node, const ArrivingPacket& packet, const ReceiveWindows& windows) {
    const PacketForm form = graph_.header;
    const Header& header = packet.header;
    if (is_ack(header.off, form) || !packet.place(graph_.address[node], windows, form))
      return false;
    if (form.id_w == 0) return true;
    if (header.src >= graph_.addresses()) return false;
    const std::uint32_t id = plain_id(header.off, form);
    const std::size_t slot = (std::size_t{header.src} << (form.id_w - 2)) + (id >> 1);
    const bool gen = (id & 1) != 0, fresh = taken_[node][slot] != gen;
    taken_[node][slot] = gen;
    return fresh;
  }

  const Graph& graph_;
  bool parity_;
  std::vector<ArrivingPacket> arriving_;  // By link.
  std::vector<std::vector<bool>> taken_;  // By node, then by source and slot: `gen` of the last
                                          // packet.
  std::vector<std::vector<Arrival>> arrivals_;
};

/// Assembles the packets that arrived at one node, in any order, into messages by their offsets in
/// the receive window.
class ArrivedMessages {
 public:
  explicit ArrivedMessages(std::vector<Arrival> packets) : packets_(std::move(packets)) {
    std::stable_sort(packets_.begin(), packets_.end(),
                     [](const Arrival& a, const Arrival& b) { return a.body_at < b.body_at; });
  }

  /// Cycle in which the last packet of a message of `flits` body flits arrived; none if part of the
  /// message did not arrive. Takes the message: of equal messages without a body, the first that is
  /// not taken yet.
  std::optional<std::uint64_t> take(std::uint32_t src, std::uint32_t offset, std::uint32_t flits) {
    auto p = std::lower_bound(packets_.begin(), packets_.end(), offset,
                              [](const Arrival& a, std::uint32_t off) { return a.body_at < off; });
    std::uint64_t end = 0;
    for (std::uint32_t missing = flits;
         p != packets_.end() && p->body_at - offset < std::max(flits, 1U); ++p) {
      if (p->src != src || (p->flits == 0) != (flits == 0) || p->flits > missing) continue;
      p->src = kTaken;
      end = std::max(end, p->cycle);
      missing -= p->flits;
      if (missing == 0) return end;
    }
    return {};
  }

 private:
  static constexpr std::uint32_t kTaken = ~std::uint32_t{0};  // Not an address.

  std::vector<Arrival> packets_;  // Sorted by offset; packets of one offset in order of time.
};

}  // namespace weft
