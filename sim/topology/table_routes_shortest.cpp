// Shortest routes; pairs of routers and destinations are divided into layers of VCs.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "sim/router/route/route_table.hpp"
#include "sim/topology/dependency_layer.hpp"
#include "sim/topology/table_routes.hpp"

namespace weft {
namespace {

constexpr std::uint64_t kNoLimit = ~std::uint64_t{0};
// Steps for "auto" on networks of files and where a part has failed: one or two seconds.
constexpr std::uint64_t kAutoEffort = 20'000'000;

// The layer of each router and destination, and how many pairs of nodes each layer has.
class Layers {
 public:
  // With `force`, the last of `most` layers takes what fits into none; otherwise count() becomes
  // more than `most`. After `effort` steps, count() becomes more than kNumberedVcs.
  Layers(const TableNetwork& network, const NextPorts& next, unsigned most, bool force,
         std::uint64_t effort)
      : nodes_(network.nodes()), of_(std::size_t{network.routers()} * nodes_) {
    const LinkPorts ports(network);
    const auto nodes_at = network.nodes_at();
    std::vector<DependencyLayer> layers;
    std::vector<Rest> rest(network.routers());
    std::vector<std::uint32_t> ahead, way;
    for (std::uint32_t dst = 0; dst < nodes_; ++dst) {
      steps_ += network.routers();
      if (steps_ > effort) {
        exhausted_ = true;
        count_ = kNumberedVcs + 1;
        return;
      }
      std::fill(rest.begin(), rest.end(), Rest{});
      rest[network.router_of[dst]] = {0, true, true};
      const auto link_of = [&](std::uint32_t router) {
        return ports.leaving(router, next.at(router, dst));
      };
      for (std::uint32_t src = 0; src < network.routers(); ++src) {
        if (nodes_at[src].empty()) continue;
        const bool cut_off = src != network.router_of[dst] && next.at(src, dst) == NextPorts::kNone;
        if (cut_off) continue;
        // From the destination on, so that the rest of a route has its layer.
        for (std::uint32_t at = src; !rest[at].known; at = network.links[link_of(at)].to) {
          ahead.push_back(at);
        }
        for (; !ahead.empty(); ahead.pop_back()) {
          const std::uint32_t at = ahead.back(), then = network.links[link_of(at)].to;
          // A route does not fit into a layer that its rest did not fit into.
          unsigned layer = rest[then].layer;
          rest[at] = {layer, false, true};
          if (nodes_at[at].empty()) continue;
          if (then == network.router_of[dst]) {
            way.assign(1, link_of(at));
          } else if (rest[then].entered) {
            way = {link_of(at), link_of(then)};
          } else {
            whole_way(network, dst, at, link_of, way);
          }
          bool whole = false;
          while (layer < layers.size() && !layers[layer].add(way)) {
            steps_ += way.size();
            ++layer;
            if (!whole) whole_way(network, dst, at, link_of, way);
            whole = true;
          }
          const bool forced = layer == most && force;
          if (forced) {
            layer = most - 1;
          } else if (layer == layers.size()) {
            whole_way(network, dst, at, link_of, way);
            layers.emplace_back(ports, steps_).add(way);
          }
          count_ = std::max(count_, layer + 1);
          if (count_ > most) return;
          rest[at] = {layer, !forced, true};
          of_[std::size_t{at} * nodes_ + dst] = static_cast<std::uint8_t>(layer);
          pairs_[layer] += nodes_at[at].size();
        }
      }
    }
  }

  unsigned count() const { return count_; }
  // Whether the division ended because it took too many steps.
  bool exhausted() const { return exhausted_; }
  std::uint64_t steps() const { return steps_; }

