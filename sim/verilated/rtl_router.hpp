// Verilated router and route units with the models' interfaces, and their cosimulation pairs.
#pragma once

#include "sim/router/route/route_class.hpp"
#include "sim/router/route/route_load.hpp"
#include "sim/router/route/route_minimal.hpp"
#include "sim/router/route/route_phase.hpp"
#include "sim/router/route/route_unit.hpp"
#include "sim/router/route/route_waypoint.hpp"
#include "sim/router/router_tile.hpp"
#include "sim/router/tile_ports.hpp"
#include "sim/router/vc_router.hpp"
#include "sim/verilated/rtl_block.hpp"

namespace weft {

extern template class RtlBlock<VcRouter>;
extern template class RtlBlock<RouteLoad>;

/// Verilated `vc_router`.
class RtlRouter : public RtlBlock<VcRouter> {
 public:
  RtlRouter(const RouterTileConfig& config, bool parity, RtlForm form)
      : RtlBlock("vc_router", {config, parity, config.header.data_w}, form),
        words_(VcRouter::words(config.num_vc)) {
    note_valid();
  }

  VcRouter::Out out() const {
    return {held().tx.data(), tx_valid_, held().credit.data(), credits_};
  }
  /// Whether a step without flits and credits would change nothing, and nothing is on the outputs.
  bool quiet() const { return at_rest() && silent_; }
  /// Continues from the state of `model`; `now`: as for load_registers.
  void load(const VcRouter& model, std::uint32_t now) {
    load_state(model, now);
    note_valid();
    silent_ = false;
  }
  void step(const VcRouter::In& in) {
    if (edge(in)) note_valid();
    silent_ = at_rest() && no_inputs(in) && (tx_valid_ | credits_) == 0;
  }

 private:
  void note_valid();
  bool no_inputs(const VcRouter::In& in) const;

  unsigned words_;
  std::uint64_t tx_valid_ = 0, credits_ = 0;
  bool silent_ = false;  // Nothing was on the inputs of the last step, and nothing is on the
                         // outputs.
};

/// A Verilated block without a clock, beside a route unit; these blocks have no assertions.
template <class Block>
class RtlRouteBlock {
 public:
  explicit RtlRouteBlock(const typename Block::PortConfig& config)
      : rtl_(RtlLibrary::load({rtl_module(Block::kBlock), rtl_params(config), false, {}})),
        ports_(rtl_, Block::kBlock, config) {}

  typename Block::Out eval(const typename Block::In& in) {
    ports_.drive(in);
    rtl_.eval();
    typename Block::Out out;
    ports_.sample(out);
    return out;
  }
  /// Throws Difference at the first output that differs from `model`.
  void check(const typename Block::Out& model) const {
    ports_.compare(model, [](PortDifference what) {
      what.shown = std::string(Block::kBlock) + "." + what.shown;
      throw Difference(what);
    });
  }
  const RtlInstance& instance() const { return rtl_; }

 private:
  RtlInstance rtl_;
  RtlPorts<Block> ports_;
};

/// A Verilated block beside a route unit, with its model; compared for each packet.
template <class Block>
class CosimRouteBlock {
 public:
  explicit CosimRouteBlock(const typename Block::PortConfig& config)
      : model_(config), rtl_(config) {}

  typename Block::Out eval(const typename Block::In& in) {
    const typename Block::Out model = model_.eval(in);
    rtl_.eval(in);
    rtl_.check(model);
    return model;
  }

 private:
  Block model_;
  RtlRouteBlock<Block> rtl_;
};

/// Verilated `route_load`.
class RtlRouteLoad : public RtlBlock<RouteLoad> {
 public:
  RtlRouteLoad(const RouteLoad::Config& config, RtlForm form)
      : RtlBlock("route_load", config, form) {}

  RouteLoad::Out out() const { return held().out(); }
  /// Continues from the state of `model`; `now`: as for load_registers.
  void load(const RouteLoad& model, std::uint32_t now) { load_state(model, now); }
  void step(const RouteLoad::In& in) { edge(in); }
};
template <>
class RtlRouteBlock<RouteLoad> : public RtlRouteLoad {
 public:
  explicit RtlRouteBlock(const RouteLoad::Config& config) : RtlRouteLoad(config, false) {}
};
template <>
class CosimRouteBlock<RouteLoad> : public CosimPair<RouteLoad, RtlRouteLoad> {
 public:
  explicit CosimRouteBlock(const RouteLoad::Config& config) : CosimPair(config, true) {}
};

/// The Verilated route units of a tile. They are combinational and differ only in the table, so
/// that one instance serves all in-ports.
class RtlTileRoute {
 public:
  using Routing = TileRoutingOf<RtlRouteBlock>;

  /// A constructor like those of an engine's other blocks; route units have no assertions.
  explicit RtlTileRoute(const RouterTileConfig& config);
  RouteOut operator()(std::uint32_t port, std::uint32_t own, std::uint32_t src, std::uint32_t dst,
                      bool other_way, bool reverse);
  const RtlInstance& instance() const { return rtl_; }

 private:
  RtlInstance rtl_;
  RtlPorts<RouteUnit> ports_;
  std::vector<std::vector<std::uint64_t>> tables_;  // By in-port, if the unit has tables.
};

/// Verilated route units with their model; compared for each flit, as if it were a header.
class CosimTileRoute {
 public:
  using Routing = TileRoutingOf<CosimRouteBlock>;

  explicit CosimTileRoute(const RouterTileConfig& config) : model_(config), rtl_(config) {}
  RouteOut operator()(std::uint32_t port, std::uint32_t own, std::uint32_t src, std::uint32_t dst,
                      bool other_way, bool reverse);
  const RtlTileRoute& rtl() const { return rtl_; }

 private:
  TileRoute model_;
  RtlTileRoute rtl_;
};

/// Tiles of Verilated routers. Arguments: `parity`, and whether to check assertions.
using RtlRouterTile = RouterTileOf<RtlRouter, RtlTileRoute>;
using CosimRouterTile = RouterTileOf<CosimPair<VcRouter, RtlRouter>, CosimTileRoute>;

}  // namespace weft
