// Symmetries of a network by which a few routes represent all, proved from its graph: what a proof
// assumes of route units are traits of these (`RouteTraits`, `RouteUnit::invariant_bits`).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/topology/graph.hpp"

namespace weft {

/// A network of routers whose links keep all digits but one, and are the same wherever that digit
/// and the unit are.
struct Product {
  std::uint32_t units = 1;        ///< Nodes of a board, its dimension 0; otherwise 1.
  std::uint32_t first_line = 0;   ///< The first dimension that consists of lines or rings.
  std::uint32_t ports = 0;        ///< The most that a router has.
  std::vector<std::uint32_t> of;  ///< Dimension by unit and port; kOpen: none.

  std::uint32_t dimension(std::uint32_t unit, std::uint32_t port) const {
    return of[unit * ports + port];
  }
};

/// The network as a product; none if it is not one, or if its routes are not those of one
/// (`RouteTraits::by_dimension`). Looks at every block and link.
std::optional<Product> product_of(const Graph& graph);

/// Ranks of a line along a dimension, for a unit whose routers are connected in that dimension; all
/// other digits are 0.
struct DimensionLine {
  std::uint32_t dimension = 0;
  std::vector<std::uint32_t> ranks;
};
/// One for each dimension of more than one node and each of these units.
std::vector<DimensionLine> lines_of(const Graph& graph, const Product& product);

/// Whether `Graph::translations` may be used. Those that keep ports are proved: each is the
/// exclusive or of all addresses with some bits, which no route unit notices, and every block has
/// the links of the first one of its class. So are the others in networks of up to kExactNodes
/// nodes: steps of one digit, block by block. In larger networks the topology's word is taken for
/// them.
bool has_translations(const Graph& graph);

}  // namespace weft
