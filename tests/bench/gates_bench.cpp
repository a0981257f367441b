// Speed of blocks as gates beside their Verilated instances, and that both are equal:
// gates_bench [LANES [MODULE [NAME=VALUE]...]]; without a module those of the table in
// sim/gates/README.md.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/gates/gate_block.hpp"
#include "sim/verilated/verilate.hpp"

namespace weft {
namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Random inputs of all lanes but reset and clock; a bit that says that something is valid, written
// or returned is 1 in a quarter of the cycles, others in half.
void drive(GateBlock& block, RandomStream& random) {
  const Netlist& netlist = block.library().netlist();
  for (const GatePort& port : netlist.ports) {
    if (!port.input || port.name == "rst_ni") continue;
    const bool rare = port.width <= 16;
    for (std::uint32_t group = 0; group < block.groups(); ++group) {
      std::uint64_t* const in = block.in(group) + std::size_t{port.first} * block.words();
      for (std::uint32_t i = 0; i < port.width * block.words(); ++i) {
        in[i] = rare ? random() & random() : random();
      }
    }
  }
}

void measure(const RtlSpec& spec, LaneWidth width) {
  const double start = now();
  const auto library = GateLibrary::load(spec, width);
  const double loaded = now() - start;
  GateBlock block(library, lanes(width));
  const auto rtl = RtlLibrary::load(spec);
  RtlInstance instance(rtl);
  instance.reset();
  const std::uint32_t lane = lanes(width) - 5;
  RandomStream random(1);
  std::uint64_t differ = 0;
  double rtl_s = 0;
  constexpr unsigned kCycles = 400;
  for (unsigned cycle = 0; cycle < kCycles; ++cycle) {
    drive(block, random);
    for (const GatePort& port : library->netlist().ports) {
      if (!port.input || port.name == "rst_ni") continue;
      RtlPort to = instance.port(port.name);
      for (unsigned b = 0; b < port.width; b += 64) {
        const unsigned count = std::min(64u, port.width - b);
        to.set_bits(b, count, block.bits(port, lane, b, count));
      }
    }
    block.outputs();
    const double before = now();
    instance.eval();
    rtl_s += now() - before;
    for (const GatePort& port : library->netlist().ports) {
      if (port.input) continue;
      for (unsigned b = 0; b < port.width; b += 64) {
        const unsigned count = std::min(64u, port.width - b);
        const auto gates = block.bits(port, lane, b, count);
        const auto wanted = instance.port(port.name).bits(b, count);
        if (gates != wanted && differ++ < 3) {
          fmt::print("{} cycle {}: {} from bit {}: {:x}, RTL {:x}\n", spec.top, cycle, port.name, b,
                     gates, wanted);
        }
      }
    }
    block.step();
    const double tick = now();
    instance.tick();
    rtl_s += now() - tick;
  }
  // Without new inputs in each cycle, which cost more than the gates.
  double best = 1e9, best_outputs = 1e9;
  for (unsigned round = 0; round < 20; ++round) {
    drive(block, random);
    const double before = now();
    for (unsigned i = 0; i < 50; ++i) block.outputs();
    const double between = now();
    for (unsigned i = 0; i < 50; ++i) block.step();
    best = std::min(best, now() - between);
    best_outputs = std::min(best_outputs, between - before);
  }
  const double cycle_us = (best + best_outputs) / 50 * 1e6, rtl_ns = rtl_s / kCycles * 1e9;
  fmt::print(
      "{} lanes {}: {} gates, {} flops, {} memories; load {:.1f} s; step {:.2f} us, outputs {:.2f} "
      "us, {:.2f} ns a lane; Verilated {:.0f} ns: {:.1f} times; {} differences\n",
      lanes(width), rtl_name(spec), library->netlist().gates.size(), library->state(),
      library->netlist().memories.size(), loaded, best / 50 * 1e6, best_outputs / 50 * 1e6,
      cycle_us * 1e3 / lanes(width), rtl_ns, rtl_ns * lanes(width) / (cycle_us * 1e3), differ);
}

}  // namespace
}  // namespace weft

int main(int argc, char** argv) {
  using namespace weft;
  std::vector<RtlSpec> specs(3);
  if (argc > 2) {
    specs.resize(1);
    specs[0].top = argv[2];
    for (int i = 3; i < argc; ++i) {
      const std::string word = argv[i];
      const std::size_t equal = word.find('=');
      specs[0].params.emplace_back(word.substr(0, equal), RtlValue(word.substr(equal + 1)));
    }
  } else {
    specs[0].top = "weft_vc_router";
    specs[0].params = {{"NumPorts", 5}, {"NumVc", 2}, {"Depth", 8}};
    specs[1].top = "weft_nic";
    specs[1].params = {{"Credit", 1}, {"NumVc", 2}, {"VcDepth", 8}};
    specs[2].top = "weft_crossbar";
    specs[2].params = {{"NumOut", 4}};
  }
  for (const RtlSpec& spec : specs) {
    for (const LaneWidth width : {LaneWidth::k64, LaneWidth::k256, LaneWidth::k512}) {
      if (can_run(width) &&
          (argc < 2 || argv[1] == std::string("all") || argv[1] == std::to_string(lanes(width)))) {
        measure(spec, width);
      }
    }
  }
}
