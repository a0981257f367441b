// Hardware barrier of one node, cycle model of rtl/barrier/weft_barrier_unit.sv (rtl/README.md,
// barrier_unit; seed 000 [0048], [0067]).
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstdint>

#include "sim/base/error.hpp"
#include "sim/packet/packet.hpp"

namespace weft {

/// One node's unit in a tree of 1-bit links: arrivals go up, releases come down.
class BarrierUnit {
 public:
  static constexpr unsigned kMostHold = 8191;

  struct Config {
    unsigned num_child = 2;    ///< Children in the tree, 0 to 8.
    bool is_root = false;      ///< The unit releases the barrier instead of sending its arrival up.
    unsigned hold_cycles = 0;  ///< Cycles by which a release is delayed for the own node, 0 to
                               ///< kMostHold.
    unsigned max_flight = 4;   ///< Most barriers entered and not yet left, 1 to 15.
  };
  struct In {
    bool enter = false;   ///< The own node enters its next barrier; never while `Out::full`.
    std::uint8_t up = 0;  ///< Bit c: child c's subtree has arrived at its next barrier.
    bool down = false;    ///< The parent releases the next barrier; the root ignores it.
  };
  struct Out {
    bool up = false;          ///< To the parent: this subtree has arrived at its next barrier.
    bool down = false;        ///< To all children: the next barrier is released.
    std::uint32_t count = 0;  ///< Barriers released to the own node since reset; wraps.
    bool full = false;        ///< `max_flight` barriers are entered and not released.
  };

  static constexpr auto ports();  // sim/barrier/barrier_unit_ports.hpp

  /// Throws ConfigError if a value is out of range.
  explicit BarrierUnit(const Config& config) : c_(config) {
    if (c_.num_child > kMaxChild || c_.hold_cycles > kMostHold || c_.max_flight < 1 ||
        c_.max_flight >= kRing) {
      throw ConfigError(fmt::format(
          "barrier_unit: {} children, {} cycles held, {} in flight, expected: 0 to 8 children, "
          "0 to {} cycles, 1 to 15 in flight",
          c_.num_child, c_.hold_cycles, c_.max_flight, kMostHold));
    }
  }

  void reset() { *this = BarrierUnit(c_); }

  const Out& out() const { return out_; }

  /// True if a step without inputs changes nothing: no pulse is on a link and no release is held.
  /// (Stored arrivals change nothing: at least one part has not arrived.)
  bool idle() const { return !out_.up && !out_.down && held_ == 0; }

  const Out& step(const In& in) {
    bool all = take(0, in.enter);
    for (unsigned c = 0; c < c_.num_child; ++c) all &= take(c + 1, (in.up >> c & 1) != 0);
    if (all) {
      for (unsigned part = 0; part <= c_.num_child; ++part) --arrived_[part];
    }
    out_.up = all && !c_.is_root;
    out_.down = c_.is_root ? all : in.down;

    if (in.enter) ++flight_;
    if (out_.down) due_[(first_ + held_++) % kRing] = now_ + c_.hold_cycles;
    if (held_ != 0 && due_[first_] == now_) {
      first_ = (first_ + 1) % kRing;
      --held_;
      --flight_;
      ++out_.count;
    }
    out_.full = flight_ == c_.max_flight;
    ++now_;
    return out_;
  }

  /// The state: what a checkpoint keeps.
  template <class Archive>
  void serialize(Archive& archive) {
    archive(arrived_, due_, first_, held_, flight_, now_, out_.up, out_.down, out_.count,
            out_.full);
    archive.require(first_ < kRing && held_ <= kRing);
  }

 private:
  friend class RtlState;  // Loads the state into RTL (sim/verilated/rtl_state.hpp).

  static constexpr unsigned kMaxChild = 8;
  static constexpr unsigned kRing = 16;

  // Counts a part's arrival; true if the part has arrived at the next barrier.
  bool take(unsigned part, bool pulse) {
    arrived_[part] = static_cast<std::uint8_t>(arrived_[part] + (pulse ? 1 : 0));
    return arrived_[part] != 0;
  }

  Config c_;
  std::array<std::uint8_t, kMaxChild + 1> arrived_{};  // Arrivals that are not used yet: of the own
                                                       // node, then of children.
  std::array<std::uint64_t, kRing> due_{};  // Cycles in which the own node gets the held releases.
  unsigned first_ = 0, held_ = 0;           // Index of the oldest release in `due_`, and number of
                                            // releases.
  unsigned flight_ = 0;                     // Barriers that the own node has entered and not left.
  std::uint64_t now_ = 0;                   // Steps since reset.
  Out out_;
};

}  // namespace weft
