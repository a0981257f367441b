// Parameters of the RTL blocks, by their SystemVerilog names.
#pragma once

#include <memory>

#include "sim/barrier/barrier_unit.hpp"
#include "sim/crossbar/crossbar.hpp"
#include "sim/nic/nic.hpp"
#include "sim/router/fast/vc_router.hpp"
#include "sim/verilated/verilate.hpp"

namespace weft {

/// Width of a word on a link, bits.
constexpr unsigned flit_width(bool parity) {
  return kFlitBytes * 8 + (parity ? 1 : 0);
}
/// Width of a number from 0 to `values` - 1 as the RTL counts it: at least one bit.
constexpr unsigned index_width(std::uint64_t values) {
  return values > 2 ? static_cast<unsigned>(std::bit_width(values - 1)) : 1;
}

RtlParams rtl_params(const Nic::Config& nic);
RtlParams rtl_params(const Crossbar::Config& crossbar, bool parity);
RtlParams rtl_params(const VcRouter::Config& router, bool parity);
RtlParams rtl_params(const BarrierUnit::Config& unit);

/// Text of a module's parameter list, `#(...)`, indented for an instance.
std::string parameter_list(const RtlParams& params);

}  // namespace weft
