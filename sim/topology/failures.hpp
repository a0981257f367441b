// Failures of a network, as its graph describes them.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace weft {

/// Links and routers that are dead from cycle 0 on (`topology.failed`), and the nodes that they
/// disconnect.
struct Failures {
  static constexpr std::size_t kShownPairs = 3;

  bool any = false;
  std::uint32_t links = 0, of_links = 0;  ///< Dead links between routers, one direction each, of
                                          ///< `of_links`.
  std::uint32_t routers = 0, of_routers = 0;
  std::uint32_t dead_nodes = 0;  ///< Nodes of dead routers.
  /// By rank: equal for nodes that reach each other; kOpen (graph.hpp): a dead node. Empty: all
  /// nodes reach each other.
  std::vector<std::uint32_t> component = {};
  std::uint64_t cut_pairs = 0;  ///< Ordered pairs of different nodes that do not reach each other.
  /// Up to kShownPairs of the cut pairs.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> first_cut = {};
  /// Nodes that take no part in the collective, by their ranks in the whole network. The others get
  /// new ranks, in the same order, as nodes of a network without these.
  std::vector<std::uint32_t> left_out = {};
  std::string routing = "";  ///< Routing of the rest, in words.
};
/// The pairs that are cut off: "126 ordered pairs of nodes: 0 -> 7, 1 -> 7, 2 -> 7, ...".
std::string cut_in_words(const Failures& failures);
/// What has failed, which nodes are cut off, and how packets are routed; empty if nothing has
/// failed.
std::string in_words(const Failures& failures);

}  // namespace weft
