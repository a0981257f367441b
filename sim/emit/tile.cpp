// Tiles: a router and its route units as one module.
#include "sim/emit/tile.hpp"

#include <algorithm>
#include <vector>

#include "sim/router/routing.hpp"
#include "sim/router/tile_ports.hpp"
#include "sim/router/vc_router.hpp"

namespace weft {
namespace {

// Whether a port of the router is one of its tile: signals between route units and router are
// inside.
bool is_outer(const PortShape& port) {
  return !port.name.starts_with("route_");
}

// Ports of a tile as its router has them.
std::vector<PortShape> outer_ports(const VcRouter::PortConfig& router) {
  std::vector<PortShape> ports = port_shapes<VcRouter>(router);
  std::erase_if(ports, [](const PortShape& port) { return !is_outer(port); });
  return ports;
}

// Width of a port of a route unit, bits; 0 without it.
unsigned unit_width(const RouteUnit::PortConfig& unit, const std::string& name) {
  for (const PortShape& port : port_shapes<RouteUnit>(unit)) {
    if (port.name == name) return port.width;
  }
  return 0;
}

// A number in hexadecimal, of any width; `words`: 64-bit words, the lowest first.
std::string literal(const std::vector<std::uint64_t>& words, unsigned width) {
  std::string digits;
  for (const std::uint64_t word : words) digits = fmt::format("{:016x}", word) + digits;
  return fmt::format("{}'h{}", width, digits.substr(digits.size() - (width + 3) / 4));
}

// A slice of a vector: element `i` of elements of `width` bits.
std::string slice(const std::string& vector, unsigned i, unsigned width) {
  return fmt::format("{}[{}*{} +: {}]", vector, i, width, width);
}

// The route units of each in-port of a tile, in text.
class TileText {
 public:
  TileText(const RouterTileConfig& config, bool parity, bool beside)
      : router{config, parity, config.header.data_w},
        unit(route_ports(config)),
        own_w(unit_width(unit, "own_i")),
        table_w(unit_width(unit, "table_i")),
        beside_(beside),
        config_(config),
        addr_w_(unit.width()),
        port_w_(unit.port_w()),
        links_(config.num_ports - config.num_local) {}

  // Text of all that belongs to an in-port.
  std::string in_port(unsigned p) const {
    const Answer out = {slice("route_port", p, port_w_), slice("route_set", p, kVcSetW)};
    std::string text;
    if (config_.routing != Routing::kMinimalAdaptive) {
      text += fmt::format("\n  assign {} = '0;\n", slice("route_minimal", p, config_.num_ports));
    }
    if (config_.routing == Routing::kDirect) {
      return text + route_unit(p, "route", {number(p), field(p, src()), field(p, dst())}, out);
    }
    if (config_.routing == Routing::kMinimalAdaptive) {
      return text + in_class(p, {number(p), own(), field(p, dst())}, "1'b0") + minimal(p);
    }
    text += fmt::format("\n  logic class_{};\n  assign class_{} = {} >= {}'d{};\n", p, p,
                        slice("rx_vc_i", p, vc_w()), vc_w(), config_.low_vc);
    if (config_.routing == Routing::kMessageClasses) {
      return text + in_class(p, {number(p), field(p, src()), field(p, dst())}, class_of(p));
    }
    if (config_.routing == Routing::kO1turn) {
      return text + in_class(p, {number(p), own(), field(p, dst()), class_of(p)}, class_of(p));
    }
    return text + by_waypoint(p, out);
  }

