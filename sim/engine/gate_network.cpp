// The blocks of a network as gates.
#include "sim/engine/gate_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "sim/base/file_writer.hpp"
#include "sim/base/temporary_folder.hpp"
#include "sim/crossbar/crossbar.hpp"
#include "sim/emit/tile.hpp"
#include "sim/fabric/blocks.hpp"
#include "sim/verilated/rtl_params.hpp"

namespace weft {
namespace {

// Entries of a router's tables that are inputs: they become as many selectors.
constexpr std::uint64_t kMostEntries = 1024;
std::uint64_t entries_of(const RouterTileConfig& tile) {
  if (tile.route.tables == nullptr || tables_beside(tile)) return 0;
  return std::uint64_t{tile.num_ports} * tile.route.tables->addresses();
}

void check_tables(const RouterTileConfig& tile) {
  const std::uint64_t entries = entries_of(tile);
  if (entries <= kMostEntries) return;
  throw ConfigError(fmt::format(
      "engine gates: routers with {} entries of tables, which packets by way of a random node ask "
      "for two ways at once: expected: {} or fewer",
      entries, kMostEntries));
}

// A larger one takes Yosys ten minutes and 17 GB, and would fill few lanes.
void check_crossbar(const CrossbarConfig& crossbar) {
  constexpr std::uint64_t kMost = 131'072;
  const std::uint64_t selectors =
      std::uint64_t{crossbar.num_in} * crossbar.num_out * crossbar.header.data_w;
  if (selectors <= kMost) return;
  throw ConfigError(fmt::format(
      "engine gates: crossbars of {} x {} ports and {} bits, which are {} selectors: expected: {} "
      "or fewer",
      crossbar.num_in, crossbar.num_out, crossbar.header.data_w, selectors, kMost));
}

// Calls `use` with the module of a tile. Its text is part of the key of the cached library; the
// file is needed only for the build.
template <class Use>
auto with_tile(const Config& config, const Graph& graph, std::uint32_t shape, Use use,
               const std::filesystem::path& liberty = {}) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / (tile_name(shape) + ".sv");
  const RouterTileConfig& tile = graph.router_shapes[shape];
  write_file(file, tile_module(tile, config.link.parity, shape, tables_beside(tile)));
  return use(RtlSpec{.top = tile_name(shape), .params = {}, .extra = {file}, .liberty = liberty});
}

// Bits of a flit beside its data: Data-End, parity, VC, stamp and entry of a table.
unsigned bits_beside_data(const Netlist& netlist, unsigned ports) {
  unsigned bits = 2;
  for (const GatePort& port : netlist.ports) {
    const bool beside =
        port.name == "rx_vc_i" || port.name == "rx_stamp_i" || port.name == "entry_i";
    if (beside) bits += port.width / ports;
  }
  return bits;
}

// Most flits inside a router: in the buffers, and on the way to the links through at most three
// stages of the pipeline and the register of the link.
std::uint32_t inside(const RouterTileConfig& tile) {
  return tile.num_ports * (tile.num_vc * tile.depth + 4);
}

RtlSpec nic_spec(const Config& config, const Graph& graph,
                 const std::filesystem::path& liberty = {}) {
  return {.top = "weft_nic",
          .params = rtl_params(nic_config(config, graph)),
          .extra = {},
          .liberty = liberty};
}

}  // namespace

GateNetwork::GateNetwork(const Config& config, const Graph& graph,
                         const std::vector<std::vector<BlockRange>>& threads, bool show_all,
                         bool resumes, const std::filesystem::path& liberty)
    : graph_(graph),
      flit_words_(graph.header.flit_words()),
      parity_(config.link.parity),
      lane_of_(graph.blocks.size(), {kOpen, 0}),
      shares_(threads.size()),
      share_of_(graph.blocks.size() + 1, kOpen) {
  make_kinds(config, resumes, liberty);
  place_lanes(threads);
  nics_.emplace(nic_config(config, graph), *kinds_.back().gates, kinds_.back().block_of,
                graph.nodes, config.workload.is(kTraffic) && graph.header.id_w == 0);
  connect(show_all);
  find_links(show_all);
  for (Kind& kind : kinds_) kind.gates->reset();
  set_positions(graph);
  for (Kind& kind : kinds_) kind.gates->outputs();
  for (std::uint32_t group = 0; group < groups_.back().size(); ++group) nics_->show(group);
}

