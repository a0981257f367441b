// What a program tells the simulator through the simulator's registers: lines, values, phases.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "sim/processor/nic_port.hpp"
#include "sw/include/weft_registers.h"

namespace weft {
namespace {

// A program's text in printable form.
std::string printable(std::string_view text) {
  std::string shown(text.substr(0, NicPort::kMostText));
  std::ranges::replace_if(
      shown, [](char c) { return c < ' ' || c > '~'; }, '?');
  return shown;
}

}  // namespace

void NicPort::tell(std::uint32_t reg, std::string_view text, std::uint32_t value) {
  const std::string shown = printable(text);
  if (reg == WEFT_REG_PRINT) {
    if (++prints_ <= skipped_prints_ || prints_ > kMostPrints + 1) return;
    const std::string line =
        prints_ <= kMostPrints
            ? fmt::format("node {}, cycle {}: {} {}\n", rank_, cycle_, shown, value)
            : fmt::format("node {}, cycle {}: more than {} lines; the others are left out\n", rank_,
                          cycle_, kMostPrints);
    std::fputs(line.c_str(), stderr);
  } else if (reg == WEFT_REG_FAIL) {
    refuse(fmt::format("{} {}", shown, value));
  } else if (values_.size() == kMostValues) {
    refuse(fmt::format("more than {} values for the result", kMostValues));
  } else {
    values_.push_back({shown, cycle_, value});
  }
}

void NicPort::enter_phase(std::string_view name) {
  if (in_phase_) phases_.back().end = cycle_;
  in_phase_ = !name.empty();
  if (!in_phase_) return;
  if (phases_.size() == kMostPhases) {
    in_phase_ = false;
    return refuse(fmt::format("more than {} phases", kMostPhases));
  }
  phases_.push_back({printable(name), cycle_, cycle_});
}

std::vector<ReportedPhase> NicPort::phases(std::uint64_t end) const {
  std::vector<ReportedPhase> all = phases_;
  if (in_phase_) all.back().end = end;
  return all;
}

}  // namespace weft
