// Check code of a word on a protected link, cycle model of rtl/link/weft_check_code.sv
// (rtl/link/README.md).
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstdint>

#include "sim/base/error.hpp"
#include "sim/packet/packet.hpp"

namespace weft {

/// A CRC of 16 bits or interleaved parity of 8. Words are in 64-bit words, the lowest first, with
/// zeros above their width.
class CheckCode {
 public:
  struct Config {
    unsigned width = 64;  ///< Bits of the word, 1 or more.
    bool crc = true;      ///< CRC; else interleaved parity.

    constexpr unsigned check_w() const { return crc ? 16 : 8; }
  };
  struct In {
    const std::uint64_t* data = nullptr;  ///< The word.
  };
  struct Out {
    std::uint32_t check = 0;
  };

  static constexpr auto ports();  // sim/link/check_code_ports.hpp

  /// Throws ConfigError if the width is 0.
  explicit CheckCode(const Config& config) : words_((config.width + 63) / 64), crc_(config.crc) {
    if (config.width < 1) throw ConfigError("check_code: width is 0, expected: 1 or more");
  }

  /// The check code; combinational.
  Out eval(const In& in) const { return {of(in.data)}; }
  std::uint32_t of(const std::uint64_t* data) const {
    return crc_ ? crc(data, words_) : parity(data, words_);
  }

  /// Remainder of division by x^16 + x^12 + x^5 + 1 of `count` 64-bit words, byte by byte.
  static constexpr std::uint32_t crc(const std::uint64_t* data, unsigned count) {
    std::uint32_t rest = 0;
    while (count-- != 0) {
      for (unsigned shift = 64; shift != 0;) {
        shift -= 8;
        rest = (rest << 8 & 0xffff) ^ kTable[(rest >> 8 ^ data[count] >> shift) & 0xff];
      }
    }
    return rest;
  }
  /// Exclusive or of the bytes of `count` 64-bit words.
  static constexpr std::uint32_t parity(const std::uint64_t* data, unsigned count) {
    std::uint64_t all = 0;
    while (count-- != 0) all ^= data[count];
    all ^= all >> 32;
    all ^= all >> 16;
    return static_cast<std::uint32_t>((all ^ all >> 8) & 0xff);
  }

 private:
  // Remainders of the bytes, each followed by 16 zeros.
  static constexpr std::array<std::uint16_t, 256> make_table() {
    std::array<std::uint16_t, 256> table{};
    for (unsigned byte = 0; byte < 256; ++byte) {
      unsigned rest = byte << 8;
      for (unsigned bit = 0; bit < 8; ++bit) rest = rest << 1 ^ ((rest & 0x8000) ? 0x11021 : 0);
      table[byte] = static_cast<std::uint16_t>(rest);
    }
    return table;
  }
  static const std::array<std::uint16_t, 256> kTable;

  unsigned words_;
  bool crc_;
};

inline constexpr std::array<std::uint16_t, 256> CheckCode::kTable = CheckCode::make_table();

}  // namespace weft
