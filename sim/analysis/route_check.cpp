// Routes followed hop by hop: by pairs of nodes, by translations, by lines.
#include "sim/analysis/route_check.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <stdexcept>
#include <utility>

#include "sim/analysis/escape.hpp"
#include "sim/analysis/route_share.hpp"
#include "sim/analysis/route_steps.hpp"
#include "sim/analysis/route_walk.hpp"
#include "sim/analysis/symmetry.hpp"
#include "sim/base/random.hpp"
#include "sim/router/route/route_unit.hpp"

namespace weft {
namespace {

// Each link by its own number.
struct EachLink {
  std::uint32_t operator()(std::uint32_t link) const { return link; }
  std::uint32_t index(std::uint32_t link) const { return link; }
};

SomeNodes all_of(std::uint32_t nodes) {
  SomeNodes sources{{}, std::vector<std::uint64_t>(nodes, 1)};
  for (std::uint32_t rank = 0; rank < nodes; ++rank) sources.ranks.push_back(rank);
  return sources;
}

// Which routes are followed, and with how many VCs of a link.
struct Ways {
  unsigned vcs = 1;
  bool per_dest = false;  // With a VC for each destination.
  bool reverse = false;   // As of Graph::walk.
};

// Follows routes by pairs. `sharers`: each follows a share of the routes; then all have the
// dependencies of all.
RouteCheck by_pairs(const Graph& graph, const Ways& ways, RouteSharers* sharers) {
  RouteCheck check;
  const auto sources = analysed_sources(graph.nodes).ranks;
  check.sampled = sources.size() < graph.nodes;
  const char* const all = graph.failures.component.empty() ? "all pairs" : "all connected pairs";
  if (!check.sampled) check.exact_by = all;
  for (const std::uint32_t src : sources) {
    for (std::uint32_t dst = 0; dst < graph.nodes; ++dst) check.pairs += graph.connected(src, dst);
  }
  ChannelDependencies dependencies(graph, ways.vcs);
  EachLink number;
  // Routes from a few sources share little.
  RouteWalk routes(graph, ways.vcs, dependencies, number, check.sampled ? 0 : graph.links.size(),
                   ways.reverse);
  const SomeNodes destinations = all_of(graph.nodes);
  RouteShare share{.check = check};
  const auto follow = [&] {
    follow_share(graph, sources, destinations, ways.per_dest, dependencies, routes, share);
  };
  if (sharers == nullptr) {
    follow();
  } else {
    share.number = sharers->number();
    share.count = sharers->count();
    try {
      follow();
    } catch (...) {
      share.error = std::current_exception();
    }
    if (!ways.per_dest) share.waits = dependencies.waits();
    sharers->unite(share);
  }
  if (!ways.per_dest) check.cycle = dependencies.cycle();
  return check;
}

// Classes of links under translations: numbers below `count`, by link.
struct LinkClasses {
  std::vector<std::uint32_t> of;
  std::uint32_t count = 0;

  std::uint32_t operator()(std::uint32_t link) const { return of[link]; }
  std::uint32_t index(std::uint32_t link) const { return link; }

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

// A cycle of links from a cycle of classes. After a link of the first class comes one link of the
// next class, and so on. Each time round applies the translation that maps the first link to the
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

RouteCheck by_translations(const Graph& graph, const Ways& ways) {
  RouteCheck check;
  check.pairs = std::uint64_t{graph.nodes} * graph.nodes;
  check.exact_by = graph.translations.words;
  // A translation maps a destination together with its sources, and with its VC if it has one.
  const std::vector<std::uint32_t> sources = all_of(graph.nodes).ranks;
  const SomeNodes destinations = class_nodes(graph);
  if (ways.per_dest) {
    ChannelDependencies dependencies(graph, 1);
    EachLink number;
    RouteWalk routes(graph, 1, dependencies, number, graph.links.size(), ways.reverse);
    check.cycle = follow_all(graph, sources, destinations, true, dependencies, routes, check);
    return check;
  }
  // Classes of links have a cycle if and only if links have one: the classes of a cycle's links
  // form a cycle, and links_of shows the converse.
  LinkClasses classes(graph);
  SparseDependencies dependencies(classes.count, ways.vcs);
  RouteWalk routes(graph, ways.vcs, dependencies, classes, graph.links.size(), ways.reverse);
  check.cycle = links_of(
      graph, classes, follow_all(graph, sources, destinations, false, dependencies, routes, check));
  return check;
}

// Numbers of the links along one line, in the order in which they are reached.
class LineLinks {
 public:
  LineLinks(const Graph& graph, std::size_t most)
      : most_(most), number_(graph.links.size(), kOpen) {}

  std::uint32_t operator()(std::uint32_t link) {
    if (number_[link] == kOpen) {
      if (links_.size() == most_) throw std::logic_error("a route by dimension leaves its line");
      number_[link] = static_cast<std::uint32_t>(links_.size());
      links_.push_back(link);
    }
    return number_[link];
  }
  std::uint32_t index(std::uint32_t link) { return (*this)(link); }
  // Replaces the numbers in `channels` by the links themselves.
  void name(std::vector<Channel>& channels) const {
    for (Channel& channel : channels) channel.link = links_[channel.link];
  }

