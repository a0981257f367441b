// Route units against breadth-first search: packets walk through whole small networks, every hop
// over a link that exists, on shortest paths; ties on even rings are split evenly; and the VCs that
// they take, followed link by link, have no cycle of dependencies.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "sim/arbiter/age_arbiter.hpp"
#include "sim/base/error.hpp"
#include "sim/router/route/route_mesh.hpp"
#include "sim/router/route/route_torus.hpp"

namespace {

using weft::DatelineRule;
using weft::RouteConfig;
using weft::RouteMesh;
using weft::RouteOut;
using weft::RouteTorus;
using weft::VcSet;

// A network as lists of neighbours, numbered 0 to nodes - 1. Addresses are composed and
// decomposed in decimal arithmetic here, not in bits.
struct Net {
  std::vector<unsigned> sizes;
  bool torus = false;

  unsigned nodes() const {
    return std::accumulate(sizes.begin(), sizes.end(), 1u, std::multiplies<>());
  }
  unsigned ports() const { return 2 * static_cast<unsigned>(sizes.size()); }

  std::vector<unsigned> coords(unsigned node) const {
    std::vector<unsigned> digits;
    for (const unsigned size : sizes) {
      digits.push_back(node % size);
      node /= size;
    }
    return digits;
  }

  std::uint32_t address(unsigned node) const {
    std::uint32_t sum = 0, weight = 1;
    const auto digits = coords(node);
    for (std::size_t d = 0; d < sizes.size(); ++d) {
      sum += digits[d] * weight;
      for (unsigned reach = 1; reach < sizes[d]; reach *= 2) weight *= 2;
    }
    return sum;
  }

  // The node that an out-port leads to, or -1.
  int neighbour(unsigned node, unsigned port) const {
    const unsigned dim = port / 2, size = sizes[dim], digit = coords(node)[dim];
    const unsigned stride =
        std::accumulate(sizes.begin(), sizes.begin() + dim, 1u, std::multiplies<>());
    const bool edge = port % 2 == 0 ? digit == size - 1 : digit == 0;
    if (edge && (!torus || size == 1)) return -1;
    const unsigned next = port % 2 == 0 ? (digit + 1) % size : (digit + size - 1) % size;
    return static_cast<int>(node + next * stride - digit * stride);
  }

  // Hops from `from` to every node.
  std::vector<unsigned> distances(unsigned from) const {
    std::vector<unsigned> hops(nodes(), ~0u), queue = {from};
    hops[from] = 0;
    for (std::size_t i = 0; i < queue.size(); ++i) {
      for (unsigned port = 0; port < ports(); ++port) {
        const int next = neighbour(queue[i], port);
        if (next < 0 || hops[static_cast<unsigned>(next)] != ~0u) continue;
        hops[static_cast<unsigned>(next)] = hops[queue[i]] + 1;
        queue.push_back(static_cast<unsigned>(next));
      }
    }
    return hops;
  }

