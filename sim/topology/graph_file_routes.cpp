// Reading routes from files.
#include "sim/topology/graph_file_routes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "sim/router/route/route_table.hpp"

namespace weft {
namespace {

struct SetWord {
  VcSet set;
  const char* word;
};
constexpr SetWord kSets[] = {{VcSet::kAny, "any"},
                             {VcSet::kLow, "low"},
                             {VcSet::kHigh, "high"},
                             {VcSet::kSame, "same"},
                             {VcSet::kNext, "next"}};
constexpr std::uint8_t kNowhere = 0xFF;  // No out-port.

VcSet read_set(const JsonCursor& cursor) {
  for (const SetWord& known : kSets) {
    if (cursor.value() == known.word) return known.set;
  }
  const auto vc = cursor.number(
      0, kNumberedVcs - 1,
      fmt::format("\"any\", \"low\", \"high\", \"same\", \"next\", or a VC from 0 to {}",
                  kNumberedVcs - 1));
  return only_vc(static_cast<unsigned>(vc));
}

// Rows; and, by router and in-port, then node, which row there is.
class FileRoutes {
 public:
  FileRoutes(const JsonCursor& root, const TableNetwork& network) : nodes_(network.nodes()) {
    const std::string expected =
        "a list of objects with the keys router, in, nodes, out, vcs, one or more for each router";
    const auto nodes_at = network.nodes_at();
    for (std::uint32_t r = 0; r < network.routers(); ++r) {
      first_.push_back(static_cast<std::uint32_t>(row_of_.size()));
      row_of_.resize(row_of_.size() + network.ports[r] + nodes_at[r].size(), kNoRow);
    }
    for (const JsonCursor& cursor :
         root.at("routes", expected).elements(1, row_of_.size(), expected)) {
      read(cursor, network, nodes_at);
    }
  }

  std::uint32_t row(std::uint32_t router, std::uint32_t from) const {
    return row_of_[first_[router] + from];
  }
  RouteTables::Entry at(std::uint32_t row, std::uint32_t dst) const {
    if (row == kNoRow) return {kNowhere, VcSet::kAny};
    return entries_[std::size_t{row} * nodes_ + dst];
  }
  unsigned vcs() const { return vcs_; }

 private:
  static constexpr std::uint32_t kNoRow = kOpen;

  void read(const JsonCursor& cursor, const TableNetwork& network,
            const std::vector<std::vector<std::uint32_t>>& nodes_at) {
    if (!cursor.value().is_object()) cursor.refuse("an object with the keys router, out");
    cursor.only_keys({"router", "in", "nodes", "out", "vcs"});
    const JsonCursor name = cursor.at("router", "the name of a router");
    const auto found = std::ranges::find(network.names, name.text("the name of a router"));
    if (found == network.names.end()) name.refuse("the name of one of the routers");
    const auto router = static_cast<std::uint32_t>(found - network.names.begin());
    const auto row = static_cast<std::uint32_t>(entries_.size() / nodes_);
    read_row(cursor, network, router);
    const auto use = [&](std::uint32_t from, const JsonCursor& place) {
      std::uint32_t& own = row_of_[first_[router] + from];
      if (own != kNoRow) place.refuse("each in-port and node of a router once");
      own = row;
    };
    const std::uint32_t ports = network.ports[router];
    const auto& nodes = nodes_at[router];
    const bool all = !cursor.has("in") && !cursor.has("nodes");
    for (std::uint32_t from = 0; all && from < ports + nodes.size(); ++from) use(from, cursor);
    if (cursor.has("in")) {
      const auto most = std::max(ports, 1u);
      for (const JsonCursor& port :
           cursor.member("in").elements(0, most, fmt::format("a list of up to {} ports", most))) {
        use(static_cast<std::uint32_t>(port.number(0, most - 1)), port);
      }
    }
    if (cursor.has("nodes")) {
      for (const JsonCursor& node :
           cursor.member("nodes").elements(0, nodes_, "a list of nodes at this router")) {
        const auto rank = node.number(0, nodes_ - 1);
        const auto here = std::ranges::find(nodes, rank);
        if (here == nodes.end()) node.refuse("a node at this router");
        use(ports + static_cast<std::uint32_t>(here - nodes.begin()), node);
      }
    }
  }

