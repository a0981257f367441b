// Topological order of a netlist.
#include "sim/gates/netlist_order.hpp"

#include <fmt/format.h>

#include "sim/base/error.hpp"

namespace weft {

Netlist in_order(const Netlist& netlist) {
  enum : std::uint8_t { kNew, kOpen, kDone };
  std::vector<std::uint8_t> seen(netlist.nets(), kNew);
  std::vector<NetId> order, open;
  const auto reach = [&](NetId root) {
    open.assign(1, root);
    while (!open.empty()) {
      const NetId n = open.back();
      if (seen[n] == kDone || n < netlist.first_gate()) {
        open.pop_back();
        continue;
      }
      if (seen[n] == kOpen) {
        seen[n] = kDone;
        if (netlist.is_gate(n)) order.push_back(n);
        open.pop_back();
        continue;
      }
      seen[n] = kOpen;
      each_input(netlist, n, [&](NetId in) {
        if (in < netlist.first_gate() || seen[in] == kDone) return;
        if (seen[in] == kOpen) {
          std::string name;
          for (const NetId on : open) {
            if (netlist.is_gate(on) && name.empty()) {
              name = netlist.gate_names[on - netlist.first_gate()];
            }
          }
          throw ConfigError(fmt::format("a combinational loop, through {}", name));
        }
        open.push_back(in);
      });
    }
  };
  each_state_input(netlist, reach);
  for (const NetId n : netlist.outputs) reach(n);

  Netlist ordered = netlist;
  ordered.gates.clear();
  ordered.gate_names.clear();
  std::vector<NetId> to(netlist.nets());
  for (NetId n = 0; n < netlist.first_gate(); ++n) to[n] = n;
  for (std::size_t i = 0; i < order.size(); ++i) {
    to[order[i]] = netlist.first_gate() + static_cast<NetId>(i);
    ordered.gates.push_back(netlist.gate(order[i]));
    ordered.gate_names.push_back(netlist.gate_names[order[i] - netlist.first_gate()]);
  }
  for (std::uint32_t m = 0; m < netlist.memory_nets; ++m) {
    to[netlist.first_memory() + m] = ordered.first_memory() + m;
  }
  const auto renumber = [&](std::vector<NetId>& nets) {
    for (NetId& n : nets) n = to[n];
  };
  for (Gate& gate : ordered.gates) {
    for (NetId& n : gate.in) n = to[n];
  }
  for (Flop& flop : ordered.flops) flop.d = to[flop.d];
  for (GateMemory& memory : ordered.memories) {
    for (auto& write : memory.writes) {
      write.enable = to[write.enable];
      renumber(write.address);
      renumber(write.data);
    }
    for (auto& read : memory.reads) {
      read.enable = to[read.enable];
      renumber(read.address);
      read.first = to[read.first];
    }
  }
  renumber(ordered.outputs);
  return ordered;
}

}  // namespace weft
