// Native host: runs a driver compiled from the same C source as on RV32, without instruction time.
#pragma once

#include <algorithm>
#include <boost/context/fiber.hpp>
#include <cstdint>
#include <string>

#include "sim/processor/processor.hpp"

namespace weft {

/// Processor of one node that runs a natively compiled driver on its own fibre. Within a cycle the
/// driver runs until it sleeps in wfi, ends, is about to post a second descriptor or to enter a
/// second barrier, or has read kReadsPerCycle registers (so that time passes even if a driver polls
/// without wfi).
///
/// The C primitives have no context argument, so a thread-local pointer (native_host.cpp) holds the
/// node that is being stepped. Different threads may step different nodes at the same time; one
/// node is stepped by the same thread from its first step on. It may be moved between steps, and
/// destroyed by any thread once no thread steps it; a driver that has not ended is unwound.
class NativeHost {
 public:
  using Entry = int (*)();

  /// Most register reads of the driver in one cycle.
  static constexpr unsigned kReadsPerCycle = 256;

  /// Puts the job into `memory` (place_job). The first step starts `entry`, or weft_boot if the job
  /// is sent over the network. Throws CheckError if the memory is too small, ConfigError if no
  /// stack can be allocated.
  NativeHost(Entry entry, Memory memory, const Job& job);

  /// Steps one cycle.
  void step(const NicStatus& status, std::uint64_t cycle) {
    port_.begin_cycle(status, cycle);
    if (state_ == ProcessorState::kSleeping && port_.take_event()) {
      state_ = ProcessorState::kRunning;
    }
    if (state_ == ProcessorState::kRunning) resume();
  }

  /// Steps a cycle with the status of the cycle before (NicPort::begin_same_cycle), for a running
  /// processor. One that does not run needs no call.
  void step_on(std::uint64_t cycle) {
    port_.begin_same_cycle(cycle);
    resume();
  }

  /// Passes up to `most` of the cycles that the driver lets pass (weft_pause), and returns how
  /// many. In these cycles the caller only begins a cycle of the port, and only if the status has
  /// changed.
  std::uint32_t run_ahead(std::uint32_t most) {
    const std::uint32_t count = std::min(most, pause_);
    pause_ -= count;
    return count;
  }
  /// Whether the next step may read or write memory.
  bool uses_memory() const { return true; }
  bool acts_later() const { return state_ == ProcessorState::kRunning && pauses_; }
  std::uint32_t pauses() const { return state_ == ProcessorState::kRunning ? pause_ : 0; }

  NicPort& port() { return port_; }
  const NicPort& port() const { return port_; }
  Memory& memory() { return memory_; }
  const Memory& memory() const { return memory_; }
  ProcessorState state() const { return state_; }

  /// Why the driver is kFaulted; empty otherwise.
  const std::string& fault() const { return fault_; }

  /// The lowest address of the driver's stack: its guard page.
  std::uintptr_t stack_base() const { return stack_base_; }

 private:
  friend struct NativePrimitives;  ///< The driver's side (native_host.cpp).

  void resume();

  Entry entry_;
  bool boots_;  ///< The job is sent over the network.
  NicPort port_;
  Memory memory_;
  ProcessorState state_ = ProcessorState::kRunning;
  unsigned reads_ = 0;   ///< Register reads in this cycle.
  bool pauses_ = false;  ///< The driver continues when that many cycles have passed.
  std::uint32_t pause_ = 0;
  std::uintptr_t stack_base_ = 0;
  boost::context::fiber driver_;   ///< The driver, while it is suspended.
  boost::context::fiber stepper_;  ///< The caller of step, while the driver runs.
  std::string fault_;
};

/// Loads the driver in a program of `weft cc --native`, which stays loaded. Throws ConfigError.
NativeHost::Entry load_native_program(const std::string& path);

static_assert(Processor<NativeHost>);

}  // namespace weft
