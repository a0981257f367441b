// Oldest packet first, model of rtl/arbiter/weft_age_arbiter.sv (rtl/README.md, age_arbiter; seed
// 004 [10]).
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>

#include "sim/packet/packet.hpp"

namespace weft {

/// Selects the requesters whose packets were injected first. No state.
class AgeArbiter {
 public:
  struct Config {
    unsigned num_req = 4;  ///< Requesters, 1 or more.
  };
  /// The arguments of `oldest`.
  struct In {
    const std::uint64_t* req = nullptr;
    const std::uint16_t* stamps = nullptr;
    std::uint32_t now = 0;
  };
  struct Out {
    const std::uint64_t* oldest = nullptr;
  };
  static constexpr auto ports();  // sim/arbiter/age_arbiter_ports.hpp

  /// Writes to `oldest` all requesters in `req` with the greatest age; none if `req` is empty. Both
  /// are sets of equal size: bit i % 64 of word i / 64 is requester i. `stamps[i]` is the cycle of
  /// injection of requester i, used if `req` has it; `now` is the present cycle. Ages count modulo
  /// 2^16.
  static void oldest(std::span<const std::uint64_t> req, const std::uint16_t* stamps,
                     std::uint32_t now, std::span<std::uint64_t> oldest) {
    int best_age = -1;
    for (std::size_t word = 0; word < req.size(); ++word) {
      oldest[word] = 0;
      for (std::uint64_t left = req[word]; left != 0; left &= left - 1) {
        const std::size_t requester = word * 64 + static_cast<unsigned>(std::countr_zero(left));
        const int age = static_cast<std::uint16_t>(now - stamps[requester]);
        if (age < best_age) continue;
        if (age > best_age) std::fill_n(oldest.begin(), word + 1, 0);
        best_age = age;
        oldest[word] |= left & -left;
      }
    }
  }
};

}  // namespace weft