  // Text of the tile's `route_load`, and of the wires to it.
  std::string queues() const {
    if (!ugal()) return {};
    const RouteLoad::Config shape{config_.num_vc, config_.low_vc, links_, config_.num_local,
                                  config_.load_w()};
    std::string text = fmt::format(
        "\n  logic [{0}*{1}-1:0] low_load, high_load;\n  logic [{0}-1:0] busy;\n"
        "  logic [{2}-1:0] next_class;\n  logic [{2}*{3}-1:0] rx_len;\n",
        links_, shape.load_w, config_.num_ports, kLenW);
    for (unsigned p = 0; p < config_.num_ports; ++p) {
      text += fmt::format("  assign {} = rx_data_i[{}*{}+{} +: {}];\n", slice("rx_len", p, kLenW),
                          p, kFlitWidth(router), kHdrLenLsb, kLenW);
    }
    return text +
           instance<RouteLoad>(
               "route_load", "load", shape,
               {{"clk_i", "clk_i"},
                {"rst_ni", "rst_ni"},
                {"rx_valid_i", "rx_valid_i"},
                {"rx_last_i", "rx_last_i"},
                {"rx_vc_i", "rx_vc_i"},
                {"rx_len_i", "rx_len"},
                {"rx_port_i", "route_port"},
                {"rx_class_i", "next_class"},
                {"tx_credit_i", fmt::format("tx_credit_i[{}*{}-1:0]", links_, config_.num_vc)},
                {"low_load_o", "low_load"},
                {"high_load_o", "high_load"},
                {"busy_o", "busy"}});
  }

  const VcRouter::PortConfig router;
  const RouteUnit::PortConfig unit;
  const unsigned own_w, table_w;

  // Width of an entry of a table.
  unsigned entry_w() const { return port_w_ + kVcSetW; }

 private:
  // Question to a route unit, and where its answer goes.
  struct Question {
    std::string port, src, dst, reverse = "1'b0", table = {};
  };
  struct Answer {
    std::string port, set;
  };

  static unsigned dst() { return kHdrDstLsb; }
  unsigned src() const { return kHdrDstLsb + config_.header.addr_w; }
  unsigned vc_w() const { return index_width(config_.num_vc); }
  bool ugal() const { return config_.routing == Routing::kUgal; }
  bool is_local(unsigned p) const { return p >= links_; }
  std::string number(unsigned p) const { return fmt::format("{}'d{}", port_w_, p); }
  static std::string class_of(unsigned p) { return fmt::format("class_{}", p); }
  // The own address as the source of a packet; a table does not need it.
  std::string own() const { return own_w != 0 ? "own_i" : "'0"; }
  std::string stamp(unsigned p, unsigned bits) const {
    return fmt::format("rx_stamp_i[{}*{} +: {}]", p, kStampW, bits);
  }
  // An address in a header.
  std::string field(unsigned p, unsigned lsb) const {
    return fmt::format("{}'(rx_data_i[{}*{}+{} +: {}])", addr_w_, p, kFlitWidth(router), lsb,
                       config_.header.addr_w);
  }

  std::string route_unit(unsigned p, const std::string& name, const Question& asked,
                         const Answer& to) const {
    if (beside_) {
      return fmt::format("\n  assign {{{}, {}}} = {};\n", to.set, to.port,
                         slice("entry_i", p, entry_w()));
    }
    const std::string table = asked.table.empty() ? slice("table_i", p, table_w) : asked.table;
    return instance<RouteUnit>(
        RouteUnit::block(config_.route_kind), fmt::format("{}_{}", name, p), unit,
        {{"port_i", asked.port},
         {"own_i", "own_i"},
         {"src_i", asked.src},
         {"dst_i", asked.dst},
         {"other_way_i",
          fmt::format("rx_data_i[{}*{}+{}]", p, kFlitWidth(router), kHdrTagLsb + kTagOtherWay)},
         {"reverse_i", asked.reverse},
         {"table_i", table},
         {"port_o", to.port},
         {"set_o", to.set}});
  }

  // Declares the wires of an answer.
  std::string wires(unsigned p, const std::string& name, Answer& to) const {
    to = {fmt::format("{}_port_{}", name, p), fmt::format("{}_set_{}", name, p)};
    return fmt::format("\n  logic [{}-1:0] {};\n  logic [{}-1:0] {};\n", port_w_, to.port, kVcSetW,
                       to.set);
  }

