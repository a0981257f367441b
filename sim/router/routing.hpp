// Routing of a tile (rtl/router/README.md, routing algorithms): which routes packets may take, and
// how a tile's blocks find them.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>

#include "sim/packet/packet.hpp"
#include "sim/router/route/route_class.hpp"
#include "sim/router/route/route_load.hpp"
#include "sim/router/route/route_minimal.hpp"
#include "sim/router/route/route_phase.hpp"
#include "sim/router/route/route_unit.hpp"
#include "sim/router/route/route_waypoint.hpp"
#include "sim/router/tile_config.hpp"

namespace weft {

/// VCs of class 0 if a route unit gives the sets `sets` (set_mask) on links to neighbours: half of
/// them. With ugal, where most packets have class 1, one for each set that must be distinguished.
inline unsigned low_vcs(Routing routing, std::uint32_t sets, unsigned num_vc) {
  const std::uint32_t halves = set_mask(VcSet::kLow) | set_mask(VcSet::kHigh);
  const bool few = routing == Routing::kUgal && (sets & ~halves) == 0;
  return few ? std::min(2u, num_vc / 2) : num_vc / 2;
}

/// Whether stamps determine the route of a packet, or its VC: classes of messages use one of
/// several VCs instead of low or high.
inline bool by_stamp(Routing routing, std::uint32_t sets, unsigned num_vc) {
  const bool halves = (sets & (set_mask(VcSet::kLow) | set_mask(VcSet::kHigh))) != 0;
  return by_waypoint(routing) || (routing == Routing::kMessageClasses && halves && num_vc > 4);
}

/// VC sets on links to neighbours (set_mask) of a tile whose route unit gives `sets`; sets of
/// further routes are not included.
inline std::uint32_t tile_sets(Routing routing, std::uint32_t sets, unsigned num_vc,
                               unsigned low_vc) {
  if (!has_classes(routing)) return sets;
  const RouteClass block({num_vc, low_vc});
  const bool stamps = by_stamp(routing, sets, num_vc);
  std::uint32_t all = 0;
  for (std::uint32_t left = sets; left != 0; left &= left - 1) {
    const auto set = static_cast<VcSet>(std::countr_zero(left));
    for (std::uint32_t stamp = 0; stamp < 1u << RouteClass::kStampBits; ++stamp) {
      // Without stamps there is only one case.
      if (stamp != 0 && !stamps) break;
      for (const bool cls : {false, true}) {
        if (cls && routing == Routing::kMinimalAdaptive) continue;
        all |= set_mask(block.eval({cls, set, stamp}).set);
      }
    }
  }
  return all;
}

/// A tile's own position for routing.
struct TilePlace {
  unsigned num_vc = 2, low_vc = 1;        ///< VCs of a link; VCs of class 0.
  unsigned num_links = 4, num_local = 1;  ///< Ports to neighbours, which come first; local ports.
  std::uint32_t own = 0;                  ///< Own address.
};
/// What routing sees of a header.
struct TileHeader {
  std::uint32_t port = 0;  ///< In-port.
  std::uint32_t src = 0, dst = 0;
  bool other_way = false;
  std::uint32_t vc = 0;     ///< VC on which it arrived.
  std::uint32_t stamp = 0;  ///< Stamp; 0 without stamps.
};
/// Result of routing a header: its route, further routes (out-ports, one bit each), and with
/// valiant and ugal its class from here on.
struct TileRouted {
  RouteOut out;
  std::uint64_t minimal = 0;
  bool cls = false;
};

/// The routing of a tile around its route unit; with ugal it has queues as its state. `BlockT<B>`:
/// computes block B; it is made from B's PortConfig and has an `eval`, or `out` and `step`, as B.
template <template <class> class BlockT>
class TileRoutingOf {
 public:
  /// `load_w`: bits of a queue's length in the RTL; `addr_w`: bits of an address there;
  /// `form`: further arguments of the blocks' constructors. Throws ConfigError as the blocks do.
  template <class... Form>
  TileRoutingOf(Routing routing, RouteKind kind, const RouteConfig& route, const TilePlace& place,
                unsigned load_w, unsigned addr_w, const Form&... form)
      : routing_(routing), place_(place) {
    if (by_waypoint(routing)) {
      waypoint_.emplace(RouteWaypoint::PortConfig{route, addr_w}, form...);
      phase_.emplace(RoutePhase::Config{place.num_vc, place.low_vc, place.num_links,
                                        place.num_local, load_w, routing == Routing::kUgal},
                     form...);
    } else if (has_classes(routing)) {
      class_.emplace(RouteClass::Config{place.num_vc, place.low_vc}, form...);
    }
    if (routing == Routing::kUgal) {
      loads_.emplace(
          RouteLoad::Config{place.num_vc, place.low_vc, place.num_links, place.num_local, load_w},
          form...);
    }
    if (routing == Routing::kMinimalAdaptive) {
      minimal_.emplace(
          RouteMinimal::PortConfig{route, kind == RouteUnit::kind_of<RouteTorus>(), addr_w},
          form...);
    }
  }

