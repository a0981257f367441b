// Text of an instance of a block, from its port table.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sim/packet/port_list.hpp"
#include "sim/verilated/rtl_params.hpp"

namespace weft {

/// By port name of an instance: what the port is connected to.
using Connections = std::map<std::string, std::string>;

/// Instance u_`name` of `block` with these ports. Inputs that are not in `connections` are 0,
/// outputs unconnected.
std::string instance(const std::string& block, const std::string& name, const RtlParams& params,
                     const std::vector<PortShape>& ports, const Connections& connections);
template <class BlockT, class Config>
std::string instance(const std::string& block, const std::string& name, const Config& config,
                     const Connections& connections) {
  return instance(block, name, rtl_params(config), port_shapes<BlockT>(config), connections);
}

}  // namespace weft
