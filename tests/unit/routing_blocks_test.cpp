// Blocks of the routing algorithms against counts and explicit sets: waypoints are nodes and evenly
// spread; minimal ports are those from which breadth-first distances fall; the VCs of a class are
// its half; a packet that goes on is one that has nothing left to do before.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/random.hpp"
#include "sim/router/route/route_class.hpp"
#include "sim/router/route/route_mesh.hpp"
#include "sim/router/route/route_minimal.hpp"
#include "sim/router/route/route_phase.hpp"
#include "sim/router/route/route_torus.hpp"
#include "sim/router/route/route_waypoint.hpp"

namespace {

using namespace weft;

RouteConfig sizes(std::vector<std::uint32_t> dims) {
  RouteConfig config;
  for (const std::uint32_t size : dims) config.max_coords.push_back(size - 1);
  return config;
}

// Width of a digit by counting its values.
unsigned digit_width(std::uint32_t size) {
  unsigned width = 0;
  for (std::uint32_t values = 1; values < size; values *= 2) ++width;
  return width;
}

std::uint32_t address(const std::vector<std::uint32_t>& dims, std::vector<std::uint32_t> digits) {
  std::uint32_t sum = 0, unit = 1;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    sum += digits[d] * unit;
    unit <<= digit_width(dims[d]);
  }
  return sum;
}

// The VCs of a set, one by one, of `vcs` of them.
std::set<unsigned> vcs_of(VcSet set, unsigned vcs) {
  std::set<unsigned> found;
  for (unsigned vc = 0; vc < vcs; ++vc) {
    if (may_request(set, 0, vc, vcs)) found.insert(vc);
  }
  return found;
}

}  // namespace

TEST_CASE("waypoints are nodes, each about as often as any other, from every source") {
  for (const auto& dims : std::vector<std::vector<std::uint32_t>>{{8, 8}, {5, 3, 7}, {2, 4, 9}}) {
    const RouteWaypoint block(sizes(dims));
    std::set<std::uint32_t> nodes;
    std::uint32_t count = 1;
    for (const std::uint32_t size : dims) count *= size;
    for (std::uint32_t n = 0; n < count; ++n) {
      std::vector<std::uint32_t> digits;
      for (std::uint32_t rest = n, d = 0; d < dims.size(); rest /= dims[d++]) {
        digits.push_back(rest % dims[d]);
      }
      nodes.insert(address(dims, digits));
    }
    REQUIRE(nodes.size() == count);
    for (const std::uint32_t src :
         {*nodes.begin(), *std::next(nodes.begin(), 3), *nodes.rbegin()}) {
      constexpr std::uint32_t kStamps = 1u << kStampW;
      std::map<std::uint32_t, double> drawn;
      for (std::uint32_t stamp = 0; stamp < kStamps; ++stamp) {
        ++drawn[block.eval({stamp, src}).waypoint];
      }
      const double mean = static_cast<double>(kStamps) / count;
      double chi2 = 0;
      for (const auto& [node, times] : drawn) {
        CHECK(nodes.contains(node));
        chi2 += (times - mean) * (times - mean) / mean;
      }
      CHECK(drawn.size() == count);
      // The expectation of chi2 is count - 1, its variance twice that: six deviations.
      CHECK(chi2 < count - 1 + 6 * std::sqrt(2.0 * (count - 1)));
    }
  }
}

TEST_CASE("waypoints of one packet differ between sources, and of one source between packets") {
  const RouteWaypoint block(sizes({16, 16}));
  unsigned same_src = 0, same_stamp = 0;
  for (std::uint32_t i = 1; i <= 2000; ++i) {
    same_src += block.eval({i, 17}).waypoint == block.eval({i - 1, 17}).waypoint;
    same_stamp += block.eval({7, i % 256}).waypoint == block.eval({7, (i + 1) % 256}).waypoint;
  }
  CHECK(same_src < 30);
  CHECK(same_stamp < 30);
}

