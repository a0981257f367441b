// The blocks in a link of an emitted network, and the nets between them.
#pragma once

#include <cstdint>
#include <string>

#include "sim/emit/link_ports.hpp"

namespace weft {

/// Instances of the blocks in link `number`, whose ends have nets, and nets between these blocks.
/// `parity`: flits carry it.
std::string link_chain_text(const Graph& graph, std::uint32_t number, bool parity);

}  // namespace weft
