// Topological order of a netlist.
#include "sim/gates/netlist_order.hpp"

#include <fmt/format.h>

#include "sim/base/error.hpp"

namespace weft {
namespace {

// The netlist with these gates, in this order, and the flops that are `kept`; nothing of the rest
// is read.
Netlist with_gates(const Netlist& netlist, const std::vector<NetId>& order,
                   const std::vector<std::uint8_t>& kept) {
  Netlist ordered = netlist;
  ordered.flops.clear();
  ordered.aliases.clear();
  ordered.gates.clear();
  ordered.gate_names.clear();
  std::vector<NetId> to(netlist.nets());
  for (NetId n = 0; n < netlist.first_flop(); ++n) to[n] = n;
  std::vector<std::uint32_t> flop_to(netlist.flops.size());
  for (std::uint32_t f = 0; f < netlist.flops.size(); ++f) {
    if (kept[f] == 0) continue;
    flop_to[f] = static_cast<std::uint32_t>(ordered.flops.size());
    to[netlist.first_flop() + f] = netlist.first_flop() + flop_to[f];
    ordered.flops.push_back(netlist.flops[f]);
  }
  for (FlopAlias alias : netlist.aliases) {
    if (!alias.constant && kept[alias.of] == 0) continue;
    if (!alias.constant) alias.of = flop_to[alias.of];
    ordered.aliases.push_back(std::move(alias));
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    to[order[i]] = ordered.first_gate() + static_cast<NetId>(i);
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

}  // namespace

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

  return with_gates(netlist, order, std::vector<std::uint8_t>(netlist.flops.size(), 1));
}

Netlist without_outputs(Netlist netlist, const std::vector<std::uint32_t>& bits) {
  for (const std::uint32_t bit : bits) netlist.outputs[bit] = 0;
  std::vector<std::uint8_t> live(netlist.nets());
  std::vector<NetId> open;
  const auto reach = [&](NetId n) {
    if (live[n] == 0) open.push_back(n);
    live[n] = 1;
  };
  // A memory stays, with the flops that it loads.
  for (const GateMemory& memory : netlist.memories) {
    each_memory_input(memory, reach);
    for (const auto& read : memory.reads) {
      for (NetId n = read.first; read.clocked && n < read.first + memory.width; ++n) reach(n);
    }
  }
  for (const NetId n : netlist.outputs) reach(n);
  while (!open.empty()) {
    const NetId n = open.back();
    open.pop_back();
    if (netlist.is_flop(n)) reach(netlist.flops[n - netlist.first_flop()].d);
    each_input(netlist, n, reach);
  }
  std::vector<NetId> gates;
  for (NetId n = netlist.first_gate(); n < netlist.first_memory(); ++n) {
    if (live[n] != 0) gates.push_back(n);
  }
  return with_gates(netlist, gates,
                    {live.begin() + netlist.first_flop(), live.begin() + netlist.first_gate()});
}

}  // namespace weft
