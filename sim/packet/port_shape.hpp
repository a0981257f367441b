// Ports of a block in one configuration, without their values (sim/packet/ports.hpp).
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

namespace weft {

/// Width of a number from 0 to `values` - 1 in the RTL: at least one bit.
constexpr unsigned index_width(std::uint64_t values) {
  return values > 2 ? static_cast<unsigned>(std::bit_width(values - 1)) : 1;
}

/// Width of a flit on a link by a block's configuration, bits: of its data,
inline constexpr auto kDataWidth = [](const auto& c) {
  if constexpr (requires { c.header; }) {
    return c.header.data_w;
  } else {
    return c.data_w;
  }
};
/// and with the parity bit, if there is one.
inline constexpr auto kFlitWidth = [](const auto& c) {
  return kDataWidth(c) + (c.parity ? 1u : 0u);
};

/// What a port belongs to.
enum class PortRole : std::uint8_t {
  kNode,  ///< The node: its processor, memory or the surrounding block.
  kLink,  ///< A link to another block.
  kOwn,   ///< The block's own address, which does not change.
};

/// A port with figures.
struct PortShape {
  std::string name;
  unsigned width = 0;  ///< Of all elements together, bits.
  bool input = false;
  PortRole role = PortRole::kNode;
  bool used = true;  ///< Whether it is looked at.
};

/// The ports of a block in one configuration, in the order of its table. Defined in
/// sim/packet/ports.hpp.
template <class Block, class Config>
std::vector<PortShape> port_shapes(const Config& config);

}  // namespace weft