  // A route unit, and the set within a class.
  std::string in_class(unsigned p, const Question& asked, const std::string& cls) const {
    Answer answer;
    std::string text = wires(p, "asked", answer);
    text += route_unit(p, "route", asked, answer);
    text += fmt::format("\n  logic [{}-1:0] class_set_{};\n", kVcSetW, p);
    text += instance<RouteClass>("route_class", fmt::format("class_{}", p),
                                 RouteClass::Config{config_.num_vc, config_.low_vc},
                                 {{"class_i", cls},
                                  {"set_i", answer.set},
                                  {"stamp_i", stamp(p, RouteClass::kStampBits)},
                                  {"set_o", fmt::format("class_set_{}", p)}});
    return text +
           fmt::format("\n  assign {} = {};\n  assign {} = {} >= {} ? {}'d0 : class_set_{};\n",
                       slice("route_port", p, port_w_), answer.port, slice("route_set", p, kVcSetW),
                       answer.port, number(links_), kVcSetW, p);
  }

  std::string minimal(unsigned p) const {
    const RouteMinimal::PortConfig shape{
        config_.route, config_.route_kind == RouteUnit::kind_of<RouteTorus>(), addr_w_};
    return fmt::format("\n  logic [{}-1:0] minimal_{};\n  assign {} = {}'(minimal_{});\n", links_,
                       p, slice("route_minimal", p, config_.num_ports), config_.num_ports, p) +
           instance<RouteMinimal>("route_minimal", fmt::format("minimal_{}", p), shape,
                                  {{"own_i", "own_i"},
                                   {"dst_i", field(p, dst())},
                                   {"mask_o", fmt::format("minimal_{}", p)}});
  }

  std::string by_waypoint(unsigned p, const Answer& out) const {
    std::string text = fmt::format("\n  logic [{}-1:0] waypoint_{};\n", addr_w_, p);
    text += instance<RouteWaypoint>("route_waypoint", fmt::format("waypoint_{}", p),
                                    RouteWaypoint::PortConfig{config_.route, addr_w_},
                                    {{"stamp_i", stamp(p, kStampW)},
                                     {"src_i", field(p, src())},
                                     {"waypoint_o", fmt::format("waypoint_{}", p)}});
    Answer way, on;
    text += wires(p, "way", way) + wires(p, "on", on);
    text += route_unit(p, "way", {number(p), own(), fmt::format("waypoint_{}", p)}, way);
    // A packet of class 0 asks as if it were injected here; a router without local ports is no
    // waypoint.
    const unsigned first = is_local(p) ? p : config_.num_local != 0 ? links_ : 0;
    Question from = {number(p), own(), field(p, dst())};
    if (first != p) {
      from.port = fmt::format("{} ? {} : {}", class_of(p), number(p), number(first));
      from.table = fmt::format("{} ? {} : {}", class_of(p), slice("table_i", p, table_w),
                               slice("table_i", first, table_w));
    }
    text += route_unit(p, "on", from, on);
    const RoutePhase::Config shape{config_.num_vc,    config_.low_vc,   links_,
                                   config_.num_local, config_.load_w(), ugal()};
    Connections to = {{"local_i", is_local(p) ? "1'b1" : "1'b0"},
                      {"class_i", class_of(p)},
                      {"stamp_i", stamp(p, RouteClass::kStampBits)},
                      {"way_port_i", way.port},
                      {"way_set_i", way.set},
                      {"on_port_i", on.port},
                      {"on_set_i", on.set},
                      {"port_o", out.port},
                      {"set_o", out.set}};
    if (ugal()) {
      to.insert({{"low_load_i", "low_load"},
                 {"high_load_i", "high_load"},
                 {"busy_i", "busy"},
                 {"class_o", fmt::format("next_class[{}]", p)}});
    }
    return text + instance<RoutePhase>("route_phase", fmt::format("phase_{}", p), shape, to);
  }

