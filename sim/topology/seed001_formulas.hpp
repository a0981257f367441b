// Figures that seed 001 gives for networks without counting: its closed forms (4) and table 1.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/topology/topology.hpp"

namespace weft::seed001 {

/// Circular Banyan (`delta` 1) or cube-connected cycles (0) of `columns` columns and 2^`y_bits`
/// rings: diameter by (1), mean distance by (2) or (3). They hold for as many columns as bits. With
/// one column more, table 1 has the mean for `y_bits` columns plus 1, and so have the figures here
/// (4.2 does not say why); with more columns there is no mean. Other `delta`: no figures.
PaperFigures dce(std::uint32_t columns, std::uint32_t y_bits, std::uint32_t delta);

/// MDCE of `columns` columns, `banyan` planes of circular Banyan and `cubes` planes of
/// cube-connected cycles: (1), (6). Without Banyan planes, over which (6) is a sum, (3) is used if
/// there is one plane. `rings`, the paper's P, changes neither; table 1 has only P = 1.
PaperFigures mdce(std::uint32_t columns, std::uint32_t banyan, std::uint32_t cubes,
                  std::uint32_t rings);

/// Mesh and torus of these sizes, as table 1 counts: (Lx + Ly) / 2 and (Lx + Ly + ...) / 4.
PaperFigures mesh(std::span<const std::uint32_t> dims);
PaperFigures torus(std::span<const std::uint32_t> dims);

/// Fat tree and omega network, as table 1 counts the switches passed: 2 levels - 3 and levels.
PaperFigures fat_tree(std::uint32_t levels);
PaperFigures omega(std::uint32_t levels);

}  // namespace weft::seed001
