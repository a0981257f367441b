// The network graph, blocks and links. A topology builds it; engines, emitter and analysis use only
// the graph.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "sim/config/words.hpp"
#include "sim/crossbar/crossbar_config.hpp"
#include "sim/router/tile_config.hpp"
#include "sim/topology/failures.hpp"

namespace weft {

class RouteUnit;

/// One block of a network.
struct Block {
  enum class Kind { kNic, kCrossbar, kRouter };
  Kind kind = Kind::kNic;
  std::string name;  ///< Instance name, a SystemVerilog identifier: "nic_12", "xxb_0", "yxb_63".
  std::uint32_t own = 0;                      ///< Own position in the address space.
  std::uint32_t shape = 0;                    ///< Index into `Graph::shapes` or `router_shapes`.
  std::uint32_t num_in = 0, num_out = 0;      ///< Number of link ports.
  std::uint32_t first_in = 0, first_out = 0;  ///< First index in the arrays of links and of
                                              ///< out-ports.
};

/// Source of an unconnected link, or link of an unconnected out-port: the edge of a mesh.
inline constexpr std::uint32_t kOpen = std::numeric_limits<std::uint32_t>::max();

/// Links are numbered by their ends: link `block.first_in + port` enters `port` of `block`.
struct Link {
  std::uint32_t src_block = kOpen, src_port = kOpen;
  std::uint32_t dst_block = 0, dst_port = 0;
  std::uint16_t stages = 0;      ///< Registers in the link in each direction, cycles.
  std::uint16_t link_class = 0;  ///< Index into `Graph::link_classes`; for links between routers.
  bool injected = false;         ///< Faults may be put on its wires.
};

/// Translations: automorphisms of a network that map interfaces to interfaces and preserve the
/// routing. All nodes of a class have equivalent routes to them, so one node represents the class.
struct Translations {
  std::string words;  ///< What the translations are, and to which nodes routes are followed; empty:
                      ///< none known.
  std::vector<std::uint32_t> block_class;  ///< By block: its class, counted from 0; translations
                                           ///< map blocks of one class to each other.
  /// Translations map a port to the port of the same number; otherwise links are equivalent if
  /// their ends are.
  bool keep_ports = false;
};

/// A network of crossbars, or of routers. Blocks 0 to `nodes` - 1 are the network interfaces, by
/// rank; their links and out-ports come first, `nic_links` for each.
struct Graph {
  std::uint32_t nodes = 0;
  std::uint32_t nic_links = 1;          ///< Links in each direction between interface and network.
  std::vector<std::uint32_t> dims;      ///< Sizes, fastest dimension first.
  std::vector<std::uint32_t> dim_bits;  ///< Width of each address digit.
  std::vector<std::uint32_t> address;   ///< Network address of each rank.
  PacketForm header = {};               ///< Form of packets.
  std::vector<CrossbarConfig> shapes;   ///< Distinct crossbars; `own` is 0 in them: each block has
                                        ///< its own.
  /// Distinct routers; `own` is 0 in them.
  std::vector<RouterTileConfig> router_shapes;
  std::vector<std::shared_ptr<const RouteUnit>> route_units;  ///< By router shape: its route unit.
  unsigned num_vc = 1;  ///< VCs of every link but those into interfaces.
  std::vector<Block> blocks;
  std::vector<Link> links;
  std::vector<std::uint32_t> out_link;  ///< Link of each out-port: `out_link[first_out + port]`.
  /// Kinds of links between routers that may differ in length, by name.
  std::vector<std::string> link_classes = {"all"};
  // Traits, which users test instead of the kind of the network.
  bool staged = false;          ///< Routers are switches in stages, instead of one at each node.
  bool shares_routers = false;  ///< Several nodes may be at one router.
  /// VCs that the routing needs, if it is computed for the present number of VCs; 0: analysis finds
  /// it.
  unsigned vcs_needed = 0;
  /// Bit i is set if dimension i consists of rings, round which packets take the shorter direction,
  /// or if both are equally long the one that their tag selects. Otherwise it consists of lines, or
  /// of neither.
  std::uint32_t rings = 0;
  /// Kinds of nodes (seed 003): ranks count, board by board, the main units and then the
  /// aggregation units of a board, which form dimension 0. In other networks every node is the only
  /// main unit of its board, and there is no such dimension.
  std::uint32_t mains = 1, aggregators = 0;
  bool vc_per_destination = false;  ///< Each destination has its own VC on every link.
  Translations translations = {};
  Protection protection = Protection::kNone;  ///< Protection of all links.
  Failures failures = {};
  std::string routing_note = "";  ///< Why packets do not take the routes that "auto" prefers;
                                  ///< empty: they do.

