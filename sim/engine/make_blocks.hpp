// The blocks of a network, one by one.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "sim/config/config.hpp"
#include "sim/fabric/blocks.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// All network interfaces; `more`: further arguments of each constructor.
template <class NicT, class... More>
std::vector<NicT> make_nics(const Config& config, const Graph& graph, const More&... more) {
  const Nic::Config nic = nic_config(config, graph);
  std::vector<NicT> nics;
  nics.reserve(graph.nodes);
  for (std::uint32_t n = 0; n < graph.nodes; ++n) nics.emplace_back(nic, more...);
  return nics;
}

/// All switching blocks, each with its own configuration; `more`: further arguments of each
/// constructor.
template <class SwitchT, class... More>
std::vector<SwitchT> make_switches(const Graph& graph, const More&... more) {
  std::vector<SwitchT> switches;
  switches.reserve(graph.blocks.size() - graph.nodes);
  for (std::uint32_t b = graph.nodes; b < graph.blocks.size(); ++b) {
    if constexpr (std::is_constructible_v<SwitchT, RouterTileConfig, More...>) {
      switches.emplace_back(graph.router_config(b), more...);
    } else {
      switches.emplace_back(graph.crossbar_config(b), more...);
    }
  }
  return switches;
}

}  // namespace weft
