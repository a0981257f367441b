// Ids of packets in the port tables of an interface's blocks.
#pragma once

#include "sim/nic/packet_id.hpp"
#include "sim/packet/ports.hpp"

namespace weft {

/// Whether packets have ids.
inline constexpr auto kHasIds = [](const auto& c) { return c.header.id_w != 0; };
inline constexpr auto kIdWidth = [](const auto& c) {
  return c.header.id_w != 0 ? c.header.id_w - 1 : 1;
};
/// Access to `member` of `packet`, which is one IdOfPacket or several.
inline constexpr auto id_of = [](auto packet, auto member) {
  return EachElement{[=](const auto& s, unsigned i, unsigned) {
    const auto& whole = s.*packet;
    if constexpr (requires { whole[i]; }) {
      return static_cast<std::uint64_t>(whole[i].*member);
    } else {
      return static_cast<std::uint64_t>(whole.*member);
    }
  }};
};

}  // namespace weft
