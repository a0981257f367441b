// The back word of a protected link (rtl/link/README.md, credit_tx): its form, and its fields.
#pragma once

#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/link/bit_string.hpp"
#include "sim/link/check_code.hpp"
#include "sim/packet/packet.hpp"
#include "sim/packet/port_shape.hpp"

namespace weft {

/// Configuration of `credit_tx` and `credit_rx`, and the form of the word between them.
struct BackForm {
  static constexpr unsigned kMostMoreW = 64;

  unsigned num_vc = 1;  ///< VCs of the link, 1 to 65535.
  unsigned depth = 4;   ///< Slots of a VC's buffer in the receiver, 1 or more.
  unsigned more_w = 0;  ///< Bits of another block in the word, 0 to kMostMoreW.
  bool crc = true;      ///< Check code: CRC; else interleaved parity.

  constexpr unsigned index_w() const { return index_width(num_vc); }
  constexpr unsigned count_w() const { return static_cast<unsigned>(std::bit_width(depth)); }
  /// Width of the port for the bits of another block: one bit even without any.
  constexpr unsigned more_port_w() const { return more_w == 0 ? 1 : more_w; }
  constexpr unsigned check_w() const { return crc ? 16 : 8; }
  /// Bits of the word without its check code.
  constexpr unsigned body_w() const { return num_vc + index_w() + count_w() + more_w; }
  /// Bits of the word with its check code.
  constexpr unsigned back_w() const { return body_w() + check_w(); }
  /// 64-bit words of the credit lines.
  constexpr unsigned credit_words() const { return (num_vc + 63) / 64; }
  /// 64-bit words of the word.
  constexpr unsigned words() const { return (back_w() + 63) / 64; }
  /// Modulus of the counts, minus one.
  constexpr std::uint32_t count_mask() const {
    return static_cast<std::uint32_t>(low_mask(count_w()));
  }

  /// Throws ConfigError if a value is out of range.
  void check(const char* block) const {
    if (num_vc < 1 || num_vc > 65535 || depth < 1 || more_w > kMostMoreW) {
      throw ConfigError(
          fmt::format("{}: {} VCs of depth {}, {} more bits, expected: 1 to 65535 VCs, depth 1 or "
                      "more, up to {} bits",
                      block, num_vc, depth, more_w, kMostMoreW));
    }
  }

  /// Check code of a word, whatever it has in that field; `body` has room for as many 64-bit words,
  /// and gets the word without it.
  std::uint64_t check_of(const std::uint64_t* back, std::uint64_t* body) const {
    const unsigned count = (body_w() + 63) / 64;
    for (unsigned w = 0; w < count; ++w) body[w] = back[w];
    for (unsigned w = count; w < words(); ++w) body[w] = 0;
    if (body_w() % 64 != 0) body[count - 1] &= low_mask(body_w() % 64);
    return inverted_code(body);
  }
  /// Fills in the check code of a word that has zeros there.
  void seal(std::uint64_t* back) const {
    BitWriter word(back);
    word.skip(body_w());
    word.add(inverted_code(back), check_w());
  }

 private:
  std::uint64_t inverted_code(const std::uint64_t* body) const {
    const unsigned count = (body_w() + 63) / 64;
    const std::uint32_t code = crc ? CheckCode::crc(body, count) : CheckCode::parity(body, count);
    return low_mask(check_w()) ^ code;
  }
};

}  // namespace weft
