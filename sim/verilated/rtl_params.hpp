// Parameters of the RTL blocks, by their SystemVerilog names.
#pragma once

#include <string>

#include "sim/verilated/verilate.hpp"

namespace weft {

/// Parameters of the module of a block, whose port table has this configuration (`PortTypes`).
/// Defined in rtl_params.cpp for each of them.
template <class Config>
RtlParams rtl_params(const Config& config);

/// Text of a module's parameter list, `#(...)`, indented for an instance.
std::string parameter_list(const RtlParams& params);

}  // namespace weft
