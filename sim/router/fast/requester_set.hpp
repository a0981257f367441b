// A set of requesters, for routers with more requesters than one word has bits.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace weft {

/// A bit set of the numbers below the size given to `attach`, in memory that the caller owns. A
/// second level with one bit for each word lets a search skip empty words.
class RequesterSet {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  /// Words for a set of numbers below `size`.
  static constexpr std::size_t words(std::size_t size) {
    return slices(size) + slices(slices(size));
  }

  /// Makes the set empty and keeps it in `memory` from now on, which has `words(size)` words.
  void attach(std::uint64_t* memory, std::size_t size) {
    bits_ = memory;
    upper_ = memory + slices(size);
    num_upper_ = static_cast<std::uint32_t>(slices(slices(size)));
    for (std::size_t i = 0; i < words(size); ++i) memory[i] = 0;
  }

  bool contains(std::uint32_t n) const { return (bits_[n / 64] >> n % 64 & 1) != 0; }
  void insert(std::uint32_t n) {
    bits_[n / 64] |= bit(n);
    upper_[n / 4096] |= bit(n / 64);
  }
  void erase(std::uint32_t n) {
    bits_[n / 64] &= ~bit(n);
    if (bits_[n / 64] == 0) upper_[n / 4096] &= ~bit(n / 64);
  }
  void put(std::uint32_t n, bool member) {
    if (member) {
      insert(n);
    } else {
      erase(n);
    }
  }
  bool empty() const { return word_from(0) == kNone; }

  /// The first member at or above `n`, which is below the size; kNone if there is none.
  std::uint32_t next(std::uint32_t n) const {
    const std::uint64_t here = bits_[n / 64] >> n % 64;
    if (here != 0) return n + static_cast<std::uint32_t>(std::countr_zero(here));
    const std::uint32_t word = word_from(n / 64 + 1);
    if (word == kNone) return kNone;
    return word * 64 + static_cast<std::uint32_t>(std::countr_zero(bits_[word]));
  }

  /// Calls `visit` with each member, in order.
  template <class Visit>
  void for_each(Visit visit) const {
    for (std::uint32_t word = word_from(0); word != kNone; word = word_from(word + 1)) {
      for (std::uint64_t left = bits_[word]; left != 0; left &= left - 1) {
        visit(word * 64 + static_cast<std::uint32_t>(std::countr_zero(left)));
      }
    }
  }

 private:
  static constexpr std::size_t slices(std::size_t n) { return (n + 63) / 64; }
  static constexpr std::uint64_t bit(std::uint32_t n) { return std::uint64_t{1} << n % 64; }

  // The first word at or above `word` that is not 0; kNone if there is none.
  std::uint32_t word_from(std::uint32_t word) const {
    std::uint32_t i = word / 64;
    if (i >= num_upper_) return kNone;
    std::uint64_t left = upper_[i] >> word % 64 << word % 64;
    while (left == 0) {
      if (++i == num_upper_) return kNone;
      left = upper_[i];
    }
    return i * 64 + static_cast<std::uint32_t>(std::countr_zero(left));
  }

  std::uint64_t* bits_ = nullptr;
  std::uint64_t* upper_ = nullptr;
  std::uint32_t num_upper_ = 0;
};

}  // namespace weft
