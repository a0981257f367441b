// What of a network has failed, as its graph tells.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace weft {

/// What of a network has failed before cycle 0 (`topology.failed`), and what that cuts off.
struct Failures {
  static constexpr std::size_t kShownPairs = 3;

  bool any = false;
  std::uint32_t links = 0, of_links = 0;  ///< Dead ones between routers, one direction each.
  std::uint32_t routers = 0, of_routers = 0;
  std::uint32_t dead_nodes = 0;  ///< Those of dead routers.
  /// By rank: equal for nodes that reach each other; kOpen (graph.hpp): a dead node. Empty: all
  /// reach all.
  std::vector<std::uint32_t> component = {};
  std::uint64_t cut_pairs = 0;  ///< Ordered pairs of different nodes that do not reach each other.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> first_cut = {};  ///< Up to kShownPairs.
  /// Nodes that take no part in the collective, by their ranks in the whole network. The others
  /// are ranked anew, in the same order, as nodes of a network without these.
  std::vector<std::uint32_t> left_out = {};
  std::string routing = "";  ///< How what is left is routed, in words.
};
/// "126 ordered pairs of nodes: 0 -> 7, 1 -> 7, 2 -> 7, ...".
std::string cut_in_words(const Failures& failures);
/// What has failed, who is cut off and how packets go, in words; empty where nothing has failed.
std::string in_words(const Failures& failures);

}  // namespace weft
