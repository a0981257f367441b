// The interface of a processor to the engine, and the job that the engine passes to it.
#pragma once

#include <fmt/format.h>

#include <array>
#include <bit>
#include <concepts>
#include <cstdint>
#include <numeric>
#include <string>

#include "sim/packet/packet.hpp"
#include "sim/processor/memory.hpp"
#include "sim/processor/nic_port.hpp"
#include "sw/include/weft_hal.h"

namespace weft {

/// The job as a driver reads it (sw/include/weft_hal.h).
using Job = struct ::weft_job;

enum class ProcessorState : std::uint8_t {
  kRunning,
  kSleeping,  ///< In wfi, until a register of the NIC changes.
  kHalted,    ///< The driver ended; NicPort::exit_code tells how.
  kFaulted,   ///< The driver did something forbidden; fault() tells what.
};

/// Message for a program that ended with a code other than 0.
inline std::string exit_message(std::uint32_t code) {
  return code == WEFT_EXIT_JOB ? "the job that node 0 sent over the network arrived with errors"
                               : fmt::format("the program ended with code {}", code);
}

constexpr unsigned values_of(ProcessorState) {
  return 4;
}

/// A processor of one node. `step` is one clock cycle: it gets what the NIC published at the end of
/// the cycle before; what it posts is read from `port()` after it. The engine reports fault() of a
/// faulted processor as a CheckError of its node. In a halted or faulted processor `step` only
/// keeps the port's time. `step_on` is a cycle with the status of the cycle before. An engine that
/// need not see every cycle may call `run_ahead` after a step, which passes some of the following
/// cycles, and `uses_memory` before one, which tells whether the processor may read or write memory
/// that the NIC writes or reads. `acts_later` tells whether it makes progress although no status
/// changes, and `pauses` how many of the following cycles it only lets pass.
template <class P>
concept Processor = requires(P p, const P& constant, const NicStatus& status, std::uint64_t cycle) {
  p.step(status, cycle);
  p.step_on(cycle);
  { p.run_ahead(std::uint32_t{}) } -> std::same_as<std::uint32_t>;
  { constant.uses_memory() } -> std::same_as<bool>;
  { p.acts_later() } -> std::same_as<bool>;
  { constant.pauses() } -> std::same_as<std::uint32_t>;
  { p.port() } -> std::same_as<NicPort&>;
  { p.memory() } -> std::same_as<Memory&>;
  { constant.state() } -> std::same_as<ProcessorState>;
  { constant.fault() } -> std::same_as<const std::string&>;
};

/// Puts the job where drivers find it; throws CheckError if the memory ends before. A job that is
/// sent over the network is put into the memory of rank 0 only.
inline void place_job(Memory& memory, const Job& job) {
  const bool here = job.start == WEFT_START_LOADED || job.rank == 0;
  Job placed = here ? job : Job{};
  placed.check = 0;
  const auto words = std::bit_cast<std::array<std::uint32_t, sizeof(Job) / 4>>(placed);
  placed.check = 0u - std::accumulate(words.begin(), words.end(), std::uint32_t{0});
  memory.store(WEFT_JOB_BASE, placed);
}

}  // namespace weft
