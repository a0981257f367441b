// A processor that runs a driver, as the endpoint of a node.
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>

#include "sim/base/error.hpp"
#include "sim/processor/native_host.hpp"
#include "sim/processor/rv32.hpp"
#include "sim/workload/endpoint.hpp"

namespace weft {

/// The engine may skip it while its processor sleeps and its interface is idle.
template <Processor P>
class ProcessorEndpoint : public EndpointDefaults {
 public:
  explicit ProcessorEndpoint(P processor) : processor_(std::move(processor)) {}

  P& processor() { return processor_; }
  Memory& memory() { return processor_.memory(); }
  NicPort& port() { return processor_.port(); }
  void read_flit(std::uint32_t addr, std::uint64_t* words) const {
    processor_.memory().read_flit(addr, processor_.port().header().flit_words(), words);
  }
  void write_flit(std::uint32_t, std::uint32_t addr, const FlitData& data) {
    processor_.memory().write_flit(addr, processor_.port().header().flit_words(), data);
  }
  std::uint64_t read_word(std::uint32_t addr) const { return processor_.memory().read_word(addr); }
  void step(const NicStatus& status, std::uint64_t cycle, RegionSums&) {
    processor_.step(status, cycle);
  }
  void step_on(const NicStatus&, std::uint64_t cycle, RegionSums&) { processor_.step_on(cycle); }
  std::uint32_t run_ahead(std::uint64_t, std::uint32_t most) { return processor_.run_ahead(most); }
  void step_ahead(const NicStatus& status, std::uint64_t cycle, RegionSums&) {
    processor_.port().begin_cycle(status, cycle);
  }
  bool uses_memory() const { return processor_.uses_memory(); }
  bool posted() const { return processor_.port().posted(); }
  const Descriptor& descriptor() const { return processor_.port().descriptor(); }
  bool entered() const { return processor_.port().entered(); }
  bool combines() const { return processor_.port().combines(); }
  CombineOrder combine_order() const { return processor_.port().combine_order(); }
  void note_barriers(std::uint32_t node, std::uint64_t cycle, BarrierTimes& times) const {
    const NicPort& port = processor_.port();
    // The end of a barrier is detected later; another one may have begun and ended in this cycle.
    if (times.left(node) != port.barriers_ended()) {
      if (!times.inside(node)) times.enter(node, cycle);
      times.leave(node, port.barrier_end());
    }
    if (times.entered(node) != port.barriers_begun()) times.enter(node, cycle);
  }
  bool resting() const { return processor_.state() != ProcessorState::kRunning; }
  bool acts_later(std::uint64_t) { return processor_.acts_later(); }
  std::uint64_t pauses(std::uint64_t) const { return processor_.pauses(); }
  void skip(std::uint64_t, std::uint32_t cycles) { processor_.run_ahead(cycles); }
  bool done() const { return processor_.state() == ProcessorState::kHalted; }
  void check() const {
    if (processor_.state() == ProcessorState::kFaulted) throw CheckError(processor_.fault());
    const std::uint32_t code = processor_.port().exit_code();
    if (done() && code != 0) throw CheckError(exit_message(code));
  }
  void drive(Nic::In& in) const {
    const NicPort& port = processor_.port();
    in.reduction = port.reduction();
    in.windows = port.windows();
  }
  NodeView view() const {
    return {.state = static_cast<std::uint32_t>(processor_.state()), .pc = pc(), .status = {}};
  }
  std::string describe() const {
    const char* const state =
        processor_.state() == ProcessorState::kRunning ? "running" : "waiting";
    if constexpr (kHasPc) return fmt::format("{} at pc {:#x}", state, pc());
    return state;
  }

  /// The state: what a checkpoint keeps.
  template <class Archive>
  requires requires(P& processor, Archive& archive) { processor.serialize(archive); }
  void serialize(Archive& archive) { archive(processor_); }

 private:
  static constexpr bool kHasPc = requires(const P& p) { p.pc(); };
  std::uint32_t pc() const {
    if constexpr (kHasPc) return processor_.pc();
    return 0;
  }

  P processor_;
};

static_assert(Endpoint<ProcessorEndpoint<Rv32Core>>);
static_assert(Endpoint<ProcessorEndpoint<NativeHost>>);

}  // namespace weft
