// Symmetries of a network by which a few routes represent all, proved from its graph. What a proof
// assumes of route units is stated by their traits (`RouteTraits`, `RouteUnit::invariant_bits`).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/topology/graph.hpp"

namespace weft {

/// A network of routers whose links each change only one digit, and do not depend on the other
/// digits (but on the unit).
struct Product {
  std::uint32_t units = 1;        ///< Nodes of a board, which are its dimension 0; otherwise 1.
  std::uint32_t first_line = 0;   ///< The first dimension that consists of lines or rings.
  std::uint32_t ports = 0;        ///< Most ports of a router.
  std::vector<std::uint32_t> of;  ///< Dimension by unit and port; kOpen: none.

  std::uint32_t dimension(std::uint32_t unit, std::uint32_t port) const {
    return of[unit * ports + port];
  }
};

/// The network as a product; none if it is not one, or if its routes do not allow it
/// (`RouteTraits::by_dimension`). Inspects every block and link.
std::optional<Product> product_of(const Graph& graph);

/// Ranks of a line along a dimension, for a unit whose routers are connected in that dimension; all
/// other digits are 0.
struct DimensionLine {
  std::uint32_t dimension = 0;
  std::vector<std::uint32_t> ranks;
};
/// A line for each dimension with more than one node, and each of its units.
std::vector<DimensionLine> lines_of(const Graph& graph, const Product& product);

/// Whether `Graph::translations` may be used. Those that keep ports are proved: each is the
/// exclusive or of all addresses with some bits, which does not affect any route unit, and every
/// block has the links of the first one of its class. The others are proved in networks of up to
/// kExactNodes nodes: steps of one digit, block by block. In larger networks the topology is
/// trusted.
bool has_translations(const Graph& graph);

}  // namespace weft
