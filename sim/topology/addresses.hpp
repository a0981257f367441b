// What all topologies of several dimensions share: sizes and address digits.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/config/json_cursor.hpp"
#include "sim/topology/graph.hpp"

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

/// The sizes of the object at /topology, which `keys` describe and which together make 2 or more
/// nodes with addresses of at most kMaxAddrW bits. Throws ConfigError; allocates nothing for the
/// network.
std::vector<std::uint32_t> read_dims(const JsonCursor& topology, Keys keys);

/// Throws the error of `cursor` if addresses of digits of these sizes take more than kMaxAddrW
/// bits.
void check_address_bits(const JsonCursor& cursor, const std::vector<std::uint32_t>& dims);

/// Lowest bit of each digit of an address, and after them the width of the whole address: each
/// size takes as many bits as its largest digit needs (a size of 1: none).
std::vector<std::uint32_t> digit_offsets(const std::vector<std::uint32_t>& dims);

/// A network of these sizes with its interfaces nic_0, nic_1, ... of `nic_links` links each way,
/// and no link yet. The headers of its packets have room for its addresses.
Graph nodes_of(const std::vector<std::uint32_t>& dims, std::uint32_t nic_links = 1);

}  // namespace weft
