// Which net of a netlist is wrong, by what its outputs and its state should have been.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/gates/netlist.hpp"

namespace weft {

/// Values of all nets in one lane, computed gate by gate from the tables. `values` has those of the
/// inputs and flops, by NetId, and gets those of the gates. Bits of memories stay as they are.
/// `inverted`: a net whose value is inverted; Netlist::kNone: none.
void compute_nets(const Netlist& netlist, std::vector<std::uint8_t>& values,
                  NetId inverted = Netlist::kNone);

/// A net, and the value that it should have.
struct WantedNet {
  NetId net = 0;
  bool value = false;
};

/// The nets of gates and flops of which each alone, inverted, gives all of `wanted` the values that
/// they should have, names first. `values`: as compute_nets leaves them.
std::vector<NetId> nets_that_explain(const Netlist& netlist,
                                     const std::vector<std::uint8_t>& values,
                                     const std::vector<WantedNet>& wanted);

/// Name of a net: of the port's bit, the register, or the wire in the RTL. A gate that Yosys has
/// given none has its number, with the nearest names that it depends on.
std::string net_name(const Netlist& netlist, NetId net);

}  // namespace weft
