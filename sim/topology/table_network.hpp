// The description, in plain values, of a network of any graph whose routers route by tables.
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

/// Routes of a network's packets.
struct TableRouting {
  /// Out-port and VCs of a packet to rank `dst` at `router`, in a state that `state` returns. Not
  /// called for nodes at that router.
  std::function<RouteTables::Entry(std::uint32_t router, std::uint32_t state, std::uint32_t dst)>
      entry;
  /// State of a packet, by where it has entered `router`, as far as `entry` depends on that: `from`
  /// is a port from a neighbour, or `ports[router]` + i for the i-th node at the router. In-ports
  /// with the same state have the same row, which is computed once. None: the state is always 0.
  std::function<std::uint32_t(std::uint32_t router, std::uint32_t from)> state = {};
  unsigned vcs = 1;          ///< VCs that the routing needs, whatever links have; the default of
                             ///< `router.vcs`.
  unsigned named = 1;        ///< VCs that must exist because entries name them.
  std::string words = "";    ///< Name of the routing, if a part of the network has failed.
  std::string instead = "";  ///< Why these are not the routes that "auto" prefers; empty: they are.
  bool counted = true;       ///< Fewer than `vcs` would not do; if false, analysis finds the least.
};

/// Computes the routing of a network for `vcs` VCs of a link. 0: as many as it needs, up to
/// kNumberedVcs; RouterConfig::kPerDestination: each destination has its own VC. Throws
/// ConfigError.
using TableRoutes =
    std::function<TableRouting(const Config& config, const TableNetwork& network, unsigned vcs)>;

/// A link from one router to another.
struct TableLink {
  std::uint32_t from = 0, from_port = 0, to = 0, to_port = 0;
  std::uint32_t link_class = 0;  ///< Index into `TableNetwork::link_classes`.
  std::uint16_t stages = 0;      ///< Registers in the link, cycles.
};

/// A network of routers and their nodes. A router may have several nodes, or none.
struct TableNetwork {
  std::vector<std::uint32_t> dims;       ///< Sizes of the dimensions of ranks, fastest first.
  std::vector<std::uint32_t> router_of;  ///< By rank: its router.
  std::vector<std::string> names;        ///< By router: its name, a SystemVerilog identifier.
  std::vector<std::uint32_t> ports;      ///< By router: ports to neighbours, connected or not.
  std::vector<TableLink> links;
  std::vector<std::string> link_classes = {"all"};
  /// By router: its place in a grid; empty without a grid.
  std::vector<std::vector<std::uint32_t>> coordinates;
  std::uint32_t mains = 1, aggregators = 0;  ///< As in Graph.
  TableRoutes own;                           ///< Routing "auto" computes it.
  std::optional<TableRouting> given;         ///< The routing "table".

  std::uint32_t nodes() const { return static_cast<std::uint32_t>(router_of.size()); }
  std::uint32_t routers() const { return static_cast<std::uint32_t>(names.size()); }

  /// Adds a router and returns its number.
  std::uint32_t add_router(std::string name, std::uint32_t link_ports);
  /// Connects port `a_port` of router `a` with `b_port` of `b` in both directions.
  void join(std::uint32_t a, std::uint32_t a_port, std::uint32_t b, std::uint32_t b_port,
            std::uint32_t link_class = 0);
  /// By router: the ranks at the router.
  std::vector<std::vector<std::uint32_t>> nodes_at() const;
  /// By router: the numbers of the links that leave it.
  std::vector<std::vector<std::uint32_t>> links_from() const;
  std::vector<std::vector<std::uint32_t>> links_to() const;
};

/// Most entries of all tables; each router has one for each node.
inline constexpr std::uint64_t kMostTableEntries = std::uint64_t{1} << 26;
/// Throws ConfigError if there are more than kMostTableEntries, or more nodes than addresses. To be
/// called before a network is described.
void check_table_size(const Config& config, std::uint64_t routers, std::uint64_t nodes);
/// Most dimensions of ranks that a driver's job holds (weft_job.h).
inline constexpr std::uint32_t kMostDims = RouteDigits::kMaxDims;
/// Most ports of a router, including those of its nodes.
inline constexpr std::uint32_t kMostPorts = 64;

}  // namespace weft
