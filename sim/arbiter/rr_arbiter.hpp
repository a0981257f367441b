// Round-robin priority control, cycle model of rtl/arbiter/weft_rr_arbiter.sv (rtl/README.md,
// rr_arbiter; seed 002 fig. 5, part 51).
#pragma once

#include <fmt/format.h>

#include <bit>
#include <cstdint>

#include "sim/base/error.hpp"
#include "sim/packet/packet.hpp"

namespace weft {

/// Round-robin pointer for up to 64 requesters.
class RoundRobin {
 public:
  /// Selects the first requester in `open` (at least one bit set), cyclically from the one after
  /// the last selected, and returns its number. Requesters that do not exist have no bit, so a
  /// rotation of the whole word serves any number of them.
  unsigned choose(std::uint64_t open) {
    const auto ahead = static_cast<unsigned>(std::countr_zero(std::rotr(open, start_)));
    const unsigned chosen = (start_ + ahead) & 63;
    start_ = static_cast<std::uint8_t>((chosen + 1) & 63);
    return chosen;
  }

  /// The state: what a checkpoint keeps.
  template <class Archive>
  void serialize(Archive& archive) {
    archive(start_);
    archive.require(is_good());
  }
  /// Whether a loaded state is valid.
  bool is_good() const { return start_ < 64; }

 private:
  friend class RtlState;  // Loads the state into RTL (sim/verilated/rtl_state.hpp).

  std::uint8_t start_ = 0;
};

/// Grants one requester at a time and holds the grant until its packet has ended.
class RrArbiter {
 public:
  static constexpr unsigned kMaxReq = 64;  ///< Most requesters of the model.

  struct Config {
    unsigned num_req = 4;  ///< Number of requesters, 1 to 64.
  };
  struct In {
    std::uint64_t req = 0;  ///< One line for each requester; stays up until granted.
    bool done = false;      ///< The granted packet's last word is transferred in this cycle.
  };
  struct Out {
    std::uint64_t gnt = 0;  ///< Transfer flags, at most one.
    unsigned idx = 0;       ///< Number of the granted requester; 0 without a grant.
  };

  static constexpr auto ports();  // sim/arbiter/rr_arbiter_ports.hpp

  /// Throws ConfigError if `num_req` is out of range.
  explicit RrArbiter(const Config& config) : num_req_(config.num_req) {
    if (config.num_req < 1 || config.num_req > kMaxReq) {
      throw ConfigError(
          fmt::format("rr_arbiter: num_req is {}, expected: 1 to {}", config.num_req, kMaxReq));
    }
  }

  void reset() {
    flags_ = 0;
    pointer_ = {};
    out_ = {};
  }

  /// The outputs of the present cycle, from registers.
  const Out& out() const { return out_; }

  /// One clock edge; returns the outputs after it.
  const Out& step(const In& in) {
    const std::uint64_t ended = in.done ? out_.gnt : 0;
    if (in.done || out_.gnt == 0) {
      const std::uint64_t open = flags_ & ~ended;
      out_ = {};
      if (open != 0) {
        out_.idx = pointer_.choose(open);
        out_.gnt = std::uint64_t{1} << out_.idx;
      }
    }
    flags_ = in.req & ~ended;
    return out_;
  }

  /// The state: what a checkpoint keeps.
  template <class Archive>
  void serialize(Archive& archive) {
    archive(flags_, pointer_, out_.gnt, out_.idx);
    archive.require(out_.idx < num_req_ && flags_ <= ~std::uint64_t{0} >> (64 - num_req_) &&
                    out_.gnt == (out_.gnt != 0 ? std::uint64_t{1} << out_.idx : out_.idx));
  }

 private:
  friend class RtlState;  // Loads the state into RTL (sim/verilated/rtl_state.hpp).

  std::uint64_t flags_ = 0;
  RoundRobin pointer_;
  unsigned num_req_;
  Out out_;
};

}  // namespace weft
