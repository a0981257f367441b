// Which net of a netlist is wrong.
#include "sim/gates/wrong_net.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/gates/netlist_order.hpp"

namespace weft {
namespace {

// Marks in `reached` what leads to a net, by 1 more for each net for which it is called.
void mark_cone(const Netlist& netlist, NetId root, std::vector<std::uint32_t>& reached,
               std::uint32_t round) {
  std::vector<NetId> open{root};
  while (!open.empty()) {
    const NetId n = open.back();
    open.pop_back();
    // A net that an earlier round did not reach is in no cone of all.
    if (reached[n] != round) continue;
    ++reached[n];
    each_input(netlist, n, [&](NetId in) { open.push_back(in); });
  }
}

std::string own_name(const Netlist& netlist, NetId net) {
  if (net < Netlist::kFirstInput) return fmt::format("{}", net);
  if (netlist.is_flop(net)) return netlist.flops[net - netlist.first_flop()].name;
  if (netlist.is_gate(net)) return netlist.gate_names[net - netlist.first_gate()];
  if (netlist.is_memory(net)) return "a bit of a memory";
  for (const GatePort& port : netlist.ports) {
    const std::uint32_t bit = net - Netlist::kFirstInput - port.first;
    if (port.input && bit < port.width) return fmt::format("{}[{}]", port.name, bit);
  }
  return {};
}

}  // namespace

void compute_nets(const Netlist& netlist, std::vector<std::uint8_t>& values, NetId inverted) {
  values.resize(netlist.nets());
  values[0] = 0;
  values[1] = 1;
  if (inverted < netlist.first_gate()) values[inverted] ^= 1;
  NetId net = netlist.first_gate();
  for (const Gate& gate : netlist.gates) {
    const unsigned index = values[gate.in[0]] << 2u | values[gate.in[1]] << 1u | values[gate.in[2]];
    values[net] = (gate.table >> index & 1) ^ (net == inverted ? 1 : 0);
    ++net;
  }
}

std::vector<NetId> nets_that_explain(const Netlist& netlist,
                                     const std::vector<std::uint8_t>& values,
                                     const std::vector<WantedNet>& wanted) {
  std::vector<std::uint32_t> reached(netlist.nets());
  std::uint32_t cones = 0;
  for (const WantedNet& point : wanted) {
    if ((values[point.net] != 0) == point.value) continue;
    mark_cone(netlist, point.net, reached, cones++);
  }
  std::vector<NetId> found;
  for (NetId n = netlist.first_flop(); cones != 0 && n < netlist.first_memory(); ++n) {
    if (reached[n] != cones) continue;
    std::vector<std::uint8_t> other = values;
    compute_nets(netlist, other, n);
    const bool all = std::ranges::all_of(
        wanted, [&](const WantedNet& point) { return (other[point.net] != 0) == point.value; });
    if (all) found.push_back(n);
  }
  std::stable_partition(found.begin(), found.end(),
                        [&](NetId n) { return !own_name(netlist, n).empty(); });
  return found;
}

std::string net_name(const Netlist& netlist, NetId net) {
  const std::string own = own_name(netlist, net);
  if (!own.empty() || !netlist.is_gate(net)) return own.empty() ? fmt::format("net {}", net) : own;
  // The nearest that has a name, in the order of the search.
  constexpr std::size_t kNamed = 4;
  std::vector<NetId> open{net};
  std::vector<std::string> names;
  std::vector<bool> seen(netlist.nets());
  for (std::size_t i = 0; i < open.size() && names.size() <= kNamed; ++i) {
    each_input(netlist, open[i], [&](NetId in) {
      if (in < Netlist::kFirstInput || seen[in]) return;
      seen[in] = true;
      const std::string name = own_name(netlist, in);
      name.empty() ? open.push_back(in) : names.push_back(name);
    });
  }
  const bool more = names.size() > kNamed;
  if (more) names.resize(kNamed);
  return fmt::format("gate {} of {}{}", net - netlist.first_gate(), fmt::join(names, ", "),
                     more ? " and more" : "");
}

}  // namespace weft