TEST_CASE("minimal ports lead to neighbours that are nearer, all of them") {
  for (const bool wrap : {false, true}) {
    for (const auto& dims : std::vector<std::vector<std::uint32_t>>{{5, 4}, {1, 6, 2}, {3, 3}}) {
      const RouteMinimal block(sizes(dims), wrap);
      // Distance by steps up or down, whichever arrives first.
      const auto distance = [&](std::uint32_t d, std::uint32_t a, std::uint32_t b) {
        std::uint32_t up = 0, down = 0;
        for (std::uint32_t x = a; x != b; ++up) x = (x + 1) % dims[d];
        for (std::uint32_t x = a; x != b; ++down) x = (x + dims[d] - 1) % dims[d];
        if (wrap) return std::min(up, down);
        return a < b ? up : down;
      };
      std::vector<std::uint32_t> own(dims.size()), dst(dims.size());
      RandomStream random(3);
      for (unsigned round = 0; round < 500; ++round) {
        for (std::size_t d = 0; d < dims.size(); ++d) {
          own[d] = static_cast<std::uint32_t>(random.below(dims[d]));
          dst[d] = static_cast<std::uint32_t>(random.below(dims[d]));
        }
        std::uint32_t mask = 0;
        for (std::uint32_t d = 0; d < dims.size(); ++d) {
          for (const bool down : {false, true}) {
            if (!wrap && (down ? own[d] == 0 : own[d] + 1 == dims[d])) continue;
            const std::uint32_t next = (own[d] + (down ? dims[d] - 1 : 1)) % dims[d];
            if (distance(d, next, dst[d]) < distance(d, own[d], dst[d])) {
              mask |= 1u << (2 * d + (down ? 1 : 0));
            }
          }
        }
        CHECK(block.eval({address(dims, own), address(dims, dst)}).mask == mask);
      }
    }
  }
}

TEST_CASE("a class has its half of the VCs, each set of a network of half as many VCs in it") {
  for (const unsigned vcs : {2u, 4u, 6u, 8u}) {
    const RouteClass block({vcs});
    const unsigned half = vcs / 2;
    for (const bool cls : {false, true}) {
      for (unsigned i = 0; i < kVcSets; ++i) {
        const auto set = static_cast<VcSet>(i);
        if (set != VcSet::kAny && set != VcSet::kLow && set != VcSet::kHigh &&
            (set < VcSet::kFirst || i - 8 >= half)) {
          continue;
        }
        std::set<unsigned> wanted, got;
        for (const unsigned vc : vcs_of(set, half)) wanted.insert(vc + (cls ? half : 0));
        for (std::uint32_t stamp = 0; stamp < 16; ++stamp) {
          const auto one = vcs_of(block.eval({cls, set, stamp}).set, vcs);
          REQUIRE(!one.empty());
          got.insert(one.begin(), one.end());
        }
        CHECK(got == wanted);
      }
      CHECK(block.eval({cls, VcSet::kSame, 3}).set == VcSet::kSame);
      CHECK(block.eval({cls, VcSet::kNext, 3}).set == VcSet::kNext);
    }
  }
  for (const unsigned vcs : {0u, 1u, 3u, 10u}) CHECK_THROWS_AS(RouteClass({vcs}), ConfigError);
}

TEST_CASE("classes of different size have their VCs, each set of a network of as many VCs in it") {
  const RouteClass block({8, 2});
  for (const bool cls : {false, true}) {
    for (const VcSet set : {VcSet::kAny, VcSet::kLow, VcSet::kHigh}) {
      std::set<unsigned> wanted, got;
      for (const unsigned vc : vcs_of(set, cls ? 6 : 2)) wanted.insert(vc + (cls ? 2 : 0));
      for (std::uint32_t stamp = 0; stamp < 16; ++stamp) {
        got.merge(vcs_of(block.eval({cls, set, stamp}).set, 8));
      }
      CHECK(got == wanted);
    }
  }
  CHECK_THROWS_AS(RouteClass({4, 0}), ConfigError);
  CHECK_THROWS_AS(RouteClass({4, 3}), ConfigError);
}

