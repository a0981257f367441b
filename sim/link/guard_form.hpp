// The forward word of a link whose errors are contained (rtl/link/README.md, Containment): its
// form, and its check code.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstdint>

#include "sim/base/error.hpp"
#include "sim/link/back_word.hpp"
#include "sim/link/bit_string.hpp"
#include "sim/link/check_code.hpp"
#include "sim/packet/packet.hpp"
#include "sim/packet/port_shape.hpp"

namespace weft {

/// Common to `guard_tx` and `guard_rx` of a link.
struct GuardForm {
  static constexpr bool parity = true;  ///< Flits carry parity.
  static constexpr unsigned kMostDepth = 2047;
  static constexpr unsigned kCodeW = 8;

  unsigned num_vc = 1;      ///< VCs of this link, 1 to 65535.
  unsigned field_vcs = 1;   ///< VCs that a flit's field `vc` can name, at least `num_vc`.
  unsigned depth = 4;       ///< Slots of a VC's buffer in the receiver, 1 to kMostDepth.
  unsigned data_w = kHdrW;  ///< Width of a flit without parity, bits.

  /// Form of the back word.
  constexpr BackForm back() const { return {num_vc, depth, 0, false}; }
  constexpr unsigned back_w() const { return back().back_w(); }
  constexpr unsigned vc_w() const { return index_width(field_vcs); }
  constexpr unsigned count_w() const { return back().count_w(); }
  constexpr unsigned check_w() const { return 1 + 2 * count_w() + kCodeW; }
  constexpr std::uint32_t count_mask() const { return back().count_mask(); }

  /// Throws ConfigError if a value is out of range.
  void check(const char* block) const {
    if (num_vc < 1 || num_vc > field_vcs || field_vcs > 65535 || depth < 1 || depth > kMostDepth) {
      throw ConfigError(fmt::format(
          "{}: {} VCs, of at most {}, of depth {}, expected: 1 to 65535 VCs, depth 1 to "
          "{}",
          block, num_vc, field_vcs, depth, kMostDepth));
    }
  }

  /// Field `check` of a word: `numbers` are its `head`, `flits` and `packets`, head lowest.
  std::uint32_t check_of(const Flit& flit, std::uint32_t numbers) const {
    std::array<std::uint64_t, kMaxFlitWords + 2> body = {};
    BitWriter word(body.data());
    add_flit(word, flit, data_w, parity, vc_w());
    const unsigned numbers_w = check_w() - kCodeW;
    word.add(numbers, numbers_w);
    const std::uint32_t code = CheckCode::parity(body.data(), word.words());
    return numbers | (code ^ static_cast<std::uint32_t>(low_mask(kCodeW))) << numbers_w;
  }
  /// The numbers as in the field `check`.
  std::uint32_t numbers(bool head, std::uint32_t flits, std::uint32_t packets) const {
    return head | (flits & count_mask()) << 1 | (packets & count_mask()) << (1 + count_w());
  }
};

}  // namespace weft
