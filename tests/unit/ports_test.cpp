// Port tables: each block's table holds the ports of its module as Verilator reports them, no more
// and no fewer, and a table that does not is refused with the port's name.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "sim/arbiter/age_arbiter.hpp"
#include "sim/arbiter/rr_arbiter.hpp"
#include "sim/barrier/barrier_unit.hpp"
#include "sim/buffer/fifo.hpp"
#include "sim/buffer/input_buffer.hpp"
#include "sim/buffer/output_buffer.hpp"
#include "sim/bus/axi_lite.hpp"
#include "sim/bus/axi_nic.hpp"
#include "sim/bus/axi_read.hpp"
#include "sim/bus/axi_write.hpp"
#include "sim/bus/register_block.hpp"
#include "sim/crossbar/crossbar.hpp"
#include "sim/crossbar/switch_unit.hpp"
#include "sim/link/link_stage.hpp"
#include "sim/nic/dma.hpp"
#include "sim/nic/inject_unit.hpp"
#include "sim/nic/nic.hpp"
#include "sim/nic/pacer.hpp"
#include "sim/nic/recv_unit.hpp"
#include "sim/nic/send_unit.hpp"
#include "sim/reduce/accumulator.hpp"
#include "sim/reduce/fp_element.hpp"
#include "sim/reduce/fp_round.hpp"
#include "sim/reduce/mean_div.hpp"
#include "sim/reduce/multiplier.hpp"
#include "sim/reduce/reduce_lanes.hpp"
#include "sim/reduce/reduce_unit.hpp"
#include "sim/router/input_unit.hpp"
#include "sim/router/output_unit.hpp"
#include "sim/router/packet_order.hpp"
#include "sim/router/route/route_table.hpp"
#include "sim/router/route/route_unit.hpp"
#include "sim/router/router_tile.hpp"
#include "sim/router/switch_alloc.hpp"
#include "sim/router/switch_hold.hpp"
#include "sim/router/vc_alloc.hpp"
#include "sim/router/vc_router.hpp"
#include "sim/router/way_select.hpp"
#include "sim/verilated/rtl_params.hpp"
#include "sim/verilated/rtl_ports.hpp"

using namespace weft;
namespace fs = std::filesystem;

namespace {

// The ports of a module, from Verilator's header; nothing is compiled.
std::vector<RtlPortInfo> module_ports(const std::string& block, const RtlParams& params) {
  const std::string module = rtl_module(block);
  std::string folder = fs::temp_directory_path() / "weft.XXXXXX";
  REQUIRE(mkdtemp(folder.data()) != nullptr);
  fs::path source;
  for (const auto& entry : fs::recursive_directory_iterator(rtl_dir())) {
    if (entry.path().filename() == module + ".sv") source = entry.path();
  }
  std::string command = fmt::format(
      "verilator --cc --prefix Vtop --top-module {} -Mdir {} -Wno-fatal -Wno-lint "
      "-Wno-style -I{}/include",
      module, folder, rtl_dir().string());
  for (const auto& [name, value] : params) command += fmt::format(" \"-G{}={}\"", name, value.text);
  for (const auto& file : rtl_sources({source})) command += " " + file.string();
  CAPTURE(command);
  REQUIRE(std::system((command + " >/dev/null 2>&1").c_str()) == 0);
  std::ifstream header(fs::path(folder) / "Vtop.h");
  std::vector<RtlPortInfo> ports;
  for (std::string macro; header >> macro;) {  // VL_IN8(&NAME,MSB,LSB); without a space
    char name[100];
    unsigned msb = 0;
    const std::size_t open = macro.find('(');
    if (!macro.starts_with("VL_") || open == macro.npos) continue;
    if (std::sscanf(macro.c_str() + open, "(&%99[A-Za-z0-9_],%u,", name, &msb) != 2) continue;
    ports.push_back({name, msb + 1, macro.starts_with("VL_IN")});
  }
  fs::remove_all(folder);
  return ports;
}

template <class Block, class Config>
void compare(const std::string& module, const Config& config, const RtlParams& params) {
  CAPTURE(module);
  CHECK_NOTHROW(check_ports(module, port_shapes<Block>(config), module_ports(module, params)));
}
template <class Block, class Config>
void compare(const std::string& module, const Config& config) {
  compare<Block>(module, config, rtl_params(config));
}

}  // namespace

