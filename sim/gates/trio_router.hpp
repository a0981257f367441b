// Routers with their route units three times: models, Verilated RTL and gates.
#pragma once

#include "sim/gates/cosim_trio.hpp"
#include "sim/verilated/rtl_router.hpp"

namespace weft {

/// A block beside a route unit, three times; compared for each packet.
template <class Block>
class TrioRouteBlock {
 public:
  explicit TrioRouteBlock(const typename Block::PortConfig& config)
      : model_(config), rtl_(config), gates_(rtl_.instance()) {}

  typename Block::Out eval(const typename Block::In& in) {
    const typename Block::Out model = model_.eval(in);
    rtl_.eval(in);
    gates_.settle();
    try {
      rtl_.check(model);
    } catch (const Difference& difference) {
      gates_.explain(difference);
    }
    gates_.check();
    return model;
  }

 private:
  Block model_;
  RtlRouteBlock<Block> rtl_;
  GateCheck gates_;
};
template <>
class TrioRouteBlock<RouteLoad> : public CosimTrio<RouteLoad, RtlRouteLoad> {
 public:
  explicit TrioRouteBlock(const RouteLoad::Config& config)
      : CosimTrio(config, RtlForm(true, /*with_registers=*/true)) {}
};

/// Route units three times; compared for each flit, as if it were a header.
class TrioTileRoute {
 public:
  using Routing = TileRoutingOf<TrioRouteBlock>;

  explicit TrioTileRoute(const RouterTileConfig& config)
      : pair_(config), gates_(pair_.rtl().instance()) {}
  RouteOut operator()(std::uint32_t port, std::uint32_t own, std::uint32_t src, std::uint32_t dst,
                      bool other_way, bool reverse) {
    RouteOut out;
    try {
      out = pair_(port, own, src, dst, other_way, reverse);
    } catch (const Difference& difference) {
      gates_.settle();
      gates_.explain(difference);
    }
    gates_.settle();
    gates_.check();
    return out;
  }

 private:
  CosimTileRoute pair_;
  GateCheck gates_;
};

/// Tiles of routers three times. Arguments: `parity`, and an RtlForm with registers.
using TrioRouterTile = RouterTileOf<CosimTrio<VcRouter, RtlRouter>, TrioTileRoute>;

}  // namespace weft
