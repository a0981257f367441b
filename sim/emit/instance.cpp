// Text of an instance of a block.
#include "sim/emit/instance.hpp"

#include <fmt/format.h>

namespace weft {

std::string instance(const std::string& block, const std::string& name, const RtlParams& params,
                     const std::vector<PortShape>& ports, const Connections& connections) {
  std::string text =
      fmt::format("\n  {} {} u_{} (", rtl_module(block), parameter_list(params), name);
  const char* separator = "\n";
  const auto connect = [&](const std::string& port, const std::string& to) {
    text += fmt::format("{}    .{}({})", separator, port, to);
    separator = ",\n";
  };
  for (const char* always : {"clk_i", "rst_ni"}) {
    if (const auto found = connections.find(always); found != connections.end()) {
      connect(always, found->second);
    }
  }
  for (const PortShape& port : ports) {
    const auto found = connections.find(port.name);
    // A number of the port's own width: some simulators warn of a single bit.
    const std::string open = port.input ? fmt::format("{}'d0", port.width) : "";
    connect(port.name, found != connections.end() ? found->second : open);
  }
  return text + "\n  );\n";
}

}  // namespace weft
