// The description of a network of any graph, whose routers route by tables: plain values.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/config/config.hpp"
#include "sim/router/route/route_digits.hpp"
#include "sim/router/route/route_table.hpp"

namespace weft {

struct TableNetwork;

/// How a network's packets go.
struct TableRouting {
  /// Where a packet to rank `dst` leaves `router`, and on which VCs, in a state of `state`. Not
  /// called where the node is at this router.
  std::function<RouteTables::Entry(std::uint32_t router, std::uint32_t state, std::uint32_t dst)>
      entry;
  /// What `entry` depends on of where the packet has come in: `from` is a port from a neighbour,
  /// or, `ports[router]` + i, the i-th node at the router. In-ports with one state have one row,
  /// which is computed once. None: it does not depend on that, and the state is 0.
  std::function<std::uint32_t(std::uint32_t router, std::uint32_t from)> state = {};
  unsigned vcs = 1;          ///< That it needs, whatever a link has; the default of `router.vcs`.
  unsigned named = 1;        ///< VCs that must be there, because entries name them.
  std::string words = "";    ///< What it is, where a part of the network has failed.
  std::string instead = "";  ///< Why these are not the ways that "auto" prefers; empty: they are.
  bool counted = true;       ///< Fewer than `vcs` would not do; otherwise analysis finds the least.
};

/// Computes the routing of a network for `vcs` VCs of a link: 0: as many as it needs, up to
/// kNumberedVcs; RouterConfig::kPerDestination: each destination has its own. Throws ConfigError.
using TableRoutes =
    std::function<TableRouting(const Config& config, const TableNetwork& network, unsigned vcs)>;

/// A link from one router to another.
struct TableLink {
  std::uint32_t from = 0, from_port = 0, to = 0, to_port = 0;
  std::uint32_t link_class = 0;  ///< Index into `TableNetwork::link_classes`.
  std::uint16_t stages = 0;      ///< Registers in it, cycles.
};

/// A network of routers and their nodes. Several nodes may be at a router, and none.
struct TableNetwork {
  std::vector<std::uint32_t> dims;       ///< Sizes of the dimensions of ranks, fastest first.
  std::vector<std::uint32_t> router_of;  ///< By rank.
  std::vector<std::string> names;        ///< Of routers, SystemVerilog identifiers.
  std::vector<std::uint32_t> ports;      ///< By router: ports to neighbours, connected or not.
  std::vector<TableLink> links;
  std::vector<std::string> link_classes = {"all"};
  /// By router: its place in a grid; none where there is no grid.
  std::vector<std::vector<std::uint32_t>> coordinates;
  std::uint32_t mains = 1, aggregators = 0;  ///< As of a Graph.
  TableRoutes own;                           ///< Routing "auto".
  std::optional<TableRouting> given;         ///< Routing "table".

  std::uint32_t nodes() const { return static_cast<std::uint32_t>(router_of.size()); }
  std::uint32_t routers() const { return static_cast<std::uint32_t>(names.size()); }

  /// Adds a router and returns its number.
  std::uint32_t add_router(std::string name, std::uint32_t link_ports);
  /// Connects port `a_port` of router `a` with `b_port` of `b` in both directions.
  void join(std::uint32_t a, std::uint32_t a_port, std::uint32_t b, std::uint32_t b_port,
            std::uint32_t link_class = 0);
  /// By router: the ranks at it.
  std::vector<std::vector<std::uint32_t>> nodes_at() const;
  /// By router: the links that leave it, and that enter it, by number.
  std::vector<std::vector<std::uint32_t>> links_from() const;
  std::vector<std::vector<std::uint32_t>> links_to() const;
};

/// Entries of the tables, of each router one for each node, at most.
inline constexpr std::uint64_t kMostTableEntries = std::uint64_t{1} << 26;
/// Throws ConfigError if there are more, or more nodes than addresses. To be called before such a
/// network is described.
void check_table_size(const Config& config, std::uint64_t routers, std::uint64_t nodes);
/// Dimensions of ranks, at most, as a driver's job has them (weft_job.h).
inline constexpr std::uint32_t kMostDims = RouteDigits::kMaxDims;
/// Ports of a router, those of its nodes included, at most.
inline constexpr std::uint32_t kMostPorts = 64;

}  // namespace weft