  const bool beside_;  // Tables are memories beside the tile.
  const RouterTileConfig& config_;
  unsigned addr_w_, port_w_, links_;
};

}  // namespace

std::string tile_name(std::uint32_t shape) {
  return fmt::format("weft_tile_{}", shape);
}

bool tables_beside(const RouterTileConfig& config) {
  return config.route.tables != nullptr && by_own_way(config.routing);
}

std::string tile_module(const RouterTileConfig& config, bool parity, std::uint32_t shape,
                        bool beside) {
  const TileText tile(config, parity, beside);
  std::string text = fmt::format(
      "// Router and the route units of its in-ports. Written by `weft emit`.\n\nmodule {} (\n"
      "  /// Clock.\n  input  logic clk_i,\n"
      "  /// Asynchronous reset, active low.\n  input  logic rst_ni,\n",
      tile_name(shape));
  if (tile.own_w != 0) {
    text +=
        fmt::format("  /// Position in the network.\n  input  logic [{}-1:0] own_i", tile.own_w);
  } else if (beside) {
    text += fmt::format(
        "  /// Entries of the in-ports' tables for the headers that arrive.\n  input  logic "
        "[{}*{}-1:0] entry_i",
        config.num_ports, tile.entry_w());
  } else {
    text += fmt::format(
        "  /// Routing tables of the in-ports, in-port 0 lowest.\n  input  logic [{}*{}-1:0] "
        "table_i",
        config.num_ports, tile.table_w);
  }
  Connections to = {{"clk_i", "clk_i"}, {"rst_ni", "rst_ni"}};
  for (const PortShape& port : outer_ports(tile.router)) {
    text += fmt::format(",\n  /// {} of the router.\n  {} logic [{}-1:0] {}", port.name,
                        port.input ? "input " : "output", port.width, port.name);
    to[port.name] = port.name;
  }
  text += "\n);\n\n";
  for (const PortShape& port : port_shapes<VcRouter>(tile.router)) {
    if (is_outer(port)) continue;
    // `route_port` for `route_port_i`.
    const std::string wire = port.name.substr(0, port.name.size() - 2);
    text += fmt::format("  logic [{}-1:0] {};\n", port.width, wire);
    to[port.name] = wire;
  }
  text += tile.queues();
  for (unsigned p = 0; p < config.num_ports; ++p) text += tile.in_port(p);
  return text + instance<VcRouter>("vc_router", "router", tile.router, to) + "\nendmodule\n";
}

RouterPosition tile_position(const RouterTileConfig& config) {
  const RouteUnit::PortConfig unit = route_ports(config);
  if (const unsigned own_w = unit_width(unit, "own_i"); own_w != 0) {
    return {"own_i", own_w, "Position", fmt::format("{}'d{}", own_w, config.own), {config.own}};
  }
  const unsigned table_w = unit_width(unit, "table_i");
  const unsigned width = config.num_ports * table_w;
  std::string tables;
  std::vector<std::uint64_t> value((width + 63) / 64);
  for (unsigned p = config.num_ports; p-- > 0;) {
    const auto row = unit.config.tables->packed(config.own, p, unit.port_w());
    tables += literal(row, table_w) + (p > 0 ? ",\n              " : "");
    for (unsigned bit = 0; bit < table_w; ++bit) {
      const unsigned at = p * table_w + bit;
      value[at / 64] |= (row[bit / 64] >> bit % 64 & 1) << at % 64;
    }
  }
  return {"table_i", width, "Routing tables of the in-ports", "{" + tables + "}", value};
}

std::string tile_instance(const RouterTileConfig& config, bool parity, std::uint32_t shape,
                          const std::string& name, const Connections& to) {
  const std::string position = unit_width(route_ports(config), "own_i") != 0 ? "own_i" : "table_i";
  const auto given = to.find(position), reset = to.find("rst_ni");
  std::string text =
      fmt::format("\n  {} u_{} (\n    .clk_i,\n    {},\n    .{}({})", tile_name(shape), name,
                  reset != to.end() ? fmt::format(".rst_ni({})", reset->second) : ".rst_ni",
                  position, given != to.end() ? given->second : tile_position(config).literal);
  for (const PortShape& port : outer_ports({config, parity, config.header.data_w})) {
    text += fmt::format(",\n    .{}({})", port.name, to.at(port.name));
  }
  return text + "\n  );\n";
}

}  // namespace weft
