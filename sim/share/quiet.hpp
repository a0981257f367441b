// How long nothing happens in a run, as processes tell each other: by sums of counts.
#pragma once

#include <array>
#include <cstdint>

namespace weft {

/// Sums over all processes, each of which has noted when something may happen in it.
struct QuietCycles {
  /// By i: processes in which something may happen in less than 16^i cycles.
  std::array<std::uint64_t, 6> within = {};

  /// Of this process: in `cycles` cycles; 0: in the present one.
  static QuietCycles before(std::uint64_t cycles) {
    QuietCycles quiet;
    for (unsigned i = 0; i < quiet.within.size(); ++i) quiet.within[i] = cycles < span(i);
    return quiet;
  }
  /// Cycles from the present one on in which nothing happens in any process, or fewer.
  std::uint64_t cycles() const {
    std::uint64_t cycles = 0;
    for (unsigned i = 0; i < within.size() && within[i] == 0; ++i) cycles = span(i);
    return cycles;
  }

 private:
  static constexpr std::uint64_t span(unsigned i) { return std::uint64_t{1} << 4 * i; }
};

}  // namespace weft
