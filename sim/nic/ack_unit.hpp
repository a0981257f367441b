// Acknowledgements of an interface, cycle model of rtl/nic/weft_ack_unit.sv (rtl/nic/README.md,
// ack_unit).
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/nic/packet_id.hpp"
#include "sim/packet/packet.hpp"

namespace weft {

/// Distinguishes repeated packets from new ones, and acknowledges both.
class AckUnit {
 public:
  struct Config {
    bool parity = false;           ///< Flits carry parity.
    PacketForm header = {};        ///< Form of packets; `id_w` is that of `num_ctrl` and `slots`.
    unsigned num_ctrl = 1;         ///< Send controllers of every interface.
    unsigned slots = 4;            ///< Slots of each controller.
    std::uint32_t addresses = 16;  ///< One above the highest address of a node.
    unsigned links = 1;            ///< Links in each direction, 1 to kMaxNicLinks.

    IdForm ids() const { return {num_ctrl, slots}; }
  };
  struct In {
    std::uint32_t node = 0;                          ///< Own address.
    bool restart = false;                            ///< Waiting acknowledgements are discarded.
    std::array<IdOfPacket, kMaxNicLinks> ask = {};   ///< By link: the packet that is being judged.
    std::array<IdOfPacket, kMaxNicLinks> took = {};  ///< By link: a packet that passed all checks.
    std::uint32_t ready = 0;                         ///< By link: the offered flit is taken.
  };
  struct Out {
    bool pending = false;  ///< An acknowledgement waits.
  };

  /// Values of the output ports.
  struct Shown : Out {
    std::uint32_t repeated = 0;                 ///< `repeated()` by link.
    std::array<Flit, kMaxNicLinks> offer = {};  ///< `offer()` by link.
  };
  static constexpr auto ports();  // sim/nic/ack_unit_ports.hpp

  /// Throws ConfigError if a value is out of range.
  explicit AckUnit(const Config& config)
      : c_(config), ids_(config.ids()), expected_(entries(config)), lanes_(config.links) {}

  void reset() {
    std::fill(expected_.begin(), expected_.end(), false);
    discard();
    restarts_ = false;
  }

  const Out& out() const { return out_; }

  /// Whether a packet is a repetition, or comes from no node.
  bool repeated(const IdOfPacket& packet) const {
    const PacketId id = ids_.unpack(packet.id);
    return !has(packet.src, id) || expected_[entry(packet.src, id)] != id.gen;
  }
  /// The acknowledgement that link `i` offers in a cycle with own address `node`.
  Flit offer(unsigned i, std::uint32_t node) const {
    const Lane& lane = lanes_[i];
    if (lane.count == 0) return {};
    const IdOfPacket& packet = lane.ring[lane.first];
    PacketId id = ids_.unpack(packet.id);
    id.ack = true;
    Flit flit;
    flit.valid = flit.last = true;
    flit.data =
        Header{.dst = packet.src, .src = node, .off = ids_.in_offset(id, c_.header), .eom = true}
            .pack(c_.header);
    flit.parity = c_.parity && parity_of(flit.data, true);
    return flit;
  }
  Shown shown(const In& in) const {
    Shown shown{out_, 0, {}};
    for (unsigned i = 0; i < c_.links; ++i) {
      shown.repeated |= std::uint32_t{repeated(in.ask[i])} << i;
      shown.offer[i] = offer(i, in.node);
    }
    return shown;
  }

  /// One clock edge: link `i` took the flit that it was offered (bits of `ready`), and the packets
  /// `took`. In the cycle after a `restart` no acknowledgement enters.
  void step(const IdOfPacket* took, std::uint32_t ready, bool restart) {
    out_.pending = false;
    for (unsigned i = 0; i < c_.links; ++i) {
      Lane& lane = lanes_[i];
      const std::uint64_t places = expected_.size();
      const bool full = lane.count == places;
      if (lane.count != 0 && (ready >> i & 1) != 0) {
        lane.first = lane.first + 1 < lane.ring.size() ? lane.first + 1 : 0;
        --lane.count;
      }
      const PacketId id = ids_.unpack(took[i].id);
      if (took[i].valid && has(took[i].src, id)) {
        expected_[entry(took[i].src, id)] = !id.gen;
        if (!full && !restarts_) lane.push(took[i]);
      }
      out_.pending |= lane.count != 0;
    }
    restarts_ = restart;
    if (restart) discard();
  }
  void step(const In& in) { step(in.took.data(), in.ready, in.restart); }

  /// The state: what a checkpoint keeps.
  template <class Archive>
  void serialize(Archive& archive) {
    archive(expected_, lanes_, restarts_, out_.pending);
  }

 private:
  friend class RtlState;  // Loads the state into RTL (sim/verilated/rtl_state.hpp).

  // Acknowledgements of one link: a ring that grows as needed, because almost always few wait.
  struct Lane {
    std::vector<IdOfPacket> ring = std::vector<IdOfPacket>(8);
    std::size_t first = 0, count = 0;

    void push(const IdOfPacket& packet) {
      if (count == ring.size()) {
        std::rotate(ring.begin(), ring.begin() + static_cast<std::ptrdiff_t>(first), ring.end());
        first = 0;
        ring.resize(2 * ring.size());
      }
      ring[(first + count++) % ring.size()] = packet;
    }

    template <class Archive>
    void serialize(Archive& archive) {
      archive.any_size(ring);
      archive(first, count);
      archive.require(first < ring.size() && count <= ring.size());
    }
  };

  static std::size_t entries(const Config& c) {
    if (c.links < 1 || c.links > kMaxNicLinks) {
      throw ConfigError(
          fmt::format("ack_unit: links is {}, expected: 1 to {}", c.links, kMaxNicLinks));
    }
    check_ids("ack_unit", c.ids(), c.header);
    return std::size_t{c.addresses} * c.num_ctrl * c.slots;
  }
  void discard() {
    for (Lane& lane : lanes_) lane.first = lane.count = 0;
    out_ = {};
  }
  bool has(std::uint32_t src, const PacketId& id) const {
    return src < c_.addresses && id.ctrl < c_.num_ctrl;
  }
  std::size_t entry(std::uint32_t src, const PacketId& id) const {
    return (std::size_t{src} * c_.num_ctrl + id.ctrl) * c_.slots + id.slot;
  }

  Config c_;
  IdForm ids_;
  std::vector<bool> expected_;  // By source, controller and slot: `gen` of the next new packet.
  std::vector<Lane> lanes_;
  bool restarts_ = false;  // There was a restart in the cycle before.
  Out out_;
};

}  // namespace weft