  void reset() {
    if (loads_) loads_->reset();
  }
  /// With ugal: the loads of the links; else null.
  const BlockT<RouteLoad>* loads() const { return loads_ ? &*loads_ : nullptr; }
  /// As RouterTileOf::load.
  template <template <class> class OtherT>
  void load(const TileRoutingOf<OtherT>& model, std::uint32_t now) {
    if (loads_) loads_->load(*model.loads_, now);
  }

  /// Routes a header. `ask(port, src, dst, reverse)`: the answer of the route unit.
  template <class Ask>
  TileRouted route(const TileHeader& in, Ask ask) {
    if (!has_classes(routing_)) return {ask(in.port, in.src, in.dst, false)};
    const bool local = in.port >= place_.num_links, cls = in.vc >= place_.low_vc;
    const auto asked = [&](std::uint32_t port, std::uint32_t dst, bool reverse) {
      return ask(port, place_.own, dst, reverse);
    };
    switch (routing_) {
      case Routing::kMessageClasses:
        return {in_class(ask(in.port, in.src, in.dst, false), cls, in.stamp)};
      case Routing::kO1turn:
        return {in_class(asked(in.port, in.dst, cls), cls, in.stamp)};
      case Routing::kMinimalAdaptive:
        return {in_class(asked(in.port, in.dst, false), false, in.stamp),
                minimal_->eval({place_.own, in.dst}).mask};
      default:
        break;
    }
    const bool injected = local || !cls;
    const RouteOut way = asked(in.port, waypoint_->eval({in.stamp, in.src}).waypoint, false);
    // A router without local ports is no waypoint.
    const std::uint32_t first = local ? in.port : place_.num_local != 0 ? place_.num_links : 0;
    const RouteOut on = asked(injected ? first : in.port, in.dst, false);
    const LinkLoads loads = loads_ ? loads_->out() : LinkLoads{};
    const RoutePhase::Out taken = phase_->eval({local, cls, way, on, in.stamp, loads});
    return {taken.way, 0, taken.cls};
  }
  /// With kUgal: whether the next flit on a VC of in-port `port` counts as a header in the queues.
  /// To the router it need not be one, if that has lost a flit.
  bool counts(unsigned port, unsigned vc) const { return loads_->expects_head(port, vc); }
  /// The clock edge, after all headers of a cycle have been routed; only with kUgal.
  void step(const RouteLoad::In& in) { loads_->step(in); }

  /// The state: what a checkpoint keeps.
  template <class Archive>
  void serialize(Archive& archive) {
    if (loads_) archive(*loads_);
  }

 private:
  template <template <class> class>
  friend class TileRoutingOf;

  RouteOut in_class(const RouteOut& out, bool cls, std::uint32_t stamp) {
    if (out.port >= place_.num_links) return {out.port, VcSet::kAny};
    return {out.port, class_->eval({cls, out.set, stamp}).set};
  }

  Routing routing_;
  TilePlace place_;
  std::optional<BlockT<RouteClass>> class_;
  std::optional<BlockT<RoutePhase>> phase_;
  std::optional<BlockT<RouteLoad>> loads_;
  std::optional<BlockT<RouteWaypoint>> waypoint_;
  std::optional<BlockT<RouteMinimal>> minimal_;
};

/// The model of a block.
template <class Block>
using ModelBlock = Block;
using TileRouting = TileRoutingOf<ModelBlock>;

}  // namespace weft
