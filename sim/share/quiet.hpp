// For how long nothing happens in a run: a form that processes can exchange as sums of counts.
#pragma once

#include <array>
#include <cstdint>

namespace weft {

/// Bounds of the next event, summed over all processes.
struct QuietCycles {
  /// By i: number of processes in which something may happen in fewer than 16^i cycles.
  std::array<std::uint64_t, 6> within = {};

  /// For a process in which something may happen in `cycles` cycles; 0: in the present one.
  static QuietCycles before(std::uint64_t cycles) {
    QuietCycles quiet;
    for (unsigned i = 0; i < quiet.within.size(); ++i) quiet.within[i] = cycles < span(i);
    return quiet;
  }
  /// Number of cycles, from the present one on, in which nothing happens in any process; a lower
  /// bound.
  std::uint64_t cycles() const {
    std::uint64_t cycles = 0;
    for (unsigned i = 0; i < within.size() && within[i] == 0; ++i) cycles = span(i);
    return cycles;
  }

 private:
  static constexpr std::uint64_t span(unsigned i) { return std::uint64_t{1} << 4 * i; }
};

}  // namespace weft
