// Parameters of the RTL blocks, by their SystemVerilog names.
#pragma once

#include <memory>

#include "sim/barrier/barrier_unit.hpp"
#include "sim/bus/axi_nic.hpp"
#include "sim/bus/register_block.hpp"
#include "sim/combine/combine_unit.hpp"
#include "sim/crossbar/crossbar.hpp"
#include "sim/link/credit_fifo.hpp"
#include "sim/link/credit_gate.hpp"
#include "sim/link/guard_rx.hpp"
#include "sim/link/link_stage.hpp"
#include "sim/link/link_tx.hpp"
#include "sim/nic/nic.hpp"
#include "sim/router/router_tile.hpp"
#include "sim/verilated/verilate.hpp"

namespace weft {

RtlParams rtl_params(const Nic::Config& nic);
RtlParams rtl_params(const Crossbar::PortConfig& crossbar);
RtlParams rtl_params(const VcRouter::PortConfig& router);
RtlParams rtl_params(const RouteUnit::PortConfig& unit);
RtlParams rtl_params(const RouteWaypoint::PortConfig& block);
RtlParams rtl_params(const RouteMinimal::PortConfig& block);
RtlParams rtl_params(const RouteClass::Config& block);
RtlParams rtl_params(const RouteLoad::Config& block);
RtlParams rtl_params(const RoutePhase::Config& block);
RtlParams rtl_params(const BarrierUnit::Config& unit);
RtlParams rtl_params(const CombineUnit::Config& unit);
RtlParams rtl_params(const LinkStage::Config& link);
RtlParams rtl_params(const LinkForm& link);
RtlParams rtl_params(const LinkTx::Config& link);
RtlParams rtl_params(const GuardForm& link);
RtlParams rtl_params(const GuardRx::Config& link);
RtlParams rtl_params(const CreditGate::Config& link);
RtlParams rtl_params(const CreditFifo::Config& link);
RtlParams rtl_params(const AxiNic::Config& node);
RtlParams rtl_params(const RegisterBlock::Config& block);

/// The route units of a tile, as their port table and parameters see them.
RouteUnit::PortConfig route_ports(const RouterTileConfig& router);

/// Text of a module's parameter list, `#(...)`, indented for an instance.
std::string parameter_list(const RtlParams& params);

}  // namespace weft
