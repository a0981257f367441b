// Routes followed hop by hop: by pairs of nodes, by translations, by lines.
#include "sim/analysis/route_check.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/analysis/lines.hpp"
#include "sim/analysis/router_ways.hpp"
#include "sim/base/random.hpp"

namespace weft {
namespace {

// Distance on a route of `links` links.
std::uint32_t distance(const Graph& graph, std::uint32_t src, std::uint32_t dst,
                       std::uint32_t links) {
  if (graph.has_routers()) return links - (graph.staged ? 1 : 2);
  return src != dst ? links - 1 : 0;
}

void count(const Graph& graph, std::uint32_t src, std::uint32_t dst, std::uint32_t links,
           std::uint64_t weight, RouteCheck& check) {
  const std::uint32_t far = distance(graph, src, dst, links);
  check.distances += weight * far;
  check.diameter = std::max(check.diameter, far);
}

// The links from `src` to `dst`, on both routes if there are two, and from each link of the
// interface if routes depend on it; enters the channel dependencies, each link by its number
// according to `number`.
template <class Dependencies, class Number>
std::uint32_t follow(const Graph& graph, std::uint32_t src, std::uint32_t dst, unsigned vcs,
                     Dependencies& dependencies, Number number) {
  const std::uint64_t all = ~std::uint64_t{0} >> (64 - vcs);
  const auto follow_way = [&](std::uint32_t nic_link, bool other_way) {
    std::uint32_t links = 0, held = 0;
    std::uint64_t held_vcs = 0;
    const auto enter = [&](std::uint32_t link, VcSet set) {
      const std::uint32_t next = number(link);
      held_vcs = links++ > 0 ? dependencies.add(held, held_vcs, next, set) : all;
      held = next;
    };
    graph.walk(src, dst, enter, nic_link, other_way);
    return links;
  };
  const bool both = graph.has_two_ways() && graph.two_ways(src, dst);
  const std::uint32_t links = follow_way(0, false);
  if (both) follow_way(0, true);
  for (std::uint32_t i = 1; graph.ways_by_link() && i < graph.nic_links; ++i) {
    follow_way(i, false);
    if (both) follow_way(i, true);
  }
  return links;
}

constexpr auto kItself = [](std::uint32_t link) { return link; };

// With a VC for each destination: packets to one destination have VCs of their own and wait for
// each other only, so dependencies are analysed for one destination at a time.
void by_destination(const Graph& graph, const std::vector<std::uint32_t>& sources,
                    const Sources& destinations, RouteCheck& check) {
  ChannelDependencies dependencies(graph, 1);
  for (std::size_t d = 0; d < destinations.ranks.size(); ++d) {
    const std::uint32_t dst = destinations.ranks[d];
    for (const std::uint32_t src : sources) {
      const std::uint32_t links = follow(graph, src, dst, 1, dependencies, kItself);
      count(graph, src, dst, links, destinations.weights[d], check);
    }
    check.cycle = dependencies.cycle();
    if (!check.cycle.empty()) return;
    dependencies.clear();
  }
}

Sources all_of(std::uint32_t nodes) {
  Sources sources{{}, std::vector<std::uint64_t>(nodes, 1)};
  for (std::uint32_t rank = 0; rank < nodes; ++rank) sources.ranks.push_back(rank);
  return sources;
}

RouteCheck by_pairs(const Graph& graph, unsigned vcs, bool per_dest) {
  RouteCheck check;
  const auto sources = analysed_sources(graph.nodes).ranks;
  check.sampled = sources.size() < graph.nodes;
  check.pairs = std::uint64_t{sources.size()} * graph.nodes;
  if (!check.sampled) check.exact_by = "all pairs";
  if (per_dest) {
    by_destination(graph, sources, all_of(graph.nodes), check);
    return check;
  }
  ChannelDependencies dependencies(graph, vcs);
  if (graph.in_dimension_order()) {
    RouterWays ways(graph, vcs, dependencies);
    const bool two_ways = graph.has_two_ways();
    for (std::uint32_t dst = 0; dst < graph.nodes; ++dst) {
      for (const std::uint32_t src : sources) {
        count(graph, src, dst, ways.follow(src, dst, false), 1, check);
        if (two_ways && graph.two_ways(src, dst)) ways.follow(src, dst, true);
      }
    }
  } else {
    for (std::uint32_t dst = 0; dst < graph.nodes; ++dst) {
      for (const std::uint32_t src : sources) {
        count(graph, src, dst, follow(graph, src, dst, vcs, dependencies, kItself), 1, check);
      }
    }
  }
  check.cycle = dependencies.cycle();
  return check;
}

// Classes of links under translations: numbers below `count`, by link.
struct LinkClasses {
  std::vector<std::uint32_t> of;
  std::uint32_t count = 0;

