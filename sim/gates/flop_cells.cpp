// Flops as cells of a library have them.
#include "sim/gates/flop_cells.hpp"

#include <vector>

namespace weft {
namespace {

// A net, or its inverse.
struct Signal {
  NetId net = 0;
  bool inverse = false;
};

// What a net is behind inverters and buffers: gates of one input.
Signal behind_inverters(const Netlist& netlist, NetId net) {
  Signal signal{net};
  // A chain is no longer than the gates; a loop is found elsewhere.
  for (std::size_t i = 0; i < netlist.gates.size() && netlist.is_gate(signal.net); ++i) {
    const Gate& gate = netlist.gate(signal.net);
    if (gate.in[1] != 0 || gate.in[2] != 0 || gate.in[0] == 0) break;
    const bool at_0 = (gate.table & 1) != 0, at_1 = (gate.table >> 4 & 1) != 0;
    if (at_0 == at_1) break;
    signal = {gate.in[0], signal.inverse != at_0};
  }
  return signal;
}

template <class Visit>
void each_net(Netlist& netlist, Visit visit) {
  for (Gate& gate : netlist.gates) {
    for (NetId& in : gate.in) visit(in);
  }
  for (Flop& flop : netlist.flops) visit(flop.d);
  for (NetId& out : netlist.outputs) visit(out);
  for (GateMemory& memory : netlist.memories) {
    for (auto& write : memory.writes) {
      visit(write.enable);
      for (NetId& n : write.address) visit(n);
      for (NetId& n : write.data) visit(n);
    }
    for (auto& read : memory.reads) {
      visit(read.enable);
      for (NetId& n : read.address) visit(n);
    }
  }
}

// Room for `count` gates more: nets of memories come behind the gates.
void add_gates(Netlist& netlist, std::uint32_t count) {
  const NetId first = netlist.first_memory();
  each_net(netlist, [&](NetId& n) {
    if (n >= first) n += count;
  });
  for (GateMemory& memory : netlist.memories) {
    for (auto& read : memory.reads) {
      if (read.first >= first) read.first += count;
    }
  }
  netlist.gates.resize(netlist.gates.size() + count);
  netlist.gate_names.resize(netlist.gates.size());
}

}  // namespace

std::optional<FlopReset> flop_reset(std::string_view type, std::optional<bool> s,
                                    std::optional<bool> r) {
  if (type == "$_DFF_P_") return FlopReset{};
  if (type.starts_with("$_DFF_P") && type.size() == 10) {
    return FlopReset{'R', type[7] == 'P', type[8] == '1'};
  }
  if (!type.starts_with("$_DFFSR_P") || type.size() != 12) return {};
  const bool set_high = type[9] == 'P', reset_high = type[10] == 'P';
  const bool never_set = s == !set_high, never_reset = r == !reset_high;
  if (never_set && never_reset) return FlopReset{};
  if (never_set) return FlopReset{'R', reset_high, false};
  if (never_reset) return FlopReset{'S', set_high, true};
  return {};
}

void take_registers(Netlist& netlist) {
  // By flop: the gate with the register's name.
  std::vector<NetId> named(netlist.flops.size());
  std::vector<bool> by_memory(netlist.flops.size());
  for (const GateMemory& memory : netlist.memories) {
    for (const auto& read : memory.reads) {
      for (unsigned b = 0; read.clocked && b < memory.width; ++b) {
        by_memory[read.first - netlist.first_flop() + b] = true;
      }
    }
  }
  std::uint32_t inverse = 0;
  for (NetId n = netlist.first_gate(); n < netlist.first_memory(); ++n) {
    const std::string& name = netlist.gate_names[n - netlist.first_gate()];
    if (!is_register_bit(name)) continue;
    const Signal from = behind_inverters(netlist, n);
    if (!netlist.is_flop(from.net)) continue;
    const std::uint32_t f = from.net - netlist.first_flop();
    if (by_memory[f] || is_register_bit(netlist.flops[f].name)) continue;
    netlist.flops[f].name = name;
    if (!from.inverse) continue;
    named[f] = n;
    ++inverse;
  }
  if (inverse == 0) return;
  const NetId first_new = netlist.first_memory();
  add_gates(netlist, 2 * inverse);
  // Readers of a flop get the inverse of its register; those of the gate with the register's name
  // may read that of the flop.
  std::vector<NetId> instead(netlist.nets());
  for (NetId n = 0; n < netlist.nets(); ++n) instead[n] = n;
  NetId next = first_new;
  for (std::uint32_t f = 0; f < netlist.flops.size(); ++f) {
    if (named[f] == 0) continue;
    instead[netlist.first_flop() + f] = next;
    instead[named[f]] = netlist.first_flop() + f;
    next += 2;
  }
  each_net(netlist, [&](NetId& n) { n = instead[n]; });
  next = first_new;
  for (std::uint32_t f = 0; f < netlist.flops.size(); ++f) {
    if (named[f] == 0) continue;
    Flop& flop = netlist.flops[f];
    if (flop.reset != Flop::Reset::kNone) {
      flop.reset = flop.reset == Flop::Reset::kTo0 ? Flop::Reset::kTo1 : Flop::Reset::kTo0;
    }
    netlist.gates[next - netlist.first_gate()] = {kInverterTable, {netlist.first_flop() + f, 0, 0}};
    netlist.gates[next + 1 - netlist.first_gate()] = {kInverterTable, {flop.d, 0, 0}};
    const Signal d = behind_inverters(netlist, next + 1);
    flop.d = d.inverse ? next + 1 : d.net;
    next += 2;
  }
}

}  // namespace weft
