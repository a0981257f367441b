// The ports and channels of a network that moves packets as spans.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/base/part_array.hpp"
#include "sim/share/division.hpp"
#include "sim/spans/line.hpp"
#include "sim/spans/saved.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

struct Packet;

/// What all parts of a network share.
class NetworkBasis {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

 protected:
  NetworkBasis(const Graph& graph, bool in_order);

  const Graph& graph_;
  std::uint32_t nic_ports_;  // Links of interfaces, in each direction.
  std::uint32_t num_vc_, depth_, exit_depth_;
  std::uint32_t inject_vcs_;     // VCs that interfaces allocate in turn.
  std::uint32_t words_ = 1;      // Words of a set of requesters.
  std::uint32_t ring_mask_ = 0;  // Slots of a ring less 1.
  std::uint32_t address_mask_, src_lsb_;
  std::uint32_t own_after_;  // Packets in transit that may go before an own packet; 0: own packets
                             // are treated like those in transit.
  bool cut_through_, store_forward_, age_, by_dest_, plain_, large_;
  // By VC set: the first VC and the number of VCs; the number is 0 for sets relative to a packet's
  // VC.
  std::array<std::array<std::uint16_t, 2>, kVcSets> sets_ = {};
};

/// The ports and channels of all parts of this process, of which each part uses its own.
///
/// A channel whose link comes from another part belongs to the part that it leads to. The other
/// part has a *mirror* of it, into which its port grants flits; mirrors come after all other
/// channels. Both have the same counts, each known to both parts from the cycle in which it
/// matters. A link with registers has a mirror at its sender's end too, also within a part: the
/// counts at one end are those at the other, as many cycles later as it has registers.
class NetworkState : public NetworkBasis {
 public:
  /// State of the front packet of a VC's buffer.
  enum class Phase : std::uint8_t {
    kEmpty,    ///< There is no packet.
    kStoring,  ///< Waits for its tail (store and forward).
    kWaiting,  ///< Its header requests a VC, from the cycle in which it is buffered.
    kMoving,   ///< Its header is granted, its tail not yet.
    kLeaving,  ///< Its tail is granted for a known cycle, `out.end()` - 1.
    kMirror,   ///< The channel is a mirror of one of another part.
  };

  /// Who else is told when flits are granted out of a channel.
  enum class Told : std::uint8_t {
    kNobody,
    kPort,  ///< The port that sends into it, once: it waits for a credit.
    kPart,  ///< The part with the mirror, always: the link comes from another part, or has
            ///< registers.
  };

  /// A VC of a link with its buffer; or, in front of a link out of an interface, the packets that
  /// the interface offers.
  struct alignas(64) Channel {
    Line in, out;                 ///< Flits granted into it and out of it.
    std::uint32_t front = kNone;  ///< Packet in front.
    std::uint32_t from = kNone;   ///< Port that sends into it.
    std::uint32_t port = kNone;   ///< Out-port that the front packet requests or has.
    std::uint32_t to = kNone;  ///< Channel allocated to the front packet, or the first it may have.
    std::uint32_t ports = kNone;  ///< First out-port of the router that has this channel; none: an
                                  ///< interface has it.
    std::uint16_t choices = 0;    ///< Channels that a waiting front packet may have.
    std::uint16_t queued = 0;     ///< Packets behind the front packet.
    std::uint16_t oldest = 0;     ///< The first of these packets in the ring.
    std::uint16_t sent = 0;       ///< Flits of the front packet granted before it was stopped.
    std::uint8_t in_port = 0;
    Phase phase = Phase::kEmpty;
    bool taken = false;  ///< Allocated to a packet that is stopped.
    Told told = Told::kNobody;
    /// digest_factor; with Told::kPart: the part of the mirror << 32, and the mirror's number.
    std::uint64_t factor = 0;
  };
  static_assert(sizeof(Channel) == 64);

  /// An out-port. Ports have the numbers of the graph: first those of the interfaces.
  struct alignas(64) Port {
    /// Requesters: bits by number or, if there can be more than 64, their number.
    std::uint64_t want = 0;
    std::uint64_t load = 0;          ///< Flits granted.
    Cycle look = kNever;             ///< Cycle in which it will be looked at.
    Cycle until = 0;                 ///< One after the last certain cycle of its span.
    std::uint32_t packet = kNone;    ///< Packet that moves; none: the port is free.
    std::uint32_t x = 0, y = 0;      ///< Channels that it moves from and to.
    std::uint32_t holder = kNone;    ///< Requester that was stopped and goes before all others.
    std::uint32_t pointer = 0;       ///< One above the VC of its last flit in transit; for an
                                     ///< interface, the first VC to try.
    std::uint32_t requesters = 0;    ///< Channel of requester 0.
    std::uint32_t channels = kNone;  ///< First channel of its link.
    std::uint32_t own = 0;           ///< Its router's position in the address space.
    std::uint16_t first = 0;         ///< First flit of the span.
    std::uint16_t left = 0;          ///< Flits of the packet that are not certain yet.
    bool exit = false;               ///< Leads to an interface.
    bool counted = false;            ///< The span is in the digest.
    std::uint16_t shape = 0;         ///< Its router's shape (Graph::route_units).
  };
  static_assert(sizeof(Port) == 64);