  void read_row(const JsonCursor& cursor, const TableNetwork& network, std::uint32_t router) {
    const std::uint32_t ports = network.ports[router];
    const std::string expected = fmt::format(
        "a list of {} ports, one for each node; null where no packet to it comes", nodes_);
    const auto outs = cursor.at("out", expected).elements(nodes_, nodes_, expected);
    const bool has_sets = cursor.has("vcs");
    const bool each = has_sets && cursor.member("vcs").value().is_array();
    const VcSet one = has_sets && !each ? read_set(cursor.member("vcs")) : VcSet::kAny;
    std::vector<JsonCursor> sets;
    if (each) {
      sets = cursor.member("vcs").elements(nodes_, nodes_, "one set of VCs, or one for each node");
    }
    for (std::uint32_t dst = 0; dst < nodes_; ++dst) {
      RouteTables::Entry entry{kNowhere, one};
      if (!outs[dst].value().is_null()) {
        if (network.router_of[dst] == router) {
          outs[dst].refuse(fmt::format("null: node {} is at this router", dst));
        }
        entry.port = static_cast<std::uint8_t>(outs[dst].number(0, std::max(ports, 1u) - 1));
        if (each) entry.set = read_set(sets[dst]);
      }
      const auto number = static_cast<unsigned>(entry.set);
      const auto first = static_cast<unsigned>(VcSet::kFirst);
      if (number >= first) vcs_ = std::max(vcs_, number - first + 1);
      entries_.push_back(entry);
    }
  }

  std::uint32_t nodes_;
  std::vector<std::uint32_t> first_;   // By router: index of its in-port 0 in `row_of_`.
  std::vector<std::uint32_t> row_of_;  // By in-port.
  std::vector<RouteTables::Entry> entries_;
  unsigned vcs_ = 1;
};

// Follows the routes of all pairs; what routes to one destination share is followed once.
void follow(const JsonCursor& routes, const FileRoutes& file, const TableNetwork& network) {
  std::vector<std::vector<std::uint32_t>> link_at(network.routers());
  std::vector<std::uint32_t> first = {0}, count(network.routers()), from_of(network.nodes());
  const auto nodes_at = network.nodes_at();
  for (std::uint32_t r = 0; r < network.routers(); ++r) {
    link_at[r].assign(network.ports[r], kOpen);
    first.push_back(first.back() + network.ports[r] +
                    static_cast<std::uint32_t>(nodes_at[r].size()));
    for (std::uint32_t i = 0; i < nodes_at[r].size(); ++i) {
      from_of[nodes_at[r][i]] = network.ports[r] + i;
    }
  }
  for (std::uint32_t l = 0; l < network.links.size(); ++l) {
    link_at[network.links[l].from][network.links[l].from_port] = l;
  }
  enum class State : std::uint8_t { kNew, kOnWay, kArrives };
  std::vector<State> states;
  std::vector<std::uint32_t> way;
  for (std::uint32_t dst = 0; dst < network.nodes(); ++dst) {
    states.assign(first.back(), State::kNew);
    for (std::uint32_t src = 0; src < network.nodes(); ++src) {
      std::uint32_t at = network.router_of[src], from = from_of[src];
      const auto refuse = [&](const std::string& why) {
        routes.refuse(
            fmt::format("routes by which all packets arrive: one from node {} to node {} "
                        "{}",
                        src, dst, why));
      };
      way.clear();
      while (at != network.router_of[dst]) {
        State& state = states[first[at] + from];
        if (state == State::kArrives) break;
        if (state == State::kOnWay) refuse(fmt::format("comes to {} again", network.names[at]));
        state = State::kOnWay;
        way.push_back(first[at] + from);
        const std::uint8_t port = file.at(file.row(at, from), dst).port;
        if (port == kNowhere) refuse(fmt::format("has no out-port at {}", network.names[at]));
        const std::uint32_t link = link_at[at][port];
        if (link == kOpen) {
          refuse(fmt::format("leaves {} by port {}, which leads nowhere", network.names[at], port));
        }
        at = network.links[link].to;
        from = network.links[link].to_port;
      }
      for (const std::uint32_t passed : way) states[passed] = State::kArrives;
    }
  }
}

}  // namespace

TableRouting read_file_routes(const JsonCursor& root, const TableNetwork& network) {
  const auto file = std::make_shared<FileRoutes>(root, network);
  follow(root.member("routes"), *file, network);
  unsigned vcs = file->vcs();
  if (root.has("vcs")) {
    vcs = static_cast<unsigned>(root.member("vcs").number(
        vcs, kMaxVcs,
        fmt::format("{} to {}, more than the number of every VC that a route has", vcs, kMaxVcs)));
  }
  return {
      .entry =
          [file](std::uint32_t /*router*/, std::uint32_t row, std::uint32_t dst) {
            RouteTables::Entry entry = file->at(row, dst);
            if (entry.port == kNowhere) entry.port = 0;
            return entry;
          },
      .state = [file](std::uint32_t router, std::uint32_t from) { return file->row(router, from); },
      .vcs = vcs,
      .named = file->vcs(),
      .counted = false};
}

nlohmann::json set_in_file(VcSet set) {
  for (const SetWord& known : kSets) {
    if (known.set == set) return known.word;
  }
  return static_cast<unsigned>(set) - static_cast<unsigned>(VcSet::kFirst);
}

}  // namespace weft