bool GateNetwork::fits(const Graph& graph) {
  return std::ranges::all_of(graph.router_shapes, [](const RouterTileConfig& tile) {
    return entries_of(tile) <= kMostEntries;
  });
}

bool GateNetwork::is_cached(const Config& config, const Graph& graph) {
  for (std::uint32_t shape = 0; shape < graph.router_shapes.size(); ++shape) {
    if (!with_tile(config, graph, shape, GateLibrary::is_cached)) return false;
  }
  return graph.has_routers() && GateLibrary::is_cached(nic_spec(config, graph));
}

void GateNetwork::make_kinds(const Config& config, bool resumes,
                             const std::filesystem::path& liberty) {
  for (std::uint32_t shape = 0; shape < graph_.router_shapes.size(); ++shape) {
    const RouterTileConfig& tile = graph_.router_shapes[shape];
    check_tables(tile);
    const unsigned ports = tile.num_ports;
    Kind& kind = kinds_.emplace_back();
    kind.in_ports = kind.out_ports = ports;
    const auto load = [&](const RtlSpec& spec) {
      // Wrong credits, of faults, could bring more flits into a router than it has numbers; and
      // flits that are loaded have none. Of mapped cells all are to be simulated.
      if (!config.faults.empty() || resumes || !liberty.empty()) return GateLibrary::load(spec);
      Netlist netlist = GateLibrary::netlist_of(spec);
      kind.payload = take_payload(netlist, graph_.header.data_w, ports, inside(tile),
                                  bits_beside_data(netlist, ports));
      return GateLibrary::load(netlist, spec.top);
    };
    kind.library = with_tile(config, graph_, shape, load, liberty);
  }
  for (const CrossbarConfig& shape : graph_.shapes) {
    check_crossbar(shape);
    const Crossbar::PortConfig form{shape, config.link.parity};
    kinds_.push_back(
        {.library = GateLibrary::load(
             {.top = "weft_crossbar", .params = rtl_params(form), .extra = {}, .liberty = liberty}),
         .in_ports = shape.num_in,
         .out_ports = shape.num_tx()});
  }
  const unsigned links = nic_config(config, graph_).links();
  kinds_.push_back({.library = GateLibrary::load(nic_spec(config, graph_, liberty)),
                    .in_ports = links,
                    .out_ports = links});
}

// Lanes of a thread fill whole groups, so that each group is one thread's.
void GateNetwork::place_lanes(const std::vector<std::vector<BlockRange>>& threads) {
  groups_.resize(kinds_.size());
  for (Share& share : shares_) share.groups.resize(kinds_.size());
  std::uint32_t places = 0;
  for (std::uint32_t k = 0; k < kinds_.size(); ++k) {
    Kind& kind = kinds_[k];
    const std::shared_ptr<const GateLibrary>& library = kind.library;
    const unsigned width = lanes(library->width());
    for (std::uint32_t t = 0; t < threads.size(); ++t) {
      const std::size_t first = kind.block_of.size();
      for (const BlockRange& range : threads[t]) {
        const auto add = [&](std::uint32_t b) {
          lane_of_[b] = {k, static_cast<std::uint32_t>(kind.block_of.size())};
          kind.block_of.push_back(b);
        };
        for (std::uint32_t n = range.first_node; n < range.end_node && is_nic(k); ++n) add(n);
        for (std::uint32_t b = range.first_block; b < range.end_block; ++b) {
          if (!is_nic(k) && graph_.blocks[b].shape == k) add(b);
        }
      }
      const std::size_t end = (kind.block_of.size() + width - 1) / width * width;
      kind.block_of.resize(end, kOpen);
      for (std::size_t group = first / width; group < end / width; ++group) {
        shares_[t].groups[k].push_back(static_cast<std::uint32_t>(group));
        groups_[k].emplace_back().thread = t;
      }
    }
    kind.gates =
        std::make_unique<GateBlock>(library, static_cast<std::uint32_t>(kind.block_of.size()));
    find_ports(kind);
    const auto all = static_cast<std::uint32_t>(kind.block_of.size());
    kind.first_place = places;
    places += all * kind.in_ports;
    if (kind.payload.width != 0) {
      kind.table = PayloadTable(all, inside(graph_.router_shapes[k]), flit_words_);
    }
  }
  rows_.data.resize(std::size_t{places} * flit_words_);
  rows_.sides.resize(places);
  rows_.valid.resize(places);
  for (std::uint32_t t = 0; t < threads.size(); ++t) {
    if (!threads[t].empty()) share_of_[threads[t].front().first_block] = t;
  }
}

