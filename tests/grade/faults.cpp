// Lists of faults.
#include "tests/grade/faults.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>

#include "sim/gates/netlist_order.hpp"

namespace weft::grade {
namespace {

constexpr std::string_view kReports[] = {"errors_o",    "lost_o",       "retries_o", "stuck_o",
                                         "rx_parity_o", "rx_refused_o", "overdue_o"};

// Nets from which paths lead to these, through registers and memories too.
std::vector<std::uint8_t> cone(const Netlist& netlist, std::vector<NetId> open) {
  std::vector<std::uint8_t> seen(netlist.nets());
  std::vector<std::uint8_t> memory_seen(netlist.memories.size());
  const auto open_memory = [&](std::size_t m) {
    if (memory_seen[m]++ != 0) return;
    const GateMemory& memory = netlist.memories[m];
    for (const auto& write : memory.writes) {
      open.push_back(write.enable);
      open.insert(open.end(), write.address.begin(), write.address.end());
      open.insert(open.end(), write.data.begin(), write.data.end());
    }
    for (const auto& read : memory.reads) {
      open.push_back(read.enable);
      open.insert(open.end(), read.address.begin(), read.address.end());
    }
  };
  while (!open.empty()) {
    const NetId n = open.back();
    open.pop_back();
    if (seen[n]++ != 0) continue;
    if (netlist.is_flop(n)) open.push_back(netlist.flops[n - netlist.first_flop()].d);
    each_input(netlist, n, [&](NetId in) { open.push_back(in); });
    for (std::size_t m = 0; m < netlist.memories.size(); ++m) {
      for (const auto& read : netlist.memories[m].reads) {
        if (n >= read.first && n < read.first + netlist.memories[m].width) open_memory(m);
      }
    }
  }
  return seen;
}

}  // namespace

Watched::Watched(const Netlist& netlist) {
  const auto before = [&](NetId n) {
    return netlist.is_flop(n) ? netlist.flops[n - netlist.first_flop()].d : n;
  };
  for (const GatePort& port : netlist.ports) {
    if (port.input) continue;
    if (port.name.starts_with("$check")) {
      check_output.push_back(port.first);
      checks.push_back(
          {before(netlist.outputs[port.first]), before(netlist.outputs[port.first + 1])});
      continue;
    }
    const bool report = std::ranges::find(kReports, port.name) != std::end(kReports);
    for (std::uint32_t b = 0; b < port.width; ++b) {
      outputs.push_back(port.first + b);
      if (report) reports.push_back(port.first + b);
    }
  }
}

FaultList::FaultList(const Netlist& netlist, const Watched& watched) {
  std::vector<NetId> own, all = netlist.outputs;
  for (const std::uint32_t bit : watched.outputs) own.push_back(netlist.outputs[bit]);
  std::vector<std::uint8_t> is_output(netlist.nets());
  for (const NetId n : netlist.outputs) is_output[n] = 1;
  const auto seen = cone(netlist, own), checked = cone(netlist, all);

  // The gate that is the only reader of a net.
  std::vector<std::uint32_t> readers(netlist.nets());
  std::vector<NetId> reader(netlist.nets());
  const auto read = [&](NetId n, NetId by) {
    if (reader[n] == by && by != 0) return;
    ++readers[n];
    reader[n] = by;
  };
  for (NetId n = netlist.first_gate(); n < netlist.first_memory(); ++n) {
    if (seen[n] == 0) continue;
    for (const NetId in : netlist.gate(n).in) read(in, n);
  }
  each_state_input(netlist, [&](NetId n) { read(n, 0); });
  for (NetId n = netlist.first_memory(); n < netlist.nets(); ++n) {
    each_input(netlist, n, [&](NetId in) { read(in, 0); });
  }

  // From the outputs back: a fault's class is that of the fault that it is at its reader.
  std::map<std::pair<NetId, bool>, std::uint32_t> class_of;
  const auto add = [&](NetId n, bool value) {
    if (is_output[n] == 0 && readers[n] == 1 && reader[n] != 0) {
      const Gate& gate = netlist.gate(reader[n]);
      unsigned outputs = 0;  // Bit 0: can be 0; bit 1: can be 1.
      for (unsigned i = 0; i < 8; ++i) {
        bool possible = true;
        for (unsigned pin = 0; pin < 3; ++pin) {
          const bool bit = (i >> (2 - pin) & 1) != 0;
          if (gate.in[pin] == n && bit != value) possible = false;
          if (gate.in[pin] < 2 && bit != (gate.in[pin] == 1)) possible = false;
        }
        if (possible) outputs |= 1u << (gate.table >> i & 1);
      }
      if (outputs == 1 || outputs == 2) {
        const std::uint32_t same = class_of.at({reader[n], outputs == 2});
        class_of[{n, value}] = same;
        ++sizes_[same];
        return;
      }
    }
    class_of[{n, value}] = static_cast<std::uint32_t>(classes_.size());
    classes_.push_back({n, value});
    sizes_.push_back(1);
  };
  const auto add_net = [&](NetId n) {
    if (seen[n] == 0 && checked[n] != 0) return;
    ++nets_;
    if (netlist.is_flop(n)) flops_.push_back(n - netlist.first_flop());
    if (seen[n] == 0) {
      unread_ += 2;
      return;
    }
    add(n, false);
    add(n, true);
  };
  for (NetId n = netlist.first_memory(); n-- > netlist.first_gate();) add_net(n);
  for (NetId n = netlist.first_flop(); n < netlist.first_gate(); ++n) add_net(n);
}

NetNames::NetNames(const Netlist& netlist)
    : netlist_(netlist), reader_(netlist.nets()), output_(netlist.nets()) {
  for (NetId n = netlist.first_memory(); n-- > netlist.first_gate();) {
    for (const NetId in : netlist.gate(n).in) reader_[in] = n;
  }
  for (std::size_t f = 0; f < netlist.flops.size(); ++f) {
    reader_[netlist.flops[f].d] = netlist.first_flop() + static_cast<NetId>(f);
  }
  for (const GatePort& port : netlist.ports) {
    if (port.input || port.name.starts_with("$check")) continue;
    for (std::uint32_t b = 0; b < port.width; ++b) {
      output_[netlist.outputs[port.first + b]] = fmt::format("{}[{}]", port.name, b);
    }
  }
}

std::string NetNames::own(NetId net) const {
  if (!output_[net].empty()) return output_[net];
  if (netlist_.is_flop(net)) return netlist_.flops[net - netlist_.first_flop()].name;
  if (netlist_.is_gate(net)) return netlist_.gate_names[net - netlist_.first_gate()];
  return "";
}

std::string NetNames::operator()(NetId net) const {
  std::string name = own(net);
  if (!name.empty()) return name;
  NetId to = net;
  for (unsigned i = 0; i < 20 && name.empty() && reader_[to] != 0; ++i) {
    to = reader_[to];
    name = own(to);
  }
  const bool flop = netlist_.is_flop(net);
  name = fmt::format("{} {}", flop ? "flop" : "gate",
                     net - (flop ? netlist_.first_flop() : netlist_.first_gate())) +
         (name.empty() ? "" : " before " + name);
  return name;
}

}  // namespace weft::grade
