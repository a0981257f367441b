// Switch allocation of one out-port of a router, cycle model of rtl/router/weft_switch_alloc.sv
// (rtl/router/README.md, switch_alloc; seed 004 [4.2]).
#pragma once

#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/arbiter/age_arbiter.hpp"
#include "sim/base/error.hpp"
#include "sim/packet/ports.hpp"

namespace weft {

/// Grants an out-port to one requester in each cycle, in the cycle of its request: `eval` returns
/// the grant, `tick` is the clock edge at the end of the cycle.
class SwitchAlloc {
 public:
  static constexpr unsigned kNobody = ~0u;

  struct Config {
    unsigned num_req = 10;  ///< Requesters, 1 or more.
    bool hold = true;       ///< A packet in progress goes before all others.
    bool age = false;       ///< Oldest packet first; else round-robin.
  };
  /// A set of requesters has `words()` words: bit r % 64 of word r / 64 is requester r.
  struct In {
    const std::uint64_t* req = nullptr;     ///< Requesters.
    const std::uint64_t* last = nullptr;    ///< Requesters whose flit is a tail.
    const std::uint16_t* stamps = nullptr;  ///< By requester; only with `age`.
    std::uint16_t now = 0;                  ///< The present cycle; only with `age`.
  };
  struct Out {
    bool gnt = false;  ///< There is a grant.
    unsigned idx = 0;  ///< Granted requester; 0 without a grant.
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
        input("last_i", &Config::num_req, &In::last),
        input("stamp_i", kStampW, &In::stamps, &Config::num_req),
        output("gnt_o", std::make_tuple(port_field("", &Config::num_req, GrantLines{})), Itself{}),
        output(
            "idx_o", [](const Config& c) { return index_width(c.num_req); }, &Out::idx));
  }

  /// Throws ConfigError if `num_req` is out of range.
  explicit SwitchAlloc(const Config& config) : c_(config), open_(words()) {
    if (config.num_req < 1) throw ConfigError("switch_alloc: num_req is 0, expected: 1 or more");
  }

  std::size_t words() const { return (std::size_t{c_.num_req} + 63) / 64; }

  void reset() {
    holder_ = kNobody;
    start_ = 0;
  }

  Out eval(const In& in) {
    if (holder_ != kNobody && contains(in.req, holder_)) return {true, holder_};
    const std::uint64_t* open = in.req;
    if (c_.age) {
      AgeArbiter::oldest({in.req, words()}, in.stamps, in.now, open_);
      open = open_.data();
    }
    unsigned chosen = first(open, start_);
    if (chosen == kNobody) chosen = first(open, 0);
    return chosen != kNobody ? Out{true, chosen} : Out{};
  }

  /// The clock edge; `out` is what `eval` returned for `in`.
  void tick(const In& in, const Out& out) {
    if (!out.gnt) return;
    start_ = out.idx + 1 == c_.num_req ? 0 : out.idx + 1;
    holder_ = c_.hold && !contains(in.last, out.idx) ? out.idx : kNobody;
  }

  /// The requester that holds the out-port; `kNobody` if there is none.
  unsigned holder() const { return holder_; }

  /// The state: what a checkpoint keeps.
  template <class Archive>
  void serialize(Archive& archive) {
    archive(holder_, start_);
    archive.require((holder_ == kNobody || holder_ < c_.num_req) && start_ < c_.num_req);
  }

 private:
  friend class RtlState;  // Loads the state into RTL (sim/verilated/rtl_state.hpp).

  static bool contains(const std::uint64_t* set, unsigned requester) {
    return (set[requester / 64] >> requester % 64 & 1) != 0;
  }
  // The first member of a set at or above `from`.
  unsigned first(const std::uint64_t* set, unsigned from) const {
    std::uint64_t skip = (std::uint64_t{1} << from % 64) - 1;
    for (unsigned word = from / 64; word < words(); ++word, skip = 0) {
      const std::uint64_t left = set[word] & ~skip;
      if (left != 0) return word * 64 + static_cast<unsigned>(std::countr_zero(left));
    }
    return kNobody;
  }

  Config c_;
  unsigned holder_ = kNobody;
  unsigned start_ = 0;               // Round-robin pointer.
  std::vector<std::uint64_t> open_;  // The oldest requesters.
};

}  // namespace weft
