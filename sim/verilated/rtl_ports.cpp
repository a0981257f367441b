// Compares a block's port table with the ports of the module.
#include "sim/verilated/rtl_ports.hpp"

namespace weft {

void check_ports(const std::string& block, const std::vector<PortShape>& table,
                 const std::vector<RtlPortInfo>& rtl) {
  const auto fail = [&](const std::string& port, const std::string& what) {
    throw CheckError(fmt::format("{}: port {}: {}", block, port, what));
  };
  const auto direction = [](bool input) { return input ? "input" : "output"; };
  for (const PortShape& port : table) {
    const auto found = std::find_if(
        rtl.begin(), rtl.end(), [&](const RtlPortInfo& info) { return info.name == port.name; });
    if (found == rtl.end()) fail(port.name, "the model has it, the RTL has not");
    if (found->input != port.input) {
      fail(port.name, fmt::format("{} of the RTL, {} of the model", direction(found->input),
                                  direction(port.input)));
    }
    if (found->width != port.width) {
      fail(port.name, fmt::format("{} bits in the RTL, {} in the model", found->width, port.width));
    }
  }
  for (const RtlPortInfo& info : rtl) {
    if (info.name == "clk_i" || info.name == "rst_ni") continue;
    if (std::none_of(table.begin(), table.end(),
                     [&](const PortShape& port) { return port.name == info.name; })) {
      fail(info.name, "the RTL has it, the model has not");
    }
  }
}

}  // namespace weft
