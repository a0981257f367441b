// A network as blocks and links.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <tuple>

#include "sim/base/error.hpp"
#include "sim/buffer/input_buffer.hpp"
#include "sim/router/route/route_unit.hpp"
#include "sim/topology/graph.hpp"

namespace weft {
namespace {

// Instances of one shape differ only in their own address, which is an input of the hardware.
auto key(const CrossbarConfig& c) {
  return std::make_tuple(c.num_out, c.detour, c.num_in, c.first_in, c.in_depth, c.out_depth,
                         c.route, c.digit_lsb, c.digit_w);
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
    // A router at an edge has no neighbour at some ports, and those of an omega network's first and
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

}  // namespace weft
