// Switch allocation of one out-port of a router, cycle model of rtl/router/switch_alloc.sv
// (rtl/README.md, switch_alloc; seed 004 [4.2]).
#pragma once

#include <fmt/format.h>

#include <bit>
#include <cstdint>

#include "sim/arbiter/age_arbiter.hpp"
#include "sim/arbiter/rr_arbiter.hpp"
#include "sim/base/error.hpp"

namespace weft {

/// Chooses who moves a flit to an out-port. The choice falls in the cycle of the request: `eval`
/// gives it, `tick` is the edge at the cycle's end, with the same inputs.
class SwitchAlloc {
 public:
  static constexpr unsigned kMaxReq = 64;  ///< Most requesters of the model.

  struct Config {
    unsigned num_req = 10;  ///< Requesters, 1 to 64.
    bool hold = true;       ///< A packet that has begun goes before all others.
    bool age = false;       ///< Oldest packet first; else round-robin.
  };
  struct In {
    std::uint64_t req = 0;                  ///< Who could move a flit.
    std::uint64_t last = 0;                 ///< Whose flit is the last of its packet.
    const std::uint16_t* stamps = nullptr;  ///< By requester; only with `age`.
    std::uint16_t now = 0;                  ///< The present cycle; only with `age`.
  };
  struct Out {
    std::uint64_t gnt = 0;  ///< Who moves its flit, at most one.
    unsigned idx = 0;       ///< Its number; 0 without.
  };

  /// Throws ConfigError where `num_req` is out of range.
  explicit SwitchAlloc(const Config& config) : hold_(config.hold), age_(config.age) {
    if (config.num_req < 1 || config.num_req > kMaxReq) {
      throw ConfigError(
          fmt::format("switch_alloc: num_req is {}, expected: 1 to {}", config.num_req, kMaxReq));
    }
  }

  void reset() {
    holder_ = kNobody;
    turn_ = {};
  }

  Out eval(const In& in) const {
    RoundRobin turn = turn_;
    return choose(in, turn);
  }

  void tick(const In& in) {
    if (in.req == 0) return;
    RoundRobin turn = turn_;
    const Out out = choose(in, turn);
    // A holder goes on without a search, and yet the next search begins behind it.
    if (out.idx == holder_) turn.choose(out.gnt);
    turn_ = turn;
    holder_ = hold_ && (in.last & out.gnt) == 0 ? out.idx : kNobody;
  }

 private:
  static constexpr unsigned kNobody = kMaxReq;

  Out choose(const In& in, RoundRobin& turn) const {
    if (in.req == 0) return {};
    if (holder_ != kNobody && (in.req >> holder_ & 1) != 0) {
      return {std::uint64_t{1} << holder_, holder_};
    }
    const std::uint64_t open = age_ ? AgeArbiter::oldest(in.req, in.stamps, in.now) : in.req;
    const unsigned idx = turn.choose(open);
    return {std::uint64_t{1} << idx, idx};
  }

  bool hold_, age_;
  unsigned holder_ = kNobody;
  RoundRobin turn_;
};

}  // namespace weft
