// Tiles: a router and its route units as one module.
#include "sim/emit/tile.hpp"

#include <algorithm>
#include <vector>

namespace weft {
namespace {

// Ports of a tile as its router has them; what the route units tell the router is inside.
std::vector<PortShape> outer_ports(const VcRouter::PortConfig& router) {
  std::vector<PortShape> ports = port_shapes<VcRouter>(router);
  std::erase_if(ports, [](const PortShape& port) { return port.name.starts_with("route_"); });
  return ports;
}

// Width of a port of a route unit, bits; 0 without it.
unsigned unit_width(const RouteUnit::PortConfig& unit, const std::string& name) {
  for (const PortShape& port : port_shapes<RouteUnit>(unit)) {
    if (port.name == name) return port.width;
  }
  return 0;
}

// A number in hexadecimal, of any width; words of 64 bits, the lowest first.
std::string literal(const std::vector<std::uint64_t>& words, unsigned width) {
  std::string digits;
  for (const std::uint64_t word : words) digits = fmt::format("{:016x}", word) + digits;
  return fmt::format("{}'h{}", width, digits.substr(digits.size() - (width + 3) / 4));
}

}  // namespace

std::string tile_name(std::uint32_t shape) {
  return fmt::format("weft_tile_{}", shape);
}

std::string tile_module(const RouterTileConfig& config, bool parity, std::uint32_t shape) {
  const VcRouter::PortConfig router{config, parity};
  const RouteUnit::PortConfig unit = route_ports(config);
  const unsigned own_w = unit_width(unit, "own_i"), table_w = unit_width(unit, "table_i");
  const unsigned addr_w = unit.width(), port_w = unit.port_w(), flit_w = flit_width(parity);

  std::string text = fmt::format(
      "// Router and the route units of its in-ports. Written by `weft emit`.\n\nmodule {} (\n"
      "  /// Clock.\n  input  logic clk_i,\n"
      "  /// Asynchronous reset, active low.\n  input  logic rst_ni,\n",
      tile_name(shape));
  if (own_w != 0) {
    text += fmt::format("  /// Position in the network.\n  input  logic [{}-1:0] own_i", own_w);
  } else {
    text += fmt::format(
        "  /// Routing tables of the in-ports, in-port 0 lowest.\n  input  logic [{}*{}-1:0] "
        "table_i",
        config.num_ports, table_w);
  }
  Connections to = {{"clk_i", "clk_i"}, {"rst_ni", "rst_ni"}};
  for (const PortShape& port : outer_ports(router)) {
    text += fmt::format(",\n  /// {} of the router.\n  {} logic [{}-1:0] {}", port.name,
                        port.input ? "input " : "output", port.width, port.name);
    to[port.name] = port.name;
  }
  text +=
      fmt::format("\n);\n\n  logic [{0}*{1}-1:0] route_port;\n  logic [{0}*{2}-1:0] route_set;\n",
                  config.num_ports, port_w, kVcSetW);
  to["route_port_i"] = "route_port";
  to["route_set_i"] = "route_set";
  const unsigned dst = kHdrDstLsb, src = dst + config.header.addr_w;
  const unsigned other_way = kHdrTagLsb + kTagOtherWay;
  for (unsigned p = 0; p < config.num_ports; ++p) {
    const auto field = [&](unsigned lsb) {
      return fmt::format("{}'(rx_data_i[{}*{}+{} +: {}])", addr_w, p, flit_w, lsb,
                         config.header.addr_w);
    };
    Connections route = {{"port_i", fmt::format("{}'d{}", port_w, p)},
                         {"own_i", "own_i"},
                         {"src_i", field(src)},
                         {"dst_i", field(dst)},
                         {"other_way_i", fmt::format("rx_data_i[{}*{}+{}]", p, flit_w, other_way)},
                         {"table_i", fmt::format("table_i[{}*{} +: {}]", p, table_w, table_w)},
                         {"port_o", fmt::format("route_port[{}*{} +: {}]", p, port_w, port_w)},
                         {"set_o", fmt::format("route_set[{}*{} +: {}]", p, kVcSetW, kVcSetW)}};
    text += instance<RouteUnit>(RouteUnit::block(config.route_kind), fmt::format("route_{}", p),
                                unit, route);
  }
  return text + instance<VcRouter>("vc_router", "router", router, to) + "\nendmodule\n";
}

std::string tile_instance(const RouterTileConfig& config, bool parity, std::uint32_t shape,
                          const std::string& name, const Connections& to) {
  const RouteUnit::PortConfig unit = route_ports(config);
  std::string text = fmt::format("\n  {} u_{} (\n    .clk_i,\n    .rst_ni", tile_name(shape), name);
  if (const unsigned own_w = unit_width(unit, "own_i"); own_w != 0) {
    text += fmt::format(",\n    .own_i({}'d{})", own_w, config.own);
  } else {
    const unsigned table_w = unit_width(unit, "table_i");
    std::string tables;
    for (unsigned p = config.num_ports; p-- > 0;) {
      const auto row = unit.config.tables->packed(config.own, p, unit.port_w());
      tables += literal(row, table_w) + (p > 0 ? ",\n              " : "");
    }
    text += fmt::format(",\n    .table_i({{{}}})", tables);
  }
  for (const PortShape& port : outer_ports({config, parity})) {
    text += fmt::format(",\n    .{}({})", port.name, to.at(port.name));
  }
  return text + "\n  );\n";
}

}  // namespace weft
