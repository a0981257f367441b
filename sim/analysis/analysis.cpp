// Figures of a network: routes, distances and loads.
#include "sim/analysis/analysis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>

#include "sim/analysis/router_ways.hpp"
#include "sim/core/random.hpp"

namespace weft {
namespace {

// Sum of the shortest distances from one node to all, by breadth-first search over links. A word
// may leave a block by every output, and by the detour of the input it came in by.
class ShortestDistances {
 public:
  explicit ShortestDistances(const Graph& graph) : graph_(graph), expanded_(graph.blocks.size()) {}

  std::uint64_t sum_from(std::uint32_t src) {
    std::fill(expanded_.begin(), expanded_.end(), false);
    frontier_.assign(1, graph_.out_link[graph_.blocks[src].first_out]);
    std::uint64_t sum = 0;
    // Each block is expanded once and each in-port has one link, so no link comes twice.
    for (std::uint64_t distance = 0; !frontier_.empty(); ++distance) {
      next_.clear();
      for (const std::uint32_t link : frontier_) {
        const std::uint32_t block = graph_.links[link].dst_block;
        if (block >= graph_.nodes) {
          expand(block, graph_.links[link].dst_port);
        } else if (block != src) {
          sum += distance;
        }
      }
      frontier_.swap(next_);
    }
    return sum;
  }

 private:
  void expand(std::uint32_t block, std::uint32_t in_port) {
    const Block& b = graph_.blocks[block];
    const auto* out = &graph_.out_link[b.first_out];
    if (b.kind == Block::Kind::kRouter) {
      if (expanded_[block]) return;
      expanded_[block] = true;
      // Several links to one interface lead there from one router: the first stands for all.
      std::uint32_t before = kOpen;
      for (std::uint32_t p = 0; p < b.num_out; ++p) {
        if (out[p] == kOpen) continue;
        const std::uint32_t to = graph_.links[out[p]].dst_block;
        if (to >= graph_.nodes || to != before) next_.push_back(out[p]);
        before = to;
      }
      return;
    }
    const Crossbar::Config& shape = graph_.shapes[b.shape];
    if (!expanded_[block]) {
      expanded_[block] = true;
      next_.insert(next_.end(), out, out + shape.num_out);
    }
    if (shape.detour && in_port < shape.num_out) next_.push_back(out[shape.num_out + in_port]);
  }

