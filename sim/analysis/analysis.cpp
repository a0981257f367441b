// Figures of a network: routes, distances and loads.
#include "sim/analysis/analysis.hpp"

#include <algorithm>

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
    const Crossbar::Config& shape = graph_.shapes[b.shape];
    const auto* out = &graph_.out_link[b.first_out];
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

// Follows the route of every analysed pair; `visit(src, dst, hops)` after each.
template <class Visit>
RouteCheck follow_routes(const Graph& graph, Visit visit) {
  RouteCheck result;
  ChannelDependencies dependencies(graph);
  const auto sources = analysed_sources(graph.nodes);
  result.sampled = sources.size() < graph.nodes;
  for (const std::uint32_t src : sources) {
    for (std::uint32_t dst = 0; dst < graph.nodes; ++dst) {
      std::uint32_t hops = 0, held = 0;
      graph.walk(src, dst, [&](std::uint32_t link) {
        if (hops++ > 0) dependencies.add(held, link);
        held = link;
      });
      visit(src, dst, hops);
    }
  }
  result.pairs = std::uint64_t{sources.size()} * graph.nodes;
  result.cycle = dependencies.cycle();
  return result;
}

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

ChannelDependencies::ChannelDependencies(const Graph& graph) : graph_(graph) {
  std::uint64_t total = 0;
  for (const Link& link : graph.links) {
    first_.push_back(total);
    total += graph.blocks[link.dst_block].num_out;
  }
  waits_.resize(total);
}

void ChannelDependencies::add(std::uint32_t held, std::uint32_t next) {
  waits_[first_[held] + graph_.links[next].src_port] = true;
}

std::vector<std::uint32_t> ChannelDependencies::cycle() const {
  // Depth-first search; a link that is met again while it lies on the present path closes a cycle.
  enum class State : std::uint8_t { kNew, kOnPath, kDone };
  struct Step {
    std::uint32_t link, port;  // `port`: the next out-port to look at
  };
  std::vector<State> state(graph_.links.size(), State::kNew);
  std::vector<Step> path;
  for (std::uint32_t start = 0; start < state.size(); ++start) {
    if (state[start] != State::kNew) continue;
    path.push_back({start, 0});
    state[start] = State::kOnPath;
    while (!path.empty()) {
      Step& top = path.back();
      const Block& block = graph_.blocks[graph_.links[top.link].dst_block];
      if (top.port == block.num_out) {
        state[top.link] = State::kDone;
        path.pop_back();
        continue;
      }
      const std::uint32_t port = top.port++;
      if (!waits_[first_[top.link] + port]) continue;
      const std::uint32_t next = graph_.out_link[block.first_out + port];
      if (state[next] == State::kOnPath) {
        std::vector<std::uint32_t> links;
        auto step = std::find_if(path.begin(), path.end(),
                                 [next](const Step& s) { return s.link == next; });
        for (; step != path.end(); ++step) links.push_back(step->link);
        return links;
      }
      if (state[next] == State::kNew) {
        state[next] = State::kOnPath;
        path.push_back({next, 0});
      }
    }
  }
  return {};
}

RouteCheck check_routes(const Graph& graph) {
  return follow_routes(graph, [](std::uint32_t, std::uint32_t, std::uint32_t) {});
}

std::string cycle_in_words(const Graph& graph, const std::vector<std::uint32_t>& cycle) {
  std::string text;
  for (const std::uint32_t link : cycle) text += graph.link_name(link) + ", waits for ";
  return text.empty() ? text : text + graph.link_name(cycle.front());
}

TopoFigures topo_figures(const Graph& graph, const Topology& topology) {
  TopoFigures figures;
  figures.nodes = graph.nodes;
  figures.links = graph.links.size();
  if (topology.crosspoints) figures.crosspoints = topology.crosspoints(graph);
  for (std::uint32_t n = 0; n < graph.nodes; ++n) {
    figures.degree_in = std::max(figures.degree_in, graph.blocks[n].num_in);
    figures.degree_out = std::max(figures.degree_out, graph.blocks[n].num_out);
  }
  std::uint64_t routed = 0, shortest = 0;
  const RouteCheck routes =
      follow_routes(graph, [&](std::uint32_t src, std::uint32_t dst, std::uint32_t hops) {
        if (src == dst) return;
        routed += hops - 1;  // One link more than blocks.
        figures.diameter = std::max(figures.diameter, hops - 1);
      });
  ShortestDistances distances(graph);
  for (const std::uint32_t src : analysed_sources(graph.nodes)) shortest += distances.sum_from(src);
  figures.pairs = routes.pairs;
  figures.sampled = routes.sampled;
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
      {"crosspoints", figures.crosspoints},
      {"vcs_needed", figures.vcs_needed},
      {"deadlock_free", figures.deadlock_free},
      {"pairs", figures.pairs},
      {"sampled", figures.sampled},
  };
  if (!figures.cycle.empty()) object["cycle"] = figures.cycle;
  return object;
}

std::uint64_t LinkLoad::bound() const {
  return load_.empty() ? 0 : *std::max_element(load_.begin(), load_.end());
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
