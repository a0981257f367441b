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
  std::uint32_t num_in = 0, num_out = 0;      ///< Link ports.
  std::uint32_t first_in = 0, first_out = 0;  ///< Index in the link and out-port arrays.
};

/// Source of a link, or link of an out-port, that is not connected: the edge of a mesh.
inline constexpr std::uint32_t kOpen = std::numeric_limits<std::uint32_t>::max();

/// Links are numbered by their ends: link `block.first_in + port` enters `port` of `block`.
struct Link {
  std::uint32_t src_block = kOpen, src_port = kOpen;
  std::uint32_t dst_block = 0, dst_port = 0;
  std::uint16_t stages = 0;      ///< Registers in it each way, cycles.
  std::uint16_t link_class = 0;  ///< Index into `Graph::link_classes`, between routers.
  bool injected = false;         ///< Faults may be put on its wires.
};

/// Translations: automorphisms of a network that map interfaces to interfaces and preserve the
/// routing. All nodes of a class have equivalent routes to them, so one represents the class.
struct Translations {
  std::string words;  ///< What they are, and to which nodes routes are followed; empty: none known.
  std::vector<std::uint32_t>
      block_class;  ///< Of each block, from 0 on; equal: one goes to another.
  /// They map a port to the port of the same number; otherwise links are equivalent if their ends
  /// are.
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
  PacketForm header = {};               ///< Of packets.
  std::vector<CrossbarConfig> shapes;   ///< Distinct crossbars; `own` is 0, a block has its own.
  std::vector<RouterTileConfig> router_shapes;                ///< Distinct routers, likewise.
  std::vector<std::shared_ptr<const RouteUnit>> route_units;  ///< Of each of them.
  unsigned num_vc = 1;  ///< VCs of every link but those into interfaces.
  std::vector<Block> blocks;
  std::vector<Link> links;
  std::vector<std::uint32_t> out_link;  ///< Link of each out-port: `out_link[first_out + port]`.
  /// Kinds of links between routers that may differ in length, by name.
  std::vector<std::string> link_classes = {"all"};
  // Traits, which users test instead of the kind of the network.
  bool staged = false;          ///< Routers are switches of stages, not one at each node.
  bool shares_routers = false;  ///< Several nodes may be at one router.
  /// VCs that the routing needs, where it is computed for the VCs that there are; 0: analysis
  /// tells.
  unsigned vcs_needed = 0;
  /// Bit i: dimension i consists of rings, round which packets take the shorter direction, or if
  /// both are equally long the one that their tag selects; otherwise of lines, or of neither.
  std::uint32_t rings = 0;
  /// Kinds of nodes (seed 003): ranks count, board by board, the main units and then the
  /// aggregation units of a board, which form dimension 0. In other networks every node is the only
  /// main unit of its board, and there is no such dimension.
  std::uint32_t mains = 1, aggregators = 0;
  bool vc_per_destination = false;  ///< Each destination has a VC of its own on every link.
  Translations translations = {};
  Protection protection = Protection::kNone;  ///< Of all links.
  Failures failures = {};
  std::string routing_note = "";  ///< Why packets do not go by the ways that "auto" prefers.

