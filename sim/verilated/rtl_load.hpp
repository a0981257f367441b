// Registers of a Verilated block and the state of its model. Declared without the models, so that
// who loads one block does not read the others.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/packet/packet.hpp"
#include "sim/packet/port_list.hpp"
#include "sim/verilated/verilate.hpp"

namespace weft {

/// Loads the registers of an instance, whose library is `loadable`, with the state of `model`, and
/// settles its outputs: both then behave alike in every cycle. `now`: cycles since reset, as in the
/// inputs of the model's next step. Defined for the blocks of sim/verilated/rtl_load.cpp. Throws
/// CheckError if the RTL has a register that is not loaded.
template <class Block>
void load_registers(RtlInstance& rtl, const Block& model,
                    const typename PortTypes<Block>::Config& config, std::uint32_t now);

/// A counter of events, 32 bits that wrap: in a model, and in registers of the RTL.
struct RtlCounter {
  /// Lowest bits of the counter, from bit `lsb` of a register on.
  struct Part {
    std::string name;  ///< As RtlRegisterInfo::name.
    unsigned lsb = 0;
    unsigned bits = kCountW;
  };
  std::uint32_t* value = nullptr;  ///< In the model.
  std::vector<Part> parts;
  bool with_last = false;  ///< Counts the events of the one before it, at other times.
};

/// The counters of a block that only count, its own or at its inputs in the last cycle: any value
/// is one that a long run reaches. Defined for the blocks of sim/verilated/rtl_load.cpp.
template <class Block>
std::vector<RtlCounter> rtl_counters(Block& model);

}  // namespace weft
