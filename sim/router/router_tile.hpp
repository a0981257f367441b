// A router with its route units (rtl/router/README.md, tile): the element of a network.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/router/route/route_unit.hpp"
#include "sim/router/routing.hpp"
#include "sim/router/tile_config.hpp"
#include "sim/router/vc_router.hpp"

namespace weft {

/// `RouterT`: a router, or a type that steps as one; `RouteT`: the route units of its in-ports,
/// called with what they see of a header; `RouteT::Routing`: a TileRoutingOf, the blocks around
/// them; `RouteT::Form`, if there is one: that argument of the router's is one of theirs, too.
template <class RouterT, class RouteT>
class RouterTileOf {
 public:
  using Config = RouterTileConfig;
  using In = RouterTileIn;

  /// Throws ConfigError if a value is out of range or contradicts another. `more`: further
  /// arguments of the router's constructor.
  template <class... More>
  explicit RouterTileOf(const Config& config, const More&... more)
      : header_(config.header),
        own_(config.own),
        router_(config, more...),
        unit_(with_form(
            [&](const auto&... form) {
              config.check();
              return RouteT(config, form...);
            },
            more...)),
        routing_(with_form(
            [&](const auto&... form) {
              return typename RouteT::Routing(
                  config.routing, config.route_kind, config.route,
                  {config.num_vc, config.low_vc, config.num_ports - config.num_local,
                   config.num_local, config.own},
                  config.load_w(), config.header.addr_w, form...);
            },
            more...)),
        direct_(config.routing == Routing::kDirect),
        route_(config.num_ports),
        minimal_(config.num_ports),
        arrivals_(config.routing == Routing::kUgal ? config.num_ports : 0) {}

  void reset() {
    router_.reset();
    routing_.reset();
  }
  decltype(auto) out() const { return router_.out(); }
  bool quiet() const { return router_.quiet(); }
  bool empty(unsigned port) const requires requires(const RouterT& router) { router.empty(port); }
  { return router_.empty(port); }
  const RouterT& router() const { return router_; }
  const auto& routing() const { return routing_; }

  /// Continues from the state of a tile of models with the same configuration; `now`: cycles since
  /// reset.
  template <class OtherRouter, class OtherRoute>
  void load(const RouterTileOf<OtherRouter, OtherRoute>& model, std::uint32_t now) {
    router_.load(model.router_, now);
    routing_.load(model.routing_, now);
  }

  /// One clock edge. `in` may not point into this tile's own outputs.
  void step(const In& in) {
    for (std::uint64_t left = in.rx_valid; left != 0; left &= left - 1) {
      const auto p = static_cast<unsigned>(std::countr_zero(left));
      if (!arrivals_.empty()) arrivals_[p] = {true, in.rx[p].last, in.rx[p].vc};
      if constexpr (requires { router_.expects_head(p, 0u); }) {
        const bool counts = !arrivals_.empty() && routing_.counts(p, in.rx[p].vc);
        if (!router_.expects_head(p, in.rx[p].vc) && !counts) continue;
      }
      const Header header = Header::unpack(in.rx[p].data, header_);
      const bool other_way = (header.tag >> kTagOtherWay & 1) != 0;
      if (direct_) {
        route_[p] = unit_(p, own_, header.src, header.dst, other_way, false);
        continue;
      }
      const auto ask = [&](std::uint32_t port, std::uint32_t src, std::uint32_t dst, bool reverse) {
        return unit_(port, own_, src, dst, other_way, reverse);
      };
      const TileRouted routed =
          routing_.route({p, header.src, header.dst, other_way, in.rx[p].vc, in.rx[p].stamp}, ask);
      route_[p] = routed.out;
      minimal_[p] = routed.minimal;
      if (arrivals_.empty()) continue;
      arrivals_[p].len = header.len;
      arrivals_[p].port = routed.out.port;
      arrivals_[p].cls = routed.cls;
    }
    if (!arrivals_.empty()) {
      routing_.step({arrivals_.data(), in.credit});
      std::fill(arrivals_.begin(), arrivals_.end(), RouteLoad::Arrival{});
    }
    router_.step(
        {in.rx, in.rx_valid, route_.data(), in.credit, in.now, in.credit_ports, minimal_.data()});
  }

  /// The state: what a checkpoint keeps.
  template <class Archive>
  requires requires(RouterT& router, Archive& archive) { router.serialize(archive); }
  void serialize(Archive& archive) { archive(router_, routing_); }

 private:
  template <class, class>
  friend class RouterTileOf;

  // Calls `make` with the RouteT::Form among the arguments, or with none.
  template <class Make, class... More>
  static auto with_form(const Make& make, const More&... more) {
    if constexpr (requires { typename RouteT::Form; }) {
      return make(std::get<const typename RouteT::Form&>(std::tie(more...)));
    } else {
      return make();
    }
  }

  PacketForm header_;
  std::uint32_t own_;
  RouterT router_;
  RouteT unit_;
  typename RouteT::Routing routing_;
  bool direct_;
  std::vector<RouteOut> route_;               // By in-port: route of the header that arrives.
  std::vector<std::uint64_t> minimal_;        // By in-port: further routes of the header that
                                              // arrives.
  std::vector<RouteLoad::Arrival> arrivals_;  // With ugal, by in-port.
};

/// The model of a tile's route units, which have no state.
class TileRoute {
 public:
  using Routing = TileRouting;
  explicit TileRoute(const RouterTileConfig& config) : unit_(config.route_kind, config.route) {}
  template <class... Header>
  [[gnu::always_inline]] RouteOut operator()(const Header&... header) const {
    return unit_.route(header...);
  }

 private:
  RouteUnit unit_;
};

}  // namespace weft
