// Gates in an order in which each comes after what it reads.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/gates/netlist.hpp"

namespace weft {

/// The netlist with its gates so ordered and without those that nothing reads. Throws ConfigError
/// with the name of a gate for a combinational loop.
Netlist in_order(const Netlist& netlist);

/// The netlist with 0 for these bits among the outputs, and without gates and flops that nothing
/// reads then.
Netlist without_outputs(Netlist netlist, const std::vector<std::uint32_t>& bits);

/// Calls `visit(net)` for each net that must be known before gate or memory bit `n`.
template <class Visit>
void each_input(const Netlist& netlist, NetId n, Visit visit) {
  if (netlist.is_gate(n)) {
    for (const NetId in : netlist.gate(n).in) visit(in);
  } else if (netlist.is_memory(n)) {
    for (const GateMemory& memory : netlist.memories) {
      for (const auto& read : memory.reads) {
        if (read.clocked || n < read.first || n >= read.first + memory.width) continue;
        for (const NetId in : read.address) visit(in);
      }
    }
  }
}

/// Calls `visit(net)` for each net that a memory takes at the edge.
template <class Visit>
void each_memory_input(const GateMemory& memory, Visit visit) {
  for (const auto& write : memory.writes) {
    visit(write.enable);
    for (const NetId n : write.address) visit(n);
    for (const NetId n : write.data) visit(n);
  }
  for (const auto& read : memory.reads) {
    if (!read.clocked) continue;
    visit(read.enable);
    for (const NetId n : read.address) visit(n);
  }
}

/// Calls `visit(net)` for each net that sets the state after the edge.
template <class Visit>
void each_state_input(const Netlist& netlist, Visit visit) {
  for (const Flop& flop : netlist.flops) visit(flop.d);
  for (const GateMemory& memory : netlist.memories) each_memory_input(memory, visit);
}

}  // namespace weft
