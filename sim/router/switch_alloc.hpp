// Switch allocation of one out-port of a router, cycle model of rtl/router/weft_switch_alloc.sv
// (rtl/router/README.md, switch_alloc; seed 004 [4.2]).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/arbiter/age_arbiter.hpp"
#include "sim/packet/packet.hpp"
#include "sim/router/packet_order.hpp"

namespace weft {

/// Grants an out-port to one requester in each cycle, in the cycle of its request: `eval` returns
/// the grant, `tick` is the clock edge at the end of the cycle.
class SwitchAlloc {
 public:
  static constexpr unsigned kNobody = PacketOrder::kNobody;

  struct Config : PacketOrder::Config {
    bool hold = true;  ///< A packet in progress goes before all others.
    bool age = false;  ///< Oldest packet first, whosever it is.
  };
  /// A set of requesters has `words()` words: bit r % 64 of word r / 64 is requester r.
  struct In {
    const std::uint64_t* req = nullptr;     ///< Requesters.
    const std::uint32_t* vc = nullptr;      ///< By requester: VC of the link that it requests.
    const std::uint64_t* head = nullptr;    ///< Requesters whose flit is a header.
    const std::uint64_t* last = nullptr;    ///< Requesters whose flit is a tail.
    const std::uint16_t* stamps = nullptr;  ///< By requester: stamp; only with `age`.
    std::uint16_t now = 0;                  ///< The present cycle; only with `age`.
  };
  struct Out {
    bool gnt = false;  ///< There is a grant.
    unsigned idx = 0;  ///< Granted requester; 0 without a grant.
  };

  /// One line for each requester.
  struct GrantLines {
    static std::uint64_t get(const Out& out, unsigned word, unsigned /*bits*/) {
      return PacketOrder::Lines::line(out.gnt ? out.idx : kNobody, word);
    }
  };
  static constexpr auto ports();  // sim/router/switch_alloc_ports.hpp

  /// Configuration of the order: if ages decide, it makes no difference whose a packet is.
  static PacketOrder::Config order_of(PacketOrder::Config config, bool age) {
    if (age) config.own_after = 0;
    return config;
  }

  /// Throws ConfigError if a value is out of range.
  explicit SwitchAlloc(const Config& config)
      : c_(config), order_(order_of(config, config.age)), open_(words()) {}

  std::size_t words() const { return (std::size_t{c_.num_req} + 63) / 64; }

  void reset() {
    holder_ = kNobody;
    order_.reset();
  }

  Out eval(const In& in) {
    if (holder_ != kNobody && PacketOrder::contains(in.req, holder_)) return {true, holder_};
    const unsigned pick = order_.eval({eligible(in), in.vc, in.head}).pick;
    return pick != kNobody ? Out{true, pick} : Out{};
  }

  /// The clock edge; `out` is what `eval` returned for `in`.
  void tick(const In& in, const Out& out) {
    if (!out.gnt) return;
    order_.tick({in.req, in.vc, in.head, out.idx});
    holder_ = c_.hold && !PacketOrder::contains(in.last, out.idx) ? out.idx : kNobody;
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

  // The requests among which the order decides: with `age` those of the oldest packets.
  const std::uint64_t* eligible(const In& in) {
    if (!c_.age) return in.req;
    AgeArbiter::oldest({in.req, words()}, in.stamps, in.now, open_);
    return open_.data();
  }

  Config c_;
  PacketOrder order_;
  unsigned holder_ = kNobody;
  std::vector<std::uint64_t> open_;  // The oldest requesters.
};

}  // namespace weft
