// Check of the number of receive windows that a block is configured with.
#pragma once

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/packet/packet.hpp"

namespace weft {

/// Throws ConfigError, naming the block, unless an interface may have that many windows.
inline void check_windows(const char* block, unsigned windows, PacketForm form) {
  if (ReceiveWindows::may_be(windows, form)) return;
  throw ConfigError(
      fmt::format("{}: {} windows with keys of {} bits, expected: 1 to {} windows, 1 "
                  "without keys; keys of up to {} bits",
                  block, windows, form.key_w, kMaxWindows, kMaxKeyW));
}

}  // namespace weft
