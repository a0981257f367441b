// What the crossbar topologies of seed 002 share: address digits, and the shape of a crossbar of a
// given size.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/core/config.hpp"
#include "sim/core/json_place.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// Largest number of outputs of one crossbar; with detours it has twice as many inputs.
inline constexpr std::uint32_t kMaxCrossbar = 1024;

/// Reads a list of `least` to `most` sizes, each from `least_size` to kMaxCrossbar, fastest first,
/// that together make 2 or more nodes with addresses of at most kAddrW bits. Throws ConfigError
/// naming the place; allocates nothing for the network.
std::vector<std::uint32_t> read_dims(const JsonPlace& place, std::size_t least, std::size_t most,
                                     std::uint32_t least_size);

/// Lowest bit of each digit of an address, and behind them the width of the whole address: each
/// size takes as many bits as its largest digit needs (a size of 1: none).
std::vector<std::uint32_t> digit_places(const std::vector<std::uint32_t>& dims);

/// A network of these sizes with its interfaces nic_0, nic_1, ... and no link yet.
Graph nodes_of(const std::vector<std::uint32_t>& dims);

/// The 2n-input n-output crossbar with detours for the digit of width `digit_w` at `digit_lsb`.
/// Four first-stage switches for each output from 8 inputs on, 32:1 and then 4:1 at full size (seed
/// 002 fig. 3); above 256 inputs first-stage switches of 64; below 8 inputs one stage.
Crossbar::Config detour_crossbar(const Config& config, std::uint32_t n, std::uint32_t digit_lsb,
                                 std::uint32_t digit_w);

/// The n-input n-output crossbar of the top dimension (seed 002 fig. 6): one stage up to 32 inputs,
/// else first-stage switches of 32.
Crossbar::Config plain_crossbar(const Config& config, std::uint32_t n, std::uint32_t digit_lsb,
                                std::uint32_t digit_w);

/// Amount of hardware as seed 002 [0002] counts it: inputs times outputs of every crossbar. Detours
/// leave the input buffers and have no crosspoints.
std::uint64_t count_crosspoints(const Graph& graph);

}  // namespace weft
