// Cuts a network into parts with few links between them.
#include "sim/share/space_cut.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#ifdef WEFT_METIS
#include <metis.h>
#endif

namespace weft {
namespace {

constexpr std::uint32_t kNone = NodeGroups::kNone;

// Recursive bisection by coordinates.
class Bisection {
 public:
  Bisection(const Graph& graph, const NodeGroups& groups)
      : graph_(graph),
        groups_(groups),
        part_(groups.count()),
        side_(groups.count(), kOutside),
        next_to_(graph.blocks.size()) {}

  // The part of each group.
  std::vector<std::uint16_t> parts(unsigned parts) {
    Groups all(groups_.count());
    std::iota(all.begin(), all.end(), 0u);
    divide(std::move(all), 0, parts);
    return std::move(part_);
  }

 private:
  using Groups = std::vector<std::uint32_t>;
  static constexpr std::uint8_t kOutside = 2;

  // Divides groups, in ascending order, among parts `first` to `end` - 1.
  void divide(Groups groups, unsigned first, unsigned end) {
    if (end - first == 1) {
      for (const std::uint32_t g : groups) part_[g] = static_cast<std::uint16_t>(first);
      return;
    }
    const unsigned middle = first + (end - first) / 2;
    std::uint64_t nodes = 0;
    for (const std::uint32_t g : groups) nodes += groups_.nodes(g);
    const std::uint64_t low = nodes * (middle - first) / (end - first);
    // Groups are in the order of the slowest coordinate that differs.
    std::size_t best_cut = cut_of(groups, low);
    std::uint64_t fewest = links_across(groups, best_cut) / 2;
    Groups best = groups;
    std::uint32_t stride = 1;
    for (const std::uint32_t size : graph_.dims) {
      Groups order = sorted(groups, stride, size);
      stride *= size;
      if (order == groups) continue;
      const std::size_t cut = cut_of(order, low);
      const std::uint64_t links = links_across(order, cut);
      if (links >= fewest) continue;
      fewest = links;
      best_cut = cut;
      best = std::move(order);
    }
    const auto at = best.begin() + static_cast<std::ptrdiff_t>(best_cut);
    Groups lower(best.begin(), at), upper(at, best.end());
    for (Groups* const side : {&lower, &upper}) std::sort(side->begin(), side->end());
    divide(std::move(lower), first, middle);
    divide(std::move(upper), middle, end);
  }

  // The groups sorted by a coordinate of their first nodes; groups with equal ones keep their
  // order.
  Groups sorted(const Groups& groups, std::uint32_t stride, std::uint32_t size) const {
    const auto coordinate = [&](std::uint32_t g) { return groups_.blocks(g)[0] / stride % size; };
    Groups next(size + std::size_t{1}), order(groups.size());
    for (const std::uint32_t g : groups) ++next[coordinate(g) + 1];
    std::partial_sum(next.begin(), next.end(), next.begin());
    for (const std::uint32_t g : groups) order[next[coordinate(g)]++] = g;
    return order;
  }

  // Number of leading groups that have at least `nodes` nodes together.
  std::size_t cut_of(const Groups& groups, std::uint64_t nodes) const {
    std::size_t cut = 0;
    for (std::uint64_t sum = 0; sum < nodes; ++cut) sum += groups_.nodes(groups[cut]);
    return cut;
  }

  // Links between the first `cut` groups and the others. A switch without nodes counts to the side
  // to which it has more links.
  std::uint64_t links_across(const Groups& groups, std::size_t cut) {
    for (std::size_t i = 0; i < groups.size(); ++i) side_[groups[i]] = i >= cut;
    std::uint64_t across = 0;
    std::vector<std::uint32_t> hubs;
    const auto see = [&](std::uint8_t side, std::uint32_t block) {
      if (block == kOpen) return;
      const std::uint32_t other = groups_.of(block);
      if (other != kNone) {
        across += side_[other] + side == 1;
      } else if (next_to_[block][side]++ == 0) {
        hubs.push_back(block);
      }
    };
    for (const std::uint32_t g : groups) {
      for (const std::uint32_t b : groups_.blocks(g)) {
        const Block& block = graph_.blocks[b];
        for (std::uint32_t i = 0; i < block.num_in; ++i) {
          see(side_[g], graph_.links[block.first_in + i].src_block);
        }
        for (std::uint32_t o = 0; o < block.num_out; ++o) {
          const std::uint32_t link = graph_.out_link[block.first_out + o];
          if (link != kOpen) see(side_[g], graph_.links[link].dst_block);
        }
      }
    }
    across /= 2;  // Each link was seen from both ends.
    for (const std::uint32_t hub : hubs) {
      across += std::min(next_to_[hub][0], next_to_[hub][1]);
      next_to_[hub] = {};
    }
    for (const std::uint32_t g : groups) side_[g] = kOutside;
    return across;
  }

