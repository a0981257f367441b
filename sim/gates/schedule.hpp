// In which order a kernel computes gates and writes the state.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/gates/netlist.hpp"

namespace weft {

/// One step of a kernel.
struct KernelOp {
  enum Kind : std::uint8_t {
    kGate,     ///< Computes net `net`.
    kRead,     ///< Reads memory `index`, port `port`, which is not clocked.
    kWrite,    ///< Flop `index` gets net `net`: nothing reads its old value any more.
    kSave,     ///< Keeps net `net`, another flop's old value, for the `kWrite` of flop `index`.
    kOperand,  ///< Place `index` of the memories' operands gets net `net`.
    kOutput,   ///< Output bit `index` gets net `net`.
  } kind = kGate;
  NetId net = 0;
  std::uint32_t index = 0, port = 0;
  bool saved = false;  ///< kWrite: of what was saved.
};

/// Where the operands of memories stand for the call after a step: for each memory each write's
/// enable, address and data, then each clocked read's enable and address.
struct OperandPlaces {
  struct Port {
    std::uint32_t enable = 0, address = 0, data = 0;  ///< Of a read: no data.
  };
  struct Memory {
    std::vector<Port> writes, reads;
  };
  std::vector<Memory> memories;
  std::uint32_t count = 0;
};
OperandPlaces operand_places(const Netlist& netlist);

/// The gates that lead to the next state, depth first from one register to the next, so that few
/// values wait for their use, and each register is written in place as soon as nothing reads it any
/// more, while it is in the processor's first cache: registers that the same values feed follow
/// each other, such as bit 3 of all words of a buffer and of all links that it may go to.
std::vector<KernelOp> schedule_step(const Netlist& netlist);

/// The gates that lead to the outputs.
std::vector<KernelOp> schedule_outputs(const Netlist& netlist);

/// The place of each flop in the state: in the order in which `step` touches them, so that a step
/// goes through the state once from the beginning to the end; flops that a memory loads are last,
/// those of a read together.
std::vector<std::uint32_t> state_places(const Netlist& netlist, const std::vector<KernelOp>& step);

}  // namespace weft
