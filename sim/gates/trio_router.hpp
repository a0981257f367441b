// Routers with their route units three times: models, Verilated RTL and gates.
#pragma once

#include "sim/gates/cosim_trio.hpp"
#include "sim/verilated/rtl_router.hpp"

namespace weft {

/// A block beside a route unit, three times; compared for each packet.
template <class Block>
class TrioRouteBlock {
 public:
  TrioRouteBlock(const typename Block::PortConfig& config, const TrioForm& form)
      : model_(config), rtl_(config), gates_(rtl_.instance(), form.liberty) {}

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
  TrioRouteBlock(const RouteLoad::Config& config, const TrioForm& form)
      : CosimTrio(config, TrioForm{true, form.liberty}) {}
};

/// Route units three times; compared for each flit, as if it were a header.
class TrioTileRoute {
 public:
  using Form = TrioForm;
  using Routing = TileRoutingOf<TrioRouteBlock>;

  TrioTileRoute(const RouterTileConfig& config, const TrioForm& form)
      : pair_(config), gates_(pair_.rtl().instance(), form.liberty) {}
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

/// Tiles of routers three times. Arguments: `parity`, and a TrioForm.
using TrioRouterTile = RouterTileOf<CosimTrio<VcRouter, RtlRouter>, TrioTileRoute>;

}  // namespace weft
