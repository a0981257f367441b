// Configuration of a crossbar, without its model.
#pragma once

#include <cstdint>

#include "sim/buffer/decoder_kind.hpp"
#include "sim/packet/packet.hpp"

namespace weft {

/// Configuration of a crossbar (sim/crossbar/crossbar.hpp).
struct CrossbarConfig {
  unsigned num_out = 4;    ///< Outputs n to processors or lower crossbars, up to 1,024.
  bool detour = true;      ///< 2n inputs and n detours.
  unsigned num_in = 8;     ///< Inputs: 2n with detours, else any number up to 2,048.
  unsigned first_in = 2;   ///< Inputs of a first-stage switch, up to 64; there are at most 64 such
                           ///< switches.
  unsigned in_depth = 8;   ///< Words in an input buffer, 3 to 1,000.
  unsigned out_depth = 4;  ///< Words in an output buffer, 1 to 1,000.
  Route route = Route::kDigit;
  unsigned digit_lsb = 0;
  unsigned digit_w = 2;
  std::uint32_t own = 0;   ///< Own address.
  PacketForm header = {};  ///< Form of the fabric's packets.

  /// Number of outgoing links.
  unsigned num_tx() const { return detour ? 2 * num_out : num_out; }
};

}  // namespace weft
