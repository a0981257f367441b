// A user program: its areas and arguments.
#include "sim/workload/program_work.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

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
  if (own_.expect.empty()) return;
  expected_ = read_expected_words(own_.expect, config.source, graph.nodes, layout_);
  words_ = expected_.size();
}

void ProgramWork::compare(std::uint32_t rank, const Memory& memory,
                          const OnWrongWord& wrong) const {
  const auto first_of = std::ranges::lower_bound(expected_, rank, {}, &ExpectedWord::node);
  const auto end_of = std::ranges::upper_bound(expected_, rank, {}, &ExpectedWord::node);
  for (const ExpectedWord& word : std::span(first_of, end_of)) {
    if (memory.load<std::uint32_t>(word.address) == word.value) continue;
    // The whole 64-bit word; its other half is left as it is.
    const std::uint64_t found = memory.read_word(word.address / kWordBytes);
    const unsigned shift = word.address % kWordBytes * 8;
    const std::uint64_t expected = (found & ~(low_mask(32) << shift)) | std::uint64_t{word.value}
                                                                            << shift;
    wrong({.address = word.address / kWordBytes,
           .expected = expected,
           .found = found,
           .part = WrongWord::Part::kExpected,
           .index = word.line - 1,
           .element_type = ReduceType::kInt32});
  }
}

void ProgramWork::fill(std::uint32_t, Memory& memory) const {
  weft_program_job job = {};
  job.argument_count = static_cast<std::uint32_t>(own_.arguments.size());
  std::ranges::copy(own_.arguments, job.arguments);
  memory.store(WEFT_ARRAY_JOB_BASE, job);
}

}  // namespace weft
