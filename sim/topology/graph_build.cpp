// A network as blocks and links; the register of topologies.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>
#include <tuple>

#include "sim/base/error.hpp"
#include "sim/buffer/input_buffer.hpp"
#include "sim/config/json_cursor.hpp"
#include "sim/nic/packet_id.hpp"
#include "sim/router/route/route_unit.hpp"
#include "sim/topology/failed_networks.hpp"
#include "sim/topology/fault_links.hpp"
#include "sim/topology/graph.hpp"

namespace weft {
namespace {

// Instances of one shape differ in their own address only, which the hardware has as an input.
auto key(const CrossbarConfig& c) {
  return std::make_tuple(c.num_out, c.detour, c.num_in, c.first_in, c.in_depth, c.out_depth,
                         c.route, c.digit_lsb, c.digit_w);
}

std::string kinds() {
  std::string text;
  for (const auto& t : topologies()) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", t.kind, t.parameters);
  }
  return text;
}

// Ranks in the configuration, which cannot be judged before the network is known.
void check_ranks(const Config& config, std::uint32_t nodes) {
  const auto check = [&](std::uint32_t rank, const std::string& pointer) {
    if (rank < nodes) return;
    config.source.refuse(pointer, rank, fmt::format("a rank from 0 to {}", nodes - 1));
  };
  const auto& transfers = config.workload.transfers;
  for (std::size_t i = 0; i < transfers.size(); ++i) {
    check(transfers[i].from, fmt::format("/workload/transfers/{}/from", i));
    check(transfers[i].to, fmt::format("/workload/transfers/{}/to", i));
  }
}

// Links whose wires may have faults.
void mark_faults(const Config& config, Graph& graph) {
  for (std::size_t i = 0; i < config.faults.size(); ++i) {
    for (const std::uint32_t link : fault_links(config, graph, i))
      graph.links[link].injected = true;
  }
}

// Registers in the links between routers, by class.
void add_stages(const Config& config, Graph& graph) {
  const std::vector<std::uint32_t>& stages = config.link.stages;
  if (stages.empty()) return;  // The topology has put them in.
  const std::size_t classes = graph.link_classes.size();
  const auto refuse = [&](const std::string& expected) {
    config.source.refuse("/link/stages",
                         config.link.stages_by_class ? ShownValue(stages) : ShownValue(stages[0]),
                         expected);
  };
  if (config.link.stages_by_class && stages.size() != classes) {
    refuse(fmt::format("one number, or a list of {}, one for each class of links: {}", classes,
                       fmt::join(graph.link_classes, ", ")));
  }
  std::vector<bool> used(stages.size());
  for (Link& link : graph.links) {
    if (!graph.between_switches(link)) continue;
    const std::size_t which = config.link.stages_by_class ? link.link_class : 0;
    used[which] = true;
    link.stages = static_cast<std::uint16_t>(stages[which]);
  }
  for (std::size_t i = 0; i < stages.size(); ++i) {
    if (stages[i] == 0 || used[i] || graph.failures.any) continue;
    refuse(!config.link.stages_by_class
               ? "0: the network has no links between routers or crossbars"
               : fmt::format("0 for {}: the network has no such links", graph.link_classes[i]));
  }
}

}  // namespace

std::uint32_t Graph::add_block(Block block) {
  block.first_in = static_cast<std::uint32_t>(links.size());
  block.first_out = static_cast<std::uint32_t>(out_link.size());
  const auto number = static_cast<std::uint32_t>(blocks.size());
  for (std::uint32_t port = 0; port < block.num_in; ++port) {
    links.push_back({kOpen, kOpen, number, port});
  }
  out_link.resize(out_link.size() + block.num_out, kOpen);
  blocks.push_back(std::move(block));
  return number;
}

std::uint32_t Graph::add_nic(std::string name, std::uint32_t own) {
  if (blocks.size() != nodes) throw std::logic_error("interfaces come before crossbars");
  ++nodes;
  address.push_back(own);
  return add_block({.kind = Block::Kind::kNic,
                    .name = std::move(name),
                    .own = own,
                    .shape = 0,
                    .num_in = nic_links,
                    .num_out = nic_links});
}

