// Parameters of the RTL blocks.
#include "sim/verilated/rtl_params.hpp"

#include <fmt/format.h>

namespace weft {
namespace {

// Maximum coordinates as one literal, kDigitParamW bits each, dimension 0 lowest.
RtlValue digits_literal(const std::vector<std::uint32_t>& max_coords) {
  std::string digits;
  for (auto last = max_coords.rbegin(); last != max_coords.rend(); ++last) {
    digits += fmt::format("{:0{}x}", *last, kDigitParamW / 4);
  }
  return RtlValue(fmt::format("{}'h{}", kDigitParamW * max_coords.size(), digits));
}

}  // namespace

RtlParams rtl_params(const Nic::Config& nic) {
  RtlParams params = {{"DataW", kFlitBytes * 8},         {"Parity", int{nic.parity}},
                      {"PacketFlits", nic.packet_flits}, {"NumCtrl", nic.num_ctrl},
                      {"QueueDepth", nic.queue_depth},   {"AddrW", nic.header.addr_w}};
  if (nic.reduce) params.emplace_back("Reduce", 1);
  if (nic.timed) params.emplace_back("Timed", 1);
  if (!nic.credit) return params;
  params.insert(params.end(), {{"Credit", 1},
                               {"NumVc", nic.num_vc},
                               {"VcDepth", nic.vc_depth},
                               {"ByDest", int{nic.by_dest}},
                               {"Age", int{nic.age}}});
  if (nic.in_order) {
    params.insert(params.end(), {{"InOrder", 1}, {"KeepsOrder", int{nic.keeps_order}}});
  }
  if (nic.by_dest) {
    params.emplace_back("NumDims", nic.max_coords.size());
    params.emplace_back("MaxCoords", digits_literal(nic.max_coords));
  }
  return params;
}

RtlParams rtl_params(const Crossbar::PortConfig& crossbar) {
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
          {"FlitW", flit_width(crossbar.parity)}};
}

RtlParams rtl_params(const VcRouter::PortConfig& router) {
  RtlParams params = {{"DataW", kFlitBytes * 8},
                      {"Parity", int{router.parity}},
                      {"AddrW", router.header.addr_w},
                      {"NumDims", router.route.max_coords.size()},
                      {"MaxCoords", digits_literal(router.route.max_coords)},
                      {"NumLocal", router.num_local},
                      {"NumVc", router.num_vc},
                      {"Depth", router.depth},
                      {"LocalDepth", router.local_depth},
                      {"HoldPacket", int{router.hold_packet}},
                      {"CutThrough", int{router.cut_through}},
                      {"StoreForward", int{router.store_forward}},
                      {"Age", int{router.age}},
                      {"Route", static_cast<unsigned>(router.route_kind)},
                      {"Balanced", int{router.route.balanced}},
                      {"PerDest", int{router.route.per_dest}},
                      // The command has checked the whole network, unless deadlock_check is false.
                      {"DeadlockCheck", int{router.num_vc > 1}}};
  // Parameters of single route units; for the other units they keep their defaults.
  if (!router.route.deltas.empty()) {
    params.emplace_back("NumRings", router.route.num_rings);
    params.emplace_back("Deltas", digits_literal(router.route.deltas));
  }
  if (router.route.mains != 0) {
    params.emplace_back("Mains", router.route.mains);
    params.emplace_back("IsMain", int{router.route.is_main});
  }
  return params;
}

RtlParams rtl_params(const BarrierUnit::Config& unit) {
  return {{"NumChild", unit.num_child},
          {"IsRoot", int{unit.is_root}},
          {"HoldCycles", unit.hold_cycles},
          {"MaxFlight", unit.max_flight}};
}

RtlParams rtl_params(const CombineUnit::Config& unit) {
  return {{"NumChild", unit.num_child}, {"IsRoot", int{unit.is_root}}, {"Depth", unit.depth}};
}

RtlParams rtl_params(const LinkStage::Config& link) {
  return {{"Stages", link.stages},
          {"FlitW", flit_width(link.parity)},
          {"VcW", index_width(link.num_vc)},
          {"BackW", link.num_vc}};
}

std::string parameter_list(const RtlParams& params) {
  std::string text;
  for (const auto& [name, value] : params) {
    text += fmt::format("{}\n    .{:<12}({})", text.empty() ? "#(" : ",", name, value.text);
  }
  return text + "\n  )";
}

}  // namespace weft