  const Graph& graph_;
  const NodeGroups& groups_;
  std::vector<std::uint16_t> part_;                    // By group.
  std::vector<std::uint8_t> side_;                     // By group, while links are counted.
  std::vector<std::array<std::uint32_t, 2>> next_to_;  // By block; for switches without nodes.
};

#ifdef WEFT_METIS

constexpr bool kMetis = true;

// Cuts with METIS. Vertices are the groups, then the switches without nodes; each weighs as much as
// it has ports.
std::vector<std::uint16_t> by_metis(const Graph& graph, const NodeGroups& groups, unsigned parts) {
  std::uint32_t count = groups.count();
  std::vector<std::uint32_t> vertex(graph.blocks.size());
  for (std::uint32_t b = 0; b < vertex.size(); ++b) {
    vertex[b] = groups.of(b) != kNone ? groups.of(b) : count++;
  }
  std::vector<std::vector<idx_t>> next_to(count);
  std::vector<idx_t> weight(count);
  for (std::uint32_t b = 0; b < graph.blocks.size(); ++b) {
    weight[vertex[b]] += static_cast<idx_t>(graph.blocks[b].num_out);
  }
  for (const Link& link : graph.links) {
    if (link.src_block == kOpen) continue;
    const std::uint32_t from = vertex[link.src_block], to = vertex[link.dst_block];
    if (from == to) continue;
    next_to[from].push_back(static_cast<idx_t>(to));
    next_to[to].push_back(static_cast<idx_t>(from));
  }
  std::vector<idx_t> first = {0}, neighbours, links;
  for (std::vector<idx_t>& list : next_to) {
    std::sort(list.begin(), list.end());
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (i == 0 || list[i] != list[i - 1]) {
        neighbours.push_back(list[i]);
        links.push_back(0);
      }
      ++links.back();
    }
    first.push_back(static_cast<idx_t>(neighbours.size()));
  }
  std::array<idx_t, METIS_NOPTIONS> options;
  METIS_SetDefaultOptions(options.data());
  options[METIS_OPTION_SEED] = 1;  // The same cut in every process.
  auto vertices = static_cast<idx_t>(count), constraints = idx_t{1};
  auto wanted = static_cast<idx_t>(parts);
  idx_t across = 0;
  std::vector<idx_t> of_vertex(count);
  // As the manual of METIS advises: recursive bisection for few parts.
  const auto divide = parts <= 8 ? METIS_PartGraphRecursive : METIS_PartGraphKway;
  if (divide(&vertices, &constraints, first.data(), neighbours.data(), weight.data(), nullptr,
             links.data(), &wanted, nullptr, nullptr, options.data(), &across,
             of_vertex.data()) != METIS_OK) {
    return {};
  }
  std::vector<std::uint16_t> part;
  for (const std::uint32_t v : vertex) part.push_back(static_cast<std::uint16_t>(of_vertex[v]));
  return part;
}

#else

constexpr bool kMetis = false;

std::vector<std::uint16_t> by_metis(const Graph&, const NodeGroups&, unsigned) {
  return {};
}

#endif

}  // namespace

bool has_metis() {
  return kMetis;
}

NodeGroups::NodeGroups(const Graph& graph) : of_(graph.blocks.size(), kNone) {
  // Each node points to a node of its group with a lower number, or to itself.
  std::vector<std::uint32_t> before(graph.nodes);
  std::iota(before.begin(), before.end(), 0u);
  const auto first_of = [&](std::uint32_t n) {
    while (before[n] != n) n = before[n] = before[before[n]];
    return n;
  };
  std::vector<std::uint32_t> node_of(graph.blocks.size(), kNone);  // Any node of a switch.
  for (std::uint32_t l = 0; l < graph.nodes * graph.nic_links; ++l) {
    const Link& link = graph.links[l];
    std::uint32_t& known = node_of[link.src_block];
    if (known == kNone) known = link.dst_block;
    const std::uint32_t a = first_of(known), b = first_of(link.dst_block);
    before[std::max(a, b)] = std::min(a, b);
  }
  std::vector<std::uint32_t> size;  // Blocks of a group.
  for (std::uint32_t b = 0; b < graph.blocks.size(); ++b) {
    if (b >= graph.nodes && node_of[b] == kNone) continue;
    const std::uint32_t first = first_of(b < graph.nodes ? b : node_of[b]);
    if (first == b) {
      of_[b] = static_cast<std::uint32_t>(size.size());
      size.push_back(0);
      nodes_.push_back(0);
    }
    of_[b] = of_[first];
    ++size[of_[b]];
    nodes_[of_[b]] += b < graph.nodes;
  }
  first_.resize(size.size() + 1);
  std::partial_sum(size.begin(), size.end(), first_.begin() + 1);
  blocks_.resize(first_.back());
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  for (std::uint32_t b = 0; b < graph.blocks.size(); ++b) {
    if (of_[b] != kNone) blocks_[next[of_[b]]++] = b;
  }
}

std::vector<std::uint16_t> cut_in_space(const Graph& graph, const NodeGroups& groups,
                                        unsigned parts) {
  std::vector<std::uint16_t> part(graph.blocks.size(), parts == 1 ? 0 : kOpenPart);
  if (parts == 1) return part;
  if (graph.dims.size() <= 1 && graph.has_tables() && parts <= groups.count()) {
    part = by_metis(graph, groups, parts);
    if (!part.empty()) return part;
    part.assign(graph.blocks.size(), kOpenPart);
  }
  const std::vector<std::uint16_t> of_group = Bisection(graph, groups).parts(parts);
  for (std::uint32_t b = 0; b < graph.blocks.size(); ++b) {
    if (groups.of(b) != kNone) part[b] = of_group[groups.of(b)];
  }
  return part;
}

}  // namespace weft