std::uint32_t Graph::add_router(std::string name, std::uint32_t own,
                                const RouterTileConfig& shape) {
  if (shape.own != 0) throw std::logic_error("a shape of routers with an address");
  const auto same = std::find(router_shapes.begin(), router_shapes.end(), shape);
  const auto number = static_cast<std::uint32_t>(same - router_shapes.begin());
  if (same == router_shapes.end()) {
    router_shapes.push_back(shape);
    route_units.push_back(std::make_shared<const RouteUnit>(shape.route_kind, shape.route));
  }
  return add_block({.kind = Block::Kind::kRouter,
                    .name = std::move(name),
                    .own = own,
                    .shape = number,
                    .num_in = shape.num_ports,
                    .num_out = shape.num_ports});
}

std::uint32_t Graph::add_crossbar(std::string name, std::uint32_t own,
                                  const CrossbarConfig& shape) {
  CrossbarConfig plain = shape;
  plain.own = 0;
  plain.header = header;
  const auto same = std::find_if(shapes.begin(), shapes.end(),
                                 [&](const auto& other) { return key(other) == key(plain); });
  const auto number = static_cast<std::uint32_t>(same - shapes.begin());
  if (same == shapes.end()) shapes.push_back(plain);
  return add_block({.kind = Block::Kind::kCrossbar,
                    .name = std::move(name),
                    .own = own,
                    .shape = number,
                    .num_in = shape.num_in,
                    .num_out = shape.num_tx()});
}

void Graph::connect(std::uint32_t src, std::uint32_t src_port, std::uint32_t dst,
                    std::uint32_t dst_port, std::uint32_t link_class) {
  if (src_port >= blocks.at(src).num_out || dst_port >= blocks.at(dst).num_in) {
    throw std::logic_error(fmt::format("no link {} out {} -> {} in {}: no such port",
                                       blocks[src].name, src_port, blocks[dst].name, dst_port));
  }
  auto& out = out_link[blocks[src].first_out + src_port];
  Link& link = links[blocks[dst].first_in + dst_port];
  if (out != kOpen || link.src_block != kOpen) {
    throw std::logic_error(fmt::format("no link {} out {} -> {} in {}: port taken",
                                       blocks[src].name, src_port, blocks[dst].name, dst_port));
  }
  out = blocks[dst].first_in + dst_port;
  link.src_block = src;
  link.src_port = src_port;
  link.link_class = static_cast<std::uint16_t>(link_class);
}

void Graph::set_width(unsigned data_w) {
  header.data_w = data_w;
  for (auto& shape : shapes) shape.header.data_w = data_w;
  for (auto& shape : router_shapes) shape.header.data_w = data_w;
}

void Graph::check() const {
  for (const Block& block : blocks) {
    // A router at an edge has no neighbour on some ports, and those of an omega network's first and
    // last stage have interfaces on one side only.
    if (block.kind == Block::Kind::kRouter) continue;
    for (std::uint32_t port = 0; port < block.num_in; ++port) {
      if (links[block.first_in + port].src_block == kOpen) {
        throw std::logic_error(fmt::format("{} in {} is open", block.name, port));
      }
    }
    for (std::uint32_t port = 0; port < block.num_out; ++port) {
      if (out_link[block.first_out + port] == kOpen) {
        throw std::logic_error(fmt::format("{} out {} is open", block.name, port));
      }
    }
  }
}

std::uint32_t Graph::connected_links() const {
  return static_cast<std::uint32_t>(std::count_if(
      links.begin(), links.end(), [](const Link& l) { return l.src_block != kOpen; }));
}

CrossbarConfig Graph::crossbar_config(std::uint32_t block) const {
  CrossbarConfig config = shapes[blocks[block].shape];
  config.own = blocks[block].own;
  return config;
}

RouterTileConfig Graph::router_config(std::uint32_t block) const {
  RouterTileConfig config = router_shapes[blocks[block].shape];
  config.own = blocks[block].own;
  return config;
}

std::string Graph::link_name(std::uint32_t link) const {
  const Link& l = links[link];
  return fmt::format("{} out {} -> {} in {}", blocks[l.src_block].name, l.src_port,
                     blocks[l.dst_block].name, l.dst_port);
}

