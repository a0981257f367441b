// Writing networks as files.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "sim/topology/graph_file.hpp"
#include "sim/topology/graph_file_routes.hpp"

namespace weft {
namespace {

using nlohmann::json;

// Most routers times nodes whose routes are written.
constexpr std::uint64_t kMostExported = 1u << 22;

// By node: out-port and VCs of packets to it at a router that they enter by one in-port.
using Row = std::vector<std::optional<RouteOut>>;

class Writer {
 public:
  Writer(const Graph& graph, const std::string& option)
      : graph_(graph), option_(option), nodes_at_(graph.blocks.size()) {
    if (!graph.has_routers()) refuse("a network of routers");
    for (std::uint32_t rank = 0; rank < graph.nodes; ++rank) {
      nodes_at_[graph.links[graph.out_link[graph.blocks[rank].first_out]].dst_block].push_back(
          rank);
    }
    check_nodes();
  }

  GraphDocument document() {
    json all = {{"dims", graph_.dims}, {"routers", json::array()}, {"links", json::array()}};
    for (std::uint32_t b = graph_.nodes; b < graph_.blocks.size(); ++b) {
      all["routers"].push_back({{"name", graph_.blocks[b].name}, {"ports", links_of(b)}});
    }
    for (std::uint32_t rank = 0; rank < graph_.nodes; ++rank) {
      const Link& link = graph_.links[graph_.out_link[graph_.blocks[rank].first_out]];
      all["nodes"].push_back(graph_.blocks[link.dst_block].name);
    }
    for (const Link& link : graph_.links) {
      if (!graph_.between_switches(link)) continue;
      all["links"].push_back({{"from", graph_.blocks[link.src_block].name},
                              {"from_port", link.src_port},
                              {"to", graph_.blocks[link.dst_block].name},
                              {"to_port", link.dst_port},
                              {"stages", link.stages},
                              {"one_way", true}});
      // "all" is the default, which a file does not name.
      const std::string& of = graph_.link_classes[link.link_class];
      if (of != "all") all["links"].back()["class"] = of;
    }
    std::string no_routes =
        graph_.has_one_way() ? follow() : "with a routing algorithm packets have no one way";
    if (no_routes.empty()) {
      all["routes"] = routes();
      all["vcs"] = graph_.num_vc / graph_.vc_classes();
    }
    return {std::move(all), std::move(no_routes)};
  }

 private:
  [[noreturn]] void refuse(const std::string& expected) const {
    throw ConfigError(option_, "", "", expected);
  }
  // Number of ports to neighbours.
  std::uint32_t links_of(std::uint32_t block) const {
    return graph_.blocks[block].num_out -
           graph_.router_shapes[graph_.blocks[block].shape].num_local;
  }

  // Checks that the ports of nodes are where table_network puts them.
  void check_nodes() const {
    for (std::uint32_t b = graph_.nodes; b < graph_.blocks.size(); ++b) {
      std::uint32_t port = links_of(b);
      for (const std::uint32_t rank : nodes_at_[b]) {
        for (std::uint32_t i = 0; i < graph_.nic_links; ++i, ++port) {
          const Block& nic = graph_.blocks[rank];
          const Link& out = graph_.links[graph_.out_link[nic.first_out + i]];
          const Link& in = graph_.links[nic.first_in + i];
          if (out.dst_block == b && out.dst_port == port && in.src_block == b &&
              in.src_port == port) {
            continue;
          }
          refuse(fmt::format(
              "a network where all links of a node lead to and from one router "
              "({} sends to {} and receives from {})",
              nic.name, graph_.blocks[out.dst_block].name, graph_.blocks[in.src_block].name));
        }
      }
    }
  }

  // Enters the routes of all pairs into the tables. Returns why the network has no tables; empty:
  // it has.
  std::string follow() {
    if (graph_.vc_per_destination) return "each destination has a VC of its own";
    const std::uint64_t entries = (graph_.blocks.size() - graph_.nodes) * graph_.nodes;
    if (entries > kMostExported) return "the network is too large";
    for (const Block& block : graph_.blocks) {
      rows_.emplace_back(block.num_in, Row(graph_.nodes));
    }
    std::string why;
    for (std::uint32_t src = 0; src < graph_.nodes; ++src) {
      for (std::uint32_t dst = 0; dst < graph_.nodes; ++dst) {
        for (std::uint32_t i = 0; i < graph_.nic_links; ++i) {
          for (const bool other : {false, true}) {
            if (other && !graph_.two_ways(src, dst)) continue;
            if (!graph_.connected(src, dst)) continue;
            follow(src, dst, i, other, why);
            if (!why.empty()) return why;
          }
        }
      }
    }
    return why;
  }