  /// Whether rank `src` reaches `dst` and is reached by it; a dead node does not reach itself.
  bool connected(std::uint32_t src, std::uint32_t dst) const {
    const std::vector<std::uint32_t>& of = failures.component;
    return of.empty() || (of[src] == of[dst] && of[src] != kOpen);
  }
  /// Adds a block with unconnected ports and returns its number; interfaces come first.
  std::uint32_t add_nic(std::string name, std::uint32_t own);
  std::uint32_t add_router(std::string name, std::uint32_t own, const RouterTileConfig& shape);
  std::uint32_t add_crossbar(std::string name, std::uint32_t own, const CrossbarConfig& shape);
  /// Connects an out-port to an in-port. Throws std::logic_error if either is connected already.
  void connect(std::uint32_t src, std::uint32_t src_port, std::uint32_t dst, std::uint32_t dst_port,
               std::uint32_t link_class = 0);
  /// Sets the width of flits, bits, of all blocks.
  void set_width(unsigned data_w);
  /// Checks that every port is connected, except routers' ports towards neighbours that do not
  /// exist. Throws std::logic_error naming the first that is not.
  void check() const;
  bool has_routers() const { return !router_shapes.empty(); }
  /// Which ways packets take.
  Routing routing() const {
    return has_routers() ? router_shapes.front().routing : Routing::kDirect;
  }
  /// Whether a packet's way depends on source, destination, tag and link of its interface alone:
  /// that of `walk`. Otherwise that is the direct way, as if packets were injected at each router.
  bool has_one_way() const { return by_own_way(routing()); }
  /// Classes of packets that divide the VCs of a link: each has ways in VCs of its own.
  unsigned vc_classes() const { return has_classes(routing()) ? 2 : 1; }
  /// Routers that route in dimension order (mesh, torus), and by that alone.
  bool in_dimension_order() const { return is_grid() && has_one_way(); }
  /// Routers in lines or rings of dimensions, whose direct ways are in dimension order.
  bool is_grid() const { return has_routers() && router_shapes.front().traits().dimension_order; }
  /// Connected links.
  std::uint32_t connected_links() const;
  /// Configuration of a block with its own address.
  CrossbarConfig crossbar_config(std::uint32_t block) const;
  RouterTileConfig router_config(std::uint32_t block) const;
  /// Whether some ways from one node to another pass one router only.
  bool shares_switches() const { return staged || shares_routers; }
  /// Whether it leads from one router or crossbar to another.
  bool between_switches(const Link& link) const {
    return link.src_block != kOpen && link.src_block >= nodes && link.dst_block >= nodes;
  }
  /// Cycles that the blocks of a protected link add each way.
  static constexpr unsigned kProtectedCycles = 2;
  /// Name of the links of interfaces, which have no class,
  static constexpr const char* kInterfaceClass = "interface";
  /// and that of a connected link's class.
  std::string class_name(const Link& link) const {
    return between_switches(link) ? link_classes[link.link_class] : kInterfaceClass;
  }
  /// Whether the values at both ends of a link may differ: it has blocks, or faults.
  bool two_ends(const Link& link) const {
    return link.src_block != kOpen &&
           (link.stages != 0 || protection != Protection::kNone || link.injected);
  }
  /// Such links.
  std::size_t links_with_two_ends() const {
    return static_cast<std::size_t>(std::count_if(
        links.begin(), links.end(), [this](const Link& link) { return two_ends(link); }));
  }
  /// Cycles that the blocks in a link add to each way without errors (rtl/link): its registers, two
  /// where it is protected, and two where Buffer-Full becomes credits.
  unsigned delay(const Link& link) const {
    const bool is_protected = protection != Protection::kNone;
    const bool converts = !has_routers() && (is_protected || link.stages != 0);
    return link.stages + (is_protected ? kProtectedCycles : 0) + (converts ? 2u : 0u);
  }
  /// Whether there are such links.
  bool has_delays() const {
    return protection != Protection::kNone ||
           std::any_of(links.begin(), links.end(), [](const Link& l) { return l.stages != 0; });
  }
  /// Cycles from link to link in a router, at least. Networks of routers.
  unsigned router_cycles() const { return router_shapes.front().pipeline; }
  /// Slots of a VC's buffer with which one VC keeps any link between routers busy: a credit is used
  /// again after 2 cycles, with a pipeline 3 (rtl/router, vc_router), and the registers of the link
  /// both ways (rtl/link). Networks of routers.
  unsigned full_rate_depth() const {
    unsigned most = 0;
    for (const Link& link : links) most = std::max(most, delay(link));
    return (router_cycles() == 1 ? 2 : 3) + 2 * most;
  }
  /// "xxb_0 out 3 -> yxb_3 in 0".
  std::string link_name(std::uint32_t link) const;

  /// Out-port that a packet from `src_address` to `dst_address` takes when it is in `block`, having
  /// come in by `in_port`, and the VCs that it may take there: the decision of the block's own
  /// destination decoder (seed 002 [0021], [0057]; fig. 9: Y first) or route unit. Port 0 for
  /// interfaces. `other_way`: if both directions round a ring are equally long, the one that is not
  /// the default. With a routing algorithm: what its routers ask the route unit, where the VCs are
  /// those of half as many; `reverse`: in reverse order of dimensions. Throws CheckError for an
  /// address that the block cannot route.
  RouteOut route(std::uint32_t block, std::uint32_t in_port, std::uint32_t src_address,
                 std::uint32_t dst_address, bool other_way = false, bool reverse = false) const;

  /// Whether both directions round a ring are equally long for some pairs,
  bool has_two_ways() const;
  /// and for the pair of ranks `src` and `dst`, where dimensions are rings.
  bool two_ways(std::uint32_t src, std::uint32_t dst) const;

  /// Whether the route of a packet may depend on the link by which it leaves its interface. Its
  /// length does not.
  bool ways_by_link() const;

  /// One more than the maximum address of a node.
  std::uint32_t addresses() const;
  /// Whether its routers route by tables.
  bool has_tables() const;
  /// Whether packets from one node to another that enter the network by one link on one VC, with
  /// the same tag, arrive in order: crossbars have one path, and routers give each packet a single
  /// VC on every link to a router.
  bool keeps_order() const;

  /// Calls `visit` with each link from rank `src` to rank `dst`, in order, and, where `visit`
  /// takes it, the set of VCs that the packet may take on it; it leaves the interface by its link
  /// `nic_link`. With a routing algorithm this is the direct way, and `reverse` that in reverse
  /// order of dimensions. Throws CheckError when the destination is not reached.
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