  explicit LinkClasses(const Graph& graph) {
    const Translations& t = graph.translations;
    const std::uint32_t blocks = 1 + *std::max_element(t.block_class.begin(), t.block_class.end());
    std::uint32_t ports = 1;
    for (const Block& block : graph.blocks) ports = std::max(ports, block.num_in);
    const std::uint32_t others = t.keep_ports ? ports : blocks;
    count = blocks * others;
    of.reserve(graph.links.size());
    for (const Link& link : graph.links) {
      // An unconnected link is on no route.
      const bool open = link.src_block == kOpen;
      const std::uint32_t from =
          t.keep_ports ? link.dst_port : t.block_class[open ? link.dst_block : link.src_block];
      of.push_back(t.block_class[link.dst_block] * others + from);
    }
  }
};

// A cycle of links from a cycle of classes. From a link of the first class one link of the next
// class follows, and so on. Each time round applies the translation that maps the first link to the
// link reached; applied often enough, a translation maps a link to itself.
std::vector<Channel> links_of(const Graph& graph, const LinkClasses& classes,
                              const std::vector<Channel>& cycle) {
  std::vector<Channel> path;
  if (cycle.empty()) return path;
  const auto first = static_cast<std::uint32_t>(
      std::find(classes.of.begin(), classes.of.end(), cycle[0].link) - classes.of.begin());
  std::uint32_t link = first;
  do {
    for (std::size_t i = 0; i < cycle.size(); ++i) {
      path.push_back({link, cycle[i].vc});
      const std::uint32_t next = cycle[(i + 1) % cycle.size()].link;
      const Block& block = graph.blocks[graph.links[link].dst_block];
      const auto* out = &graph.out_link[block.first_out];
      link = *std::find_if(out, out + block.num_out,
                           [&](std::uint32_t l) { return l != kOpen && classes.of[l] == next; });
    }
  } while (link != first);
  return path;
}

RouteCheck by_translations(const Graph& graph, unsigned vcs, bool per_dest) {
  RouteCheck check;
  check.pairs = std::uint64_t{graph.nodes} * graph.nodes;
  check.exact_by = graph.translations.words;
  const Sources sources = class_sources(graph);
  if (per_dest) {
    // Translations map a destination with its VC: one destination of each class, from all sources.
    by_destination(graph, all_of(graph.nodes).ranks, sources, check);
    return check;
  }
  // Classes of links have a cycle if and only if links have one: the classes of a cycle's links
  // form a cycle, and links_of shows the converse.
  const LinkClasses classes(graph);
  SparseDependencies dependencies(classes.count, vcs);
  const auto class_of = [&](std::uint32_t link) { return classes.of[link]; };
  for (std::size_t s = 0; s < sources.ranks.size(); ++s) {
    const std::uint32_t src = sources.ranks[s];
    for (std::uint32_t dst = 0; dst < graph.nodes; ++dst) {
      const std::uint32_t links = follow(graph, src, dst, vcs, dependencies, class_of);
      count(graph, src, dst, links, sources.weights[s], check);
    }
  }
  check.cycle = links_of(graph, classes, dependencies.cycle());
  return check;
}

RouteCheck by_lines(const Graph& graph, unsigned vcs, bool per_dest) {
  RouteCheck check;
  check.pairs = std::uint64_t{graph.nodes} * graph.nodes;
  check.exact_by = "product of dimensions: all pairs on a line of each";
  std::uint32_t diameter = 0;
  for (const Line& line : lines_of(graph)) {
    // Links on the line, in the order in which they are reached.
    std::vector<std::uint32_t> number(graph.links.size(), kOpen), link_of;
    const auto number_of = [&](std::uint32_t link) {
      if (number[link] == kOpen) {
        number[link] = static_cast<std::uint32_t>(link_of.size());
        link_of.push_back(link);
      }
      return number[link];
    };
    // For each node on the line: a link from its interface, those to it, both directions on the
    // line.
    const std::size_t most = (3 + graph.nic_links) * line.ranks.size();
    SparseDependencies dependencies(static_cast<std::uint32_t>(most), vcs);
    const auto look = [&] {
      for (const Channel& c : dependencies.cycle()) check.cycle.push_back({link_of[c.link], c.vc});
    };
    check.diameter = 0;
    for (const std::uint32_t dst : line.ranks) {
      for (const std::uint32_t src : line.ranks) {
        const std::uint32_t links = follow(graph, src, dst, vcs, dependencies, number_of);
        count(graph, src, dst, links, line.weight, check);
      }
      if (!per_dest) continue;
      if (check.cycle.empty()) look();
      dependencies.clear();
    }
    if (!per_dest && check.cycle.empty()) look();
    diameter += check.diameter;
  }
  check.diameter = diameter;
  return check;
}

RouteCheck follow_routes(const Graph& graph, unsigned vcs, bool per_dest,
                         std::uint32_t all_pairs_up_to) {
  switch (coverage(graph, all_pairs_up_to)) {
    case Coverage::kLines:
      return by_lines(graph, vcs, per_dest);
    case Coverage::kTranslations:
      return by_translations(graph, vcs, per_dest);
    case Coverage::kPairs:
      break;
  }
  return by_pairs(graph, vcs, per_dest);
}

}  // namespace

Coverage coverage(const Graph& graph, std::uint32_t all_pairs_up_to) {
  if (graph.nodes <= all_pairs_up_to) return Coverage::kPairs;
  if (graph.in_dimension_order()) return Coverage::kLines;
  return graph.translations.words.empty() ? Coverage::kPairs : Coverage::kTranslations;
}

Sources analysed_sources(std::uint32_t nodes) {
  if (nodes <= kExactNodes) return all_of(nodes);
  RandomStream random(1);
  std::vector<bool> chosen(nodes);
  Sources sources;
  const std::size_t most = std::min(kSampledSources, kSampledPairs / nodes);
  while (sources.ranks.size() < most) {
    const auto rank = static_cast<std::uint32_t>(random.below(nodes));
    if (!chosen[rank]) sources.ranks.push_back(rank);
    chosen[rank] = true;
  }
  std::sort(sources.ranks.begin(), sources.ranks.end());
  sources.weights.assign(most, 1);
  return sources;
}

Sources class_sources(const Graph& graph) {
  const auto& classes = graph.translations.block_class;
  Sources sources;
  std::vector<std::uint32_t> index(graph.blocks.size(), kOpen);  // By class, in `sources`.
  for (std::uint32_t rank = 0; rank < graph.nodes; ++rank) {
    std::uint32_t& p = index[classes[rank]];
    if (p == kOpen) {
      p = static_cast<std::uint32_t>(sources.ranks.size());
      sources.ranks.push_back(rank);
      sources.weights.push_back(0);
    }
    ++sources.weights[p];
  }
  return sources;
}

RouteCheck check_routes(const Graph& graph, std::uint32_t all_pairs_up_to) {
  const bool per_dest = graph.vc_per_destination;
  return follow_routes(graph, per_dest ? 1 : graph.num_vc, per_dest, all_pairs_up_to);
}

std::uint32_t least_vcs(const Graph& graph, std::uint32_t most, const RouteCheck* known,
                        std::uint32_t all_pairs_up_to) {
  if (graph.vc_per_destination) known = nullptr;  // Its dependencies are those of other VCs.
  for (std::uint32_t vcs = 1; vcs <= most; ++vcs) {
    const bool free = known != nullptr && vcs == graph.num_vc
                          ? known->cycle.empty()
                          : follow_routes(graph, vcs, false, all_pairs_up_to).cycle.empty();
    if (free) return vcs;
  }
  return 0;
}

std::string cycle_in_words(const Graph& graph, const std::vector<Channel>& cycle) {
  constexpr std::size_t most = 8, first = 4, last = 3;
  const auto name = [&](const Channel& channel) {
    return graph.link_name(channel.link) +
           (graph.has_routers() ? fmt::format(" vc {}", channel.vc) : "");
  };
  std::string text;
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    if (cycle.size() > most && i == first) {
      i = cycle.size() - last;
      text += fmt::format("... ({} more) ..., ", i - first);
    }
    text += name(cycle[i]) + ", waits for ";
  }
  return text.empty() ? text : text + name(cycle.front());
}

}  // namespace weft
