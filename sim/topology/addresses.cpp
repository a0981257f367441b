// Sizes and address digits.
#include "sim/topology/addresses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "sim/packet/packet.hpp"

namespace weft {

void check_address_bits(const std::vector<std::uint32_t>& dims,
                        const std::function<void(const std::string& expected)>& refuse) {
  const auto bits = digit_offsets(dims).back();
  if (bits <= kMaxAddrW) return;
  refuse(fmt::format(
      "sizes whose digits fit an address of {} bits (these need {}; {} PEs where all sizes are "
      "powers of two)",
      kMaxAddrW, bits, 1u << kMaxAddrW));
}

const std::vector<std::uint32_t>& checked_dims(const Config& config) {
  const auto& dims = config.topology.parameters.as<Sizes>().dims;
  if (std::all_of(dims.begin(), dims.end(), [](auto n) { return n == 1; })) {
    config.refuse_topology("sizes that make 2 PEs or more; one PE has nothing to send to", "dims");
  }
  check_address_bits(dims, [&](const auto& expected) { config.refuse_topology(expected, "dims"); });
  return dims;
}

std::vector<std::uint32_t> digit_offsets(const std::vector<std::uint32_t>& dims) {
  std::vector<std::uint32_t> offsets = {0};
  for (const auto n : dims) {
    offsets.push_back(offsets.back() + static_cast<std::uint32_t>(std::bit_width(n - 1)));
  }
  return offsets;
}

Graph nodes_of(const std::vector<std::uint32_t>& dims, std::uint32_t nic_links) {
  Graph graph;
  graph.nic_links = nic_links;
  graph.dims = dims;
  const auto offsets = digit_offsets(dims);
  graph.header.addr_w = std::max(kAddrW, unsigned{offsets.back()});
  std::uint32_t nodes = 1;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    graph.dim_bits.push_back(offsets[i + 1] - offsets[i]);
    nodes *= dims[i];
  }
  graph.address.reserve(nodes);
  graph.blocks.reserve(nodes);
  for (std::uint32_t rank = 0; rank < nodes; ++rank) {
    std::uint32_t address = 0, rest = rank;
    for (std::size_t i = 0; i < dims.size(); ++i) {
      address |= rest % dims[i] << offsets[i];
      rest /= dims[i];
    }
    graph.add_nic(fmt::format("nic_{}", rank), address);
  }
  return graph;
}

}  // namespace weft