TEST_CASE("a packet goes on at its waypoint, after it, with ugal where that queue is short") {
  const std::array<std::uint32_t, 4> low = {0, 3, 6, 7}, high = {1, 3, 5, 9};
  constexpr std::uint64_t kBusy = 0b1011;
  for (const bool ugal : {false, true}) {
    const RoutePhase block(
        {.num_vc = 4, .num_links = 4, .num_local = 2, .load_w = 6, .ugal = ugal});
    for (const bool local : {false, true}) {
      for (const bool cls : {false, true}) {
        for (std::uint32_t way = 0; way < 6; ++way) {
          for (std::uint32_t on = 0; on < 6; ++on) {
            bool direct = way >= 4;
            if (cls && !local) direct = true;
            if (ugal && local && (on == 2 || on >= 4)) direct = true;
            if (ugal && local && way < 4 && on < 4 && high[on] <= low[way]) direct = true;
            const auto [out, next] = block.eval({local,
                                                 cls,
                                                 {way, VcSet::kLow},
                                                 {on, VcSet::kHigh},
                                                 0,
                                                 {low.data(), high.data(), kBusy}});
            CHECK(next == direct);
            CHECK(out.port == (direct ? on : way));
            const auto vcs = vcs_of(out.set, 4);
            if (out.port >= 4) {
              CHECK(vcs == std::set<unsigned>{0, 1, 2, 3});
            } else {
              CHECK(vcs == std::set<unsigned>{direct ? 3u : 0u});
            }
          }
        }
      }
    }
  }
}

TEST_CASE("a queue holds a packet's flits from its header's arrival to their credits") {
  RouteLoad block({.num_vc = 4, .num_links = 3, .num_local = 1, .load_w = 12});
  std::array<RouteLoad::Arrival, 4> rx = {};
  std::array<std::uint64_t, 3> credit = {};
  const auto step = [&] {
    block.step({rx.data(), credit.data()});
    rx = {};
    credit = {};
  };
  // Two packets at once for link 1, one of each class; one for the local port.
  rx[0] = {true, false, 1, 2, 1, true};
  rx[3] = {true, false, 0, 4, 1, false};
  rx[2] = {true, true, 0, 0, 3, true};
  step();
  CHECK(block.out().high[1] == 3);
  CHECK(block.out().low[1] == 5);
  // Three flits where the others have none are more than the margin of two.
  CHECK(block.out().busy == 0b010);
  // A body flit does not count, whatever it looks like; credits of both classes do.
  rx[0] = {true, false, 1, 9, 2, true};
  credit[1] = 0b0101;
  step();
  CHECK(block.out().high[1] == 2);
  CHECK(block.out().low[1] == 4);
  CHECK(block.out().high[2] == 0);
  CHECK(block.out().busy == 0);
  // The last one ends the packet: the next flit on the VC is a header.
  rx[0] = {true, true, 1, 9, 2, true};
  step();
  CHECK(block.out().high[1] == 2);
  rx[0] = {true, true, 1, 0, 0, true};
  step();
  CHECK(block.out().high[0] == 1);
  block.reset();
  CHECK(block.out().low[1] == 0);
}

