// Routes between many nodes, followed in steps, each of one destination or source.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/analysis/route_share.hpp"
#include "sim/analysis/route_walk.hpp"

namespace weft {

/// Distance on a route of `links` links.
inline std::uint32_t distance(const Graph& graph, std::uint32_t src, std::uint32_t dst,
                              std::uint32_t links) {
  if (graph.has_routers()) return links - (graph.staged ? 1 : 2);
  return src != dst ? links - 1 : 0;
}

/// Follows the routes of a share from `sources` to `destinations`. With a VC for each destination,
/// packets to one destination wait only for each other, so dependencies are analysed for one
/// destination at a time, and the share gets a cycle. Otherwise `dependencies` gets those of all
/// its routes.
template <class Dependencies, class Number>
void follow_share(const Graph& graph, const std::vector<std::uint32_t>& sources,
                  const SomeNodes& destinations, bool per_dest, Dependencies& dependencies,
                  RouteWalk<Dependencies, Number>& routes, RouteShare& share) {
  RouteCheck& check = share.check;
  const auto follow = [&](std::uint32_t src, std::size_t d) {
    const std::uint32_t dst = destinations.ranks[d];
    if (!graph.connected(src, dst)) return;
    const std::uint32_t far = distance(graph, src, dst, routes.follow(src, dst));
    check.distances += destinations.weights[d] * far;
    check.diameter = std::max(check.diameter, far);
  };
  // Routes from one source to the next destinations are much the same.
  const bool by_source = check.sampled && !per_dest;
  const std::size_t steps = by_source ? sources.size() : destinations.ranks.size();
  for (std::size_t step = share.number; step < steps; step += share.count) {
    share.step = step;
    if (by_source) {
      for (std::size_t d = 0; d < destinations.ranks.size(); ++d) follow(sources[step], d);
      continue;
    }
    for (const std::uint32_t src : sources) follow(src, step);
    if (!per_dest) continue;
    if (check.cycle.empty()) {
      check.cycle = dependencies.cycle();
      share.cycle_step = step;
    }
    dependencies.clear();
  }
}

/// Follows all routes. Returns a cycle.
template <class Dependencies, class Number>
std::vector<Channel> follow_all(const Graph& graph, const std::vector<std::uint32_t>& sources,
                                const SomeNodes& destinations, bool per_dest,
                                Dependencies& dependencies, RouteWalk<Dependencies, Number>& routes,
                                RouteCheck& check) {
  RouteShare all{.check = check};
  follow_share(graph, sources, destinations, per_dest, dependencies, routes, all);
  return per_dest ? check.cycle : dependencies.cycle();
}

}  // namespace weft