 private:
  std::size_t most_;
  std::vector<std::uint32_t> number_, links_;
};

// Follows all pairs on a line.
RouteCheck along_line(const Graph& graph, const DimensionLine& line, const Ways& ways) {
  RouteCheck check;
  // For each node: links from its interface and to it, and both directions on the line.
  const std::size_t most = (2 + 2 * std::size_t{graph.nic_links}) * line.ranks.size();
  LineLinks number(graph, most);
  SparseDependencies dependencies(static_cast<std::uint32_t>(most), ways.vcs);
  RouteWalk routes(graph, ways.vcs, dependencies, number, most, ways.reverse);
  const SomeNodes all = {line.ranks, std::vector<std::uint64_t>(line.ranks.size(), 1)};
  check.cycle = follow_all(graph, line.ranks, all, ways.per_dest, dependencies, routes, check);
  number.name(check.cycle);
  return check;
}

// Dependencies between lines. All links of one unit along one dimension count as one: a packet that
// enters one of them may wait for every channel that any packet takes after such a link. So these
// dependencies have a cycle if those of the network have one that is not within a line.
class BetweenLines {
 public:
  BetweenLines(const Graph& graph, const Product& product, unsigned vcs)
      : graph_(graph),
        product_(product),
        dependencies_(product.units * (product.ports + graph.nic_links), vcs) {
    for (std::uint32_t i = 0; i < product.of.size(); ++i) {
      const auto unit = product.of.begin() + i / product.ports * product.ports;
      const std::uint32_t dimension = product.of[i];
      const bool on_line = dimension != kOpen && dimension >= product.first_line;
      on_line_.push_back(on_line);
      const auto first =
          on_line ? std::find(unit, unit + product.ports, dimension) : product.of.begin() + i;
      number_.push_back(static_cast<std::uint32_t>(first - product.of.begin()));
    }
  }

  // Number of a link.
  std::uint32_t operator()(std::uint32_t link) const {
    const Link& l = graph_.links[link];
    if (l.src_block >= graph_.nodes) {
      const std::uint32_t unit = (l.src_block - graph_.nodes) % product_.units;
      return number_[unit * product_.ports + l.src_port];
    }
    const auto routers = static_cast<std::uint32_t>(number_.size());
    return routers + l.src_block % product_.units * graph_.nic_links + l.src_port;
  }
  std::uint32_t index(std::uint32_t link) const { return (*this)(link); }

  // As SparseDependencies::add.
  std::uint64_t add(std::uint32_t held, std::uint64_t held_vcs, std::uint32_t next, VcSet set) {
    if (held == next) return held_vcs;
    const bool enters_line = next < on_line_.size() && on_line_[next];
    return dependencies_.add(held, held_vcs, next, enters_line ? VcSet::kAny : set);
  }
  bool cyclic() const { return !dependencies_.cycle().empty(); }