  const Graph& graph_;
  std::vector<bool> expanded_;
  std::vector<std::uint32_t> frontier_, next_;
};

// Links between blocks, or between routers, on a route of `links` links.
std::uint32_t distance(const Graph& graph, std::uint32_t links) {
  return links - (graph.has_routers() ? 2 : 1);
}

// Routes from the analysed sources to `dst`, their dependencies entered; `visit(src, dst, links)`.
template <class Visit>
void follow_to(const Graph& graph, std::uint32_t dst, const std::vector<std::uint32_t>& sources,
               unsigned vcs, ChannelDependencies& dependencies, Visit visit) {
  const bool two_ways = graph.has_two_ways();
  const std::uint64_t all = ~std::uint64_t{0} >> (64 - vcs);
  for (const std::uint32_t src : sources) {
    const auto follow = [&](bool other_way) {
      std::uint32_t links = 0, held = 0;
      std::uint64_t held_vcs = 0;
      const auto enter = [&](std::uint32_t link, VcSet set) {
        held_vcs = links++ > 0 ? dependencies.add(held, held_vcs, link, set) : all;
        held = link;
      };
      graph.walk(src, dst, enter, 0, other_way);
      return links;
    };
    visit(src, dst, follow(false));
    if (two_ways && graph.two_ways(src, dst)) follow(true);
  }
}

// Follows the route of every analysed pair on links of `vcs` VCs, or of one for each destination
// (`per_dest`); `visit(src, dst, links)` after each.
template <class Visit>
RouteCheck follow_routes(const Graph& graph, unsigned vcs, bool per_dest, Visit visit) {
  RouteCheck result;
  const auto sources = analysed_sources(graph.nodes);
  result.sampled = sources.size() < graph.nodes;
  result.pairs = std::uint64_t{sources.size()} * graph.nodes;
  ChannelDependencies dependencies(graph, vcs);
  // With VCs for each destination the dependencies are another destination's each time.
  if (graph.in_dimension_order() && !per_dest) {
    RouterWays ways(graph, vcs, dependencies);
    const bool two_ways = graph.has_two_ways();
    for (std::uint32_t dst = 0; dst < graph.nodes; ++dst) {
      for (const std::uint32_t src : sources) {
        visit(src, dst, ways.follow(src, dst, false));
        if (two_ways && graph.two_ways(src, dst)) ways.follow(src, dst, true);
      }
    }
    result.cycle = dependencies.cycle();
    return result;
  }
  for (std::uint32_t dst = 0; dst < graph.nodes; ++dst) {
    follow_to(graph, dst, sources, vcs, dependencies, visit);
    if (!per_dest) continue;
    // Packets to one destination have VCs of their own and wait for each other only.
    result.cycle = dependencies.cycle();
    if (!result.cycle.empty()) return result;
    dependencies.clear();
  }
  result.cycle = dependencies.cycle();
  return result;
}

bool per_destination(const Graph& graph) {
  return graph.has_routers() && graph.router_shapes.front().route.per_dest;
}

template <class Visit>
RouteCheck follow_routes(const Graph& graph, Visit visit) {
  const bool per_dest = per_destination(graph);
  return follow_routes(graph, per_dest ? 1 : graph.num_vc, per_dest, visit);
}

// Degree and links as they are between routers, and the VCs without which the routing would have a
// cyclic dependency.
void router_figures(const Graph& graph, TopoFigures& figures) {
  figures.degree_in = figures.degree_out = 0;
  figures.links -= 2 * std::uint64_t{graph.nodes} * graph.nic_links;
  for (std::uint32_t b = graph.nodes; b < graph.blocks.size(); ++b) {
    const Block& block = graph.blocks[b];
    std::uint32_t in = 0, out = 0;
    for (std::uint32_t p = 0; p + graph.nic_links < block.num_in; ++p) {
      in += graph.links[block.first_in + p].src_block != kOpen;
      out += graph.out_link[block.first_out + p] != kOpen;
    }
    figures.degree_in = std::max(figures.degree_in, in);
    figures.degree_out = std::max(figures.degree_out, out);
  }
}

constexpr auto kNothing = [](std::uint32_t, std::uint32_t, std::uint32_t) {};

}  // namespace

std::vector<std::uint32_t> analysed_sources(std::uint32_t nodes) {
  std::vector<std::uint32_t> sources;
  if (nodes <= kExactNodes) {
    for (std::uint32_t i = 0; i < nodes; ++i) sources.push_back(i);
    return sources;
  }
  RandomStream random(1);
  std::vector<bool> chosen(nodes);
  while (sources.size() < kSampledSources) {
    const auto rank = static_cast<std::uint32_t>(random.below(nodes));
    if (!chosen[rank]) sources.push_back(rank);
    chosen[rank] = true;
  }
  std::sort(sources.begin(), sources.end());
  return sources;
}

ChannelDependencies::ChannelDependencies(const Graph& graph, unsigned vcs)
    : graph_(graph), vcs_(vcs), taken_(kVcSets * vcs) {
  for (unsigned i = 0; i < kVcSets * vcs * vcs; ++i) {
    const unsigned set = i / vcs / vcs, own = i / vcs % vcs, vc = i % vcs;
    if (may_take(static_cast<VcSet>(set), own, vc, vcs)) {
      taken_[set * vcs + own] |= std::uint64_t{1} << vc;
    }
  }
  std::uint64_t total = 0;
  for (const Link& link : graph.links) {
    first_.push_back(total);
    total += std::uint64_t{graph.blocks[link.dst_block].num_out} * vcs;
  }
  waits_.resize(total);
}

std::vector<Channel> ChannelDependencies::cycle() const {
  // Depth-first search; a channel that is met again while it lies on the present path closes a
  // cycle.
  enum class State : std::uint8_t { kNew, kOnPath, kDone };
  struct Step {
    Channel at;
    std::uint32_t port;  // Out-port of which `left` are the VCs still to be looked at.
    std::uint64_t left;
  };
  std::vector<State> state(graph_.links.size() * vcs_, State::kNew);
  std::vector<Step> path;
  const auto waits = [this](const Channel& c, std::uint32_t port) {
    return waits_[first_[c.link] + port * vcs_ + c.vc];
  };
  const auto enter = [&](const Channel& c) {
    state[c.link * vcs_ + c.vc] = State::kOnPath;
    path.push_back({c, 0, waits(c, 0)});
  };
  for (std::uint32_t start = 0; start < state.size(); ++start) {
    if (state[start] != State::kNew) continue;
    enter({start / vcs_, start % vcs_});
    while (!path.empty()) {
      Step& top = path.back();
      const Block& block = graph_.blocks[graph_.links[top.at.link].dst_block];
      while (top.left == 0 && ++top.port < block.num_out) top.left = waits(top.at, top.port);
      if (top.port >= block.num_out) {
        state[top.at.link * vcs_ + top.at.vc] = State::kDone;
        path.pop_back();
        continue;
      }
      const Channel next = {graph_.out_link[block.first_out + top.port],
                            static_cast<unsigned>(std::countr_zero(top.left))};
      top.left &= top.left - 1;
      if (state[next.link * vcs_ + next.vc] == State::kOnPath) {
        std::vector<Channel> channels;
        auto step =
            std::find_if(path.begin(), path.end(), [next](const Step& s) { return s.at == next; });
        for (; step != path.end(); ++step) channels.push_back(step->at);
        return channels;
      }
      if (state[next.link * vcs_ + next.vc] == State::kNew) enter(next);
    }
  }
  return {};
}

RouteCheck check_routes(const Graph& graph) {
  return follow_routes(graph, kNothing);
}

std::uint32_t least_vcs(const Graph& graph, std::uint32_t most) {
  for (std::uint32_t vcs = 1; vcs <= most; ++vcs) {
    if (follow_routes(graph, vcs, false, kNothing).cycle.empty()) return vcs;
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

TopoFigures topo_figures(const Graph& graph, const Topology& topology) {
  TopoFigures figures;
  figures.nodes = graph.nodes;
  figures.links = graph.joined_links();
  if (topology.crosspoints) figures.crosspoints = topology.crosspoints(graph);
  for (std::uint32_t n = 0; n < graph.nodes; ++n) {
    figures.degree_in = std::max(figures.degree_in, graph.blocks[n].num_in);
    figures.degree_out = std::max(figures.degree_out, graph.blocks[n].num_out);
  }
  if (graph.has_routers()) router_figures(graph, figures);
  std::uint64_t routed = 0, shortest = 0;
  const RouteCheck routes =
      follow_routes(graph, [&](std::uint32_t src, std::uint32_t dst, std::uint32_t hops) {
        if (src == dst) return;
        const std::uint32_t far = distance(graph, hops);
        routed += far;
        figures.diameter = std::max(figures.diameter, far);
      });
  ShortestDistances distances(graph);
  for (const std::uint32_t src : analysed_sources(graph.nodes)) shortest += distances.sum_from(src);
  // The search counts blocks passed: one more than links between routers.
  if (graph.has_routers()) shortest -= routes.pairs - routes.pairs / graph.nodes;
  figures.pairs = routes.pairs;
  figures.sampled = routes.sampled;
  figures.vcs_needed = per_destination(graph) ? graph.num_vc : least_vcs(graph, kMaxVcs);
  figures.deadlock_free = routes.cycle.empty();
  figures.cycle = cycle_in_words(graph, routes.cycle);
  figures.mean_distance = static_cast<double>(routed) / static_cast<double>(routes.pairs);
  figures.mean_distance_shortest =
      static_cast<double>(shortest) / static_cast<double>(routes.pairs);
  return figures;
}

nlohmann::json to_json(const TopoFigures& figures) {
  nlohmann::json object = {
      {"nodes", figures.nodes},
      {"degree_in", figures.degree_in},
      {"degree_out", figures.degree_out},
      {"diameter", figures.diameter},
      {"mean_distance", figures.mean_distance},
      {"mean_distance_shortest", figures.mean_distance_shortest},
      {"links", figures.links},
      {"vcs_needed", figures.vcs_needed},
      {"deadlock_free", figures.deadlock_free},
      {"pairs", figures.pairs},
      {"sampled", figures.sampled},
  };
  if (figures.crosspoints) object["crosspoints"] = *figures.crosspoints;
  if (!figures.cycle.empty()) object["cycle"] = figures.cycle;
  return object;
}

std::uint64_t LinkLoad::bound() const {
  std::uint64_t most = 0;
  for (std::size_t i = 0; i < load_.size(); ++i) {
    const bool shared = graph_.links[i].src_block < graph_.nodes;
    const std::uint64_t share = shared ? graph_.nic_links : 1;
    most = std::max(most, (load_[i] + share - 1) / share);
  }
  return most;
}

std::uint64_t all_to_all_bound(const Graph& graph, std::uint64_t flits) {
  LinkLoad load(graph);
  for (std::uint32_t src = 0; src < graph.nodes; ++src) {
    for (std::uint32_t dst = 0; dst < graph.nodes; ++dst) {
      if (src != dst) load.add(src, dst, flits);
    }
  }
  return load.bound();
}

}  // namespace weft