  /// Whether rank `src` reaches `dst` and is reached by it; a dead node does not reach itself.
  bool connected(std::uint32_t src, std::uint32_t dst) const {
    const std::vector<std::uint32_t>& of = failures.component;
    return of.empty() || (of[src] == of[dst] && of[src] != kOpen);
  }
  /// Adds an interface with unconnected ports and returns its number; interfaces come first.
  std::uint32_t add_nic(std::string name, std::uint32_t own);
  std::uint32_t add_router(std::string name, std::uint32_t own, const RouterTileConfig& shape);
  std::uint32_t add_crossbar(std::string name, std::uint32_t own, const CrossbarConfig& shape);
  /// Connects an out-port to an in-port. Throws std::logic_error if either is already connected.
  void connect(std::uint32_t src, std::uint32_t src_port, std::uint32_t dst, std::uint32_t dst_port,
               std::uint32_t link_class = 0);
  /// Sets the width of flits of all blocks, in bits.
  void set_width(unsigned data_w);
  /// Checks that every port is connected, except routers' ports towards neighbours that do not
  /// exist. Throws std::logic_error naming the first port that is not.
  void check() const;
  bool has_routers() const { return !router_shapes.empty(); }
  /// The routing of the routers; kDirect for crossbars.
  Routing routing() const {
    return has_routers() ? router_shapes.front().routing : Routing::kDirect;
  }
  /// Whether a packet's route, that of `walk`, depends only on source, destination, tag and link of
  /// its interface. Otherwise `walk` gives the direct route, as if packets were injected at each
  /// router.
  bool has_one_way() const { return by_own_way(routing()); }
  /// Classes of packets that divide the VCs of a link: each has routes in its own VCs.
  unsigned vc_classes() const { return has_classes(routing()) ? 2 : 1; }
  /// Whether routers use dimension order only (mesh, torus).
  bool in_dimension_order() const { return is_grid() && has_one_way(); }
  /// Whether routers are in lines or rings of dimensions, and direct routes in dimension order.
  bool is_grid() const { return has_routers() && router_shapes.front().traits().dimension_order; }
  /// Number of connected links.
  std::uint32_t connected_links() const;
  /// Configuration of a crossbar with its own address.
  CrossbarConfig crossbar_config(std::uint32_t block) const;
  RouterTileConfig router_config(std::uint32_t block) const;
  /// Whether some routes from one node to another pass only one router.
  bool shares_switches() const { return staged || shares_routers; }
  /// Whether a link leads from one router or crossbar to another.
  bool between_switches(const Link& link) const {
    return link.src_block != kOpen && link.src_block >= nodes && link.dst_block >= nodes;
  }
  /// Cycles that the blocks of a protected link add in each direction.
  static constexpr unsigned kProtectedCycles = 2;
  /// Class name reported for interface links.
  static constexpr const char* kInterfaceClass = "interface";
  /// Class name of a connected link.
  std::string class_name(const Link& link) const {
    return between_switches(link) ? link_classes[link.link_class] : kInterfaceClass;
  }
  /// Whether the values at both ends of a link may differ: it has blocks, or faults.
  bool two_ends(const Link& link) const {
    return link.src_block != kOpen &&
           (link.stages != 0 || protection != Protection::kNone || link.injected);
  }
  /// Number of links with two ends.
  std::size_t links_with_two_ends() const {
    return static_cast<std::size_t>(std::count_if(
        links.begin(), links.end(), [this](const Link& link) { return two_ends(link); }));
  }
  /// Cycles that the blocks in a link add in each direction without errors (rtl/link): its
  /// registers, two if it is protected, and two if Buffer-Full becomes credits.
  unsigned delay(const Link& link) const {
    const bool is_protected = protection != Protection::kNone;
    const bool converts = !has_routers() && (is_protected || link.stages != 0);
    return link.stages + (is_protected ? kProtectedCycles : 0) + (converts ? 2u : 0u);
  }
  /// Whether blocks in links add cycles.
  bool has_delays() const {
    return protection != Protection::kNone ||
           std::any_of(links.begin(), links.end(), [](const Link& l) { return l.stages != 0; });
  }
  /// Least cycles from link to link in a router. For networks of routers.
  unsigned router_cycles() const { return router_shapes.front().pipeline; }
  /// Slots per VC with which one VC keeps any link between routers busy: a credit is used again
  /// after 2 cycles (3 with a pipeline; rtl/router, vc_router), plus the registers of the link in
  /// both directions (rtl/link). For networks of routers.
  unsigned full_rate_depth() const {
    unsigned most = 0;
    for (const Link& link : links) most = std::max(most, delay(link));
    return (router_cycles() == 1 ? 2 : 3) + 2 * most;
  }
  /// Name of a link: "xxb_0 out 3 -> yxb_3 in 0".
  std::string link_name(std::uint32_t link) const;

