// Blocks as gates, all outputs in all cycles against Verilated instances: random inputs, different
// ones in each lane, with resets of some lanes in the middle.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/file_writer.hpp"
#include "sim/base/random.hpp"
#include "sim/base/temporary_folder.hpp"
#include "sim/gates/gate_block.hpp"
#include "sim/verilated/verilate.hpp"

namespace weft {
namespace {

// A lane in lockstep with a Verilated instance.
struct Pair {
  std::uint32_t lane;
  RtlInstance rtl;
};

RtlSpec spec_of(const std::string& module, const RtlParams& params = {}) {
  RtlSpec spec;
  spec.top = module;
  spec.params = params;
  return spec;
}

// Words of which each bit is 1 with probability `quarters` / 4.
std::uint64_t bits(RandomStream& random, std::uint64_t quarters) {
  const std::uint64_t a = random(), b = random();
  switch (quarters) {
    case 0:
      return 0;
    case 1:
      return a & b;
    case 2:
      return a;
    case 3:
      return a | b;
    default:
      return ~std::uint64_t{0};
  }
}

// Inputs of all lanes; how many bits of a port are 1 changes every few cycles. A lane is in reset
// in one of 64 cycles.
class Stimulus {
 public:
  /// Port `zero` stays 0.
  Stimulus(GateBlock& block, std::uint64_t seed, std::string zero)
      : block_(block), random_(seed), zero_(std::move(zero)) {}

  void drive(unsigned cycle) {
    const auto& ports = block_.library().netlist().ports;
    density_.resize(ports.size());
    for (std::size_t p = 0; p < ports.size(); ++p) {
      if (!ports[p].input || ports[p].name == zero_) continue;
      if (cycle % 16 == 0) density_[p] = random_.below(8);
      for (std::uint32_t group = 0; group < block_.groups(); ++group) {
        std::uint64_t* const in = block_.in(group) + std::size_t{ports[p].first} * block_.words();
        for (std::uint32_t i = 0; i < ports[p].width * block_.words(); ++i) {
          in[i] = ports[p].name != "rst_ni"
                      ? bits(random_, (density_[p] + 1) / 2)
                      : ~(random_() & random_() & random_() & random_() & random_() & random_());
        }
      }
    }
  }

