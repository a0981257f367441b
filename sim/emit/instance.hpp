// Text of an instance of a block, from its port table.
#pragma once

#include <fmt/format.h>

#include <map>
#include <string>

#include "sim/packet/port_shape.hpp"
#include "sim/verilated/rtl_params.hpp"

namespace weft {

/// By port name of an instance: what the port is connected to.
using Connections = std::map<std::string, std::string>;

/// Instance u_`name` of `block`. Inputs that are not in `connections` are 0, outputs unconnected.
template <class BlockT, class Config>
std::string instance(const std::string& block, const std::string& name, const Config& config,
                     const Connections& connections) {
  std::string text =
      fmt::format("\n  {} {} u_{} (", rtl_module(block), parameter_list(rtl_params(config)), name);
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
  for (const PortShape& port : port_shapes<BlockT>(config)) {
    const auto found = connections.find(port.name);
    // A number of the port's own width: some simulators warn of a single bit.
    const std::string open = port.input ? fmt::format("{}'d0", port.width) : "";
    connect(port.name, found != connections.end() ? found->second : open);
  }
  return text + "\n  );\n";
}

}  // namespace weft