  // Divides the layers further into `vcs`, those with most pairs first: a part of a layer has no
  // cycle either.
  void spread(unsigned vcs) {
    std::array<unsigned, kNumberedVcs> parts, first = {};
    parts.fill(1);
    for (unsigned more = count_; more < vcs; ++more) {
      unsigned fullest = 0;
      for (unsigned l = 1; l < count_; ++l) {
        if (pairs_[l] * parts[fullest] > pairs_[fullest] * parts[l]) fullest = l;
      }
      ++parts[fullest];
    }
    for (unsigned l = 1; l < count_; ++l) first[l] = first[l - 1] + parts[l - 1];
    for (std::size_t pair = 0; pair < of_.size(); ++pair) {
      const std::uint8_t layer = of_[pair];
      const std::uint64_t mixed = (pair * 0x9E3779B97F4A7C15u) >> 32;
      of_[pair] = static_cast<std::uint8_t>(first[layer] + mixed % parts[layer]);
    }
  }

  unsigned at(std::uint32_t router, std::uint32_t dst) const {
    return of_[std::size_t{router} * nodes_ + dst];
  }

 private:
  // The route from a router to the present destination.
  struct Rest {
    unsigned layer = 0;    // Lowest layer that has room for it.
    bool entered = false;  // The layer has its dependencies.
    bool known = false;
  };

  template <class LinkOf>
  static void whole_way(const TableNetwork& network, std::uint32_t dst, std::uint32_t at,
                        LinkOf link_of, std::vector<std::uint32_t>& way) {
    for (way.clear(); at != network.router_of[dst]; at = network.links[way.back()].to) {
      way.push_back(link_of(at));
    }
  }

