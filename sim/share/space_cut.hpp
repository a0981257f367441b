// Cuts a network into parts with few links between them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/topology/graph.hpp"

namespace weft {

/// Groups of nodes that a cut leaves together, with their routers or crossbars: links into
/// interfaces do not cross from one part to another. Groups are numbered in the order of their
/// first nodes.
class NodeGroups {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  explicit NodeGroups(const Graph& graph);

  std::uint32_t count() const { return static_cast<std::uint32_t>(first_.size()) - 1; }
  /// The blocks of a group, in ascending order, so that nodes come first.
  std::span<const std::uint32_t> blocks(std::uint32_t group) const {
    return {blocks_.data() + first_[group], blocks_.data() + first_[group + 1]};
  }
  /// Number of nodes in a group.
  std::uint32_t nodes(std::uint32_t group) const { return nodes_[group]; }
  /// Group of a block; kNone: a switch without nodes.
  std::uint32_t of(std::uint32_t block) const { return of_[block]; }

 private:
  std::vector<std::uint32_t> of_, nodes_;
  std::vector<std::uint32_t> first_, blocks_;  // `first_`: by group: index of the first of its
                                               // blocks in `blocks_`.
};

/// Whether this build has METIS.
bool has_metis();

/// Part of a block that goes where its neighbours are.
inline constexpr std::uint16_t kOpenPart = ~std::uint16_t{0};

/// The part of each block; kOpenPart for some switches without nodes. There are `parts` parts with
/// about equally many nodes; some may have none.
///
/// Recursive bisection: a set of nodes is cut along the coordinate with the fewest links across.
/// The slowest coordinate is preferred unless another one has fewer than half of its links across,
/// since successive nodes lie together in memory. Networks with one coordinate that route by tables
/// may have any form: if this build has METIS (Karypis and Kumar 1998), it divides them, by ports
/// rather than nodes, because switches need not have nodes.
std::vector<std::uint16_t> cut_in_space(const Graph& graph, const NodeGroups& groups,
                                        unsigned parts);

}  // namespace weft
