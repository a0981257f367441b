// Route units of fat tree and omega network: every pair of small networks, switch by switch, over
// the links of the definition (tests/unit/plain_networks.hpp).
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/router/route/route_omega.hpp"
#include "sim/router/route/route_tree.hpp"
#include "tests/unit/plain_networks.hpp"

namespace weft {
namespace {

RouteConfig config(unsigned levels, unsigned num_local) {
  RouteConfig config;
  config.num_local = num_local;
  config.max_coords = {(1u << levels) - 1};
  return config;
}

// The out-ports on the path from `src` to `dst`; `ask(switch, in_port)` is the unit's answer.
template <class Ask>
std::vector<unsigned> walk(const plain::Net& net, unsigned src, unsigned dst, Ask ask) {
  std::vector<unsigned> ports;
  unsigned at = net.outs(src)[0].second, in = 2 + src % 2;
  while (at >= net.nodes) {
    const unsigned port = ask(at, in);
    ports.push_back(port);
    REQUIRE_MESSAGE(ports.size() <= net.vertices, "the packet does not arrive");
    const auto outs = net.outs(at);
    const auto link =
        std::find_if(outs.begin(), outs.end(), [&](const auto& o) { return o.first == port; });
    REQUIRE_MESSAGE(link != outs.end(), "out-port without a link");
    at = link->second;
    in = port;
  }
  REQUIRE(at == dst);
  return ports;
}

TEST_CASE("route_tree: up as far as needed, then down, to every node") {
  for (unsigned levels = 1; levels <= 7; ++levels) {
    CAPTURE(levels);
    const plain::FatTree net(levels);
    const RouteTree leaf(config(levels, 2)), inner(config(levels, 0));
    CHECK(RouteTree::links(config(levels, 2)) == 2);
    CHECK(RouteTree::links(config(levels, 0)) == 4);
    const unsigned width = net.nodes / 2;
    for (unsigned src = 0; src < net.nodes; ++src) {
      for (unsigned dst = 0; dst < net.nodes; ++dst) {
        const auto ports = walk(net, src, dst, [&](unsigned at, unsigned in) {
          const unsigned level = (at - net.nodes) / width + 1, index = (at - net.nodes) % width;
          const RouteOut out =
              (level == 1 ? leaf : inner).route(in, level * width + index, src, dst);
          REQUIRE(out.set == VcSet::kAny);
          return out.port;
        });
        // The lowest switch above both is of the first level whose blocks of 2^level hold both.
        unsigned top = 1;
        for (unsigned block = 2; src / block != dst / block; block *= 2) ++top;
        REQUIRE(ports.size() == 2 * top - 1);
        for (unsigned i = 0; i < ports.size(); ++i) REQUIRE((ports[i] < 2) == (i + 1 < top));
      }
    }
  }
}

TEST_CASE("route_tree: each link up carries the same load under all-to-all") {
  const unsigned levels = 5;
  const plain::FatTree net(levels);
  const RouteTree leaf(config(levels, 2)), inner(config(levels, 0));
  std::vector<std::vector<unsigned>> load(net.vertices, std::vector<unsigned>(4));
  for (unsigned src = 0; src < net.nodes; ++src) {
    for (unsigned dst = 0; dst < net.nodes; ++dst) {
      walk(net, src, dst, [&](unsigned at, unsigned in) {
        const unsigned own = at - net.nodes + net.nodes / 2;  // Levels begin with 1.
        const unsigned port = (own < net.nodes ? leaf : inner).route(in, own, src, dst).port;
        ++load[at][port];
        return port;
      });
    }
  }
  for (unsigned level = 1; level <= levels; ++level) {
    for (unsigned index = 0; index < net.nodes / 2; ++index) {
      for (unsigned port = level < levels ? 0 : 2; port < 4; ++port) {
        CHECK(load[net.at(level, index)][port] == load[net.at(level, 0)][port / 2 * 2]);
      }
    }
  }
}

TEST_CASE("route_omega: one bit of the destination in each stage, the highest first") {
  for (unsigned levels = 1; levels <= 7; ++levels) {
    CAPTURE(levels);
    const plain::Omega net(levels);
    for (const bool own_above : {false, true}) {
      const RouteOmega edge(config(levels, 2)), inner(config(levels, 0));
      for (unsigned src = 0; src < net.nodes; ++src) {
        for (unsigned dst = 0; dst < net.nodes; ++dst) {
          const auto ports = walk(net, src, dst, [&](unsigned at, unsigned in) {
            const unsigned stage = (at - net.nodes) / (net.nodes / 2);
            const bool last = stage + 1 == levels;
            const RouteOut out = (stage == 0 || last ? edge : inner)
                                     .route(in, last && own_above ? stage + 3 : stage, src, dst);
            REQUIRE(out.set == VcSet::kAny);
            return out.port;
          });
          REQUIRE(ports.size() == levels);
          unsigned read = 0;
          for (unsigned i = 0; i < levels; ++i) {
            read = 2 * read + ports[i] - (i + 1 == levels ? 2 : 0);
          }
          REQUIRE(read == dst);
        }
      }
    }
  }
}

TEST_CASE("route_tree, route_omega: with a VC for each destination the same between switches") {
  RouteConfig leaf = config(3, 2), inner = config(3, 0);
  leaf.per_dest = inner.per_dest = true;
  const unsigned width = 4;
  CHECK(RouteTree(leaf).route(2, width, 0, 7).set == VcSet::kSame);       // Up.
  CHECK(RouteTree(leaf).route(0, width, 4, 1).set == VcSet::kAny);        // To the node.
  CHECK(RouteTree(inner).route(0, 3 * width, 0, 7).set == VcSet::kSame);  // Down.
  CHECK(RouteOmega(leaf).route(2, 0, 0, 7).set == VcSet::kSame);
  CHECK(RouteOmega(leaf).route(0, 2, 0, 7).set == VcSet::kAny);
}

TEST_CASE("route_tree, route_omega: refusals") {
  for (const unsigned local : {1u, 3u, 4u}) {
    CHECK_THROWS_WITH_AS(RouteTree{config(3, local)}, doctest::Contains("expected: 0 or 2"),
                         ConfigError);
    CHECK_THROWS_WITH_AS(RouteOmega{config(3, local)}, doctest::Contains("expected: 0 or 2"),
                         ConfigError);
  }
  for (const std::vector<std::uint32_t>& max_coords :
       std::vector<std::vector<std::uint32_t>>{{}, {0}, {2}, {6}, {3, 3}, {(1u << 21) - 1}}) {
    RouteConfig c = config(3, 2);
    c.max_coords = max_coords;
    CHECK_THROWS_WITH_AS(RouteTree{c}, doctest::Contains("a power of two"), ConfigError);
    CHECK_THROWS_WITH_AS(RouteOmega{c}, doctest::Contains("a power of two"), ConfigError);
  }
}

}  // namespace
}  // namespace weft
