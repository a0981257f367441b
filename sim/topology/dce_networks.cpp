// DCE and MDCE networks.
#include "sim/topology/dce_networks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace weft {
namespace {

std::vector<std::uint32_t> dims_of(const DceShape& shape) {
  std::vector<std::uint32_t> dims = {shape.columns};
  for (const auto& plane : shape.planes) dims.push_back(1u << plane.bits);
  return dims;
}

// The route of a packet until it is in the right ring.
class Trip {
 public:
  explicit Trip(const DceShape& shape) : shape_(shape) {
    unsigned shift = 0;
    for (const auto& plane : shape.planes) {
      shifts_.push_back(shift);
      shift += plane.bits;
    }
  }

  // Times round for the worst destination column, except in the first step. The packet starts in
  // column `start`; `left`: bits in which its address and its destination's differ, the digits of
  // all planes one above the other.
  std::uint32_t rounds(std::uint32_t start, std::uint32_t left) const {
    const std::uint32_t n = shape_.columns;
    std::uint32_t at = start, first = 0;
    for (bool begun = false; left != 0; begun = true) {
      at += step(at % n, left);
      if (!begun) first = at / n;
    }
    const std::uint32_t before = at % n;  // Columns that the packet has passed.
    if (at == start) return before != 0 && before != n - 1 ? 1 : 0;
    return at / n + (before != 0 ? 1 : 0) - first;
  }

 private:
  // Clears a bit if there is a cross link for it; returns the columns that the packet advances.
  std::uint32_t step(std::uint32_t x, std::uint32_t& left) const {
    for (std::size_t d = 0; d < shape_.planes.size(); ++d) {
      const std::uint32_t bit = 1u << (shifts_[d] + x);
      if (x < shape_.planes[d].bits && (left & bit) != 0) {
        left &= ~bit;
        return shape_.planes[d].delta;
      }
    }
    return 1;
  }

  const DceShape& shape_;
  std::vector<unsigned> shifts_;
};

// Inverting the same bits of y everywhere changes neither columns nor cross links; packets choose
// among parallel links of a ring by the low bits of the address, so these bits stay. If the number
// of such links is not a power of two, every bit takes part in that choice, and none can be
// inverted.
Translations translations_of(const Graph& graph, const DceShape& shape) {
  const std::uint32_t n = shape.columns;
  if (!std::has_single_bit(shape.rings)) return {};
  const std::uint32_t kept = std::max(1u, shape.rings / std::bit_ceil(n));
  const std::uint32_t columns = std::min(graph.nodes, n * kept);
  Translations result{
      .words = kept == 1 ? "translation symmetry of y (xor): nodes (x, 0) for each column x"
                         : fmt::format("translation symmetry of y (xor): nodes (x, y) "
                                       "for each column x, y below {}",
                                       columns / n),
      .block_class = {},
      .keep_ports = true};
  for (std::uint32_t block = 0; block < graph.blocks.size(); ++block) {
    const bool router = block >= graph.nodes;
    const std::uint32_t rank = router ? block - graph.nodes : block;
    result.block_class.push_back(rank % columns + (router ? columns : 0));
  }
  return result;
}

}  // namespace

std::uint32_t max_plane_bits(std::uint32_t columns) {
  return kMaxAddrW - static_cast<std::uint32_t>(std::bit_width(columns - 1));
}

Graph dce_network(const Config& config, const DceShape& shape) {
  const auto dims = dims_of(shape);
  Graph graph = router_nodes(config, dims);
  RouteConfig route;
  route.num_local = graph.nic_links;
  route.num_rings = shape.rings;
  route.deltas = {0};
  for (const auto size : dims) route.max_coords.push_back(size - 1);
  for (const auto& plane : shape.planes) route.deltas.push_back(plane.delta);
  add_router_for_each_node(graph, router_shape(config, graph, RouteKind::kDce, std::move(route)));

  graph.link_classes = {"rings"};
  for (std::size_t d = 0; d < shape.planes.size(); ++d) {
    graph.link_classes.push_back(fmt::format("cross links of dimension {}", d + 1));
  }
  const std::uint32_t n = shape.columns;
  for (std::uint32_t rank = 0; rank < graph.nodes; ++rank) {
    const std::uint32_t x = rank % n, ring = rank - x;
    for (std::uint32_t p = 0; p < shape.rings; ++p) {
      graph.connect(graph.nodes + rank, p, graph.nodes + ring + (x + 1) % n, p);
    }
    std::uint32_t stride = n;
    for (std::uint32_t d = 0; d < shape.planes.size(); ++d) {
      const auto& plane = shape.planes[d];
      if (x < plane.bits) {
        const bool set = (ring / stride >> x & 1) != 0;
        const std::uint32_t across = set ? ring - (stride << x) : ring + (stride << x);
        const std::uint32_t port = shape.rings + d;
        graph.connect(graph.nodes + rank, port, graph.nodes + across + (x + plane.delta) % n, port,
                      d + 1);
      }
      stride <<= plane.bits;
    }
  }
  graph.translations = translations_of(graph, shape);
  return graph;
}

unsigned dce_classes(const DceShape& shape) {
  const Trip trip(shape);
  std::uint32_t bits = 0, most = 0;
  for (const auto& plane : shape.planes) bits += plane.bits;
  for (std::uint32_t left = 0; left < 1u << bits; ++left) {
    for (std::uint32_t x = 0; x < shape.columns; ++x) most = std::max(most, trip.rounds(x, left));
  }
  return most + 1;
}

}  // namespace weft
