// Up*/down*.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>

#include "sim/router/route/route_table.hpp"
#include "sim/topology/components.hpp"
#include "sim/topology/table_routes.hpp"

namespace weft {
namespace {

constexpr std::uint32_t kFar = std::numeric_limits<std::uint32_t>::max();

// By router: links from a router to it, in either direction.
std::vector<std::uint32_t> levels_from(const std::vector<std::vector<std::uint32_t>>& neighbours,
                                       std::uint32_t root) {
  std::vector<std::uint32_t> level(neighbours.size(), kFar), queue = {root};
  level[root] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (const std::uint32_t to : neighbours[queue[i]]) {
      if (level[to] != kFar) continue;
      level[to] = level[queue[i]] + 1;
      queue.push_back(to);
    }
  }
  return level;
}

// By router: its level, counted from a root. The root is the router from which the farthest is
// nearest; of several, the one from which all are nearest, then the first. Parts of the network
// that no link connects have a root each.
std::vector<std::uint32_t> levels_of(const TableNetwork& network) {
  std::vector<std::vector<std::uint32_t>> neighbours(network.routers());
  for (const TableLink& link : network.links) {
    neighbours[link.from].push_back(link.to);
    neighbours[link.to].push_back(link.from);
  }
  for (auto& of : neighbours) {
    std::ranges::sort(of);
    of.erase(std::unique(of.begin(), of.end()), of.end());
  }
  std::vector<std::uint32_t> levels(network.routers(), kFar);
  for (std::uint32_t first = 0; first < network.routers(); ++first) {
    if (levels[first] != kFar) continue;
    const std::vector<std::uint32_t> part = levels_from(neighbours, first);
    std::vector<std::uint32_t> best;
    std::pair<std::uint32_t, std::uint64_t> least = {kFar, 0};
    for (std::uint32_t root = first; root < network.routers(); ++root) {
      if (part[root] == kFar) continue;
      std::vector<std::uint32_t> level = levels_from(neighbours, root);
      std::pair<std::uint32_t, std::uint64_t> far = {0, 0};
      for (const std::uint32_t l : level) {
        if (l == kFar) continue;
        far.first = std::max(far.first, l);
        far.second += l;
      }
      if (!best.empty() && far >= least) continue;
      least = far;
      best = std::move(level);
    }
    for (std::uint32_t r = 0; r < network.routers(); ++r) levels[r] = std::min(levels[r], best[r]);
  }
  return levels;
}

constexpr unsigned kMayGoUp = 0, kDownOnly = 1;  // States of a router.

// The tables of up*/down* routes, and two routers between which there is none although links lead
// from each to the other.
struct UpDown {
  TableRouting routing;
  std::optional<std::pair<std::uint32_t, std::uint32_t>> missing;
};

UpDown up_down_ways(const TableNetwork& network) {
  const std::vector<std::uint32_t> level = levels_of(network);
  // Links lead to or from the end that is larger in this order: no cycle consists only of links
  // that lead up, or only of links that lead down.
  const auto leads_up = [&](const TableLink& link) {
    return std::pair(level[link.to], link.to) < std::pair(level[link.from], link.from);
  };
  WayStates states{.per_router = 2, .arcs = {}};
  states.arcs.resize(2 * std::size_t{network.routers()});
  std::vector<std::vector<std::uint8_t>> state_of(network.routers());  // By router and in-port.
  for (std::uint32_t r = 0; r < network.routers(); ++r) state_of[r].resize(network.ports[r]);
  for (std::uint32_t l = 0; l < network.links.size(); ++l) {
    const TableLink& link = network.links[l];
    const bool up = leads_up(link);
    const unsigned after = up ? kMayGoUp : kDownOnly;
    states.arcs[2 * link.from + kMayGoUp].push_back({2 * link.to + after, l});
    if (!up) states.arcs[2 * link.from + kDownOnly].push_back({2 * link.to + after, l});
    state_of[link.to][link.to_port] = static_cast<std::uint8_t>(after);
  }
  const auto next = std::make_shared<const NextPorts>(network, states);
  UpDown all;
  const std::vector<std::uint32_t> component = components_of(network);
  for (std::uint32_t src = 0; src < network.nodes(); ++src) {
    for (std::uint32_t dst = 0; dst < network.nodes(); ++dst) {
      const std::uint32_t at = network.router_of[src], to = network.router_of[dst];
      if (at == to || next->at(2 * at + kMayGoUp, dst) != NextPorts::kNone) continue;
      if (component[at] == component[to] && !all.missing) all.missing.emplace(at, to);
    }
  }
  all.routing = {.entry =
                     [next](std::uint32_t router, std::uint32_t state, std::uint32_t dst) {
                       const std::uint8_t port = next->at(2 * router + state, dst);
                       // No packet to this destination comes by such an in-port.
                       return RouteTables::Entry{port == NextPorts::kNone ? std::uint8_t{0} : port,
                                                 VcSet::kAny};
                     },
                 .state = [state_of](std::uint32_t router, std::uint32_t from) -> std::uint32_t {
                   const auto& ports = state_of[router];
                   return from < ports.size() ? ports[from] : kMayGoUp;
                 },
                 .words = "up*/down*, for any VC"};
  return all;
}

}  // namespace

TableRouting up_down_routes(const Config& config, const TableNetwork& network, unsigned /*vcs*/) {
  UpDown all = up_down_ways(network);
  if (all.missing) {
    config.source.refuse(
        "/router/routing", config.router.routing,
        fmt::format("another routing: from {} no way leads to {} that goes up and then down",
                    network.names[all.missing->first], network.names[all.missing->second]));
  }
  return std::move(all.routing);
}

std::optional<TableRouting> up_down_if_connected(const TableNetwork& network) {
  UpDown all = up_down_ways(network);
  if (all.missing) return {};
  return std::move(all.routing);
}

}  // namespace weft
