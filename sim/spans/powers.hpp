// Powers of the base of the digest.
#pragma once

#include <array>
#include <cstdint>

#include "sim/fabric/digest.hpp"
#include "sim/spans/line.hpp"

namespace weft {

/// The powers A^cycle of the latest cycles (sim/fabric/digest.hpp).
class Powers {
 public:
  /// Moves on to `cycle`; called for each cycle in turn.
  void begin(Cycle cycle) {
    next_ = cycle == 0 ? kDigestBase : Mod61::times(next_, kDigestBase);
    if (cycle == 0) powers_[0] = 1;
    powers_[(cycle + 1) % kKept] = next_;
  }
  /// Replaces `begin` for the cycles from `cycle`, which is not 0, to before `end`.
  void skip(Cycle cycle, Cycle end) {
    if (end - cycle > kKept) {
      cycle = end - kKept;
      next_ = Mod61::power(kDigestBase, cycle);
    }
    for (; cycle != end; ++cycle) begin(cycle);
  }
  /// A^`cycle`, for a cycle up to the one after the present.
  std::uint64_t of(Cycle cycle) const { return powers_[cycle % kKept]; }

  /// The state: what a checkpoint keeps.
  template <class Archive>
  void serialize(Archive& archive) {
    archive(next_, powers_);
  }

 private:
  static constexpr Cycle kKept = 1024;  // More than twice the flits of the longest packet.

  std::uint64_t next_ = 1;
  std::array<std::uint64_t, kKept> powers_ = {};
};

}  // namespace weft
