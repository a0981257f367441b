// What seed 001 says of networks without counting: its closed forms (4) and table 1.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/topology/topology.hpp"

namespace weft::seed001 {

/// Circular Banyan (`delta` 1) or cube-connected cycles (0) of `columns` columns and 2^`y_bits`
/// rings: diameter by (1), mean distance by (2) or (3). These are for as many columns as bits; with
/// one column more table 1 has the mean for `y_bits` columns plus 1, and so do the figures here
/// (4.2 does not say why); with more there is none. No figure at all for other `delta`.
PaperFigures dce(std::uint32_t columns, std::uint32_t y_bits, std::uint32_t delta);

/// MDCE of `columns` columns, `banyan` planes of circular Banyan and `cubes` planes of
/// cube-connected cycles: (1), (6); without Banyan planes, of which (6) is a sum, (3) where there
/// is one plane. `rings`, the paper's P, changes neither; table 1 has P = 1 alone.
PaperFigures mdce(std::uint32_t columns, std::uint32_t banyan, std::uint32_t cubes,
                  std::uint32_t rings);

/// Mesh and torus of these sizes, as table 1 counts: (Lx + Ly) / 2 and (Lx + Ly + ...) / 4.
PaperFigures mesh(std::span<const std::uint32_t> dims);
PaperFigures torus(std::span<const std::uint32_t> dims);

/// Fat tree and omega network, as table 1 counts: switches passed, 2 levels - 3 and levels.
PaperFigures fat_tree(std::uint32_t levels);
PaperFigures omega(std::uint32_t levels);

}  // namespace weft::seed001