  void follow(std::uint32_t src, std::uint32_t dst, std::uint32_t nic_link, bool other_way,
              std::string& why) {
    const Link* entered = nullptr;
    const auto see = [&](std::uint32_t link, VcSet set) {
      const Link& next = graph_.links[link];
      if (entered != nullptr) enter(*entered, next, set, dst, why);
      entered = &next;
    };
    graph_.walk(src, dst, see, nic_link, other_way);
  }

  void enter(const Link& held, const Link& next, VcSet set, std::uint32_t dst, std::string& why) {
    const std::uint32_t block = held.dst_block, links = links_of(block);
    const std::uint32_t by =
        held.dst_port < links ? held.dst_port : (held.dst_port - links) % graph_.nic_links;
    if (next.dst_block < graph_.nodes) {
      if (next.dst_port == by % graph_.nic_links) return;
      why = fmt::format("packets to {} arrive by links that other networks do not take",
                        graph_.blocks[dst].name);
      return;
    }
    // All in-ports of one node have the same row.
    const std::uint32_t port = held.dst_port < links ? held.dst_port : held.dst_port - by;
    std::optional<RouteOut>& entry = rows_[block][port][dst];
    const RouteOut out{next.src_port, set};
    if (!entry) entry = out;
    if (*entry == out) return;
    why = fmt::format("at {} the way to {} depends on more than the in-port",
                      graph_.blocks[block].name, graph_.blocks[dst].name);
  }

  // Rows that do not contradict each other become one.
  json routes() const {
    json list = json::array();
    for (std::uint32_t b = graph_.nodes; b < graph_.blocks.size(); ++b) {
      std::vector<Row> merged;
      std::vector<json> entries;
      const std::uint32_t links = links_of(b);
      const auto add = [&](const Row& row, const char* key, std::uint32_t number) {
        if (std::ranges::none_of(row, [](const auto& out) { return out.has_value(); })) return;
        std::size_t i = 0;
        while (i < merged.size() && !merge(merged[i], row)) ++i;
        if (i == merged.size()) {
          merged.push_back(row);
          entries.push_back(
              {{"router", graph_.blocks[b].name}, {"in", json::array()}, {"nodes", json::array()}});
        }
        entries[i][key].push_back(number);
      };
      for (std::uint32_t port = 0; port < links; ++port) add(rows_[b][port], "in", port);
      for (std::uint32_t i = 0; i < nodes_at_[b].size(); ++i) {
        add(rows_[b][links + i * graph_.nic_links], "nodes", nodes_at_[b][i]);
      }
      for (std::size_t i = 0; i < merged.size(); ++i) {
        put(merged[i], entries[i]);
        list.push_back(std::move(entries[i]));
      }
    }
    return list;
  }

  static bool merge(Row& into, const Row& row) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (into[i] && row[i] && *into[i] != *row[i]) return false;
    }
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (row[i]) into[i] = row[i];
    }
    return true;
  }

  static void put(const Row& row, json& entry) {
    json outs = json::array(), sets = json::array();
    std::optional<VcSet> one;
    bool same = true;
    for (const auto& out : row) {
      if (out && !one) one = out->set;
      same = same && (!out || out->set == *one);
    }
    for (const auto& out : row) {
      outs.push_back(out ? json(out->port) : json());
      sets.push_back(set_in_file(out ? out->set : *one));
    }
    entry["out"] = std::move(outs);
    entry["vcs"] = same ? set_in_file(*one) : std::move(sets);
  }

  const Graph& graph_;
  const std::string& option_;
  std::vector<std::vector<std::uint32_t>> nodes_at_;  // By block.
  std::vector<std::vector<Row>> rows_;                // By block and in-port.
};

}  // namespace

GraphDocument graph_document(const Graph& graph, const std::string& option) {
  return Writer(graph, option).document();
}

}  // namespace weft
