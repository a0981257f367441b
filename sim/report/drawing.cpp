// Drawings of networks.
#include "sim/report/drawing.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <numeric>

namespace weft {
namespace {

constexpr double kGap = 1.0;        // Additional distance between two rows or columns for each
                                    // further dimension.
constexpr double kBeside = 0.28;    // Distance of an interface from its router.
constexpr double kColumnGap = 4.0;  // Least distance between the columns of a network in stages.

// The router or crossbar that an interface sends to.
std::uint32_t switch_of(const Graph& graph, std::uint32_t rank) {
  return graph.links[graph.out_link[graph.blocks[rank].first_out]].dst_block;
}

// Places interfaces around their routers.
void place_interfaces(const Graph& graph, std::vector<Place>& places) {
  std::vector<std::uint32_t> nodes(graph.blocks.size()), placed(graph.blocks.size());
  for (std::uint32_t n = 0; n < graph.nodes; ++n) ++nodes[switch_of(graph, n)];
  for (std::uint32_t n = 0; n < graph.nodes; ++n) {
    const std::uint32_t at = switch_of(graph, n);
    const double turn = (placed[at]++ + 0.5) / nodes[at] - 0.375;
    const double angle = 2 * std::numbers::pi * turn;
    places[n] = {places[at].x + kBeside * std::cos(angle),
                 places[at].y + kBeside * std::sin(angle)};
  }
}

// Drawing with a router for each node, by the node's coordinates.
class Grid {
 public:
  // Whether every router has exactly one node, and the nodes have coordinates.
  static bool suits(const Graph& graph) {
    std::vector<bool> taken(graph.blocks.size());
    const auto product = std::accumulate(graph.dims.begin(), graph.dims.end(), std::uint64_t{1},
                                         std::multiplies<>());
    if (graph.staged || !graph.has_routers() || product != graph.nodes ||
        graph.blocks.size() != 2 * std::size_t{graph.nodes}) {
      return false;
    }
    for (std::uint32_t n = 0; n < graph.nodes; ++n) {
      const std::uint32_t at = switch_of(graph, n);
      if (taken[at]) return false;
      taken[at] = true;
    }
    return true;
  }

  explicit Grid(const Graph& graph) : graph_(graph), node_(graph.blocks.size()) {
    for (std::uint32_t n = 0; n < graph.nodes; ++n) node_[switch_of(graph, n)] = n;
    for (const Link& link : graph.links) note(link);
  }

  Drawing drawing() const {
    Drawing drawing{std::vector<Place>(graph_.blocks.size()),
                    std::vector<bool>(graph_.links.size())};
    const bool circle = graph_.dims.size() == 1 && of_neighbours(0) && closed_ != 0;
    for (std::uint32_t b = graph_.nodes; b < graph_.blocks.size(); ++b) {
      drawing.places[b] = circle ? on_circle(node_[b]) : place(node_[b]);
    }
    place_interfaces(graph_, drawing.places);
    for (std::size_t l = 0; l < graph_.links.size() && !circle; ++l) {
      const auto along = dimension(graph_.links[l]);
      drawing.wraps[l] = along && of_neighbours(*along) && distance(graph_.links[l], *along) > 1;
    }
    return drawing;
  }

 private:
  std::uint32_t coordinate(std::uint32_t node, std::size_t d) const {
    for (std::size_t i = 0; i < d; ++i) node /= graph_.dims[i];
    return node % graph_.dims[d];
  }
  // The only dimension in which the ends of a link differ.
  std::optional<std::size_t> dimension(const Link& link) const {
    std::optional<std::size_t> found;
    if (!graph_.between_switches(link)) return found;
    for (std::size_t d = 0; d < graph_.dims.size(); ++d) {
      if (distance(link, d) == 0) continue;
      if (found) return {};
      found = d;
    }
    return found;
  }
  std::uint32_t distance(const Link& link, std::size_t d) const {
    const std::uint32_t a = coordinate(node_[link.src_block], d);
    const std::uint32_t b = coordinate(node_[link.dst_block], d);
    return a > b ? a - b : b - a;
  }
  void note(const Link& link) {
    const auto d = dimension(link);
    if (!d) return;
    const std::uint32_t far = graph_.dims[*d] - 1, length = distance(link, *d);
    if (length == far && far > 1) closed_ |= 1u << *d;
    if (length != 1 && length != far) crossed_ |= 1u << *d;
  }
  // Whether links along a dimension connect only neighbours, in a ring or a line.
  bool of_neighbours(std::size_t d) const { return (crossed_ >> d & 1) == 0; }

  // Place of a node: even dimensions from left to right, odd ones downwards.
  Place place(std::uint32_t node) const {
    Place at;
    double step[] = {1, 1};
    for (std::size_t d = 0; d < graph_.dims.size(); ++d) {
      (d % 2 == 0 ? at.x : at.y) += step[d % 2] * coordinate(node, d);
      step[d % 2] = step[d % 2] * graph_.dims[d] + kGap;
    }
    return at;
  }
  Place on_circle(std::uint32_t node) const {
    const double turn = 2 * std::numbers::pi / graph_.nodes;
    const double radius = 1 / turn;
    return {radius * std::sin(turn * node), -radius * std::cos(turn * node)};
  }

  const Graph& graph_;
  std::vector<std::uint32_t> node_;         // By router: its node.
  std::uint32_t closed_ = 0, crossed_ = 0;  // Dimensions, a bit each.
};

// Columns of switches, by their distance from the interfaces that send to them.
Drawing in_columns(const Graph& graph) {
  const std::size_t count = graph.blocks.size();
  std::vector<std::uint32_t> column(count), queue;
  for (std::uint32_t n = 0; n < graph.nodes; ++n) queue.push_back(n);
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const Block& block = graph.blocks[queue[i]];
    for (std::uint32_t p = 0; p < block.num_out; ++p) {
      const std::uint32_t link = graph.out_link[block.first_out + p];
      if (link == kOpen) continue;
      const std::uint32_t next = graph.links[link].dst_block;
      if (next < graph.nodes || column[next] != 0) continue;
      column[next] = column[queue[i]] + 1;
      queue.push_back(next);
    }
  }
  std::vector<std::uint32_t> blocks_in(*std::max_element(column.begin(), column.end()) + 1);
  for (const std::uint32_t c : column) ++blocks_in[c];
  const double most = *std::max_element(blocks_in.begin(), blocks_in.end());
  const double gap = std::max(kColumnGap, most / static_cast<double>(blocks_in.size()));
  Drawing drawing{std::vector<Place>(count), std::vector<bool>(graph.links.size())};
  std::vector<std::uint32_t> placed(blocks_in.size());
  for (std::uint32_t b = 0; b < count; ++b) {
    const std::uint32_t c = column[b];
    drawing.places[b] = {gap * c, (placed[c]++ + 0.5) * most / blocks_in[c]};
  }
  return drawing;
}

}  // namespace

std::optional<Drawing> drawing_of(const Graph& graph) {
  if (Grid::suits(graph)) return Grid(graph).drawing();
  if (graph.staged || !graph.has_routers()) return in_columns(graph);
  return {};
}

}  // namespace weft