void GateNetwork::find_ports(Kind& kind) const {
  kind.in = kind.gates->in_layout();
  kind.out = kind.gates->out_layout();
  const auto field = [&](const std::string& name, std::uint32_t ports) -> Field {
    const GatePort* const port = kind.library->find_port(name);
    if (port == nullptr) return {};
    return {port->first, port->width / ports, port->width / ports};
  };
  const auto flit = [&](const std::string& way, const std::string& end,
                        std::uint32_t ports) -> FlitFields {
    const auto of_link = [&](const char* name) { return field(way + name + end, ports); };
    FlitFields fields{of_link("_valid"), of_link("_last"),  {},
                      of_link("_vc"),    of_link("_stamp"), of_link("_data")};
    // Parity is the bit above the data.
    const std::uint32_t width = graph_.header.data_w;
    if (fields.data.width > width) {
      fields.parity = {fields.data.first + width, 1, fields.data.stride};
      fields.data.width = width;
    }
    return fields;
  };
  kind.rx = flit("rx", "_i", kind.in_ports);
  kind.tx = flit("tx", "_o", kind.out_ports);
  kind.rx.entry = field("entry_i", kind.in_ports);
  const bool routers = graph_.has_routers();
  kind.returned = field(routers ? "rx_credit_o" : "rx_full_o", kind.in_ports);
  kind.granted = field(routers ? "tx_credit_i" : "tx_full_i", kind.out_ports);
}

void GateNetwork::connect(bool show_all) {
  using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
  using Ends = std::array<std::uint32_t, 5>;  // Thread of the receiver, from, to.
  std::map<Ends, Pairs> returns;
  std::map<std::array<std::uint32_t, 4>, Outside> flits_in, returns_in, returns_out;
  const Wires places(graph_);
  const auto add = [&](auto& to, std::uint32_t block, std::uint32_t port, std::uint32_t place) {
    const auto [kind, lane] = lane_of_[block];
    Outside& outside = to[{thread_of(kind, lane), kind, port, lane / 64}];
    outside.kind = kind;
    outside.port = port;
    outside.word = lane / 64;
    outside.lanes |= std::uint64_t{1} << lane % 64;
    outside.place[lane % 64] = place;
  };
  for (std::uint32_t l = 0; l < graph_.links.size(); ++l) {
    const weft::Link& link = graph_.links[l];
    if (link.src_block == kOpen) continue;
    const std::uint32_t dst_port = l - graph_.blocks[link.dst_block].first_in;
    const auto [from, from_lane] = lane_of_[link.src_block];
    const auto [to, to_lane] = lane_of_[link.dst_block];
    const bool direct = is_direct(link);
    const std::uint32_t out = graph_.blocks[link.src_block].first_out + link.src_port;
    if (direct) {
      returns[{thread_of(from, from_lane), to, dst_port, from, link.src_port}].emplace_back(
          to_lane, from_lane);
    }
    if (!direct && to != kOpen) add(flits_in, link.dst_block, dst_port, l);
    if (!direct && from != kOpen) add(returns_in, link.src_block, link.src_port, out);
    if (to != kOpen && (!direct || show_all)) {
      add(returns_out, link.dst_block, dst_port, places.credit_place[out]);
    }
  }
  for (const auto& [ends, pairs] : returns) {
    const auto [thread, from, from_port, to, to_port] = ends;
    shares_[thread].returns.push_back(
        {from, from_port, to, to_port, LaneMoves(pairs, kinds_[from].out, kinds_[to].in)});
  }
  for (const auto& [key, outside] : flits_in) shares_[key[0]].flits_in.push_back(outside);
  for (const auto& [key, outside] : returns_in) shares_[key[0]].returns_in.push_back(outside);
  for (const auto& [key, outside] : returns_out) shares_[key[0]].returns_out.push_back(outside);
}