RouteOut Graph::route(std::uint32_t block, std::uint32_t in_port, std::uint32_t src_address,
                      std::uint32_t dst_address, bool other_way, bool reverse) const {
  const Block& b = blocks[block];
  if (b.kind == Block::Kind::kNic) return {};
  if (b.kind == Block::Kind::kRouter) {
    const std::uint32_t src = has_one_way() ? src_address : b.own;
    return route_units[b.shape]->route(in_port, b.own, src, dst_address, other_way, reverse);
  }
  const CrossbarConfig& shape = shapes[b.shape];
  const DestinationDecoder decoder{shape.route,   shape.num_out, shape.digit_lsb,
                                   shape.digit_w, b.own,         shape.header};
  const unsigned out = decoder.decode(Header{.dst = dst_address}.pack(shape.header),
                                      shape.detour && in_port < shape.num_out);
  return {.port = out < shape.num_out ? out : shape.num_out + in_port};
}

bool Graph::has_two_ways() const {
  for (std::size_t d = 0; d < dims.size(); ++d) {
    if ((rings >> d & 1) != 0 && dims[d] % 2 == 0) return true;
  }
  return false;
}

bool Graph::two_ways(std::uint32_t src, std::uint32_t dst) const {
  for (std::size_t d = 0; d < dims.size(); ++d) {
    const std::uint32_t size = dims[d], a = src % size, b = dst % size;
    if ((rings >> d & 1) != 0 && 2 * (a > b ? a - b : b - a) == size) return true;
    src /= size;
    dst /= size;
  }
  return false;
}

bool Graph::ways_by_link() const {
  return has_routers() && nic_links > 1 &&
         (shares_routers || router_shapes.front().traits().by_port);
}

std::uint32_t Graph::addresses() const {
  return 1 + *std::max_element(address.begin(), address.end());
}

bool Graph::has_tables() const {
  return has_routers() && router_shapes.front().route_kind == RouteKind::kTable;
}

bool Graph::keeps_order() const {
  return has_one_way() &&
         std::all_of(route_units.begin(), route_units.end(), [&](const auto& unit) {
           return single_vcs(unit->sets(), num_vc / vc_classes());
         });
}

void Graph::check_arrival(std::uint32_t at, std::uint32_t src, std::uint32_t dst) const {
  if (at == dst) return;
  throw CheckError(fmt::format("the route from {} to {} ends at {}", blocks[src].name,
                               blocks[dst].name, blocks[at].name));
}

void Graph::check_hop(std::uint32_t hop, std::uint32_t src, std::uint32_t dst) const {
  if (hop < blocks.size()) return;
  throw CheckError(
      fmt::format("the route from {} to {} does not end", blocks[src].name, blocks[dst].name));
}

void Graph::check_connected(std::uint32_t link, std::uint32_t at, std::uint32_t src,
                            std::uint32_t dst) const {
  if (link != kOpen) return;
  throw CheckError(fmt::format("the route from {} to {} leaves {} by a port that leads nowhere",
                               blocks[src].name, blocks[dst].name, blocks[at].name));
}

const Topology& find_topology(const std::string& kind) {
  for (const auto& t : topologies()) {
    if (t.kind == kind) return t;
  }
  throw ConfigError(fmt::format("topology {}: expected: {}", shown(kind), kinds()));
}

// Ids of packets, where they are acknowledged.
void set_ids(const Config& config, Graph& graph) {
  if (!config.nic.reliable) return;
  graph.header.id_w = IdForm{config.nic.controllers, config.nic.outstanding}.width();
  const unsigned left = graph.header.key_lsb();
  if (graph.header.id_w < left) return;
  config.source.refuse("/nic/reliable", true,
                       fmt::format("false here: of an offset of {} bits in a header keys leave {}, "
                                   "and the id of a packet takes {}",
                                   graph.header.off_w(), left, graph.header.id_w));
}

Graph build_graph(const Config& config) {
  const Topology& topology = find_topology(config.topology.kind);
  const bool has_tables = (topology.facts & kTables) != 0;
  const bool reroutes = config.reroutes() && has_detours(topology.facts);
  Graph graph = (config.topology.failed.any() || reroutes) && !has_tables
                    ? failed_network(config, topology)
                    : topology.build(config);
  graph.set_width(config.link.width_bits);
  graph.header.key_w = config.derived.key_bits;
  set_ids(config, graph);
  graph.check();
  check_ranks(config, graph.nodes);
  add_stages(config, graph);
  graph.protection = config.link.protection;
  mark_faults(config, graph);
  return graph;
}

}  // namespace weft
