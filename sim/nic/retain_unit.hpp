// Packets that wait to be acknowledged, cycle model of rtl/nic/weft_retain_unit.sv
// (rtl/nic/README.md, retain_unit).
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <tuple>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/nic/packet_id.hpp"
#include "sim/packet/packet.hpp"

namespace weft {

/// Cuts the messages of one send controller into packets, keeps them until they are acknowledged,
/// and issues them again after a restart.
class RetainUnit {
 public:
  struct Config {
    std::uint32_t packet_flits = 128;  ///< Most body flits of a packet, 1 to 255.
    PacketForm header = {};            ///< Form of packets; `id_w` is that of `num_ctrl` and
                                       ///< `slots`.
    unsigned num_ctrl = 1;             ///< Send controllers of the interface.
    unsigned slots = 4;                ///< Packets that may wait: 2, 4, 8 or 16.
    std::uint32_t addresses = 16;      ///< One above the highest address of a node.
    unsigned links = 1;                ///< Links from which acknowledgements come, 1 to
                                       ///< kMaxNicLinks.
    std::uint32_t timeout = 4096;      ///< Cycles until a packet is overdue, 1 to 2^20.

    IdForm ids() const { return {num_ctrl, slots}; }
  };
  struct In {
    std::uint32_t ctrl = 0;   ///< Number of the own controller.
    bool hold = false;        ///< No packet is issued.
    bool restart = false;     ///< Packets that are not acknowledged are issued again.
    bool desc_valid = false;  ///< A message is to be sent.
    bool pkt_ready = false;   ///< The packet is taken.
    Descriptor desc;          ///< The message; `ctrl` and `start` are ignored.
    std::array<IdOfPacket, kMaxNicLinks> ack = {};  ///< By link: the acknowledgement that arrives.
  };
  struct Out {
    bool desc_ready = true;  ///< The message is taken if there is one.
    bool empty = true;       ///< No packet waits, and no message is being cut.
    bool waits = false;      ///< A packet waits.
    bool overdue = false;    ///< The oldest packet has waited too long.
    bool sent = false;       ///< The last packet of a message was retired in the cycle before.
    bool resent = false;     ///< A packet was issued again in the cycle before.

    template <class Archive>
    void serialize(Archive& archive) {
      archive(desc_ready, empty, waits, overdue, sent, resent);
    }
  };

  /// Values of the output ports.
  struct Shown : Out {
    bool valid = false;  ///< `offers(hold)`.
    Descriptor packet;   ///< The offered packet; 0 without one.
  };
  static constexpr auto ports();  // sim/nic/retain_unit_ports.hpp

  /// Throws ConfigError if a value is out of range.
  explicit RetainUnit(const Config& config)
      : c_(config), ids_(config.ids()), slots_(config.slots), gens_(entries(config)) {}

  void reset() {
    std::fill(gens_.begin(), gens_.end(), false);
    oldest_ = issue_ = free_ = fresh_ = 0;
    cutting_ = false;
    waited_ = 0;
    out_ = {};
  }

  const Out& out() const { return out_; }

  /// `pkt_valid_o`: whether a packet is offered.
  bool offers(bool hold) const { return !hold && issue_ != free_ && !slot(issue_).acked; }
  const Descriptor& packet() const { return slot(issue_).packet; }
  Shown shown(bool hold) const {
    return offers(hold) ? Shown{out_, true, packet()} : Shown{out_, false, {}};
  }

  /// Whether a step without a message, an acknowledgement and a restart changes nothing; never
  /// while a packet is offered or waits.
  bool idle() const { return out_.empty && waited_ == 0 && !out_.sent && !out_.resent; }

