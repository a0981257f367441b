// What the route units share: what they are told of the network, and what they answer.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/packet/packet.hpp"
#include "sim/packet/ports.hpp"

namespace weft {

/// Route unit of a router; the figures are those of weft_pkg::RouteMesh ... RouteBoard.
enum class RouteKind : std::uint8_t {
  kMesh = 0,
  kTorus = 1,
  kDce = 2,
  kTree = 3,
  kOmega = 4,
  kBoard = 5
};

/// What others ask of a route unit, which says it in `kTraits`.
struct RouteTraits {
  bool in_order = false;  ///< It routes in dimension order, so that ways have numbers.
  bool balances = false;  ///< It knows `RouteConfig::balanced`.
  bool by_port = false;   ///< Ways depend on the local port by which a packet came.
  bool classes = false;   ///< VCs are classes, but with `RouteConfig::per_dest`.
};

/// What a route unit knows of the network (rtl/router/README.md, route_mesh ... route_board).
struct RouteConfig {
  std::vector<std::uint32_t> max_coords;  ///< Largest digit of each dimension, the lowest first.
  unsigned num_local = 1;                 ///< Local ports, behind those that lead to neighbours.
  bool balanced = false;   ///< Torus: a way that does not cross the dateline may take any VC.
  bool per_dest = false;   ///< A VC for each destination: towards neighbours always the same VC.
  unsigned num_rings = 1;  ///< DCE: parallel links along the ring.
  std::vector<std::uint32_t> deltas;  ///< DCE: columns that the cross links of each dimension skip.
  unsigned mains = 0;    ///< Boards: main units of one; the other units are aggregators.
  bool is_main = false;  ///< Boards: the router is a main's.

  bool operator==(const RouteConfig&) const = default;
};

/// Whether a packet that came by VC `own` may take VC `vc` of the next link, which has `num_vc`
/// (rtl/README.md, VC sets).
constexpr bool may_take(VcSet set, unsigned own, unsigned vc, unsigned num_vc) {
  switch (set) {
    case VcSet::kAny:
      break;
    case VcSet::kLow:
      return vc < (num_vc < 2 ? 1 : num_vc / 2);
    case VcSet::kHigh:
      return vc >= num_vc / 2;
    case VcSet::kSame:
      return vc == own;
    case VcSet::kFirst:
      return vc == 0;
    case VcSet::kNext:
      return vc == (own + 1 < num_vc ? own + 1 : num_vc - 1);
  }
  return true;
}

/// Where a packet goes on.
struct RouteOut {
  std::uint32_t port = 0;
  VcSet set = VcSet::kAny;

  bool operator==(const RouteOut&) const = default;
};

/// Ports of the route unit `Route`, which are the same of all but for `kOtherWay`: the units that
/// know rings also look at a packet's wish to go round the other way.
template <class Route, bool kOtherWay>
struct RoutePorts {
  struct In {
    std::uint32_t port = 0, own = 0, src = 0, dst = 0;
    bool other_way = false;
  };
  using Out = RouteOut;
  /// Of the RTL, which also knows how wide addresses are.
  struct PortConfig : RouteConfig {
    unsigned addr_w = kAddrW;
  };
  static constexpr auto ports() {
    constexpr auto port_w = [](const RouteConfig& c) {
      return index_width(Route::links(c) + c.num_local);
    };
    const auto all = port_table(
        input("port_i", port_w, &In::port), input("own_i", &PortConfig::addr_w, &In::own),
        input("src_i", &PortConfig::addr_w, &In::src),
        input("dst_i", &PortConfig::addr_w, &In::dst), output("port_o", port_w, &Out::port),
        output("set_o", index_width(kVcSets), &Out::set));
    if constexpr (kOtherWay) {
      return std::tuple_cat(all, port_table(input("other_way_i", 1, &In::other_way)));
    } else {
      return all;
    }
  }
};

/// The part of a route that runs within one dimension.
struct Way {
  /// The dimension that decides; the number of dimensions at the destination.
  unsigned dimension = 0;
  /// What of source and destination it depends on, besides the dimension and the place where a
  /// packet enters it; below 2^18, 0 at the destination.
  std::uint32_t number = 0;

  bool operator==(const Way&) const = default;
};

}  // namespace weft
