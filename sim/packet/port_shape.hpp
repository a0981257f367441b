// Ports of a block in one configuration, without their values (sim/packet/ports.hpp).
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

namespace weft {

/// Width in the RTL of a number from 0 to `values` - 1: at least one bit.
constexpr unsigned index_width(std::uint64_t values) {
  return values > 2 ? static_cast<unsigned>(std::bit_width(values - 1)) : 1;
}

/// Width in bits of a flit's data on a link, by a block's configuration.
inline constexpr auto kDataWidth = [](const auto& c) {
  if constexpr (requires { c.header; }) {
    return c.header.data_w;
  } else {
    return c.data_w;
  }
};
/// Width in bits of a flit with its parity bit, if it has one, by a block's configuration.
inline constexpr auto kFlitWidth = [](const auto& c) {
  return kDataWidth(c) + (c.parity ? 1u : 0u);
};

/// What a port belongs to.
enum class PortRole : std::uint8_t {
  kNode,  ///< The node: its processor, memory or the surrounding block.
  kLink,  ///< A link to another block.
  kOwn,   ///< The block's own address, which does not change.
};

/// A port in one configuration.
struct PortShape {
  std::string name;
  unsigned width = 0;  ///< Width of all elements together, bits.
  bool input = false;
  PortRole role = PortRole::kNode;
  bool used = true;  ///< Whether the block reads or drives it.
};

/// The name in rtl/ of a field of a row: `*` in the row's name stands for it.
std::string port_name(std::string row, const char* field);

}  // namespace weft