// An error in an address can lead a packet out at the edge of a network, where no link is.
void GateNetwork::find_links(bool show_all) {
  for (std::uint32_t k = 0; k < kinds_.size(); ++k) {
    const Kind& kind = kinds_[k];
    const std::uint32_t words = kind.out.words;
    for (std::uint32_t g = 0; g < groups_[k].size(); ++g) {
      Group& group = groups_[k][g];
      for (auto* const numbers : {&group.links, &group.places}) {
        numbers->resize(std::size_t{kind.out_ports} * words * 64, kOpen);
      }
      for (auto* const lanes : {&group.valid, &group.open, &group.shown}) {
        lanes->resize(std::size_t{kind.out_ports} * words);
      }
      for (std::uint32_t i = 0; i < words * 64; ++i) {
        const std::uint32_t b = kind.block_of[g * words * 64 + i];
        if (b == kOpen) continue;
        const std::uint64_t bit = std::uint64_t{1} << i % 64;
        for (std::uint32_t q = 0; q < kind.out_ports; ++q) {
          const std::uint32_t link = graph_.out_link[graph_.blocks[b].first_out + q];
          if (link == kOpen) continue;
          group.links[q * words * 64 + i] = link;
          group.open[q * words + i / 64] |= bit;
          const weft::Link& ends = graph_.links[link];
          const bool shows = show_all || ends.dst_block < graph_.nodes || !is_direct(ends);
          if (shows) group.shown[q * words + i / 64] |= bit;
          if (!is_direct(ends)) continue;
          const auto [to, lane] = lane_of_[ends.dst_block];
          const std::uint32_t port = link - graph_.blocks[ends.dst_block].first_in;
          group.places[q * words * 64 + i] = place_of(to, port, lane);
        }
      }
    }
  }
}

bool GateNetwork::is_direct(const weft::Link& link) const {
  return link.src_block != kOpen && lane_of_[link.src_block].first != kOpen &&
         lane_of_[link.dst_block].first != kOpen && !graph_.two_ends(link);
}

void GateNetwork::restart(const Graph& graph, std::uint64_t cycle) {
  origin_ = cycle;
  std::fill(rows_.valid.begin(), rows_.valid.end(), std::uint8_t{0});
  for (std::uint32_t k = 0; k < kinds_.size(); ++k) {
    for (Group& group : groups_[k]) {
      std::fill(group.valid.begin(), group.valid.end(), std::uint64_t{0});
      group.rests = false;
    }
    if (is_nic(k)) continue;
    kinds_[k].gates->reset();
    kinds_[k].table.clear();
  }
  set_positions(graph);
  for (std::uint32_t k = 0; k < kinds_.size(); ++k) {
    if (!is_nic(k)) kinds_[k].gates->outputs();
  }
}

void GateNetwork::set_positions(const Graph& graph) {
  for (Kind& kind : kinds_) {
    for (std::uint32_t lane = 0; lane < kind.block_of.size(); ++lane) {
      const std::uint32_t b = kind.block_of[lane];
      if (b == kOpen) continue;
      if (kind.rx.entry.width != 0) {
        kind.tables = graph.route_units[graph.blocks[b].shape];
        break;
      }
      std::string name = b < graph.nodes ? "node_i" : "own_i";
      std::vector<std::uint64_t> value = {graph.blocks[b].own};
      if (b >= graph.nodes && graph.has_routers()) {
        RouterPosition position = tile_position(graph.router_config(b));
        name = std::move(position.port);
        value = std::move(position.value);
      }
      // Blocks without any choice do not look where they are.
      const GatePort* const port = kind.library->find_port(name);
      if (port != nullptr) kind.gates->set(*port, lane, value);
    }
  }
}

}  // namespace weft
