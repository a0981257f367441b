// Random words of any width, for the benches of memories.
#pragma once

#include "tb/lib/bench.hpp"

namespace weft::tb {

/// A word of `width` bits, 1 to 512.
inline FlitData random_bits(RandomStream& random, unsigned width) {
  FlitData data = random_data(random, (width + 63) / 64);
  if (width % 64 != 0) data.word[width / 64] &= low_mask(width % 64);
  return data;
}

}  // namespace weft::tb