  const Out& step(const In& in) {
    // All decisions of this cycle use the state at the beginning of the cycle.
    const bool issues = offers(in.hold) && in.pkt_ready;
    const bool skips = issue_ != free_ && slot(issue_).acked;
    const bool retires = oldest_ != free_ && slot(oldest_).acked;
    const bool cuts = cutting_ && free_ - oldest_ < c_.slots;
    const bool accepts = in.desc_valid && out_.desc_ready;
    const bool waited = oldest_ != free_ && !retires;

    for (unsigned i = 0; i < c_.links; ++i) {
      if (in.ack[i].valid) acknowledge(in.ctrl, in.ack[i]);
    }
    out_.sent = retires && !slot(oldest_).packet.more;
    out_.resent = issues && issue_ != fresh_;
    if (cuts) cut(in.ctrl);
    if (accepts) {
      message_ = in.desc;
      cutting_ = true;
    }
    oldest_ += retires;
    if ((issues || skips) && issue_ == fresh_) ++fresh_;
    issue_ = in.restart ? oldest_ : issue_ + (issues || skips);
    if (in.restart || (!in.hold && !waited)) {
      waited_ = 0;
    } else if (!in.hold && waited_ < c_.timeout) {
      ++waited_;
    }
    out_.desc_ready = !cutting_;
    out_.waits = oldest_ != free_;
    out_.empty = !out_.waits && !cutting_;
    out_.overdue = waited_ == c_.timeout;
    return out_;
  }

  /// The state: what a checkpoint keeps.
  template <class Archive>
  void serialize(Archive& archive) {
    archive(cutting_, oldest_, issue_, free_, fresh_, waited_, message_, slots_, gens_, out_);
    archive.require(oldest_ <= issue_ && issue_ <= fresh_ && fresh_ <= free_ &&
                    free_ - oldest_ <= c_.slots && waited_ <= c_.timeout);
  }

 private:
  friend class RtlState;  // Loads the state into RTL (sim/verilated/rtl_state.hpp).

  struct Slot {
    Descriptor packet;
    bool gen = false, acked = false;

    template <class Archive>
    void serialize(Archive& archive) {
      archive(packet, gen, acked);
    }
  };

  static std::size_t entries(const Config& c) {
    const auto check = [](const char* name, std::uint32_t value, std::uint32_t most) {
      if (value >= 1 && value <= most) return;
      throw ConfigError(fmt::format("retain_unit: {} is {}, expected: 1 to {}", name, value, most));
    };
    check("packet_flits", c.packet_flits, 255);
    check("links", c.links, kMaxNicLinks);
    check("timeout", c.timeout, 1u << 20);
    check("addresses", c.addresses, 1u << kMaxAddrW);
    check_ids("retain_unit", c.ids(), c.header);
    return std::size_t{c.addresses} * c.slots;
  }

  Slot& slot(std::uint64_t pointer) { return slots_[pointer % c_.slots]; }
  const Slot& slot(std::uint64_t pointer) const { return slots_[pointer % c_.slots]; }

  void acknowledge(std::uint32_t ctrl, const IdOfPacket& ack) {
    const PacketId id = ids_.unpack(ack.id);
    if (id.ctrl != ctrl) return;
    for (std::uint64_t p = oldest_; p != free_; ++p) {
      Slot& waiting = slot(p);
      if (p % c_.slots == id.slot && waiting.packet.dst == ack.src && waiting.gen == id.gen) {
        waiting.acked = true;
      }
    }
  }

  // Puts the next packet of the message into slot `free_`.
  void cut(std::uint32_t ctrl) {
    Slot& to = slot(free_);
    const auto number = static_cast<std::uint32_t>(free_ % c_.slots);
    to = {message_, false, false};
    if (message_.dst < c_.addresses) {
      const std::size_t entry = std::size_t{message_.dst} * c_.slots + number;
      to.gen = gens_[entry];
      gens_[entry] = !to.gen;
    }
    const std::uint32_t len = std::min(message_.len, c_.packet_flits);
    to.packet.len = len;
    to.packet.more = len != message_.len;
    to.packet.off |= ids_.in_offset({false, ctrl, number, to.gen}, c_.header);
    message_.addr = (message_.addr + len) & static_cast<std::uint32_t>(low_mask(kMemAddrW));
    message_.off = (message_.off + len) & static_cast<std::uint32_t>(low_mask(c_.header.off_w()));
    message_.len -= len;
    cutting_ = to.packet.more;
    ++free_;
  }

  Config c_;
  IdForm ids_;
  bool cutting_ = false;  // `message_` has packets left to cut.
  // Numbers of packets since reset: oldest kept, next to issue, next to cut, first never issued.
  std::uint64_t oldest_ = 0, issue_ = 0, free_ = 0, fresh_ = 0;
  std::uint32_t waited_ = 0;  // Cycles in which no packet was retired.
  Descriptor message_;
  std::vector<Slot> slots_;
  std::vector<bool> gens_;  // By destination and slot: `gen` of its next packet.
  Out out_;
};

}  // namespace weft
