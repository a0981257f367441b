// Cuts by address, and the side of a block without an address of its own.
#include "sim/analysis/bisection.hpp"

#include <fmt/format.h>

#include <bit>
#include <vector>

namespace weft {
namespace {

struct Cut {
  std::uint32_t dimension = 0, size = 1, stride = 1;
  std::uint32_t below = 0;  // Lower digits are on the first side; 0: digits whose bit is clear.
  unsigned bit = 0;

  bool second(std::uint32_t rank) const {
    const std::uint32_t digit = rank / stride % size;
    return below != 0 ? digit >= below : (digit >> bit & 1) != 0;
  }
  // Number of digits, of `size`, on the first side.
  std::uint32_t first_digits() const {
    std::uint32_t sum = 0;
    for (std::uint32_t digit = 0; digit < size; ++digit) sum += !second(digit * stride);
    return sum;
  }
  bool halves() const { return 2 * first_digits() == size; }
  std::string words(std::uint32_t nodes) const {
    if (below == 0) return fmt::format("bit {} of dimension {}", bit, dimension);
    std::string text = fmt::format("dimension {} between {} and {}", dimension, below - 1, below);
    if (!halves()) {
      const std::uint32_t first = nodes / size * first_digits();
      text += fmt::format(": {} and {} nodes", first, nodes - first);
    }
    return text;
  }
};

struct Cuts {
  std::vector<Cut> halves, middles;  // Middles that do not make halves are in `middles`.
};

Cuts cuts_of(const Graph& graph) {
  Cuts cuts;
  std::uint32_t stride = 1;
  for (std::uint32_t d = 0; d < graph.dims.size(); ++d) {
    const std::uint32_t size = graph.dims[d];
    Cut cut{d, size, stride, size / 2, 0};
    stride *= size;
    if (size == 1) continue;
    (cut.halves() ? cuts.halves : cuts.middles).push_back(cut);
    cut.below = 0;
    // The highest bit of a power of two cuts it in the middle.
    for (; cut.bit + 1 < static_cast<unsigned>(std::bit_width(size - 1)); ++cut.bit) {
      if (cut.halves()) cuts.halves.push_back(cut);
    }
  }
  return cuts;
}

// Blocks in the order of their distance from nodes, and that distance.
struct Order {
  std::vector<std::uint32_t> blocks, distance;

  explicit Order(const Graph& graph) : distance(graph.blocks.size(), kOpen) {
    for (std::uint32_t rank = 0; rank < graph.nodes; ++rank) {
      blocks.push_back(rank);
      distance[rank] = 0;
    }
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      const std::uint32_t at = blocks[i];
      each_neighbour(graph, at, [&](std::uint32_t block) {
        if (distance[block] != kOpen) return;
        distance[block] = distance[at] + 1;
        blocks.push_back(block);
      });
    }
  }

  // Visits the blocks that a block has links to or from, once for each link.
  template <class Visit>
  static void each_neighbour(const Graph& graph, std::uint32_t block, Visit visit) {
    const Block& b = graph.blocks[block];
    for (std::uint32_t p = 0; p < b.num_in; ++p) {
      const std::uint32_t from = graph.links[b.first_in + p].src_block;
      if (from != kOpen) visit(from);
    }
    for (std::uint32_t p = 0; p < b.num_out; ++p) {
      const std::uint32_t link = graph.out_link[b.first_out + p];
      if (link != kOpen) visit(graph.links[link].dst_block);
    }
  }
};

AddressCut crossing(const Graph& graph, const Order& order, const Cut& cut) {
  AddressCut result;
  std::vector<bool>& second = result.second;
  second.resize(graph.blocks.size());
  for (const std::uint32_t block : order.blocks) {
    if (block < graph.nodes) {
      second[block] = cut.second(block);
      continue;
    }
    std::int64_t more = 0;  // Neighbours on the second side minus those on the first.
    Order::each_neighbour(graph, block, [&](std::uint32_t other) {
      if (order.distance[other] < order.distance[block]) more += second[other] ? 1 : -1;
    });
    second[block] = more > 0;
  }
  for (const Link& link : graph.links) {
    if (link.src_block == kOpen || second[link.src_block] == second[link.dst_block]) continue;
    ++(second[link.src_block] ? result.from_second : result.from_first);
  }
  return result;
}

}  // namespace

Bisection bisection(const Graph& graph) {
  const Order order(graph);
  const Cuts cuts = cuts_of(graph);
  Bisection best;
  for (const Cut& cut : cuts.halves.empty() ? cuts.middles : cuts.halves) {
    const AddressCut across = crossing(graph, order, cut);
    const std::uint64_t links = across.from_first + across.from_second;
    if (!best.cut.empty() && links >= best.links) continue;
    best = {links, cut.words(graph.nodes), cut.halves()};
  }
  return best;
}

std::vector<AddressCut> address_cuts(const Graph& graph) {
  const Order order(graph);
  const Cuts cuts = cuts_of(graph);
  std::vector<AddressCut> all;
  for (const auto* some : {&cuts.halves, &cuts.middles}) {
    for (const Cut& cut : *some) all.push_back(crossing(graph, order, cut));
  }
  return all;
}

}  // namespace weft
