// Switch allocation of one out-port a cycle ahead, cycle model of rtl/router/weft_switch_hold.sv
// (rtl/router/README.md, switch_hold).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/arbiter/age_arbiter.hpp"
#include "sim/packet/packet.hpp"
#include "sim/router/packet_order.hpp"
#include "sim/router/switch_alloc.hpp"

namespace weft {

/// Knows in each cycle which requester holds the out-port, and selects the holder for the next one:
/// `eval` returns the grant, `tick` is the clock edge at the end of the cycle.
class SwitchHold {
 public:
  static constexpr unsigned kNobody = PacketOrder::kNobody;

  struct Config : PacketOrder::Config {
    bool hold = true;  ///< A packet whose flits move keeps the out-port.
    bool age = false;  ///< Oldest packet first, whosever it is.
  };
  /// A set of requesters has `words()` words: bit r % 64 of word r / 64 is requester r.
  struct In {
    const std::uint64_t* req = nullptr;     ///< Requesters of the next cycle; not the holder's.
    const std::uint32_t* vc = nullptr;      ///< By requester: VC of the link that it requests.
    const std::uint64_t* head = nullptr;    ///< Requesters whose flit is a header.
    const std::uint64_t* may = nullptr;     ///< Requesters whose flit can move in this cycle.
    const std::uint64_t* last = nullptr;    ///< Requesters whose flit is a tail.
    const std::uint16_t* stamps = nullptr;  ///< By requester: stamp; only with `age`.
    std::uint16_t now = 0;                  ///< The present cycle; only with `age`.
  };
  struct Out {
    bool gnt = false;  ///< The holder's flit moves.
    unsigned idx = 0;  ///< The holder; 0 if there is none.
  };

  /// One line for each requester.
  struct GrantLines {
    static std::uint64_t get(const Out& out, unsigned word, unsigned /*bits*/) {
      return PacketOrder::Lines::line(out.gnt ? out.idx : kNobody, word);
    }
  };
  static constexpr auto ports();  // sim/router/switch_hold_ports.hpp

  /// Throws ConfigError if a value is out of range.
  explicit SwitchHold(const Config& config)
      : c_(config),
        order_(SwitchAlloc::order_of(config, config.age)),
        others_(words()),
        oldest_(words()) {}

  std::size_t words() const { return (std::size_t{c_.num_req} + 63) / 64; }

  void reset() {
    holder_ = kNobody;
    order_.reset();
  }

  Out eval(const In& in) const {
    if (holder_ == kNobody) return {};
    return {PacketOrder::contains(in.may, holder_), holder_};
  }

  /// The clock edge, with the grant of this cycle. Returns whether the state changes.
  bool tick(const In& in, const Out& out) {
    const bool ends = out.gnt && PacketOrder::contains(in.last, out.idx);
    // A packet whose flits move keeps the port.
    const bool keeps = c_.hold && out.gnt && !ends;
    const unsigned next = keeps ? kNobody : order_.eval({others(in), in.vc, in.head}).pick;
    order_.tick({in.req, in.vc, in.head, out.gnt ? out.idx : kNobody});
    // A holder that waits keeps the port as long as no other requester requests it.
    if (keeps || (next == kNobody && !ends)) return out.gnt;
    holder_ = next;
    return true;
  }

  /// The requester that holds the out-port; `kNobody` if there is none.
  unsigned holder() const { return holder_; }

  /// The state: what a checkpoint keeps.
  template <class Archive>
  void serialize(Archive& archive) {
    archive(holder_, order_);
    archive.require(holder_ == kNobody || holder_ < c_.num_req);
  }

 private:
  friend class RtlState;  // Loads the state into RTL (sim/verilated/rtl_state.hpp).

  // The requesters without the holder; with `age` only the oldest of them.
  const std::uint64_t* others(const In& in) {
    std::copy_n(in.req, words(), others_.begin());
    if (holder_ != kNobody) others_[holder_ / 64] &= ~(std::uint64_t{1} << holder_ % 64);
    if (!c_.age) return others_.data();
    AgeArbiter::oldest({others_.data(), words()}, in.stamps, in.now, oldest_);
    return oldest_.data();
  }

  Config c_;
  PacketOrder order_;
  unsigned holder_ = kNobody;
  std::vector<std::uint64_t> others_, oldest_;  // Sets used within one cycle.
};

}  // namespace weft
