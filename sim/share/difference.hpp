// The first difference between RTL, model and gates in a run.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "sim/base/error.hpp"
#include "sim/verilated/rtl_ports.hpp"

namespace weft {

/// RTL, model and gates differ; the message has cycle, instance, port and values.
struct DifferenceAt : CheckError {
  DifferenceAt(std::uint64_t at_cycle, const std::string& instance, const Difference& difference)
      : CheckError(fmt::format("{}: cycle {}, instance {}, {}", difference.who, at_cycle, instance,
                               difference.what())),
        cycle(at_cycle) {}
  /// The difference that another process has found, with its message.
  DifferenceAt(std::uint64_t at_cycle, const std::string& text)
      : CheckError(text), cycle(at_cycle) {}
  std::uint64_t cycle;
};

}  // namespace weft
