// Routes of the route units, computed another way than by their models (rtl/router/README.md), for
// the rules of routers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/router/router_tile.hpp"

namespace weft::rules {

using Config = RouterTileConfig;

/// The digits of an address.
inline std::vector<int> digits_of(const Config& config, std::uint32_t address) {
  std::vector<int> digits;
  for (const std::uint32_t last : config.route.max_coords) {
    std::uint32_t span = 1;
    while (span <= last) span *= 2;
    digits.push_back(static_cast<int>(address % span));
    address /= span;
  }
  return digits;
}
inline std::uint32_t random_address(const Config& config, RandomStream& random) {
  std::uint32_t address = 0, scale = 1;
  for (const std::uint32_t last : config.route.max_coords) {
    address += scale * static_cast<std::uint32_t>(random.below(last + 1));
    std::uint32_t span = 1;
    while (span <= last) span *= 2;
    scale *= span;
  }
  return address;
}

struct Way {
  unsigned port;
  VcSet set;
};

/// Bit `i` of a number, 0 above its highest.
inline unsigned bit_of_number(std::uint32_t number, unsigned i) {
  for (; i > 0; --i) number /= 2;
  return number % 2;
}

/// rtl/router/README.md, route_dce.
inline Way route_by_dce(const Config& config, unsigned port, const Header& header) {
  const auto t = digits_of(config, header.dst), x = digits_of(config, config.own);
  const unsigned planes = static_cast<unsigned>(t.size()) - 1, rings = config.route.num_rings;
  const unsigned links = rings + planes;
  if (t == x) return {port < links ? links + port % config.num_local : port, VcSet::kAny};
  const auto column = static_cast<unsigned>(x[0]);
  unsigned out = header.dst % rings, steps = 1;
  for (unsigned d = planes; d >= 1; --d) {
    const auto a = static_cast<std::uint32_t>(t[d]), b = static_cast<std::uint32_t>(x[d]);
    // Digits have no bits where their largest has none.
    if (bit_of_number(config.route.max_coords[d], column) == 0) continue;
    if (bit_of_number(a, column) == bit_of_number(b, column)) continue;
    out = rings + d - 1;
    steps = config.route.deltas[d];
  }
  VcSet set = column + steps > config.route.max_coords[0] ? VcSet::kNext : VcSet::kSame;
  if (port >= links) set = VcSet::kFirst;
  return {out, config.route.per_dest ? VcSet::kSame : set};
}

/// rtl/router/README.md, route_tree and route_omega.
inline Way route_by_staged(const Config& config, const Header& header) {
  unsigned levels = 0;
  for (std::uint32_t rest = config.route.max_coords[0]; rest > 0; rest /= 2) ++levels;
  const std::uint32_t width = (config.route.max_coords[0] + 1) / 2, t = header.dst % (2 * width);
  const VcSet between = config.route.per_dest ? VcSet::kSame : VcSet::kAny;
  if (config.route_kind == RouteKind::kOmega) {
    const unsigned stage = std::min(config.own, levels - 1);
    const bool last = stage == levels - 1;
    return {bit_of_number(t, levels - 1 - stage) + (last ? 2 : 0), last ? VcSet::kAny : between};
  }
  const std::uint32_t level = config.own / width, index = config.own % width;
  std::uint32_t of_target = t / 2, of_own = index;
  for (unsigned i = 1; i < level; ++i) {
    of_target /= 2;
    of_own /= 2;
  }
  const bool down = of_target == of_own;
  const unsigned bit = bit_of_number(t, level - 1);
  return {bit + (down ? 2 : 0), down && level == 1 ? VcSet::kAny : between};
}

inline Way route_by_rules(const Config& config, unsigned port, const Header& header) {
  if (config.route_kind == RouteKind::kDce) return route_by_dce(config, port, header);
  if (config.route_kind == RouteKind::kTree || config.route_kind == RouteKind::kOmega) {
    return route_by_staged(config, header);
  }
  const auto s = digits_of(config, header.src), t = digits_of(config, header.dst),
             x = digits_of(config, config.own);
  const auto dims = static_cast<unsigned>(s.size());
  for (unsigned d = 0; d < dims; ++d) {
    if (t[d] == x[d]) continue;
    if (config.route_kind == RouteKind::kMesh) {
      return {2 * d + (t[d] > x[d] ? 0 : 1), config.route.per_dest ? VcSet::kSame : VcSet::kAny};
    }
    const int k = static_cast<int>(config.route.max_coords[d]) + 1;
    int up_hops = 0;
    for (int at = s[d]; at != t[d]; at = (at + 1) % k) ++up_hops;
    int odd = header.tag >= 4 ? 1 : 0;
    for (unsigned e = 0; e < dims; ++e) odd += s[e] % 2 + (e == d ? 0 : t[e] % 2);
    const bool up = up_hops < k - up_hops || (2 * up_hops == k && odd % 2 == 0);
    const bool crosses = up ? t[d] < s[d] : t[d] > s[d];
    const bool crossed = up ? x[d] < s[d] : x[d] > s[d];
    VcSet set = crosses && !crossed ? VcSet::kLow : VcSet::kHigh;
    if (!crosses && !crossed && config.route.dateline == DatelineRule::kBalanced) {
      set = port == 2 * d || port == 2 * d + 1 ? VcSet::kSame : VcSet::kAny;
    }
    if (config.route.dateline == DatelineRule::kCrossing) {
      set = crosses ? VcSet::kLow : VcSet::kHigh;
    }
    return {2 * d + (up ? 0 : 1), config.route.per_dest ? VcSet::kSame : set};
  }
  const unsigned links = 2 * dims;
  return {port < links ? links + port % config.num_local : port, VcSet::kAny};
}

}  // namespace weft::rules
