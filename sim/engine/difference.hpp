// Where RTL and model of a run differed.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "sim/base/error.hpp"
#include "sim/verilated/rtl_ports.hpp"

namespace weft {

/// RTL and model differed: cycle, instance, port and both values are in the message.
struct DifferenceAt : CheckError {
  DifferenceAt(std::uint64_t at_cycle, const std::string& instance, const Difference& difference)
      : CheckError(fmt::format("RTL and model differ: cycle {}, instance {}, {}", at_cycle,
                               instance, difference.what())),
        cycle(at_cycle) {}
  std::uint64_t cycle;
};

}  // namespace weft