TEST_CASE("queues are empty when all that has arrived has left, however packets were cut") {
  // What has arrived for each link and class, and not left, is counted flit by flit; packets end
  // early, or go on behind what their header announced.
  constexpr unsigned kPorts = 5, kLinks = 4, kVcs = 4;
  RouteLoad block({.num_vc = kVcs, .num_links = kLinks, .num_local = 1, .load_w = 12});
  std::array<RouteLoad::Arrival, kPorts> rx = {};
  std::array<std::uint64_t, kLinks> credit = {};
  std::array<std::array<std::uint32_t, 2>, kLinks> here = {};
  struct Packet {
    std::uint32_t left = 0, port = 0;
    bool cls = false;
  };
  std::array<Packet, kPorts* kVcs> open = {};
  RandomStream random(11);
  const auto below = [&](unsigned bound) {
    return static_cast<std::uint32_t>(random.below(bound));
  };
  for (unsigned cycle = 0; cycle < 20000; ++cycle) {
    const bool ends = cycle % 500 >= 200;  // Open packets end, then all leaves.
    rx = {};
    for (unsigned p = 0; p < kPorts; ++p) {
      RouteLoad::Arrival& flit = rx[p];
      flit = {true, false, below(kVcs), below(12), below(kPorts), below(2) != 0};
      Packet& packet = open[p * kVcs + flit.vc];
      flit.valid = ends ? packet.left != 0 : below(2) != 0;
      if (!flit.valid) continue;
      // The length that it will have: mostly what its header says.
      if (packet.left == 0) {
        packet = {below(4) != 0 ? flit.len + 1 : 1 + below(20), flit.port, flit.cls};
      }
      flit.last = --packet.left == 0;
      if (packet.port < kLinks) ++here[packet.port][packet.cls];
    }
    credit = {};
    for (unsigned l = 0; l < kLinks; ++l) {
      for (unsigned cls = 0; cls < 2; ++cls) {
        if (here[l][cls] == 0 || (!ends && below(2) != 0)) continue;
        --here[l][cls];
        credit[l] |= std::uint64_t{1} << (2 * cls + below(2));
      }
    }
    block.step({rx.data(), credit.data()});
    if (cycle % 500 != 499) continue;
    for (unsigned l = 0; l < kLinks; ++l) {
      REQUIRE(here[l] == std::array<std::uint32_t, 2>{});
      CHECK(block.out().low[l] == 0);
      CHECK(block.out().high[l] == 0);
    }
    CHECK(block.out().busy == 0);
  }
}

TEST_CASE("1,000 packets of which 3 of 11 flits arrive leave no load") {
  RouteLoad block({.num_vc = 2, .num_links = 2, .num_local = 1, .load_w = 14});
  std::array<std::uint64_t, 2> credit = {};
  for (unsigned packet = 0; packet < 1000; ++packet) {
    for (unsigned k = 0; k < 3; ++k) {
      const std::array<RouteLoad::Arrival, 3> rx = {{{}, {}, {true, k == 2, 1, 10, 1, true}}};
      block.step({rx.data(), credit.data()});
      credit = {0, 0b10};  // Of this flit, in the next cycle.
    }
  }
  const std::array<RouteLoad::Arrival, 3> none = {};
  block.step({none.data(), credit.data()});
  CHECK(block.out().high[1] == 0);
  CHECK(block.out().busy == 0);
}

TEST_CASE("route units route in reverse order of dimensions as those of a turned network do") {
  const std::vector<std::uint32_t> dims = {4, 3, 5}, turned = {5, 3, 4};
  RandomStream random(5);
  for (unsigned round = 0; round < 2000; ++round) {
    std::vector<std::uint32_t> own, src, dst;
    for (const std::uint32_t size : dims) {
      own.push_back(static_cast<std::uint32_t>(random.below(size)));
      src.push_back(own.back());
      dst.push_back(static_cast<std::uint32_t>(random.below(size)));
    }
    const auto at = [&](std::vector<std::uint32_t> digits, bool turn) {
      if (turn) std::reverse(digits.begin(), digits.end());
      return address(turn ? turned : dims, digits);
    };
    const auto check = [&](const auto& plain, const auto& other) {
      const RouteOut a =
          plain.route(6, at(own, false), at(src, false), at(dst, false), false, true);
      const RouteOut b = other.route(6, at(own, true), at(src, true), at(dst, true), false, false);
      CHECK(a.set == b.set);
      CHECK(a.port == (b.port == 6 ? 6 : 2 * (2 - b.port / 2) + b.port % 2));
    };
    check(RouteMesh(sizes(dims)), RouteMesh(sizes(turned)));
    check(RouteTorus(sizes(dims)), RouteTorus(sizes(turned)));
  }
}
