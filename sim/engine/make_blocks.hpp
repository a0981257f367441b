// The blocks of a network, one by one.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <type_traits>
#include <vector>

#include "sim/config/config.hpp"
#include "sim/engine/engine.hpp"
#include "sim/fabric/blocks.hpp"
#include "sim/topology/graph.hpp"
#include "sim/verilated/rtl_ports.hpp"

namespace weft {

/// Adds a block; for a block of another process adds one without contents, to keep the numbering.
template <class T, class... Arguments>
void add_block(std::vector<T>& blocks, bool own, const Arguments&... arguments) {
  if constexpr (std::is_default_constructible_v<T>) {
    if (!own) {
      blocks.emplace_back();
      return;
    }
  }
  blocks.emplace_back(arguments...);
}

/// Calls `make` for a block. Of a Difference in its reset CheckError has the block's name, too.
template <class Make>
void name_block(const Graph& graph, std::uint32_t block, const Make& make) {
  try {
    make();
  } catch (const Difference& difference) {
    throw CheckError(fmt::format("{}: in reset, instance {}, {}", difference.who,
                                 graph.blocks[block].name, difference.what()));
  }
}

/// The network interfaces of own blocks; `more`: further arguments of each constructor.
template <class NicT, class... More>
std::vector<NicT> make_nics(const Config& config, const Graph& graph, const OwnsBlock& own,
                            const More&... more) {
  const Nic::Config nic = nic_config(config, graph);
  std::vector<NicT> nics;
  nics.reserve(graph.nodes);
  for (std::uint32_t n = 0; n < graph.nodes; ++n) {
    name_block(graph, n, [&] { add_block(nics, own(n), nic, more...); });
  }
  return nics;
}

/// The switching blocks of own blocks, each with its own configuration; `more`: further arguments
/// of each constructor.
template <class SwitchT, class... More>
std::vector<SwitchT> make_switches(const Graph& graph, const OwnsBlock& own, const More&... more) {
  std::vector<SwitchT> switches;
  switches.reserve(graph.blocks.size() - graph.nodes);
  for (std::uint32_t b = graph.nodes; b < graph.blocks.size(); ++b) {
    name_block(graph, b, [&] {
      if constexpr (std::is_constructible_v<SwitchT, RouterTileConfig, More...>) {
        add_block(switches, own(b), graph.router_config(b), more...);
      } else {
        add_block(switches, own(b), graph.crossbar_config(b), more...);
      }
    });
  }
  return switches;
}

}  // namespace weft
