// What all topologies of several dimensions share: sizes and address digits.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/config/key_row.hpp"
#include "sim/topology/topology.hpp"

namespace weft {

/// Largest size of one dimension, and of a crossbar: with detours it has twice as many inputs.
inline constexpr std::uint32_t kMaxSize = 1024;

/// The parameters of a topology that has sizes alone, and their keys.
struct Sizes {
  std::vector<std::uint32_t> dims;  ///< Fastest dimension first.
};
constexpr Key dims_key(std::uint64_t least_items, std::uint64_t most_items, std::uint64_t least) {
  return key<&Sizes::dims>({.name = "dims",
                            .least = least,
                            .most = kMaxSize,
                            .min_items = least_items,
                            .max_items = most_items,
                            .required = true,
                            .unit = "nodes",
                            .help = "sizes of the dimensions, fastest first"});
}

/// The sizes of a topology whose parameters are `Sizes`, which together make 2 or more nodes with
/// addresses of at most kMaxAddrW bits. Throws ConfigError; allocates nothing for the network.
const std::vector<std::uint32_t>& checked_dims(const Config& config);

/// Calls `refuse`, which throws, with what is expected, if addresses of digits of these sizes take
/// more than kMaxAddrW bits.
void check_address_bits(const std::vector<std::uint32_t>& dims,
                        const std::function<void(const std::string& expected)>& refuse);

/// Lowest bit of each digit of an address, and after them the width of the whole address: each
/// size takes as many bits as its largest digit needs (a size of 1: none).
std::vector<std::uint32_t> digit_offsets(const std::vector<std::uint32_t>& dims);

/// A network of these sizes with its interfaces nic_0, nic_1, ... of `nic_links` links each way,
/// and no link yet. The headers of its packets have room for its addresses.
Graph nodes_of(const std::vector<std::uint32_t>& dims, std::uint32_t nic_links = 1);

}  // namespace weft
