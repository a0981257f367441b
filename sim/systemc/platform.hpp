// A platform: a network of SystemC modules with an RV32 core and a memory at each node, which run
// the collective of a configuration as `weft run` does.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/systemc/memory_initiator.hpp"
#include "sim/systemc/memory_target.hpp"
#include "sim/systemc/network.hpp"
#include "sim/systemc/rv32_module.hpp"
#include "sim/workload/workload.hpp"

namespace weft {

/// A core, its memory, and their connection to a network interface.
class Rv32Node : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk_i{"clk_i"}, rst_ni{"rst_ni"};
  Rv32Module processor;
  NicRegisters registers;
  MemoryInitiator dma;
  MemoryTarget memory;

  /// `signals`: those of the node's interface and units; `flit_bytes`: bytes of a flit.
  Rv32Node(const sc_core::sc_module_name& name, Rv32Core core, const RegisterSignals& signals,
           unsigned flit_bytes)
      : sc_module(name),
        processor("processor", std::move(core)),
        registers("registers", signals, processor.core().port()),
        dma("dma", flit_bytes, signals.nic, signals.combine),
        memory("memory", processor.core().memory()) {
    processor.set_registers(registers);
    processor.socket.bind(registers.socket);
    dma.socket.bind(memory.socket);
    for (auto* clk : {&processor.clk_i, &registers.clk_i, &dma.clk_i}) clk->bind(clk_i);
    for (auto* rst_n : {&processor.rst_ni, &registers.rst_ni}) rst_n->bind(rst_ni);
  }
};

/// The whole platform. The simulation stops when every program has ended.
class Platform : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Platform);

  sc_core::sc_in<bool> clk_i{"clk_i"}, rst_ni{"rst_ni"};
  NetworkModule network;

  /// `config` and `graph` must outlive it. Throws ConfigError unless the configuration has a
  /// collective with processor "rv32".
  Platform(const sc_core::sc_module_name& name, const Config& config, const Graph& graph,
           NetworkCores cores = {})
      : sc_module(name),
        network("network", config, graph, cores),
        config_(config),
        work_(config, (check(config), graph)) {
    network.clk_i(clk_i);
    network.rst_ni(rst_ni);
    const auto program = work_.rv32_program();
    for (std::uint32_t n = 0; n < graph.nodes; ++n) {
      Rv32Core core(program, work_.memory(n), work_.job(n));
      work_.prepare(core.port());
      nodes_.push_back(std::make_unique<Rv32Node>(
          fmt::format("node_{}", n).c_str(), std::move(core),
          RegisterSignals{network.nic(n), network.barrier(n), network.combine(n)},
          graph.header.flit_bytes()));
      nodes_.back()->clk_i(clk_i);
      nodes_.back()->rst_ni(rst_ni);
    }
    SC_METHOD(edge);
    dont_initialize();
    sensitive << clk_i.pos();
  }

  Rv32Node& node(std::uint32_t n) { return *nodes_[n]; }
  /// Restarts the network in `cycle`: all that is in it is lost, and sent again. Throws ConfigError
  /// unless packets are acknowledged (nic.reliable).
  void restart_in(std::uint64_t cycle) {
    if (!config_.nic.reliable) {
      config_.source.refuse("/nic/reliable", false, "true, for a restart of the network");
    }
    restart_at_ = cycle;
  }
  /// Cycles until every program has ended, as `weft run` counts them.
  std::uint64_t cycles() const { return cycles_; }
  /// Words in the memories that differ from what the collective must leave there.
  std::uint64_t data_errors() const {
    std::uint64_t errors = 0;
    for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
      work_.contents().compare(n, nodes_[n]->processor.core().memory(),
                               [&](const WrongWord&) { ++errors; });
    }
    return errors;
  }

 private:
  static void check(const Config& config) {
    if (!config.workload.is(kCollectives)) {
      config.source.refuse("/workload", to_json(config).at("workload"),
                           "a collective, which the cores of the platform run");
    }
    if (config.processor != ProcessorKind::kRv32) {
      config.source.refuse("/processor", config.processor,
                           "\"rv32\": native drivers are fibres of `weft run`");
    }
  }

  // Runs before the cores, which step a delta cycle later.
  void edge() {
    if (!rst_ni.read()) return;
    const std::uint64_t cycle = cycles_++;
    if (restart_at_ && cycle - *restart_at_ < 3) restart(cycle - *restart_at_);
    std::uint32_t running = 0;
    for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
      const Rv32Core& core = nodes_[n]->processor.core();
      running += core.state() != ProcessorState::kHalted;
      if (core.state() == ProcessorState::kFaulted) fail(n, cycle, core.fault());
      if (core.port().exit_code() != 0) {
        fail(n, cycle, exit_message(core.port().exit_code()));
      }
    }
    if (running == 0) {
      cycles_ = cycle;
      sc_core::sc_stop();
    } else if (cycle - std::max(network.monitor().last_move(), computed_) >= config_.watchdog) {
      computed_ = cycle;
      for (const auto& node : nodes_) {
        if (node->processor.core().acts_later()) return;
      }
      throw NoProgressError(
          fmt::format("no flit moved in the {} cycles before cycle {}", config_.watchdog, cycle));
    }
  }
  // The steps of a manager in three cycles, from 0 on.
  void restart(std::uint64_t number) {
    for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
      network.nic(n).at<"hold_i">() = number < 2;
      network.nic(n).at<"restart_i">() = number == 0;
    }
    network.network_reset = number == 1;
  }
  [[noreturn]] static void fail(std::uint32_t node, std::uint64_t cycle, const std::string& why) {
    throw CheckError(fmt::format("node {}, cycle {}: {}", node, cycle - 1, why));
  }

  const Config& config_;
  Collective work_;
  std::vector<std::unique_ptr<Rv32Node>> nodes_;
  std::uint64_t cycles_ = 0;
  std::uint64_t computed_ = 0;  // Last cycle in which a core was found to compute though nothing
                                // moved.
  std::optional<std::uint64_t> restart_at_;
};

}  // namespace weft
