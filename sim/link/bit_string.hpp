// Fields of a word on a protected link, one after the other from bit 0 up, in 64-bit words.
#pragma once

#include <cstdint>

#include "sim/packet/packet.hpp"

namespace weft {

/// Appends fields to words that are 0 from the first appended bit on.
class BitWriter {
 public:
  explicit BitWriter(std::uint64_t* words) : words_(words) {}

  /// Appends `width` bits, 0 to 64; higher bits of `value` are 0.
  void add(std::uint64_t value, unsigned width) {
    const unsigned in_word = at_ % 64;
    words_[at_ / 64] |= value << in_word;
    if (in_word + width > 64) words_[at_ / 64 + 1] |= value >> (64 - in_word);
    at_ += width;
  }
  /// Appends `width` bits in 64-bit words; higher bits are 0.
  void add(const std::uint64_t* value, unsigned width) {
    for (; width > 64; width -= 64) add(*value++, 64);
    add(*value, width);
  }
  /// Number of words begun.
  unsigned words() const { return (at_ + 63) / 64; }
  /// Skips `width` bits, which are not changed.
  void skip(unsigned width) { at_ += width; }

 private:
  std::uint64_t* words_;
  unsigned at_ = 0;
};

/// Appends the fields of a flit on a link with `data_w` data bits, parity or not, and a field `vc`
/// of `vc_w` bits: the data lowest, `valid` highest.
inline void add_flit(BitWriter& word, const Flit& flit, unsigned data_w, bool parity,
                     unsigned vc_w) {
  for (unsigned w = 0; w * 64 < data_w; ++w) {
    word.add(flit.word(w), data_w - w * 64 < 64 ? data_w - w * 64 : 64);
  }
  if (parity) word.add(flit.parity, 1);
  word.add(flit.stamp, kStampW);
  word.add(flit.vc, vc_w);
  word.add(flit.last, 1);
  word.add(flit.valid, 1);
}

/// Reads fields.
class BitReader {
 public:
  explicit BitReader(const std::uint64_t* words) : words_(words) {}

  /// The next `width` bits, 0 to 64.
  std::uint64_t next(unsigned width) {
    if (width == 0) return 0;
    const unsigned in_word = at_ % 64;
    std::uint64_t value = words_[at_ / 64] >> in_word;
    if (in_word + width > 64) value |= words_[at_ / 64 + 1] << (64 - in_word);
    at_ += width;
    return width == 64 ? value : value & low_mask(width);
  }
  /// Passes over `width` bits.
  void skip(unsigned width) { at_ += width; }

 private:
  const std::uint64_t* words_;
  unsigned at_ = 0;
};

}  // namespace weft
