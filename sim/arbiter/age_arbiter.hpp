// Oldest packet first, model of rtl/arbiter/age_arbiter.sv (rtl/README.md, age_arbiter; seed 004
// [10]).
#pragma once

#include <bit>
#include <cstdint>

namespace weft {

/// Picks the requesters whose packets were injected the longest ago. No state.
class AgeArbiter {
 public:
  static constexpr unsigned kMaxReq = 64;  ///< Most requesters of the model.

  /// Of the requesters `req` those of greatest age, all that are equally old; 0 without a request.
  /// `stamps` holds the cycle of injection of requester i at i, looked at where `req` has a bit;
  /// `now` is the present cycle. Ages count modulo 2^16.
  static std::uint64_t oldest(std::uint64_t req, const std::uint16_t* stamps, std::uint32_t now) {
    std::uint64_t best = 0;
    int best_age = -1;
    for (; req != 0; req &= req - 1) {
      const int age = static_cast<std::uint16_t>(now - stamps[std::countr_zero(req)]);
      const std::uint64_t bit = req & -req;
      if (age > best_age) {
        best_age = age;
        best = bit;
      } else if (age == best_age) {
        best |= bit;
      }
    }
    return best;
  }
};

}  // namespace weft
