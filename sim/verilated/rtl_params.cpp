// Parameters of the RTL blocks.
#include "sim/verilated/rtl_params.hpp"

#include <fmt/format.h>

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
#include "sim/router/tile_ports.hpp"

namespace weft {

namespace {

void add_windows(unsigned windows, PacketForm form, RtlParams& params) {
  if (form.key_w == 0) return;
  params.insert(params.end(), {{"Windows", windows}, {"KeyW", form.key_w}});
}

RtlParams params_of(const Nic::Config& nic) {
  RtlParams params = {{"DataW", nic.header.data_w},      {"Parity", int{nic.parity}},
                      {"PacketFlits", nic.packet_flits}, {"NumCtrl", nic.num_ctrl},
                      {"QueueDepth", nic.queue_depth},   {"AddrW", nic.header.addr_w}};
  if (nic.reduce) params.emplace_back("Reduce", 1);
  if (nic.timed) params.emplace_back("Timed", 1);
  if (nic.mem_ready) params.emplace_back("MemReady", 1);
  add_windows(nic.windows, nic.header, params);
  if (nic.slots != 0) {
    params.insert(params.end(),
                  {{"Slots", nic.slots}, {"NumAddr", nic.addresses}, {"Timeout", nic.timeout}});
  }
  if (nic.rx_depth != kRxDepth) params.emplace_back("RxDepth", nic.rx_depth);
  if (!nic.credit) return params;
  params.insert(params.end(), {{"Credit", 1},
                               {"NumVc", nic.num_vc},
                               {"VcDepth", nic.vc_depth},
                               {"ByDest", int{nic.by_dest}},
                               {"Age", int{nic.age}}});
  if (nic.in_order) params.emplace_back("InOrder", 1);
  if (nic.keeps_order) params.emplace_back("KeepsOrder", 1);
  if (nic.classes) params.emplace_back("Classes", 1);
  if (nic.by_dest) {
    params.emplace_back("NumDims", nic.max_coords.size());
    params.emplace_back("MaxCoords", RtlValue(digits_literal(nic.max_coords)));
  }
  return params;
}

RtlParams params_of(const Crossbar::PortConfig& crossbar) {
  return {{"NumOut", crossbar.num_out},
          {"Detour", crossbar.detour ? 1 : 0},
          {"NumIn", crossbar.num_in},
          {"FirstIn", crossbar.first_in},
          {"InDepth", crossbar.in_depth},
          {"OutDepth", crossbar.out_depth},
          {"Route", static_cast<unsigned>(crossbar.route)},
          {"DigitLsb", crossbar.digit_lsb},
          {"DigitW", crossbar.digit_w},
          {"AddrW", crossbar.header.addr_w},
          {"FlitW", kFlitWidth(crossbar)}};
}

RtlParams params_of(const VcRouter::PortConfig& router) {
  RtlParams params = {{"DataW", router.data_w},
                      {"Parity", int{router.parity}},
                      {"NumPorts", router.num_ports},
                      {"NumLocal", router.num_local},
                      {"NumVc", router.num_vc},
                      {"Depth", router.depth},
                      {"LocalDepth", router.local_depth},
                      {"HoldPacket", int{router.hold_packet}},
                      {"CutThrough", int{router.cut_through}},
                      {"StoreForward", int{router.store_forward}},
                      {"Age", int{router.age}},
                      {"OwnAfter", router.own_after},
                      {"Sets", RtlValue(fmt::format("{}'h{:x}", kVcSets, router.sets))}};
  if (router.stamps) params.emplace_back("Stamps", 1);
  if (router.adaptive) params.emplace_back("Adaptive", 1);
  if (router.pipeline != 1) params.emplace_back("Pipeline", router.pipeline);
  return params;
}

RtlParams params_of(const RouteUnit::PortConfig& unit) {
  RtlParams params = {{"AddrW", unit.width()}};
  for (const auto& [name, value] : RouteUnit::params(unit.kind, unit.config)) {
    params.emplace_back(name, RtlValue(value));
  }
  return params;
}

RtlParams params_of(const RouteWaypoint::PortConfig& block) {
  RtlParams params = {{"AddrW", block.addr_w}};
  for (const auto& [name, value] : RouteWaypoint::params(block.config)) {
    params.emplace_back(name, RtlValue(value));
  }
  return params;
}

RtlParams params_of(const RouteMinimal::PortConfig& block) {
  RtlParams params = {{"AddrW", block.addr_w}};
  for (const auto& [name, value] : RouteMinimal::params(block.config, block.wrap)) {
    params.emplace_back(name, RtlValue(value));
  }
  return params;
}

RtlParams params_of(const RouteClass::Config& block) {
  return {{"NumVc", block.num_vc}, {"LowVc", block.low_vc}};
}

RtlParams params_of(const RoutePhase::Config& block) {
  return {{"NumVc", block.num_vc},       {"LowVc", block.low_vc}, {"NumLinks", block.num_links},
          {"NumLocal", block.num_local}, {"LoadW", block.load_w}, {"Ugal", int{block.ugal}}};
}

RtlParams params_of(const RouteLoad::Config& block) {
  return {{"NumVc", block.num_vc},
          {"LowVc", block.low_vc},
          {"NumLinks", block.num_links},
          {"NumLocal", block.num_local},
          {"LoadW", block.load_w}};
}

RtlParams params_of(const BarrierUnit::Config& unit) {
  return {{"NumChild", unit.num_child},
          {"IsRoot", int{unit.is_root}},
          {"HoldCycles", unit.hold_cycles},
          {"MaxFlight", unit.max_flight}};
}

RtlParams params_of(const CombineUnit::Config& unit) {
  return {{"NumChild", unit.num_child},
          {"IsRoot", int{unit.is_root}},
          {"Depth", unit.depth},
          {"DataW", unit.data_w}};
}

RtlParams params_of(const LinkStage::Config& link) {
  return {{"Stages", link.stages},
          {"FlitW", kFlitWidth(link)},
          {"VcW", index_width(link.num_vc)},
          {"BackW", link.lines()},
          {"CheckW", link.check_w}};
}

RtlParams params_of(const LinkForm& link) {
  return {{"FlitW", kFlitWidth(link)},
          {"VcW", index_width(link.field_vcs)},
          {"NumVc", link.num_vc},
          {"Depth", link.depth}};
}

RtlParams params_of(const LinkTx::Config& link) {
  RtlParams params = params_of(static_cast<const LinkForm&>(link));
  params.insert(params.end(), {{"Timeout", link.timeout}, {"Limit", link.limit}});
  return params;
}

RtlParams params_of(const GuardForm& link) {
  return {{"FlitW", kFlitWidth(link)},
          {"VcW", link.vc_w()},
          {"NumVc", link.num_vc},
          {"Depth", link.depth}};
}

RtlParams params_of(const GuardRx::Config& link) {
  RtlParams params = params_of(static_cast<const GuardForm&>(link));
  params.insert(params.end(), {{"NumDims", link.max_coords.size()},
                               {"MaxCoords", RtlValue(digits_literal(link.max_coords))},
                               {"AddrW", link.addr_w}});
  return params;
}

RtlParams params_of(const CreditGate::Config& link) {
  return {{"FlitW", kFlitWidth(link)}, {"Depth", link.depth}};
}

RtlParams params_of(const CreditFifo::Config& link) {
  return {{"FlitW", kFlitWidth(link)}, {"Depth", link.depth}};
}

RtlParams params_of(const AxiNic::Config& node) {
  Nic::Config nic = node.nic;
  nic.mem_ready = false;  // Always; not a parameter of the module.
  RtlParams params = params_of(nic);
  params.insert(params.end(), {{"Barrier", int{node.barrier}},
                               {"MemFlits", node.mem_flits},
                               {"AxiAddrW", node.axi_addr_w}});
  return params;
}

RtlParams params_of(const RegisterBlock::Config& block) {
  RtlParams params = {{"DataW", block.header.data_w},    {"AddrW", block.header.addr_w},
                      {"NumCtrl", block.num_ctrl},       {"NumLinks", block.num_links},
                      {"QueueDepth", block.queue_depth}, {"Timed", int{block.timed}},
                      {"Reduce", int{block.reduce}},     {"Barrier", int{block.barrier}},
                      {"Combine", int{block.combine}},   {"MemFlits", block.mem_flits}};
  add_windows(block.windows, block.header, params);
  if (block.header.id_w != 0) params.emplace_back("IdW", block.header.id_w);
  return params;
}

}  // namespace

template <class Config>
RtlParams rtl_params(const Config& config) {
  return params_of(config);
}
template RtlParams rtl_params(const Nic::Config&);
template RtlParams rtl_params(const Crossbar::PortConfig&);
template RtlParams rtl_params(const VcRouter::PortConfig&);
template RtlParams rtl_params(const RouteUnit::PortConfig&);
template RtlParams rtl_params(const RouteWaypoint::PortConfig&);
template RtlParams rtl_params(const RouteMinimal::PortConfig&);
template RtlParams rtl_params(const RouteClass::Config&);
template RtlParams rtl_params(const RoutePhase::Config&);
template RtlParams rtl_params(const RouteLoad::Config&);
template RtlParams rtl_params(const BarrierUnit::Config&);
template RtlParams rtl_params(const CombineUnit::Config&);
template RtlParams rtl_params(const LinkStage::Config&);
template RtlParams rtl_params(const LinkForm&);
template RtlParams rtl_params(const LinkTx::Config&);
template RtlParams rtl_params(const GuardForm&);
template RtlParams rtl_params(const GuardRx::Config&);
template RtlParams rtl_params(const CreditGate::Config&);
template RtlParams rtl_params(const CreditFifo::Config&);
template RtlParams rtl_params(const AxiNic::Config&);
template RtlParams rtl_params(const RegisterBlock::Config&);

std::string parameter_list(const RtlParams& params) {
  std::string text;
  for (const auto& [name, value] : params) {
    text += fmt::format("{}\n    .{:<12}({})", text.empty() ? "#(" : ",", name, value.text);
  }
  return text + "\n  )";
}

}  // namespace weft
