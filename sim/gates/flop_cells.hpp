// Flops as cells of a library have them: some with set and reset, some with the inverse value.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "sim/gates/netlist.hpp"

namespace weft {

/// Table of a gate that is the inverse of its first input.
constexpr std::uint8_t kInverterTable = 0x0f;

/// Whether a name of a bit is that of a register as rtl/ names them: "gen_in[0].credit_q[2]".
inline bool is_register_bit(std::string_view name) {
  return name.find("_q[") != name.npos;
}

/// The asynchronous reset of a flop of Yosys.
struct FlopReset {
  char port = 0;       ///< Of the cell; 0: the flop has no reset.
  bool high = false;   ///< Active while its net is 1.
  bool value = false;  ///< Of the flop in it.
};

/// The reset of a flop of type `$_DFF_P_`, `$_DFF_P<polarity of R><value>_` or
/// `$_DFFSR_P<polarity of S><of R>_`; nothing for another type, and for a flop that may be set and
/// reset. `s`, `r`: constants at these ports.
std::optional<FlopReset> flop_reset(std::string_view type, std::optional<bool> s,
                                    std::optional<bool> r);

/// Lets each flop without a name have the value of the register that is its inverse, or itself
/// behind inverters: mapping to a library puts them round a flop whose reset value or output the
/// library does not have. The netlist computes the same. Gates need not be in order.
void take_registers(Netlist& netlist);

}  // namespace weft
