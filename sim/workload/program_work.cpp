// A program of the user's: its areas and arguments.
#include "sim/workload/program_work.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sw/include/weft_hal.h"

namespace weft {

ProgramWork::ProgramWork(const Config& config, const Graph& graph) : own_(config.workload.own) {
  const unsigned flit = graph.header.flit_bytes();
  const auto flits = [&](const char* pointer, std::uint32_t bytes) {
    if (bytes % flit != 0) {
      config.source.refuse(pointer, bytes,
                           fmt::format("a multiple of {}, the bytes of a flit", flit));
    }
    return bytes / flit;
  };
  layout_ =
      place_areas(flits("/workload/send_bytes", own_.send_bytes),
                  flits("/workload/recv_bytes", own_.recv_bytes), graph.header, config.source);
}

void ProgramWork::fill(std::uint32_t, Memory& memory) const {
  weft_program_job job = {};
  job.argument_count = static_cast<std::uint32_t>(own_.arguments.size());
  std::ranges::copy(own_.arguments, job.arguments);
  memory.store(WEFT_ARRAY_JOB_BASE, job);
}

}  // namespace weft
