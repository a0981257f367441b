// The parameter points of the bench of the virtual-channel router.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "sim/router/route/route_table.hpp"
#include "sim/router/route/route_unit.hpp"
#include "sim/router/router_tile.hpp"
#include "tb/lib/bench.hpp"
#include "tb/router/route_lockstep.hpp"
#include "tb/router/surroundings.hpp"

namespace weft::tb {

/// One parameter point, and the router that it is of a network.
struct VcRouterPoint {
  std::vector<std::uint32_t> max_coords;
  std::uint32_t router = 0;  ///< Number of the router, as in Surroundings.
  unsigned num_local = 1, num_vc = 2, depth = 8, local_depth = 4;
  bool hold_packet = true, cut_through = false, age = false;
  RouteKind kind = RouteKind::kTorus;
  DatelineRule dateline = DatelineRule::kFixed;
  bool per_dest = false, parity = false, store_forward = false;
  unsigned num_rings = 1;
  std::vector<std::uint32_t> deltas = {};
  unsigned mains = 0;
  bool is_main = false;
  unsigned addr_w = kAddrW;
  unsigned data_w = kHdrW;
  /// Headers arrive on any VC and leave by any port with any set, or per destination on their VC.
  bool any_route = false;
  bool adaptive = false;  ///< Headers have any further ways.
  bool stamps = false;    ///< Flits carry stamps, though not for the age.
  unsigned pipeline = 1;
  unsigned own_after = 3;
  unsigned num_links = 0;  ///< Of a router with tables, which have no entries: with `any_route`.

  Surroundings surroundings() const { return {kind, route(), num_vc}; }

  RouteConfig route() const {
    RouteConfig r;
    r.max_coords = max_coords;
    r.num_local = num_local;
    r.dateline = dateline;
    r.per_dest = per_dest;
    r.num_rings = num_rings;
    r.deltas = deltas;
    r.mains = mains;
    r.is_main = is_main;
    r.num_links = num_links;
    if (kind == RouteKind::kTable) r.tables = std::make_shared<RouteTables>(1);
    return r;
  }

  RouterTileConfig config() const {
    RouterTileConfig c;
    c.num_ports = RouteUnit::links(kind, route()) + num_local;
    c.num_local = num_local;
    c.num_vc = num_vc;
    c.depth = depth;
    c.local_depth = local_depth;
    c.hold_packet = hold_packet;
    c.cut_through = cut_through;
    c.store_forward = store_forward;
    c.age = age;
    c.own_after = own_after;
    c.stamps = stamps;
    c.adaptive = adaptive;
    c.pipeline = pipeline;
    c.route_kind = kind;
    c.route = route();
    c.header = {addr_w, data_w};
    c.own = surroundings().own(router);
    if (!any_route || per_dest) c.sets = RouteUnit(kind, route()).sets();
    return c;
  }

  Params params() const {
    const RouterTileConfig c = config();
    return {{"NumPorts", c.num_ports},
            {"NumLocal", num_local},
            {"DataW", data_w},
            {"Parity", bit_literal(parity)},
            {"NumVc", num_vc},
            {"Depth", depth},
            {"LocalDepth", local_depth},
            {"HoldPacket", bit_literal(hold_packet)},
            {"CutThrough", bit_literal(cut_through)},
            {"StoreForward", bit_literal(store_forward)},
            {"Age", bit_literal(age)},
            {"OwnAfter", own_after},
            {"Stamps", bit_literal(age || stamps)},
            {"Adaptive", bit_literal(adaptive)},
            {"Pipeline", pipeline},
            {"Sets", RtlValue(fmt::format("16'd{}", c.sets))}};
  }

