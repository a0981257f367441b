// Crossbars of a given size for the topologies of seed 002.
#pragma once

#include <cstdint>

#include "sim/config/config.hpp"
#include "sim/topology/addresses.hpp"

namespace weft {

/// The 2n-input n-output crossbar with detours for the digit of width `digit_w` at `digit_lsb`.
/// From 8 inputs on it has four first-stage switches for each output, 32:1 and then 4:1 at full
/// size (seed 002 fig. 3); above 256 inputs first-stage switches of 64; below 8 inputs one stage.
CrossbarConfig detour_crossbar(const Config& config, std::uint32_t n, std::uint32_t digit_lsb,
                               std::uint32_t digit_w);

/// The n-input n-output crossbar of the top dimension (seed 002 fig. 6): one stage up to 32 inputs,
/// else first-stage switches of 32.
CrossbarConfig plain_crossbar(const Config& config, std::uint32_t n, std::uint32_t digit_lsb,
                              std::uint32_t digit_w);

/// Amount of hardware as seed 002 [0002] counts it: inputs times outputs of every crossbar. Detours
/// leave the input buffers and have no crosspoints.
std::uint64_t count_crosspoints(const Graph& graph);

}  // namespace weft