  std::uint32_t nodes_;
  std::vector<std::uint8_t> of_;
  std::array<std::uint64_t, kNumberedVcs + 1> pairs_ = {};
  unsigned count_ = 1;
  std::uint64_t steps_ = 0;
  bool exhausted_ = false;
};

// Shortest routes, in layers.
struct ShortestWays {
  std::shared_ptr<const NextPorts> next;
  std::shared_ptr<Layers> layers;  // With more layers than were to be counted: there is no
                                   // division.
};

// Divides routes into layers for `most` VCs, the present number or kNumberedVcs; with `force` into
// that many layers, whatever their dependencies. Layers are counted up to `counted`: a caller that
// only asks whether `most` suffice need not wait for more. The divisions end after `effort` steps
// altogether.
ShortestWays divided_ways(const TableNetwork& network, unsigned most, bool force,
                          unsigned counted = kNumberedVcs, std::uint64_t effort = kNoLimit) {
  WayStates states;
  for (const auto& links : network.links_from()) {
    auto& arcs = states.arcs.emplace_back();
    for (const std::uint32_t l : links) arcs.push_back({network.links[l].to, l});
  }
  auto next = std::make_shared<const NextPorts>(network, states);
  auto layers = std::make_shared<Layers>(network, *next, force ? most : counted, force, effort);
  if (layers->count() > most && !layers->exhausted()) {
    auto other = std::make_shared<const NextPorts>(network, states, NextPorts::Tie::kLowestPort);
    const std::uint64_t left = effort - std::min(effort, layers->steps());
    auto fewer = std::make_shared<Layers>(network, *other, counted, false, left);
    if (fewer->count() < layers->count() || fewer->exhausted()) {
      next = std::move(other);
      layers = std::move(fewer);
    }
  }
  return {std::move(next), std::move(layers)};
}

// The tables of routes in layers, where links have `vcs` VCs, as many as there are layers or more.
TableRouting tables_of(const TableNetwork& network, const ShortestWays& ways, unsigned vcs) {
  const auto& [next, layers] = ways;
  const auto entry = [next = next](std::uint32_t router, std::uint32_t dst, VcSet set) {
    const std::uint8_t port = next->at(router, dst);
    return RouteTables::Entry{port == NextPorts::kNone ? std::uint8_t{0} : port, set};
  };
  if (layers->count() == 1) {
    return {.entry = [entry](std::uint32_t router, std::uint32_t /*state*/,
                             std::uint32_t dst) { return entry(router, dst, VcSet::kAny); },
            .words = "shortest ways"};
  }
  const unsigned needed = layers->count();
  if (vcs != 0) layers->spread(vcs);
  return {.entry =
              [entry, layers = layers](std::uint32_t router, std::uint32_t injected,
                                       std::uint32_t dst) {
                return entry(router, dst,
                             injected != 0 ? only_vc(layers->at(router, dst)) : VcSet::kSame);
              },
          .state = [ports = network.ports](
                       std::uint32_t router,
                       std::uint32_t from) { return from >= ports[router] ? 1u : 0u; },
          .vcs = needed,
          .words = fmt::format("shortest ways in {} layers of VCs", needed)};
}

// Shortest routes for `vcs` VCs, as of shortest_routes; none, with the reason in `why`, if they
// need more than kNumberedVcs, or if `effort` steps do not tell.
std::optional<TableRouting> layered_routes(const Config& config, const TableNetwork& network,
                                           unsigned vcs, std::uint64_t effort, std::string& why) {
  const bool per_destination = vcs == RouterConfig::kPerDestination;
  const bool force = !config.deadlock_check && vcs != 0 && !per_destination;
  const unsigned most = per_destination ? 1 : vcs == 0 ? kNumberedVcs : std::min(vcs, kNumberedVcs);
  const ShortestWays ways =
      divided_ways(network, most, force || per_destination, kNumberedVcs, effort);
  const auto& layers = ways.layers;
  if (layers->exhausted()) {
    why = fmt::format(
        "whether {} VCs keep shortest ways free of deadlock is not known after {} "
        "steps of dividing them",
        kNumberedVcs, effort);
    return {};
  }
  if (layers->count() > kNumberedVcs) {
    why = fmt::format("shortest ways need more than {} VCs to be free of deadlock here",
                      kNumberedVcs);
    return {};
  }
  if (vcs != 0 && !per_destination && layers->count() > vcs) {
    const unsigned classes = config.router.vc_classes();
    config.source.refuse(
        "/router/vcs", config.router.vcs,
        fmt::format("{} or more: so many suffice for shortest ways without a cyclic channel "
                    "dependency{}{}{}",
                    classes * layers->count(),
                    classes == 1 ? "" : ", half of them in each of two classes of packets",
                    config.router.by_algorithm() ? "" : "; or routing \"up_down\"",
                    config.reroutes() ? "; routers have tables because nic.reliable with "
                                        "link.protection \"retry\" finds ways around links that die"
                                      : ""));
  }
  if (layers->count() > 1 && vcs > kNumberedVcs) {
    config.source.refuse(
        "/router/vcs", config.router.vcs,
        fmt::format("{} to {}: each pair of nodes has one VC", layers->count(), kNumberedVcs));
  }
  return tables_of(network, ways, vcs);
}

}  // namespace

TableRouting shortest_routes(const Config& config, const TableNetwork& network, unsigned vcs) {
  std::string why;
  if (auto routing = layered_routes(config, network, vcs, kNoLimit, why)) return *routing;
  config.source.refuse("/router/routing", config.router.routing,
                       "\"up_down\", or another network: " + why);
}

TableRouting shortest_or_up_down(const Config& config, const TableNetwork& network, unsigned vcs) {
  std::string why;
  if (auto routing = layered_routes(config, network, vcs, kAutoEffort, why)) return *routing;
  if (auto up_down = up_down_if_connected(network)) {
    up_down->instead = why;
    return *up_down;
  }
  return shortest_routes(config, network, vcs);
}

std::optional<TableRouting> shortest_if_free(const TableNetwork& network, unsigned vcs) {
  const bool per_destination = vcs == RouterConfig::kPerDestination;
  const unsigned most = per_destination ? 1 : std::min(vcs, kNumberedVcs);
  const ShortestWays ways = divided_ways(network, most, per_destination, most, kAutoEffort);
  const unsigned layers = ways.layers->count();
  if (layers > most || (layers > 1 && vcs > kNumberedVcs)) return {};
  return tables_of(network, ways, vcs);
}

}  // namespace weft