  /// The route of a header on in-port `port`; beside other flits the route units show anything.
  RouteOut route_of(RandomStream& random, const RouteUnit& unit, unsigned port, const Flit& flit,
                    bool head) const {
    const RouterTileConfig c = config();
    if (head && !any_route) {
      const Header header = Header::unpack(flit.data, c.header);
      return unit.route(port, c.own, header.src, header.dst, (header.tag >> kTagOtherWay & 1) != 0);
    }
    const auto to = static_cast<std::uint32_t>(random.below(c.num_ports));
    if (head && to >= c.num_ports - num_local) return {to, VcSet::kAny};
    if (head && per_dest) return {to, VcSet::kSame};
    const auto vc = static_cast<unsigned>(random.below(std::min(num_vc, kNumberedVcs)));
    return {to,
            random.chance(0.5) ? VcSet{static_cast<std::uint8_t>(random.below(5))} : only_vc(vc)};
  }
};

/// The first ones are small and cover most behaviour, so that a mutation is detected soon.
inline const VcRouterPoint kVcRouterPoints[] = {
    {.max_coords = {6},
     .router = 2,
     .num_local = 2,
     .depth = 9,
     .local_depth = 7,
     .cut_through = true,
     .age = true,
     .dateline = DatelineRule::kBalanced,
     .parity = true},
    {.max_coords = {6}, .router = 6, .num_local = 2, .depth = 5, .store_forward = true},
    {.max_coords = {3, 3}, .router = 5, .depth = 3, .adaptive = true},
    {.max_coords = {2, 2},
     .router = 4,
     .num_local = 2,
     .num_vc = 4,
     .depth = 6,
     .cut_through = true,
     .kind = RouteKind::kMesh,
     .adaptive = true,
     .stamps = true},
    {.max_coords = {6},
     .router = 2,
     .num_local = 2,
     .num_vc = 3,
     .depth = 5,
     .local_depth = 3,
     .any_route = true,
     .pipeline = 3},
    {.max_coords = {3, 3}, .router = 5, .depth = 4, .pipeline = 2},
    {.max_coords = {2, 7},
     .router = 6,
     .depth = 4,
     .kind = RouteKind::kDce,
     .deltas = {0, 1},
     .addr_w = 17},
    {.max_coords = {2, 1, 1, 0, 0}, .router = 2, .depth = 4, .kind = RouteKind::kBoard, .mains = 2},
    {.max_coords = {3, 3}, .router = 5, .addr_w = 19},
    {.max_coords = {3, 3}, .router = 0, .depth = 3, .local_depth = 2, .hold_packet = false},
    {.max_coords = {3, 2}, .router = 6, .num_vc = 1, .depth = 4, .kind = RouteKind::kMesh},
    {.max_coords = {3, 3},
     .router = 10,
     .num_vc = 5,
     .depth = 2,
     .local_depth = 1,
     .hold_packet = false,
     .age = true},
    {.max_coords = {2, 2, 3}, .router = 0x19, .depth = 5},
    {.max_coords = {4, 3},
     .router = 0x11,
     .num_local = 4,
     .num_vc = 4,
     .depth = 6,
     .dateline = DatelineRule::kBalanced,
     .any_route = true,
     .adaptive = true,
     .stamps = true},
    {.max_coords = {3, 3},
     .router = 9,
     .num_local = 4,
     .depth = 20,
     .local_depth = 20,
     .kind = RouteKind::kMesh},
    {.max_coords = {3, 3},
     .router = 9,
     .num_vc = 4,
     .depth = 4,
     .hold_packet = false,
     .age = true,
     .store_forward = true},
    {.max_coords = {4, 4},
     .router = 0x12,
     .num_vc = 25,
     .depth = 2,
     .per_dest = true,
     .any_route = true},
    {.max_coords = {1, 3, 3},
     .router = 9,
     .num_vc = 4,
     .cut_through = true,
     .kind = RouteKind::kDce,
     .deltas = {0, 0, 1}},
    {.max_coords = {3, 7},
     .router = 0x12,
     .num_local = 2,
     .num_vc = 3,
     .depth = 3,
     .hold_packet = false,
     .kind = RouteKind::kDce,
     .parity = true,
     .num_rings = 2,
     .deltas = {0, 2},
     .data_w = 128},
    {.max_coords = {1, 1},
     .router = 2,
     .num_vc = 4,
     .depth = 3,
     .kind = RouteKind::kDce,
     .per_dest = true,
     .deltas = {0, 0}},
    {.max_coords = {7}, .router = 6, .num_local = 2, .num_vc = 1, .kind = RouteKind::kTree},
    {.max_coords = {7},
     .router = 9,
     .num_local = 0,
     .num_vc = 3,
     .depth = 5,
     .cut_through = true,
     .age = true,
     .kind = RouteKind::kTree},
    {.max_coords = {3},
     .router = 1,
     .num_local = 2,
     .num_vc = 4,
     .depth = 3,
     .kind = RouteKind::kOmega,
     .per_dest = true},
    {.max_coords = {7},
     .router = 5,
     .num_local = 0,
     .kind = RouteKind::kOmega,
     .store_forward = true},
    {.max_coords = {2, 1, 3, 1, 0},
     .router = 0x09,
     .depth = 6,
     .cut_through = true,
     .kind = RouteKind::kBoard,
     .mains = 2,
     .is_main = true},
    {.max_coords = {6}, .router = 2, .num_vc = 3, .depth = 4, .any_route = true},
    {.max_coords = {1, 1, 1}, .num_vc = 9, .depth = 4, .cut_through = true, .any_route = true},
    {.max_coords = {6},
     .router = 3,
     .num_local = 2,
     .num_vc = 4,
     .depth = 4,
     .hold_packet = false,
     .age = true,
     .any_route = true,
     .adaptive = true},
    {.max_coords = {3, 3},
     .router = 10,
     .num_vc = 5,
     .depth = 3,
     .local_depth = 1,
     .hold_packet = false,
     .age = true,
     .pipeline = 3},
    {.max_coords = {4, 3},
     .router = 0x11,
     .num_local = 2,
     .num_vc = 4,
     .depth = 6,
     .hold_packet = false,
     .cut_through = true,
     .dateline = DatelineRule::kBalanced,
     .any_route = true,
     .pipeline = 3},
    {.max_coords = {3, 2},
     .router = 6,
     .num_vc = 1,
     .depth = 4,
     .age = true,
     .kind = RouteKind::kMesh,
     .store_forward = true,
     .pipeline = 3},
    {.max_coords = {2, 7},
     .router = 6,
     .depth = 4,
     .kind = RouteKind::kDce,
     .deltas = {0, 1},
     .pipeline = 3},
    {.max_coords = {2, 1, 1, 0, 0},
     .router = 2,
     .depth = 4,
     .kind = RouteKind::kBoard,
     .mains = 2,
     .pipeline = 2},
    {.max_coords = {4, 4},
     .router = 0x12,
     .num_vc = 25,
     .depth = 2,
     .per_dest = true,
     .pipeline = 3},
    {.max_coords = {3, 3},
     .router = 6,
     .depth = 5,
     .hold_packet = false,
     .cut_through = true,
     .any_route = true,
     .pipeline = 2},
    {.max_coords = {3, 3}, .router = 5, .depth = 3, .adaptive = true, .pipeline = 2},
    {.max_coords = {6}, .router = 2, .num_vc = 4, .store_forward = true, .adaptive = true},
    {.max_coords = {3, 3}, .router = 9, .depth = 20, .kind = RouteKind::kMesh, .pipeline = 3},
    // With no link to a neighbour, and with one.
    {.max_coords = {3}, .num_local = 4, .depth = 4, .kind = RouteKind::kTable, .any_route = true},
    {.max_coords = {7},
     .num_local = 3,
     .depth = 4,
     .kind = RouteKind::kTable,
     .any_route = true,
     .adaptive = true,
     .num_links = 1},
    // The node's own packets like all others, and long after them.
    {.max_coords = {3, 3}, .router = 5, .depth = 4, .own_after = 0},
    {.max_coords = {6}, .router = 2, .num_local = 2, .depth = 5, .pipeline = 3, .own_after = 255},
};

}  // namespace weft::tb
