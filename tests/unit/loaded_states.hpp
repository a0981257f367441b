// States of blocks that are saved and loaded, as they are and with another number in them.
#pragma once

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <functional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>

#include "sim/base/archive.hpp"
#include "sim/base/random.hpp"

namespace weft::loaded {

template <class T>
std::string saved(const T& state) {
  std::ostringstream out(std::ios::binary);
  SaveArchive archive(out);
  archive(state);
  return std::move(out).str();
}
template <class T>
bool loads(T& state, const std::string& bytes) {
  try {
    std::istringstream in(bytes, std::ios::binary);
    LoadArchive archive(in);
    archive(state);
  } catch (const std::runtime_error&) {
    return false;
  }
  return true;
}

// Saves the state of `T` in every cycle of a run and loads it into a block that was reset, and some
// times with another byte or word: if that is a state, `goes_on` steps the block. Returns how many
// of these were none.
template <class T>
unsigned check_states(const std::function<T()>& made, const T& block, RandomStream& random,
                      const std::function<void(T&)>& goes_on) {
  const std::string bytes = saved(block);
  T again = made();
  REQUIRE(loads(again, bytes));
  CHECK(saved(again) == bytes);
  unsigned refused = 0;
  for (int i = 0; i < 4; ++i) {
    std::string other = bytes;
    const auto width = std::size_t{1} << random.below(3);
    if (other.size() < width) return refused;
    const auto at = static_cast<std::size_t>(random.below(other.size() / width)) * width;
    constexpr std::array<std::uint64_t, 6> kValues = {0, 1, 2, 0x7f, 0x80000000, ~std::uint64_t{0}};
    std::uint64_t value = random.below(2) == 0 ? kValues[random.below(kValues.size())] : random();
    if (random.below(3) == 0) value = static_cast<unsigned char>(other[at]) + 1u;
    for (std::size_t b = 0; b < width; ++b) other[at + b] = static_cast<char>(value >> 8 * b);
    T crafted = made();
    if (loads(crafted, other)) {
      goes_on(crafted);
    } else {
      ++refused;
    }
  }
  return refused;
}

}  // namespace weft::loaded