TEST_CASE("a table holds the ports of its module") {
  compare<Nic>("nic", Nic::Config{});
  compare<Nic>("nic", Nic::Config{.num_ctrl = 3,
                                  .parity = true,
                                  .queue_depth = 9,
                                  .credit = true,
                                  .num_vc = 70,
                                  .reduce = true});
  compare<Nic>("nic", Nic::Config{.num_ctrl = 3, .credit = true, .mem_ready = true});
  compare<BarrierUnit>("barrier_unit", BarrierUnit::Config{.num_child = 0});
  compare<BarrierUnit>("barrier_unit", BarrierUnit::Config{.num_child = 3});
  compare<RegisterBlock>("register_block", RegisterBlock::Config{});
  compare<RegisterBlock>("register_block", RegisterBlock::Config{.num_ctrl = 8,
                                                                 .num_links = 8,
                                                                 .queue_depth = 9,
                                                                 .header = {20, 512},
                                                                 .timed = true,
                                                                 .reduce = true,
                                                                 .barrier = true,
                                                                 .combine = true});
  compare<Crossbar>("crossbar", Crossbar::PortConfig{{}, true});
  VcRouter::Config router;
  compare<VcRouter>("vc_router", VcRouter::PortConfig{router, false});
  router.num_vc = 5;
  compare<VcRouter>("vc_router", VcRouter::PortConfig{router, true});
  RouteConfig tree;  // A tree's index and level take more bits than an address.
  tree.num_local = 0;
  tree.max_coords = {0x1ffff};
  compare<RouteUnit>("route_tree", RouteUnit::PortConfig{RouteKind::kTree, tree, 17});
  for (const unsigned num_req : {1u, 2u, 5u}) {
    compare<RrArbiter>("rr_arbiter", RrArbiter::Config{num_req}, {{"NumReq", num_req}});
    compare<AgeArbiter>("age_arbiter", AgeArbiter::Config{num_req}, {{"NumReq", num_req}});
  }
  compare<Fifo<std::uint64_t>>("fifo", Fifo<std::uint64_t>::PortConfig{9, 2},
                               {{"DataW", 9}, {"Depth", 2}});
  compare<InputBuffer>("input_buffer", InputBuffer::PortConfig{}, {});
  compare<OutputBuffer>("output_buffer", OutputBuffer::PortConfig{{}, true}, {{"FlitW", 65}});
  compare<SwitchUnit>("switch_unit", SwitchUnit::PortConfig{{3}, true},
                      {{"NumIn", 3}, {"FlitW", 65}});
  compare<Dma>("dma", NoConfig{}, {});
  compare<Pacer>("pacer", NoConfig{}, {});
  compare<InjectUnit>("inject_unit", InjectUnit::PortConfig{}, {});
  compare<SendUnit>("send_unit", SendUnit::Config{.parity = true}, {{"Parity", 1}});
  compare<SendUnit>("send_unit", SendUnit::Config{.mem_ready = true}, {{"MemReady", 1}});
  compare<RecvUnit>("recv_unit", RecvUnit::Config{}, {});
  compare<RecvUnit>("recv_unit", RecvUnit::Config{.mem_ready = true}, {{"MemReady", 1}});
  compare<AxiLite>("axi_lite", NoConfig{}, {});
  compare<AxiNic>("axi_nic", AxiNic::Config{});
  compare<AxiNic>("axi_nic", AxiNic::Config{.nic = {.num_ctrl = 3,
                                                    .parity = true,
                                                    .queue_depth = 9,
                                                    .credit = true,
                                                    .num_vc = 70,
                                                    .header = {20, 512}},
                                            .barrier = true,
                                            .axi_addr_w = 40});
  compare<AxiRead>("axi_read", AxiRead::Config{128, 3, 40},
                   {{"DataW", 128}, {"NumLanes", 3}, {"AxiAddrW", 40}});
  compare<AxiWrite>("axi_write", AxiWrite::Config{512, 1, 64}, {{"DataW", 512}, {"AxiAddrW", 64}});
  compare<Accumulator>("accumulator", Accumulator::Config{128, 3},
                       {{"DataW", 128}, {"NumLinks", 3}});
  compare<ReduceLanes>("reduce_lanes", ReduceLanes::Config{128, 3},
                       {{"DataW", 128}, {"NumLinks", 3}});
  compare<FpElement>("fp_element", NoConfig{}, {});
  compare<FpRound>("fp_round", FpRound::Config{33}, {{"SigW", 33}});
  compare<MeanDiv>("mean_div", NoConfig{}, {});
  compare<Multiplier>("multiplier", Multiplier::Config{12, 17}, {{"FactorW", 12}, {"ProdW", 17}});
  compare<ReduceUnit>("reduce_unit", NoConfig{}, {});
  compare<InputUnit>("input_unit", InputUnit::PortConfig{{5, 3}, true, 7},
                     {{"FlitW", 65}, {"NumVc", 5}, {"Depth", 3}, {"NumPorts", 7}});
  compare<OutputUnit>("output_unit", OutputUnit::PortConfig{{5, 3}, false},
                      {{"NumVc", 5}, {"Depth", 3}});
  compare<VcAlloc>("vc_alloc", VcAlloc::Config{5, 3}, {{"NumVc", 5}, {"Depth", 3}});
  compare<PacketOrder>("packet_order", PacketOrder::Config{100, 5},
                       {{"NumReq", 100}, {"NumVc", 5}});
  compare<SwitchAlloc>("switch_alloc", SwitchAlloc::Config{{100, 5}},
                       {{"NumReq", 100}, {"NumVc", 5}});
  compare<SwitchHold>("switch_hold", SwitchHold::Config{{100, 5}}, {{"NumReq", 100}, {"NumVc", 5}});
  compare<WaySelect>("way_select", WaySelect::PortConfig{{70, 9, 2, 4, true}, 3, 5},
                     {{"NumReq", 70},
                      {"NumPorts", 9},
                      {"NumLocal", 2},
                      {"Depth", 4},
                      {"CreditW", 3},
                      {"LoadW", 5}});
  compare<LinkStage>("link_stage", LinkStage::Config{3, true, 100});
  compare<LinkStage>("link_stage", LinkStage::Config{1, false, 2, 64, 24, 33});
  RouteConfig route;
  route.max_coords = {3, 2};
  route.num_local = 2;
  for (const RouteKind kind : {RouteKind::kTorus, RouteKind::kMesh}) {
    compare<RouteUnit>(RouteUnit::block(kind), RouteUnit::PortConfig{kind, route});
  }
  const auto tables = std::make_shared<RouteTables>(5);
  RouteConfig table;
  table.num_links = 2;
  table.tables = tables;
  compare<RouteUnit>("route_table", RouteUnit::PortConfig{RouteKind::kTable, table});
}