  RouteConfig config(unsigned num_local, DatelineRule rule = DatelineRule::kFixed,
                     bool per_dest = false) const {
    RouteConfig route;
    route.num_local = num_local;
    route.dateline = rule;
    route.per_dest = per_dest;
    for (const unsigned size : sizes) route.max_coords.push_back(size - 1);
    return route;
  }
};

struct Hop {
  unsigned node, port;
  VcSet set;
};

// The path of a packet, its last hop the local port; fails where it does not end.
template <class Route>
std::vector<Hop> walk(const Net& net, const Route& route, unsigned from, unsigned to,
                      unsigned local, bool other_way = false) {
  std::vector<Hop> path;
  unsigned at = from, port = net.ports() + local;
  while (path.size() <= net.nodes()) {
    const RouteOut out =
        route.route(port, net.address(at), net.address(from), net.address(to), other_way);
    path.push_back({at, out.port, out.set});
    if (out.port >= net.ports()) return path;
    const int next = net.neighbour(at, out.port);
    REQUIRE_MESSAGE(next >= 0, "out-port without a link");
    at = static_cast<unsigned>(next);
    port = out.port;
  }
  FAIL("the packet does not arrive");
  return path;
}

std::vector<Net> nets() {
  std::vector<Net> all;
  for (const bool torus : {false, true}) {
    for (const std::vector<unsigned>& sizes : std::vector<std::vector<unsigned>>{
             {1}, {2}, {5}, {8}, {4, 4}, {5, 3}, {6, 1, 4}, {3, 4, 5}, {2, 2, 2, 2}, {4, 2, 6}}) {
      all.push_back({sizes, torus});
    }
  }
  return all;
}

template <class Route>
void check_shortest(const Net& net) {
  for (const unsigned num_local : {1u, 2u, 4u}) {
    const Route route(net.config(num_local));
    for (unsigned from = 0; from < net.nodes(); ++from) {
      const auto distance = net.distances(from);
      for (unsigned to = 0; to < net.nodes(); ++to) {
        const unsigned local = (from + to) % num_local;
        const auto path = walk(net, route, from, to, local);
        REQUIRE(path.back().node == to);
        REQUIRE(path.size() == distance[to] + 1);
        for (std::size_t i = 1; i + 1 < path.size(); ++i) {
          REQUIRE(path[i - 1].port / 2 <= path[i].port / 2);
        }
        const unsigned in = path.size() < 2 ? local : path[path.size() - 2].port % num_local;
        REQUIRE(path.back().port == net.ports() + in);
        REQUIRE(path.back().set == VcSet::kAny);
      }
    }
  }
}

// The VCs of 2 that a set holds on a link.
std::vector<unsigned> members(VcSet set, unsigned before) {
  if (set == VcSet::kAny) return {0, 1};
  if (set == VcSet::kSame) return {before};
  return {set == VcSet::kLow ? 0u : 1u};
}

// Is there a cycle in the graph whose edges lead from each channel to those that a packet may wait
// for while it holds that channel? Channels are (node, port, VC). Peeled from the sinks: what is
// left over lies on a cycle or before one.
bool cyclic(const Net& net, const RouteConfig& config, bool one_vc) {
  const RouteTorus route(config);
  const unsigned channels = net.nodes() * net.ports() * 2;
  std::vector<std::pair<unsigned, unsigned>> edges;
  for (unsigned from = 0; from < net.nodes(); ++from) {
    for (unsigned to = 0; to < 2 * net.nodes(); ++to) {  // In either direction at ties.
      std::vector<unsigned> held;
      for (const Hop& hop : walk(net, route, from, to / 2, 0, to % 2 != 0)) {
        if (hop.port >= net.ports()) break;
        std::vector<unsigned> next;
        auto take = [&](unsigned vc) {
          next.push_back(((hop.node * net.ports()) + hop.port) * 2 + (one_vc ? 0 : vc));
          return next.back();
        };
        if (held.empty()) {
          for (const unsigned vc : members(hop.set, 0)) take(vc);
        }
        for (const unsigned channel : held) {
          for (const unsigned vc : members(hop.set, channel % 2)) {
            edges.emplace_back(channel, take(vc));
          }
        }
        std::sort(next.begin(), next.end());
        next.erase(std::unique(next.begin(), next.end()), next.end());
        held = next;
      }
    }
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  std::vector<unsigned> leaving(channels, 0);
  std::vector<std::vector<unsigned>> into(channels);
  for (const auto& [a, b] : edges) {
    ++leaving[a];
    into[b].push_back(a);
  }
  std::vector<unsigned> done;
  for (unsigned c = 0; c < channels; ++c) {
    if (leaving[c] == 0) done.push_back(c);
  }
  for (std::size_t i = 0; i < done.size(); ++i) {
    for (const unsigned before : into[done[i]]) {
      if (--leaving[before] == 0) done.push_back(before);
    }
  }
  return done.size() != channels;
}

TEST_CASE("route: every path is a shortest one, dimension after dimension") {
  for (const Net& net : nets()) {
    CAPTURE(net.torus);
    CAPTURE(fmt::format("{}", fmt::join(net.sizes, "x")));
    if (net.torus) {
      check_shortest<RouteTorus>(net);
    } else {
      check_shortest<RouteMesh>(net);
    }
  }
}

TEST_CASE("route_torus: ties are split evenly, also on every single link") {
  for (const Net& net : nets()) {
    if (!net.torus) continue;
    CAPTURE(fmt::format("{}", fmt::join(net.sizes, "x")));
    const RouteTorus route(net.config(1));
    std::vector<unsigned> up(net.sizes.size()), down(net.sizes.size());
    std::vector<unsigned> load(net.nodes() * net.ports());
    for (unsigned from = 0; from < net.nodes(); ++from) {
      for (unsigned to = 0; to < net.nodes(); ++to) {
        const auto s = net.coords(from), t = net.coords(to);
        std::vector<bool> seen(net.sizes.size());
        for (const Hop& hop : walk(net, route, from, to, 0)) {
          if (hop.port >= net.ports()) break;
          ++load[hop.node * net.ports() + hop.port];
          const unsigned dim = hop.port / 2;
          if (seen[dim] ||
              (t[dim] + net.sizes[dim] - s[dim]) % net.sizes[dim] * 2 != net.sizes[dim]) {
            continue;
          }
          seen[dim] = true;
          ++(hop.port % 2 == 0 ? up : down)[dim];
        }
      }
    }
    for (std::size_t d = 0; d < net.sizes.size(); ++d) {
      CHECK(up[d] == down[d]);
      CHECK((up[d] > 0) == (net.sizes[d] % 2 == 0));
    }
    // All links of a dimension carry the same, in both directions, when each sends to each. (Of a
    // ring of two nodes alone each sends one packet over one of its two links.)
    if (net.nodes() == 2) continue;
    for (unsigned channel = 0; channel < load.size(); ++channel) {
      CHECK(load[channel] == load[channel % net.ports() / 2 * 2]);
    }
  }
}

TEST_CASE("route_torus: with other_way the direction is opposite at ties, and else the same") {
  for (const Net& net : nets()) {
    if (!net.torus) continue;
    CAPTURE(fmt::format("{}", fmt::join(net.sizes, "x")));
    const RouteTorus route(net.config(1));
    for (unsigned from = 0; from < net.nodes(); ++from) {
      for (unsigned to = 0; to < net.nodes(); ++to) {
        const auto s = net.coords(from), t = net.coords(to);
        const auto one = walk(net, route, from, to, 0, false);
        const auto other = walk(net, route, from, to, 0, true);
        REQUIRE(one.size() == other.size());
        for (std::size_t i = 0; i < one.size(); ++i) {
          const unsigned dim = one[i].port / 2;
          const bool tie =
              one[i].port < net.ports() &&
              (t[dim] + net.sizes[dim] - s[dim]) % net.sizes[dim] * 2 == net.sizes[dim];
          REQUIRE(other[i].port == (tie ? one[i].port ^ 1 : one[i].port));
        }
      }
    }
  }
}

TEST_CASE("route_torus: two VCs have no cycle of dependencies, one has") {
  for (const Net& net : nets()) {
    if (!net.torus) continue;
    CAPTURE(fmt::format("{}", fmt::join(net.sizes, "x")));
    CHECK(!cyclic(net, net.config(1), false));
    for (const DatelineRule rule : {DatelineRule::kBalanced, DatelineRule::kCrossing}) {
      CHECK(!cyclic(net, net.config(1, rule), false));
    }
    const bool ring = *std::max_element(net.sizes.begin(), net.sizes.end()) >= 4;
    CHECK(cyclic(net, net.config(1), true) == ring);
  }
}

TEST_CASE("route_torus: balanced paths use both VCs where they do not cross the dateline") {
  const Net ring{{8}, true};
  const RouteTorus plain(ring.config(1)), balanced(ring.config(1, DatelineRule::kBalanced));
  CHECK(walk(ring, plain, 1, 4, 0)[0].set == VcSet::kHigh);
  CHECK(walk(ring, balanced, 1, 4, 0)[0].set == VcSet::kAny);
  CHECK(walk(ring, balanced, 1, 4, 0)[1].set == VcSet::kSame);
  for (const RouteTorus& route : {plain, balanced}) {
    const auto path = walk(ring, route, 6, 1, 0);
    REQUIRE(path.size() == 4);
    CHECK(path[0].set == VcSet::kLow);   // 6 to 7
    CHECK(path[1].set == VcSet::kLow);   // 7 to 0
    CHECK(path[2].set == VcSet::kHigh);  // 0 to 1
  }
}

TEST_CASE("route_torus: with datelines by crossing a packet keeps its VCs round a ring") {
  for (const Net& net : nets()) {
    if (!net.torus) continue;
    const RouteTorus route(net.config(1, DatelineRule::kCrossing));
    for (unsigned from = 0; from < net.nodes(); ++from) {
      for (unsigned to = 0; to < net.nodes(); ++to) {
        const auto path = walk(net, route, from, to, 0);
        for (unsigned dim = 0; dim < net.sizes.size(); ++dim) {
          // It crosses where a coordinate jumps from one end of the ring to the other.
          bool crosses = false;
          for (const Hop& hop : path) {
            const unsigned x = net.coords(hop.node)[dim];
            crosses = crosses || (hop.port == 2 * dim && x + 1 == net.sizes[dim]) ||
                      (hop.port == 2 * dim + 1 && x == 0);
          }
          for (const Hop& hop : path) {
            if (hop.port / 2 != dim || hop.port >= net.ports()) continue;
            REQUIRE(hop.set == (crosses ? VcSet::kLow : VcSet::kHigh));
          }
        }
      }
    }
  }
}

TEST_CASE("route: with a VC for each destination packets keep theirs") {
  const Net torus{{4, 3}, true}, mesh{{4, 3}, false};
  for (unsigned from = 0; from < 12; ++from) {
    for (unsigned to = 0; to < 12; ++to) {
      for (const auto& path : {walk(torus, RouteTorus(torus.config(1, {}, true)), from, to, 0),
                               walk(mesh, RouteMesh(mesh.config(1, {}, true)), from, to, 0)}) {
        for (const Hop& hop : path) {
          CHECK(hop.set == (hop.port < 4 ? VcSet::kSame : VcSet::kAny));
        }
      }
    }
  }
}

TEST_CASE("route: refusals") {
  const auto digits = [](std::vector<std::uint32_t> max_coords, unsigned num_local) {
    RouteConfig route;
    route.max_coords = std::move(max_coords);
    route.num_local = num_local;
    return route;
  };
  CHECK_THROWS_AS(RouteMesh(digits({}, 1)), weft::ConfigError);
  CHECK_THROWS_AS(RouteMesh(digits({3}, 0)), weft::ConfigError);
  CHECK_THROWS_AS(RouteTorus(digits({1u << 20}, 1)), weft::ConfigError);
  CHECK_THROWS_AS(RouteTorus(digits({1023, 1023, 1}, 1)), weft::ConfigError);
  CHECK_THROWS_AS(RouteTorus(digits(std::vector<std::uint32_t>(9, 1), 1)), weft::ConfigError);
  CHECK_NOTHROW(RouteTorus(digits({1023, 1023, 0}, 1)));
  CHECK_NOTHROW(RouteMesh(digits(std::vector<std::uint32_t>(8, 3), 1)));
}

TEST_CASE("age_arbiter: the oldest of a sorted list, also when the counter has wrapped") {
  const std::uint16_t stamps[] = {10, 65530, 7, 65530, 100};
  const auto oldest = [&](std::uint64_t requests, std::uint32_t now) {
    const std::uint64_t req[] = {requests};
    std::uint64_t found[] = {~std::uint64_t{0}};
    weft::AgeArbiter::oldest(req, stamps, now, found);
    return found[0];
  };
  CHECK(oldest(0b11111, 100) == 0b01010);
  CHECK(oldest(0b10101, 100) == 0b00100);
  CHECK(oldest(0b10000, 100) == 0b10000);
  CHECK(oldest(0, 100) == 0);
  // In cycle 65535 the wrapped stamps are the older ones.
  CHECK(oldest(0b11111, 65535) == 0b00100);
}

}  // namespace