  /// Arbitration state of a VC of an out-port (rtl/router/README.md, packet_order).
  struct Order {
    std::uint32_t next = 0;      ///< One above the requester in transit whose header the VC had
                                 ///< last.
    std::uint32_t own_next = 0;  ///< One above the own requester whose header the VC had last.
    std::uint32_t waits = 0;     ///< Headers in transit that went before an own request for the VC.
    std::uint32_t own_vc = 0;    ///< For VC 0: one above the VC of the port's last own flit.
  };

  /// Part of a mirror in the same part.
  static constexpr std::uint32_t kOwnPart = 0x7fffffff;

  /// `graph` and `division` must outlive it. `in_order`: interfaces allocate VC 0 only.
  NetworkState(const Graph& graph, const Division& division, bool in_order);

  std::vector<std::uint64_t> load() const;  ///< Flits by link; 0 for links of other processes.
  /// Summand of this process: the flits in the network are the sum over all processes, modulo 2^64.
  std::uint64_t held() const;

  /// Checkpoint state of a block.
  template <class Archive>
  void archive_block(Archive& archive, std::uint32_t b) {
    const Block& block = graph_.blocks[b];
    const std::uint32_t from = channel_of(block.first_in);
    const std::uint32_t count = block.num_in * (block.first_in < nic_ports_ ? 1 : num_vc_);
    const std::uint32_t slots = ring_mask_ + 1;
    archive_elements(archive, channels_.data() + from, count, same_channel);
    archive_bytes(archive, rings_.data() + std::size_t{from} * slots, count * slots);
    if (block.first_out < nic_ports_) {  // An interface, with the packets that it offers.
      archive_elements(archive, channels_.data() + block.first_out, block.num_out, same_channel);
      archive_bytes(archive, rings_.data() + std::size_t{block.first_out} * slots,
                    std::size_t{block.num_out} * slots);
    }
    for (std::uint32_t p = block.first_out; p < block.first_out + block.num_out; ++p) {
      archive_elements(archive, ports_.data() + p, 1, same_port);
      if (ports_[p].channels < own_channels_ || ports_[p].channels == kNone) continue;
      archive_elements(archive, channels_.data() + ports_[p].channels, num_vc_,
                       same_channel);  // Mirrors.
    }
    if (block.first_out < nic_ports_) return;
    const auto within = [&](const Order&, const Order& loaded) {
      return loaded.waits <= own_after_;
    };
    archive_elements(archive, orders_.data() + std::size_t{block.first_out} * num_vc_,
                     std::size_t{block.num_out} * num_vc_, within);
    if (wants_.size() != 0) {
      archive_bytes(archive, wants_.data() + std::size_t{block.first_out} * words_,
                    std::size_t{block.num_out} * words_);
    }
  }

 private:
  friend class SpanNetwork;

  std::uint32_t channel_of(std::uint32_t link) const {
    return link < nic_ports_ ? nic_ports_ + link : 2 * nic_ports_ + (link - nic_ports_) * num_vc_;
  }
  // For checks of a loaded state (network_loaded.cpp): whether a part has an end of a link.
  bool in_part(const Link& link, bool source, unsigned part) const;
  bool has_port(std::uint32_t p, unsigned part) const;
  bool is_mirror(std::uint32_t c, unsigned part) const;
  bool is_buffer(std::uint32_t c, unsigned part) const;
  std::uint32_t link_of(std::uint32_t c) const;
  bool good_way(std::uint32_t block, const Packet& packet) const;
  // Whether a loaded channel has the same place in the network as the one before.
  static bool same_channel(const Channel& before, const Channel& loaded) {
    const bool mirror = before.phase == Phase::kMirror;
    const bool same = loaded.from == before.from && loaded.ports == before.ports &&
                      loaded.in_port == before.in_port && loaded.factor == before.factor &&
                      (loaded.phase == Phase::kMirror) == mirror &&
                      (loaded.told == Told::kPart) == (before.told == Told::kPart);
    return same && are_bools(loaded.taken) && loaded.phase <= Phase::kMirror &&
           loaded.told <= Told::kPart && (!mirror || loaded.to == before.to) &&
           ((!mirror && loaded.ports != kNone) || loaded.port == before.port);
  }
  static bool same_port(const Port& before, const Port& loaded) {
    return are_bools(loaded.exit, loaded.counted) && loaded.requesters == before.requesters &&
           loaded.channels == before.channels && loaded.own == before.own &&
           loaded.exit == before.exit && loaded.shape == before.shape;
  }
  void add_block(std::uint32_t block);
  Channel channel_into(std::uint32_t link, unsigned vc) const;
  void add_mirrors(std::uint32_t port, std::uint32_t link);
  // Calls `use` with each block of this process.
  template <class Use>
  void each_block(Use use) const {
    for (std::uint32_t b = 0; b < graph_.blocks.size(); ++b) {
      if (division_.owns_block(b)) use(graph_.blocks[b]);
    }
  }

  const Division& division_;
  PartArray<Channel> channels_;  // Offered packets, links into interfaces, all others, then
                                 // mirrors.
  std::uint32_t own_channels_;   // Number of channels but mirrors, which come after them.
  std::uint32_t mirrors_ = 0;
  std::vector<std::uint32_t> told_;  // Channels that have a mirror.
  PartArray<Port> ports_;
  PartArray<Order> orders_;           // By port and VC.
  PartArray<std::uint64_t> wants_;    // By port: requesters, if there can be more than 64.
  PartArray<std::uint32_t> rings_;    // By channel: packets behind the front packet.
  std::vector<std::uint32_t> rank_;   // By address: the node.
  std::vector<std::uint8_t> stages_;  // By channel: registers of its link.
};

}  // namespace weft