 private:
  GateBlock& block_;
  RandomStream random_;
  const std::string zero_;
  std::vector<std::uint64_t> density_;
};

// The first difference, or nothing.
std::optional<std::string> compare(const RtlSpec& spec, GateBlock& block,
                                   const std::string& zero = "", unsigned cycles = 300) {
  const auto& ports = block.library().netlist().ports;
  const auto rtl = RtlLibrary::load(spec);
  std::vector<Pair> pairs;
  for (const std::uint32_t lane : {0u, 37u, block.lanes() / 2, block.lanes() - 1}) {
    pairs.push_back({lane, RtlInstance(rtl)});
    pairs.back().rtl.reset();
  }
  Stimulus stimulus(block, 7, zero);
  for (unsigned cycle = 0; cycle < cycles; ++cycle) {
    stimulus.drive(cycle);
    block.outputs();
    for (Pair& pair : pairs) {
      const auto each_part = [&](const GatePort& port, auto visit) {
        RtlPort other = pair.rtl.port(port.name);
        for (unsigned b = 0; b < port.width; b += 64) {
          const unsigned count = std::min(64u, port.width - b);
          visit(other, b, count, block.bits(port, pair.lane, b, count));
        }
      };
      for (const GatePort& port : ports) {
        if (!port.input) continue;
        each_part(port, [](RtlPort& to, unsigned b, unsigned count, std::uint64_t value) {
          to.set_bits(b, count, value);
        });
      }
      pair.rtl.eval();
      std::optional<std::string> difference;
      for (const GatePort& port : ports) {
        if (port.input) continue;
        each_part(port, [&](RtlPort& of, unsigned b, unsigned count, std::uint64_t value) {
          if (of.bits(b, count) == value || difference) return;
          difference = fmt::format("cycle {} lane {}: {} from bit {}: {:x}, RTL {:x}", cycle,
                                   pair.lane, port.name, b, value, of.bits(b, count));
        });
      }
      if (difference) return difference;
      pair.rtl.tick();
    }
    block.step();
  }
  return {};
}

// With 64 lanes in a group, and with as many as this processor has.
void check(const std::string& module, const RtlParams& params, const std::string& zero = "") {
  const RtlSpec spec = spec_of(module, params);
  CAPTURE(rtl_name(spec));
  std::vector<LaneWidth> widths = {LaneWidth::k64};
  if (lane_width() != LaneWidth::k64) widths.push_back(lane_width());
  for (const LaneWidth width : widths) {
    CAPTURE(lanes(width));
    // The last group is not full.
    GateBlock block(GateLibrary::load(spec, width), lanes(width) + 40);
    CHECK(compare(spec, block, zero).value_or("") == "");
  }
}

template <class Action>
std::string error_of(Action action) {
  try {
    action();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

// Sets a variable of the environment for a scope.
class Environment {
 public:
  Environment(const char* name, const std::string& value) : name_(name) {
    if (const char* const before = std::getenv(name)) before_ = before;
    setenv(name, value.c_str(), 1);
  }
  ~Environment() {
    if (before_) {
      setenv(name_, before_->c_str(), 1);
    } else {
      unsetenv(name_);
    }
  }

 private:
  const char* name_;
  std::optional<std::string> before_;
};

}  // namespace

TEST_CASE("buffers") {
  check("weft_fifo", {{"DataW", 9}, {"Depth", 5}});
  check("weft_fifo", {{"DataW", 9}, {"Depth", 7}, {"Registered", 1}});
  check("weft_fifo", {{"DataW", 70}, {"Depth", 20}});  // In a memory.
  check("weft_input_buffer", {});
}

// As many ports as a number of a port can name. With Pipeline 3 what a VC set other than any, 0,
// means at a local port, which has one VC, is open: no local port, or no other set.
TEST_CASE("routers") {
  check("weft_vc_router", {{"NumPorts", 4}, {"NumLocal", 0}, {"Depth", 2}, {"Pipeline", 1}});
  check("weft_vc_router", {{"NumPorts", 2}, {"NumLocal", 0}, {"Depth", 3}, {"Pipeline", 2}});
  check("weft_vc_router", {{"NumPorts", 2}, {"NumLocal", 0}, {"Depth", 3}, {"Pipeline", 3}});
  check("weft_vc_router", {{"NumPorts", 2}, {"Depth", 3}, {"Pipeline", 3}}, "route_set_i");
  check("weft_vc_router", {{"NumPorts", 2}, {"NumVc", 1}, {"Depth", 2}, {"Age", 1}});
}

TEST_CASE("crossbar, interface and its receiver") {
  check("weft_crossbar", {{"NumOut", 2}, {"NumIn", 4}, {"InDepth", 3}, {"OutDepth", 2}});
  check("weft_nic", {{"Credit", 1}, {"NumVc", 2}, {"VcDepth", 4}, {"QueueDepth", 2}});
  check("weft_recv_unit", {});
}

TEST_CASE("units of trees, links, registers") {
  check("weft_barrier_unit", {{"NumChild", 2}});
  check("weft_link_tx", {});
  check("weft_guard_rx", {});
  check("weft_register_block", {});
}

TEST_CASE("arithmetic") {
  check("weft_multiplier", {{"FactorW", 12}, {"ProdW", 17}});
  check("weft_fp_element", {});
  check("weft_mean_div", {});
  check("weft_combine_unit", {{"NumChild", 1}});
}

// What rtl/ has seldom or not: a memory that is read at once and written twice in a cycle, a reset
// that is computed, registers that exchange their values.
TEST_CASE("what is rare") {
  const TemporaryFolder folder;
  const Environment cache("WEFT_CACHE", folder.path() / "cache");
  const Environment rtl("WEFT_RTL_DIR", folder.path() / "rtl");
  std::filesystem::create_directories(folder.path() / "rtl" / "include");
  write_file(folder.path() / "rtl" / "include" / "weft_assert.svh", "");
  write_file(folder.path() / "rtl" / "weft_pkg.sv", "package weft_pkg; endpackage\n");
  write_file(folder.path() / "rtl" / "weft_rare.sv", R"(module weft_rare (
  input logic clk_i, input logic rst_ni, input logic write_i, input logic again_i,
  input logic clear_i, input logic [4:0] to_i, input logic [4:0] from_i,
  input logic [69:0] data_i, output logic [69:0] data_o, output logic [3:0] left_o,
  output logic [3:0] right_o, output logic [3:0] count_o);
  logic [69:0] mem_q [20];
  always_ff @(posedge clk_i) begin
    if (write_i && to_i < 20) mem_q[to_i] <= data_i;
    if (again_i && from_i < 20) mem_q[from_i] <= ~data_i;
  end
  assign data_o = from_i < 20 ? mem_q[from_i] : '0;
  logic clear_q, own_n;
  logic [3:0] left_q, right_q, count_q;
  assign own_n = rst_ni && !clear_q;
  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) clear_q <= 1'b0; else clear_q <= clear_i;
  always_ff @(posedge clk_i or negedge own_n)
    if (!own_n) count_q <= 4'd9; else count_q <= count_q + 4'd1;
  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) begin left_q <= 4'd5; right_q <= 4'd3; end
    else begin left_q <= right_q; right_q <= left_q; end
  assign left_o = left_q;
  assign right_o = right_q;
  assign count_o = count_q;
endmodule
)");
  check("weft_rare", {});
}

