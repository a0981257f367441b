// What all topologies of several dimensions share: sizes and address digits.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/config/json_place.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// Largest size of one dimension, and of a crossbar: with detours it has twice as many inputs.
inline constexpr std::uint32_t kMaxSize = 1024;

/// Reads a list of `least` to `most` sizes, each from `least_size` to kMaxSize, fastest first,
/// that together make 2 or more nodes with addresses of at most kMaxAddrW bits. Throws
/// ConfigError naming the place; allocates nothing for the network.
std::vector<std::uint32_t> read_dims(const JsonPlace& place, std::size_t least, std::size_t most,
                                     std::uint32_t least_size);

/// Reads a list of `least` to `most` sizes, each from `least_size` to kMaxSize. Throws ConfigError
/// naming the place.
std::vector<std::uint32_t> read_sizes(const JsonPlace& place, std::size_t least, std::size_t most,
                                      std::uint32_t least_size);
/// Throws the error of `place` where addresses of digits of these sizes take more than
/// kMaxAddrW bits.
void check_address_bits(const JsonPlace& place, const std::vector<std::uint32_t>& dims);

/// Lowest bit of each digit of an address, and behind them the width of the whole address: each
/// size takes as many bits as its largest digit needs (a size of 1: none).
std::vector<std::uint32_t> digit_places(const std::vector<std::uint32_t>& dims);

/// A network of these sizes with its interfaces nic_0, nic_1, ... of `nic_links` links each way,
/// and no link yet. The headers of its packets have room for its addresses.
Graph nodes_of(const std::vector<std::uint32_t>& dims, std::uint32_t nic_links = 1);

}  // namespace weft
