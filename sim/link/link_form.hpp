// The words of a link that repairs errors (rtl/link/README.md, Repair): their form, and the CRC of
// the forward word.
#pragma once

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstdint>

#include "sim/base/error.hpp"
#include "sim/link/back_word.hpp"
#include "sim/link/bit_string.hpp"
#include "sim/link/check_code.hpp"
#include "sim/packet/packet.hpp"
#include "sim/packet/port_shape.hpp"

namespace weft {

/// Common to both ends of a link that repairs errors.
struct LinkForm {
  static constexpr unsigned kMostSlots = 32768;

  bool parity = false;      ///< Words carry parity.
  unsigned data_w = kHdrW;  ///< Width of a flit without parity, bits.
  unsigned field_vcs = 1;   ///< VCs that the field `vc` of a flit can name, 1 to 65535.
  unsigned num_vc = 1;      ///< VCs of the link, 1 or more.
  unsigned depth = 4;  ///< Slots of a VC in the receiver, 1 or more; all VCs: up to kMostSlots.

  /// Flits that the sender can keep, a power of 2.
  constexpr unsigned replay() const {
    return std::bit_ceil(num_vc * depth > 2 ? num_vc * depth : 2u);
  }
  /// Width of a flit's number, bits.
  constexpr unsigned seq_w() const { return static_cast<unsigned>(std::bit_width(replay())); }
  /// Modulus of numbers, minus one.
  constexpr std::uint32_t seq_mask() const { return 2 * replay() - 1; }
  /// Width of number and CRC of a forward word, bits.
  constexpr unsigned check_w() const { return seq_w() + 16; }
  /// The back word, which also has the expected number and the request.
  constexpr BackForm back() const { return {num_vc, depth, seq_w() + 1, true}; }
  constexpr unsigned back_w() const { return back().back_w(); }

  /// Throws ConfigError if a value is out of range.
  void check(const char* block) const {
    if (data_w < 1 || data_w > kMaxFlitW || field_vcs < 1 || field_vcs > 65535 || num_vc < 1 ||
        depth < 1 || std::uint64_t{num_vc} * depth > kMostSlots) {
      throw ConfigError(
          fmt::format("{}: {} data bits, {} VCs of depth {}, {} in the field, expected: 1 to {} "
                      "bits, 1 or more VCs of depth 1 or more, up to {} slots, 1 to 65535",
                      block, data_w, num_vc, depth, field_vcs, kMaxFlitW, kMostSlots));
    }
  }

  /// CRC of the forward word with this flit and number.
  std::uint32_t crc(const Flit& flit, std::uint32_t seq) const {
    std::array<std::uint64_t, kMaxFlitWords + 2> word{};
    BitWriter bits(word.data());
    add_flit(bits, flit, data_w, parity, index_width(field_vcs));
    bits.add(seq, seq_w());
    return CheckCode::crc(word.data(), bits.words());
  }
  /// Field `check` of the forward word.
  std::uint32_t check_of(const Flit& flit, std::uint32_t seq) const {
    return crc(flit, seq) << seq_w() | seq;
  }
};

}  // namespace weft