  /// Out-port, and VCs that it may use there, of a packet from `src_address` to `dst_address` that
  /// has entered `block` by `in_port`: the decision of the block's own destination decoder (seed
  /// 002 [0021], [0057]; fig. 9: Y first) or route unit. Port 0 for interfaces. `other_way`: if
  /// both directions round a ring are equally long, takes the one that is not the default. With a
  /// routing algorithm: the answer of the route unit to its routers, with the VC sets of half as
  /// many VCs; `reverse`: in reverse order of dimensions. Throws CheckError for an address that the
  /// block cannot route.
  RouteOut route(std::uint32_t block, std::uint32_t in_port, std::uint32_t src_address,
                 std::uint32_t dst_address, bool other_way = false, bool reverse = false) const;

  /// Whether both directions round a ring are equally long for some pairs of nodes.
  bool has_two_ways() const;
  /// Whether both directions round a ring are equally long for ranks `src` and `dst`, in a network
  /// whose dimensions are rings.
  bool two_ways(std::uint32_t src, std::uint32_t dst) const;

  /// Whether the route of a packet, but not its length, may depend on the link by which it leaves
  /// its interface.
  bool ways_by_link() const;

  /// One more than the maximum address of a node.
  std::uint32_t addresses() const;
  /// Whether routers route by tables.
  bool has_tables() const;
  /// Whether packets from one node to another that enter the network by the same link and VC, with
  /// the same tag, arrive in order: crossbars have one path, and routers give each packet a single
  /// VC on every link to a router.
  bool keeps_order() const;

  /// Calls `visit` with each link from rank `src` to rank `dst`, in order, and, if `visit` accepts
  /// it, the set of VCs that the packet may use on it. The packet leaves the interface by its link
  /// `nic_link`. With a routing algorithm this is the direct route, and with `reverse` that in
  /// reverse order of dimensions. Throws CheckError if the destination is not reached.
  template <class Visit>
  void walk(std::uint32_t src, std::uint32_t dst, Visit visit, std::uint32_t nic_link = 0,
            bool other_way = false, bool reverse = false) const {
    std::uint32_t link = out_link[blocks[src].first_out + nic_link];
    VcSet set = VcSet::kAny;
    for (std::uint32_t hop = 0;; ++hop) {
      if constexpr (std::is_invocable_v<Visit, std::uint32_t, VcSet>) {
        visit(link, set);
      } else {
        visit(link);
      }
      const Link& l = links[link];
      if (l.dst_block < nodes) {
        check_arrival(l.dst_block, src, dst);
        return;
      }
      check_hop(hop, src, dst);
      const RouteOut next =
          route(l.dst_block, l.dst_port, address[src], address[dst], other_way, reverse);
      link = out_link[blocks[l.dst_block].first_out + next.port];
      check_connected(link, l.dst_block, src, dst);
      set = next.set;
    }
  }

 private:
  std::uint32_t add_block(Block block);
  void check_arrival(std::uint32_t at, std::uint32_t src, std::uint32_t dst) const;
  void check_hop(std::uint32_t hop, std::uint32_t src, std::uint32_t dst) const;
  void check_connected(std::uint32_t link, std::uint32_t at, std::uint32_t src,
                       std::uint32_t dst) const;
};

}  // namespace weft
