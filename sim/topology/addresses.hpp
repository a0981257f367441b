// Sizes and address digits of topologies with several dimensions.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/config/key_row.hpp"
#include "sim/topology/topology.hpp"

namespace weft {

/// Largest size of a dimension and of a crossbar; with detours a crossbar has twice as many inputs.
inline constexpr std::uint32_t kMaxSize = 1024;

/// The parameters of a topology that has only sizes, and their keys.
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

/// The sizes of a topology whose parameters are `Sizes`: together 2 or more nodes with addresses of
/// at most kMaxAddrW bits. Throws ConfigError; allocates nothing for the network.
const std::vector<std::uint32_t>& checked_dims(const Config& config);

/// If addresses with digits of these sizes take more than kMaxAddrW bits, calls `refuse`, which
/// throws, with what is expected.
void check_address_bits(const std::vector<std::uint32_t>& dims,
                        const std::function<void(const std::string& expected)>& refuse);

/// Lowest bit of each digit of an address, and after them the width of the whole address: each size
/// takes as many bits as its largest digit needs (a size of 1: none).
std::vector<std::uint32_t> digit_offsets(const std::vector<std::uint32_t>& dims);

/// A network of these sizes with interfaces nic_0, nic_1, ... that have `nic_links` links in each
/// direction, and no links yet. Its packet headers have room for its addresses.
Graph nodes_of(const std::vector<std::uint32_t>& dims, std::uint32_t nic_links = 1);

}  // namespace weft