TEST_CASE("a fault in a netlist is found") {
  const RtlSpec spec = spec_of("weft_fifo", {{"DataW", 9}, {"Depth", 5}});
  const auto whole = GateLibrary::load(spec, LaneWidth::k64);
  Netlist faulty = whole->netlist();
  const NetId last = faulty.outputs.back();
  REQUIRE(faulty.is_gate(last));
  faulty.gates[last - faulty.first_gate()].table ^= 0xff;
  GateBlock block(GateLibrary::load(faulty, "faulty", LaneWidth::k64), 64);
  CHECK(compare(spec, block).value_or("").find("data_o") != std::string::npos);
}

TEST_CASE("a net is forced in one lane") {
  const RtlSpec spec = spec_of("weft_fifo", {{"DataW", 9}, {"Depth", 5}});
  for (const LaneWidth width : {LaneWidth::k64, lane_width()}) {
    GateBlock block(GateLibrary::load(spec, width, true), lanes(width));
    CHECK(compare(spec, block).value_or("") == "");
    const Netlist& netlist = block.library().netlist();
    std::uint32_t found = 0;
    for (const bool value : {false, true}) {
      block.reset();
      block.release();
      block.force(netlist.outputs.back(), 37, value);
      const std::string difference = compare(spec, block).value_or("");
      CHECK((difference == "" || difference.find("lane 37") != std::string::npos));
      if (difference != "") ++found;
    }
    CHECK(found == 2);
  }
}

TEST_CASE("registers and memories by name") {
  const RtlSpec spec = spec_of("weft_fifo", {{"DataW", 70}, {"Depth", 20}});
  GateBlock block(GateLibrary::load(spec), 100);
  const GateLibrary& library = block.library();
  const auto count = library.find_register("count_q");
  REQUIRE(count.size() == 5);
  CHECK(library.find_register("count").empty());
  block.set(library.port("push_i"), 99, 1);
  const std::uint64_t word[] = {0x123456789abcdef0, 0x2a};
  block.set(library.port("data_i"), 99, word);
  for (unsigned i = 0; i < 3; ++i) block.step();
  unsigned held = 0;
  for (unsigned b = 0; b < 5; ++b) held |= unsigned{block.state_bit(count[b].place, 99)} << b;
  CHECK(held == 3);
  CHECK(!block.state_bit(count[0].place, 98));
  REQUIRE(library.netlist().memories.size() == 1);
  CHECK(library.netlist().memories[0].name == "mem_q");
  CHECK(block.memory_word(0, 99, 1)[0] == word[0]);
  CHECK(block.memory_word(0, 99, 1)[1] == word[1]);
  block.outputs();
  std::uint64_t shown[2] = {};
  block.get(library.port("data_o"), 99, shown);
  CHECK(shown[0] == word[0]);
  CHECK(shown[1] == word[1]);
  CHECK(library.paths_to("count_o").empty());
  block.set_state_bit(count[0].place, 99, false);
  block.outputs();
  CHECK(block.bits(library.port("count_o"), 99, 0, 5) == 2);
}