TEST_CASE("another port is refused by name") {
  const std::vector<PortShape> table = port_shapes<RrArbiter>(RrArbiter::Config{4});
  const std::vector<RtlPortInfo> module = {{"clk_i", 1, true},  {"rst_ni", 1, true},
                                           {"req_i", 4, true},  {"done_i", 1, true},
                                           {"gnt_o", 4, false}, {"idx_o", 2, false}};
  const auto complaint = [&](const std::vector<RtlPortInfo>& ports) -> std::string {
    try {
      check_ports("rr_arbiter", table, ports);
    } catch (const CheckError& error) {
      return error.what();
    }
    return "";
  };
  CHECK(complaint(module) == "");
  auto other = module;
  other[3].name = "end_i";
  CHECK(complaint(other) == "rr_arbiter: port done_i: the model has it, the RTL has not");
  other = module;
  other.push_back({"turn_o", 2, false});
  CHECK(complaint(other) == "rr_arbiter: port turn_o: the RTL has it, the model has not");
  other = module;
  other[5].width = 3;
  CHECK(complaint(other) == "rr_arbiter: port idx_o: 3 bits in the RTL, 2 in the model");
  other = module;
  other[4].input = true;
  CHECK(complaint(other) == "rr_arbiter: port gnt_o: input of the RTL, output of the model");
}
