// Switch allocation of one out-port a cycle ahead, cycle model of rtl/router/weft_switch_hold.sv
// (rtl/router/README.md, switch_hold).
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/arbiter/age_arbiter.hpp"
#include "sim/base/error.hpp"
#include "sim/packet/ports.hpp"

namespace weft {

/// Knows in each cycle which requester holds the out-port, and selects the holder of the next one:
/// `eval` returns the grant, `tick` is the clock edge at the end of the cycle.
class SwitchHold {
 public:
  static constexpr unsigned kNobody = ~0u;

  struct Config {
    unsigned num_req = 10;  ///< Requesters, 1 or more.
    bool hold = true;       ///< A packet whose flits move keeps the out-port.
    bool age = false;       ///< Oldest packet first; else round-robin.
  };
  /// A set of requesters has `words()` words: bit r % 64 of word r / 64 is requester r.
  struct In {
    const std::uint64_t* req = nullptr;     ///< Requesters of the next cycle; not the holder's.
    const std::uint64_t* may = nullptr;     ///< Those whose flit can move in this cycle.
    const std::uint64_t* last = nullptr;    ///< Those whose flit is a tail.
    const std::uint16_t* stamps = nullptr;  ///< By requester; only with `age`.
    std::uint16_t now = 0;                  ///< The present cycle; only with `age`.
  };
  struct Out {
    bool gnt = false;  ///< The holder's flit moves.
    unsigned idx = 0;  ///< The holder; 0 without.
  };

  /// One line for each requester.
  struct GrantLines {
    static std::uint64_t get(const Out& out, unsigned word, unsigned /*bits*/) {
      return out.gnt && out.idx / 64 == word ? std::uint64_t{1} << out.idx % 64 : 0;
    }
  };
  static constexpr auto ports() {
    return port_table(
        input("now_i", kStampW, &In::now), input("req_i", &Config::num_req, &In::req),
        input("may_i", &Config::num_req, &In::may), input("last_i", &Config::num_req, &In::last),
        input("stamp_i", kStampW, &In::stamps, &Config::num_req),
        output("gnt_o", std::make_tuple(port_field("", &Config::num_req, GrantLines{})), Itself{}),
        output(
            "idx_o", [](const Config& c) { return index_width(c.num_req); }, &Out::idx));
  }

  /// Throws ConfigError if `num_req` is out of range.
  explicit SwitchHold(const Config& config) : c_(config), others_(words()), oldest_(words()) {
    if (config.num_req < 1) throw ConfigError("switch_hold: num_req is 0, expected: 1 or more");
  }

  std::size_t words() const { return (std::size_t{c_.num_req} + 63) / 64; }

  void reset() {
    holder_ = kNobody;
    turn_ = 0;
  }

  Out eval(const In& in) const {
    if (holder_ == kNobody) return {};
    return {contains(in.may, holder_), holder_};
  }

  /// The clock edge, with the grant of this cycle. Returns whether the holder changes.
  bool tick(const In& in, const Out& out) {
    const bool ends = out.gnt && contains(in.last, out.idx);
    // A packet whose flits move keeps the port.
    if (c_.hold && out.gnt && !ends) return false;
    const unsigned next = first_other(in);
    if (next == kNobody) {
      // A holder that waits keeps the port as long as no other requests it.
      if (ends) holder_ = kNobody;
      return ends;
    }
    holder_ = next;
    turn_ = next + 1 == c_.num_req ? 0 : next + 1;
    return true;
  }

  /// The requester that holds the out-port; `kNobody` if there is none.
  unsigned holder() const { return holder_; }

  /// The state: what a checkpoint keeps.
  template <class Archive>
  void serialize(Archive& archive) {
    archive(holder_, turn_);
    archive.require((holder_ == kNobody || holder_ < c_.num_req) && turn_ < c_.num_req);
  }

 private:
  friend class RtlState;  // Loads the state into RTL (sim/verilated/rtl_state.hpp).

  static bool contains(const std::uint64_t* set, unsigned requester) {
    return (set[requester / 64] >> requester % 64 & 1) != 0;
  }
  // Of the requesters but the holder, with `age` of the oldest of them, the first in turn.
  unsigned first_other(const In& in) {
    std::copy_n(in.req, words(), others_.begin());
    if (holder_ != kNobody) others_[holder_ / 64] &= ~(std::uint64_t{1} << holder_ % 64);
    const std::vector<std::uint64_t>* from = &others_;
    if (c_.age) {
      AgeArbiter::oldest({others_.data(), words()}, in.stamps, in.now, oldest_);
      from = &oldest_;
    }
    unsigned lowest = kNobody;
    for (unsigned word = 0; word < words(); ++word) {
      for (std::uint64_t left = (*from)[word]; left != 0; left &= left - 1) {
        const unsigned r = word * 64 + static_cast<unsigned>(std::countr_zero(left));
        if (r >= turn_) return r;
        if (lowest == kNobody) lowest = r;
      }
    }
    return lowest;
  }

  Config c_;
  unsigned holder_ = kNobody;
  unsigned turn_ = 0;                           // Round-robin pointer.
  std::vector<std::uint64_t> others_, oldest_;  // Of one cycle.
};

}  // namespace weft
