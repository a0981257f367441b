// Route unit of DCE and MDCE networks: packets walk through whole small networks hop by hop,
// against the route by definition (tests/unit/plain_networks.hpp).
#include "sim/router/route/route_dce.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "tests/unit/plain_networks.hpp"

namespace weft {
namespace {

struct Shape {
  unsigned n;
  std::vector<plain::Dce::Plane> planes;
  unsigned rings = 1;

  plain::Dce net() const { return {n, planes, rings}; }
  RouteConfig config(unsigned num_local) const {
    RouteConfig config;
    config.num_local = num_local;
    config.num_rings = rings;
    config.max_coords = {n - 1};
    config.deltas = {0};
    for (const auto& plane : planes) {
      config.max_coords.push_back((1u << plane.bits) - 1);
      config.deltas.push_back(plane.delta);
    }
    return config;
  }
  std::string words() const {
    std::string text = fmt::format("n {} rings {}", n, rings);
    for (const auto& p : planes) text += fmt::format(", {} bits by {}", p.bits, p.delta);
    return text;
  }
};

std::vector<Shape> shapes() {
  std::vector<Shape> list;
  for (unsigned n = 2; n <= 5; ++n) {
    for (unsigned bits = 1; bits <= n; ++bits) {
      for (unsigned delta = 0; delta < n; ++delta) list.push_back({n, {{bits, delta}}});
    }
  }
  list.push_back({3, {{3, 0}, {3, 1}}});
  list.push_back({3, {{3, 1}, {3, 1}}, 2});
  list.push_back({2, {{2, 0}, {2, 0}, {2, 1}}, 3});
  list.push_back({4, {{2, 1}, {3, 3}}, 5});
  return list;
}

struct Walk {
  std::vector<unsigned> ports, classes;
  unsigned end = 0, local_port = 0;
};

// By the unit alone, over the definition's links; the classes as the sets say.
Walk walk(const plain::Dce& net, const RouteDce& route, unsigned links, unsigned src, unsigned dst,
          unsigned local) {
  Walk way;
  unsigned at = src, port = links + local, vc = 99;
  while (way.ports.size() <= 2 * net.nodes) {
    const RouteOut out = route.route(port, net.address(at), net.address(src), net.address(dst));
    if (out.port >= links) {
      CHECK(out.set == VcSet::kAny);
      way.end = at;
      way.local_port = out.port;
      return way;
    }
    switch (out.set) {
      case VcSet::kFirst:
        vc = 0;
        break;
      case VcSet::kNext:
        ++vc;
        break;
      default:
        REQUIRE(out.set == VcSet::kSame);
    }
    way.ports.push_back(out.port);
    way.classes.push_back(vc);
    const auto outs = net.outs(at);
    const auto link =
        std::find_if(outs.begin(), outs.end(), [&](const auto& o) { return o.first == out.port; });
    REQUIRE_MESSAGE(link != outs.end(), "out-port without a link");
    at = link->second;
    port = out.port;
  }
  FAIL("the packet does not arrive");
  return way;
}

TEST_CASE("route_dce: bit test and times round, on every pair") {
  for (const Shape& shape : shapes()) {
    CAPTURE(shape.words());
    const plain::Dce net = shape.net();
    for (const unsigned num_local : {1u, 2u}) {
      const RouteDce route(shape.config(num_local));
      const auto links = static_cast<unsigned>(shape.rings + shape.planes.size());
      REQUIRE(RouteDce::links(shape.config(num_local)) == links);
      for (unsigned src = 0; src < net.nodes; ++src) {
        for (unsigned dst = 0; dst < net.nodes; ++dst) {
          const unsigned local = (src + dst) % num_local;
          const Walk way = walk(net, route, links, src, dst, local);
          const auto hops = net.route(src, dst, 1000);
          REQUIRE(way.end == dst);
          REQUIRE(way.ports.size() == hops.size());
          for (std::size_t i = 0; i < hops.size(); ++i) {
            REQUIRE(way.ports[i] == hops[i].port);
            REQUIRE(way.classes[i] == hops[i].low);
          }
          const unsigned in = hops.empty() ? local : hops.back().port % num_local;
          REQUIRE(way.local_port == links + in);
        }
      }
    }
  }
}

TEST_CASE("route_dce: hops in the mean as (2) and (3) of seed 001 say") {
  for (unsigned n = 2; n <= 5; ++n) {
    for (const unsigned delta : {0u, 1u}) {
      const Shape shape{n, {{n, delta}}};
      const plain::Dce net = shape.net();
      const RouteDce route(shape.config(1));
      double sum = 0;
      for (unsigned src = 0; src < net.nodes; ++src) {
        for (unsigned dst = 0; dst < net.nodes; ++dst) {
          sum += double(walk(net, route, 2, src, dst, 0).ports.size());
        }
      }
      const double rings = 1u << n;
      const double expected = delta == 1 ? 3 * (n - 1) / 2.0 + 1 / rings : 2 * n - 2.5 + 2 / rings;
      CHECK(sum / net.nodes / net.nodes == doctest::Approx(expected));
    }
  }
}

TEST_CASE("route_dce: no bit is looked at again, and a class never falls") {
  for (const Shape& shape : shapes()) {
    CAPTURE(shape.words());
    const plain::Dce net = shape.net();
    const RouteDce route(shape.config(1));
    const auto links = static_cast<unsigned>(shape.rings + shape.planes.size());
    for (unsigned src = 0; src < net.nodes; ++src) {
      for (unsigned dst = 0; dst < net.nodes; ++dst) {
        const Walk way = walk(net, route, links, src, dst, 0);
        REQUIRE(std::is_sorted(way.classes.begin(), way.classes.end()));
        if (!way.classes.empty()) REQUIRE(way.classes.front() == 0);
        // As many cross links as bits of the rings' numbers differ.
        const auto crossed = std::count_if(way.ports.begin(), way.ports.end(),
                                           [&](unsigned port) { return port >= shape.rings; });
        unsigned differ = 0;
        for (unsigned a = src / shape.n, b = dst / shape.n; a != b; a /= 2, b /= 2) {
          differ += a % 2 != b % 2;
        }
        REQUIRE(crossed == differ);
      }
    }
  }
}

TEST_CASE("route_dce: with a VC for each destination always the same") {
  RouteConfig config = Shape{3, {{3, 1}}}.config(1);
  config.per_dest = true;
  const RouteDce route(config);
  CHECK(route.route(2, 0, 0, 5).set == VcSet::kSame);
  CHECK(route.route(0, 2, 0, 5).set == VcSet::kSame);
  CHECK(route.route(0, 5, 0, 5) == RouteOut{2, VcSet::kAny});
}

TEST_CASE("route_dce: refusals") {
  const auto refused = [](auto change, const char* words) {
    RouteConfig config = Shape{3, {{3, 1}}}.config(1);
    CHECK_NOTHROW(RouteDce{config});
    change(config);
    CHECK_THROWS_WITH_AS(RouteDce{config}, doctest::Contains(words), ConfigError);
  };
  refused([](RouteConfig& c) { c.num_rings = 0; }, "num_rings is 0, expected: 1 or more");
  refused([](RouteConfig& c) { c.num_local = 0; }, "no local port");
  refused([](RouteConfig& c) { c.max_coords = {2}; }, "1 dimension, expected: 2 or more");
  refused([](RouteConfig& c) { c.deltas = {0}; }, "1 deltas, expected: 2");
  refused([](RouteConfig& c) { c.deltas = {0, 3}; }, "delta 3, expected: 0 to 2");
  refused([](RouteConfig& c) { c.max_coords = {2, 6}; }, "7 digits, expected: a power of two");
}

}  // namespace
}  // namespace weft