TEST_CASE("a word of the cache that is damaged is built again") {
  const TemporaryFolder cache;
  const Environment in_cache("WEFT_CACHE", cache.path());
  const RtlSpec spec = spec_of("weft_fifo", {{"DataW", 3}, {"Depth", 2}});
  const std::uint32_t state = GateLibrary::load(spec, LaneWidth::k64)->state();
  for (const auto& entry : std::filesystem::recursive_directory_iterator(cache.path())) {
    if (!entry.is_regular_file() || entry.path().extension() == ".lock") continue;
    std::filesystem::resize_file(entry.path(), std::filesystem::file_size(entry.path()) / 2);
  }
  GateBlock block(GateLibrary::load(spec, LaneWidth::k64), 64);
  CHECK(block.library().state() == state);
  CHECK(compare(spec, block).value_or("") == "");
}

TEST_CASE("errors name what is wrong, and leave nothing behind") {
  const TemporaryFolder folder;
  const Environment cache("WEFT_CACHE", folder.path() / "cache");
  {
    const Environment rtl("WEFT_RTL_DIR", folder.path() / "rtl");
    std::filesystem::create_directories(folder.path() / "rtl" / "include");
    write_file(folder.path() / "rtl" / "include" / "weft_assert.svh", "");
    write_file(folder.path() / "rtl" / "weft_pkg.sv", "package weft_pkg; endpackage\n");
    const auto load = [&](const std::string& text) {
      write_file(folder.path() / "rtl" / "weft_bad.sv", "module weft_bad (" + text + "endmodule\n");
      return error_of([] { GateLibrary::load(spec_of("weft_bad"), LaneWidth::k64); });
    };
    CHECK(load("input nonsense;").find("Yosys cannot read weft_bad:\n") == 0);
    CHECK(load("input clk_i, en, d, output logic q); always_latch if (en) q = d;\n")
              .find("without latches") != std::string::npos);
    CHECK(load("input clk_i, a, output o); assign o = clk_i && a;\n")
              .find("clk_i is more than a clock") != std::string::npos);
    CHECK(load("input a, output o); wire b; assign b = o ^ a; assign o = b & a | ~b & ~a;\n")
              .find("a combinational loop") != std::string::npos);
    CHECK(error_of([] {
            GateLibrary::load(spec_of("weft_none"), LaneWidth::k64);
          }).find("no module weft_none") == 0);
  }
  const RtlSpec fifo = spec_of("weft_fifo", {{"DataW", 4}});
  const auto load = [&] { GateLibrary::load(fifo, LaneWidth::k64); };
  {
    const TemporaryFolder tools;  // All but Yosys.
    for (const char* const tool : {"sh", "env"}) {
      std::filesystem::create_symlink(std::string("/bin/") + tool, tools.path() / tool);
    }
    const Environment path("PATH", tools.path());
    CHECK(error_of(load) == "gates are made from RTL by Yosys: install package yosys");
  }
  for (const auto& entry : std::filesystem::directory_iterator(folder.path() / "cache")) {
    CHECK(entry.path().extension() == ".lock");
  }
  write_file(folder.path() / "file", "");
  const Environment file("WEFT_CACHE", folder.path() / "file");
  CHECK(error_of(load).find("cannot write") == 0);
}

TEST_CASE("the number of lanes") {
  CHECK(error_of([] {
          const Environment lanes("WEFT_LANES", "128");
          lane_width();
        }) == "WEFT_LANES=128: expected: 64, 256 or 512");
  const Environment lanes("WEFT_LANES", "64");
  CHECK(lane_width() == LaneWidth::k64);
}

TEST_CASE("transposition") {
  RandomStream random(5);
  std::uint64_t before[64], after[64];
  for (auto& word : before) word = random();
  std::copy(before, before + 64, after);
  transpose64(after);
  for (unsigned row = 0; row < 64; ++row) {
    for (unsigned column = 0; column < 64; ++column) {
      CHECK((before[row] >> column & 1) == (after[column] >> row & 1));
    }
  }
}

}  // namespace weft
