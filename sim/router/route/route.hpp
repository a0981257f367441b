// Shared by the route units: their configuration and their result.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/packet/packet.hpp"

namespace weft {

/// Kind of route unit, in the order of `RouteUnit::Unit`.
enum class RouteKind : std::uint8_t {
  kMesh = 0,
  kTorus = 1,
  kDce = 2,
  kTree = 3,
  kOmega = 4,
  kBoard = 5,
  kTable = 6
};

/// Properties of a route unit, its `kTraits`.
struct RouteTraits {
  bool dimension_order = false;  ///< The whole route is in dimension order.
  /// A route consists of segments along one dimension each. Which ones depends on the dimensions in
  /// which source and destination differ, on their units (boards) and on the local port of the
  /// source. A segment depends on the digits of both in its dimension and, if both directions round
  /// a ring are equally long, on which of them is taken. The VCs of a segment along a line or ring
  /// do not depend on those of the segment before; on a board they may depend on whether there is
  /// one.
  bool by_dimension = false;
  /// Number of phases (`RouteUnit::phase`) on which routes from a router on depend besides in-port
  /// and destination. 1: on in-port and destination only; 0: phases are not numbered.
  unsigned phases = 0;
  bool datelines = false;  ///< The unit supports `RouteConfig::dateline`.
  bool by_port = false;    ///< Routes depend on the local port on which a packet was injected.
  bool classes = false;    ///< VCs are classes, unless `RouteConfig::per_dest`.
};

class RouteTables;

/// Configuration of a route unit (rtl/router/README.md, route_mesh and others).
struct RouteConfig {
  std::vector<std::uint32_t> max_coords;  ///< Maximum coordinate by dimension, the lowest first.
  unsigned num_local = 1;                 ///< Local ports, after those that lead to neighbours.
  DatelineRule dateline = DatelineRule::kFixed;  ///< Torus.
  bool per_dest = false;              ///< A VC for each destination: a packet keeps its VC.
  unsigned num_rings = 1;             ///< DCE: parallel links along the ring.
  std::vector<std::uint32_t> deltas;  ///< DCE: columns that the cross links of each dimension skip.
  unsigned mains = 0;      ///< Boards: main units of a board; its other units are aggregators.
  bool is_main = false;    ///< Boards: the router is that of a main.
  unsigned num_links = 0;  ///< Tables: ports to neighbours.
  std::shared_ptr<const RouteTables> tables = {};  ///< Tables of all routers of the network.

  bool operator==(const RouteConfig&) const = default;
};

/// Whether a packet that arrived on VC `own` may be allocated VC `vc` of the next link, which has
/// `num_vc` VCs (rtl/README.md, VC sets).
constexpr bool may_request(VcSet set, unsigned own, unsigned vc, unsigned num_vc) {
  switch (set) {
    case VcSet::kAny:
      break;
    case VcSet::kLow:
      return vc < (num_vc < 2 ? 1 : num_vc / 2);
    case VcSet::kHigh:
      return vc >= num_vc / 2;
    case VcSet::kSame:
      return vc == own;
    case VcSet::kNext:
      return vc == (own + 1 < num_vc ? own + 1 : num_vc - 1);
    default:
      return only_vc(vc) == set && vc < kNumberedVcs;
  }
  return true;
}

/// VC sets as a mask: bit i for set number i.
template <class... Sets>
constexpr std::uint32_t set_mask(Sets... sets) {
  return ((1u << static_cast<unsigned>(sets)) | ... | 0u);
}
/// Whether each set of the mask is one VC of `num_vc` for every packet, so that packets of one VC
/// that take the same route stay behind each other.
constexpr bool single_vcs(std::uint32_t sets, unsigned num_vc) {
  for (unsigned set = 0; set < kVcSets; ++set) {
    if ((sets >> set & 1) == 0) continue;
    unsigned vcs = 0;
    for (unsigned vc = 0; vc < num_vc; ++vc)
      vcs += may_request(VcSet{static_cast<std::uint8_t>(set)}, 0, vc, num_vc);
    if (vcs != 1) return false;
  }
  return true;
}

/// Result of route computation: out-port and VC set.
struct RouteOut {
  std::uint32_t port = 0;
  VcSet set = VcSet::kAny;

  bool operator==(const RouteOut&) const = default;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(port, set);
  }
};

/// Result of route computation that also holds for `more` further routers on the route.
struct RouteOn {
  RouteOut out;
  std::uint32_t more = 0;
};

/// A router's address and ports after bits of the addresses of all nodes have been inverted: the
/// route to a node leaves by port `ports` ^ p if it left by port p before.
struct Inverted {
  std::uint32_t own = 0, ports = 0;
};

/// A parameter of a unit's module: its name in rtl/ and its value as a literal.
using RouteParam = std::pair<const char*, std::string>;

/// A value for each dimension as one literal, kDigitParamW bits each, dimension 0 lowest.
inline std::string digits_literal(const std::vector<std::uint32_t>& values) {
  std::string digits;
  for (auto value = values.rbegin(); value != values.rend(); ++value) {
    digits += fmt::format("{:0{}x}", *value, kDigitParamW / 4);
  }
  return fmt::format("{}'h{}", kDigitParamW * values.size(), digits);
}
inline std::string bit_literal(bool value) {
  return value ? "1'b1" : "1'b0";
}
/// Parameters that most units have.
inline std::vector<RouteParam> common_params(const RouteConfig& config) {
  return {{"MaxCoords", digits_literal(config.max_coords)},
          {"NumLocal", std::to_string(config.num_local)},
          {"PerDest", bit_literal(config.per_dest)}};
}
/// Parameters of units that have a number of dimensions, too.
inline std::vector<RouteParam> digit_params(const RouteConfig& config) {
  auto params = common_params(config);
  params.emplace_back("NumDims", std::to_string(config.max_coords.size()));
  return params;
}

}  // namespace weft