 private:
  const Graph& graph_;
  const Product& product_;
  std::vector<std::uint32_t> number_;  // By unit and port.
  std::vector<bool> on_line_;
  SparseDependencies dependencies_;
};

// Adds the distances of a product's pairs of nodes to `check`, computed from those on its lines, by
// dimension. For each set of dimensions in which two nodes may differ, and their units, one route
// is followed that takes one step along each of these. Returns whether dependencies between lines
// may have a cycle.
bool between_lines(const Graph& graph, const Product& product, const Ways& ways,
                   const std::vector<RouteCheck>& lines, RouteCheck& check) {
  std::vector<std::uint32_t> strides = {1};
  for (const std::uint32_t size : graph.dims) strides.push_back(strides.back() * size);
  const auto dims = static_cast<std::uint32_t>(graph.dims.size());
  BetweenLines between(graph, product, ways.vcs);
  RouteWalk routes(graph, ways.vcs, between, between, 0, ways.reverse);
  for (std::uint32_t differ = 0; differ < 1u << dims; ++differ) {
    // For the pairs that differ in these dimensions and have the same units.
    std::uint64_t pairs = 1, distances = 0;
    std::uint32_t steps = 0, to = 0, longest = 0;
    bool possible = (differ & ((1u << product.first_line) - 1)) == 0;
    for (std::uint32_t d = product.first_line; d < dims; ++d) {
      const std::uint64_t size = graph.dims[d];
      const bool differs = (differ >> d & 1) != 0;
      possible = possible && (size > 1 || !differs);
      distances = distances * (differs ? size * (size - 1) : size) +
                  (differs ? pairs * lines[d].distances : 0);
      pairs *= differs ? size * (size - 1) : size;
      if (!differs) continue;
      ++steps;
      to += strides[d];
      longest += lines[d].diameter;
    }
    if (!possible) continue;
    for (std::uint32_t unit = 0; unit < product.units; ++unit) {
      for (std::uint32_t other = 0; other < product.units; ++other) {
        const std::uint32_t dst = other + to;
        const std::uint32_t far = distance(graph, unit, dst, routes.follow(unit, dst)) - steps;
        check.distances += pairs * far + distances;
        check.diameter = std::max(check.diameter, far + longest);
      }
    }
  }
  return between.cyclic();
}

// Checks routes line by line; none if dependencies between lines may have a cycle, or if the lines
// of a dimension differ.
std::optional<RouteCheck> by_lines(const Graph& graph, const Product& product, const Ways& ways) {
  RouteCheck check;
  check.pairs = std::uint64_t{graph.nodes} * graph.nodes;
  check.exact_by = "product of dimensions: all pairs on a line of each";
  std::vector<RouteCheck> lines(graph.dims.size());
  for (const DimensionLine& line : lines_of(graph, product)) {
    RouteCheck& known = lines[line.dimension];
    const bool first = known.diameter == 0;
    RouteCheck other = along_line(graph, line, ways);
    if (check.cycle.empty()) check.cycle = other.cycle;
    if (!first && (known.distances != other.distances || known.diameter != other.diameter)) {
      return {};
    }
    known = std::move(other);
  }
  const bool cyclic = between_lines(graph, product, ways, lines, check);
  if (check.cycle.empty() && cyclic) return {};
  return check;
}

RouteCheck follow_ways(const Graph& graph, const Ways& ways, std::uint32_t all_pairs_up_to,
                       RouteSharers* sharers) {
  if (graph.nodes > all_pairs_up_to) {
    if (const auto product = product_of(graph)) {
      if (auto check = by_lines(graph, *product, ways)) return std::move(*check);
    } else if (has_translations(graph)) {
      return by_translations(graph, ways);
    }
  }
  return by_pairs(graph, ways, sharers);
}

// Follows the routes of all packets, with `vcs` VCs of a link. A routing algorithm has direct
// routes in separate VCs for each class of packets, and packets do not go from class 1 to class 0,
// so a cycle is within one class: of direct routes, with o1turn in either order of dimensions.
// Minimal adaptive routing has them in the lower half, as escape paths. A class is checked with
// half of the VCs: if it has more or fewer (low_vcs), each set still has its own VCs.
RouteCheck follow_routes(const Graph& graph, unsigned vcs, bool per_dest,
                         std::uint32_t all_pairs_up_to, RouteSharers* sharers = nullptr) {
  if (graph.has_one_way()) {
    return follow_ways(graph, {vcs / graph.vc_classes(), per_dest}, all_pairs_up_to, sharers);
  }
  const unsigned half = vcs / 2;
  RouteCheck check = follow_ways(graph, {half}, all_pairs_up_to, sharers);
  if (graph.routing() == Routing::kO1turn && check.cycle.empty()) {
    check.cycle =
        follow_ways(graph, {.vcs = half, .reverse = true}, all_pairs_up_to, sharers).cycle;
    for (Channel& channel : check.cycle) channel.vc += half;
  } else if (graph.routing() == Routing::kMinimalAdaptive) {
    const std::vector<std::uint32_t> destinations = analysed_sources(graph.nodes).ranks;
    check.cycle = escape_cycle(graph, half, destinations);
    check.sampled |= destinations.size() < graph.nodes;
  }
  return check;
}

}  // namespace

SomeNodes analysed_sources(std::uint32_t nodes) {
  if (nodes <= kExactNodes) return all_of(nodes);
  RandomStream random(1);
  std::vector<bool> chosen(nodes);
  SomeNodes sources;
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

RouteCheck check_routes(const Graph& graph, std::uint32_t all_pairs_up_to, RouteSharers* sharers) {
  const bool per_dest = graph.vc_per_destination;
  return follow_routes(graph, per_dest ? 1 : graph.num_vc, per_dest, all_pairs_up_to, sharers);
}

std::uint32_t least_vcs(const Graph& graph, std::uint32_t most, const RouteCheck* known,
                        std::uint32_t all_pairs_up_to) {
  if (graph.vc_per_destination)
    known = nullptr;  // The dependencies of `known` are those of other
                      // VCs.
  std::uint32_t sets = 0;
  for (const auto& unit : graph.route_units) sets |= unit->sets();
  // VCs that routes name must exist.
  const auto named =
      static_cast<std::uint32_t>(std::bit_width(sets >> static_cast<unsigned>(VcSet::kFirst)));
  // With a routing algorithm these are the VCs of each of two classes of packets.
  const std::uint32_t classes = graph.vc_classes();
  if (classes == 2) most = std::min(most, kNumberedVcs);
  for (std::uint32_t vcs = classes * std::max(1u, named); vcs <= most; vcs += classes) {
    const bool free = known != nullptr && vcs == graph.num_vc
                          ? known->cycle.empty()
                          : follow_routes(graph, vcs, false, all_pairs_up_to).cycle.empty();
    if (free) return vcs;
  }
  return 0;
}

}  // namespace weft
