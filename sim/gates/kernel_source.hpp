// C code that computes a netlist for all lanes of a group at once.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/gates/lanes.hpp"
#include "sim/gates/netlist.hpp"
#include "sim/gates/schedule.hpp"

namespace weft {

/// How a kernel is written; the defaults are what measured best (README.md).
struct KernelForm {
  LaneWidth width = LaneWidth::k64;
  /// Each gate and flop can be forced to a value in each lane.
  bool forced = false;
  unsigned piece = 500;  ///< Steps in a function.
  unsigned file = 4000;  ///< Steps in a file.
};

/// The source files by name, all of them `.c` or `.h`. They define for the library:
///   void weft_step(const Group* groups, unsigned count)
///   void weft_outputs(const Group* groups, unsigned count)
///   void weft_reset(V* state, const V* in, Masks)
/// as gate_library.hpp has them; V is one bit of all lanes.
std::map<std::string, std::string> kernel_source(const Netlist& netlist,
                                                 const std::vector<KernelOp>& step,
                                                 const std::vector<std::uint32_t>& state_places,
                                                 const KernelForm& form);

/// A C expression for a gate's table in terms of its inputs' names: the least AND, OR, XOR, AND-NOT
/// and NOT.
std::string formula(std::uint8_t table, const std::array<std::string, 3>& in);

}  // namespace weft
