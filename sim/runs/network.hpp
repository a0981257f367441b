// A network of routers that moves packets as runs of flits.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/base/huge_pages.hpp"
#include "sim/runs/line.hpp"
#include "sim/runs/packets.hpp"
#include "sim/runs/wheel.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// The routers and links of a network, with the links out of interfaces and into them
/// (rtl/router/README.md, vc_router; rtl/nic/README.md, inject_unit), in the terms of packets: what
/// happens between the first and the last flit of an unbroken run is computed, not stepped.
///
/// A flit that is granted in a cycle is on its link in the next one, in which it can be granted
/// again, and in which the credit for its place can be used. So a VC is described by two counts:
/// the flits granted into its buffer and those granted out of it, each before a cycle. A run is
/// certain as far as these counts are certain; where they end it is looked at again.
class RunNetwork {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  /// What the front packet of a VC's buffer does.
  enum class Phase : std::uint8_t {
    kEmpty,    ///< There is none.
    kStoring,  ///< Waits for its tail (store and forward).
    kWaiting,  ///< Its header requests a VC, from the cycle on in which it is buffered.
    kMoving,   ///< Its header is granted, its tail not yet.
    kLeaving,  ///< Its tail is granted for a known cycle, `out.end()` - 1.
  };

  /// A VC of a link with its buffer, or in front of a link out of an interface the packets that the
  /// interface offers.
  struct alignas(64) Channel {
    Line in, out;                 ///< Flits granted into it and out of it.
    std::uint32_t front = kNone;  ///< Packet in front.
    std::uint32_t from = kNone;   ///< Port that sends into it.
    std::uint32_t port = kNone;   ///< Out-port that the front packet requests or has.
    std::uint32_t to = kNone;  ///< Channel allocated to the front packet, or the first it may have.
    std::uint32_t ports = kNone;  ///< First out-port of the router that has it; none: an interface.
    std::uint16_t choices = 0;    ///< Channels that a waiting front packet may have.
    std::uint16_t queued = 0;     ///< Packets behind the front packet.
    std::uint16_t oldest = 0;     ///< The first of them in the ring.
    std::uint16_t sent = 0;       ///< Flits of the front packet granted before it was stopped.
    std::uint8_t in_port = 0;
    Phase phase = Phase::kEmpty;
    bool taken = false;        ///< Allocated to a packet that is stopped.
    bool awaited = false;      ///< The port that sends into it waits for a credit.
    std::uint64_t factor = 0;  ///< digest_factor.
  };
  static_assert(sizeof(Channel) == 64);

  /// An out-port. Ports have the numbers of the graph: first those of the interfaces.
  struct alignas(64) Port {
    /// Requesters: bits by number or, if there can be more than 64, how many there are.
    std::uint64_t want = 0;
    std::uint64_t load = 0;          ///< Flits.
    Cycle look = kNever;             ///< Cycle in which it will be looked at.
    Cycle until = 0;                 ///< One after the last certain cycle of its run.
    std::uint32_t packet = kNone;    ///< That moves; none: the port is free.
    std::uint32_t x = 0, y = 0;      ///< Channels that it moves from and to.
    std::uint32_t holder = kNone;    ///< Requester that was stopped and goes before all others.
    std::uint32_t pointer = 0;       ///< Round-robin pointer.
    std::uint32_t requesters = 0;    ///< Channel of requester 0.
    std::uint32_t channels = kNone;  ///< First channel of its link.
    std::uint32_t router = kNone;    ///< Its router.
    std::uint16_t first = 0;         ///< First flit of the run.
    std::uint16_t left = 0;          ///< Flits of the packet that are not certain yet.
    bool exit = false;               ///< Leads to an interface.
    bool counted = false;            ///< The digest has the run.
  };
  static_assert(sizeof(Port) == 64);

  /// Flits granted into a link to an interface, from a cycle on.
  struct Exit {
    std::uint32_t link;
    Cycle start;
    std::uint32_t length;
    bool header;  ///< The first of them is a header.
  };
  /// A packet whose tail is on the link into its interface in the present cycle.
  struct Delivered {
    std::uint32_t link, packet;
  };
  /// A packet whose tail leaves its interface in the cycle before `end`.
  struct Sent {
    std::uint32_t port;
    Cycle end;
  };

  /// `graph` and `packets` must outlive it.
  RunNetwork(const Graph& graph, Packets& packets, const Powers& powers);

  /// One cycle, the next one each time. The lists below are new then.
  void step(Cycle cycle);
  /// Forgets them.
  void clear_news() {
    exits_.clear();
    delivered_.clear();
    sent_.clear();
  }
  const std::vector<Exit>& exits() const { return exits_; }
  const std::vector<Delivered>& delivered() const { return delivered_; }
  const std::vector<Sent>& sent() const { return sent_; }

  /// The interface offers a packet on its out-port `port` from `cycle` on, which is not before the
  /// next cycle nor before the end of the packet before.
  void offer(std::uint32_t port, std::uint32_t packet, Cycle cycle);

  /// The buffer of an interface's link.
  Channel& exit(std::uint32_t link) { return channels_[nic_ports_ + link]; }
  /// Takes from it `flits` more flits of the front packet, all of which are certain, from the
  /// present cycle on (`begins`), or after those that it takes already.
  void take(std::uint32_t link, Cycle cycle, std::uint32_t flits, bool begins);
  /// Forgets the front packet of that buffer; the next one moves up.
  void pop_exit(std::uint32_t link);

  /// A flit of a packet.
  struct FlitOf {
    std::uint32_t packet, flit;
  };
  /// The flit granted into an interface's link in `cycle`, from which on the link's run is certain.
  FlitOf entering(std::uint32_t link, Cycle cycle) const {
    const Port& port = ports_[channels_[nic_ports_ + link].from];
    return {port.packet, packets_[port.packet].flits - port.left - (port.until - cycle)};
  }

  /// Ends the run before `cycle`: takes back what was certain for later.
  void end(Cycle cycle);
  /// Changes the packets' terms in the digest to those of the flits granted before `cycle`, the
  /// next one; `undo`: back again.
  void count_before(Cycle cycle, bool undo);

  std::uint64_t packets() const { return entered_; }  ///< Out of interfaces: tails.
  std::vector<std::uint64_t> load() const;            ///< By link: flits.
  /// Whether no flit is in the network.
  bool empty() const;
  /// One after the last cycle with a flit that is certain so far.
  Cycle moves_until() const { return moves_until_; }

 private:
  struct Router {
    std::uint32_t own = 0, shape = 0;
  };

  // What a port chooses among its requesters.
  struct Choice {
    std::uint32_t from = kNone, to = kNone;  // Channels.
    int age = -1;
  };

  bool of_interface(std::uint32_t p) const { return p < nic_ports_; }
  std::uint32_t depth_into(const Port& port) const { return port.exit ? exit_depth_ : depth_; }
  std::uint32_t* ring(std::uint32_t c) { return &rings_[std::size_t{c} * (ring_mask_ + 1)]; }
  void schedule(std::uint32_t p, Cycle cycle);
  void want(std::uint32_t p, std::uint32_t requester);
  void drop_want(std::uint32_t p, std::uint32_t requester);

  void fetch(const Wheel::Bucket& ports, std::uint32_t i) const;
  // `kPlain`: switching and arbiter are the default ones, with up to 64 requesters.
  template <bool kPlain>
  void step_ports(Cycle cycle);
  template <bool kPlain>
  void look(std::uint32_t p, Cycle cycle);
  template <bool kPlain>
  bool consider(const Port& port, std::uint32_t x, Cycle cycle, Choice& choice, Cycle& next);
  void consider_wide(std::uint32_t p, Cycle cycle, Choice& choice, Cycle& next);
  template <bool kPlain>
  void pick(std::uint32_t p, Cycle cycle);
  template <bool kPlain>
  void grant(std::uint32_t p, std::uint32_t x, std::uint32_t y, Cycle cycle);
  template <bool kPlain>
  std::uint32_t eligible(const Port& port, std::uint32_t x, Cycle cycle, Cycle& next);
  template <bool kPlain>
  void advance(std::uint32_t p, std::uint32_t flits, Cycle cycle, bool begins);
  template <bool kPlain>
  void push(std::uint32_t y, std::uint32_t packet, Cycle cycle);
  template <bool kPlain>
  void come_front(std::uint32_t x, std::uint32_t packet, Cycle cycle);
  bool hop(std::uint32_t p, Cycle cycle);
  void stop(std::uint32_t p, Cycle cycle);
  bool go_on(std::uint32_t p, Cycle cycle);
  bool chain(std::uint32_t p, Cycle cycle, bool begins);
  [[gnu::cold]] void count_part(std::uint32_t p, Cycle end, bool undo = false);
  void count_flits(const Port& port, std::uint32_t first, std::uint32_t end, std::uint64_t power,
                   bool undo);
  void pick_vc(std::uint32_t p, Cycle cycle);
  std::uint32_t best(const Port& port, const Channel& x, std::uint32_t need, Cycle cycle,
                     Cycle& next);
  bool has_room(Channel& y, std::uint32_t depth, std::uint32_t need, Cycle cycle, Cycle& next);
  std::uint16_t age(std::uint32_t x, Cycle cycle) const {
    return static_cast<std::uint16_t>(cycle - packets_[channels_[x].front].stamp);
  }
  void request(std::uint32_t p, std::uint32_t x, Cycle cycle);
  std::uint32_t next_queued(std::uint32_t c);
  void move_up(std::uint32_t x, Cycle cycle);
  [[gnu::cold]] bool stores(std::uint32_t x, std::uint32_t packet, Cycle cycle);
  [[gnu::cold]] void find_way(const Channel& channel, Packet& packet) const;
  void find_route(std::uint32_t x, Cycle cycle);

  const Graph& graph_;
  Packets& packets_;
  const Powers& powers_;
  std::uint32_t nic_ports_;  // Links each way between interfaces and routers.
  std::uint32_t num_vc_, depth_, exit_depth_;
  std::uint32_t words_ = 1;      // Of a set of requesters.
  std::uint32_t ring_mask_ = 0;  // Slots of a ring less 1.
  std::uint32_t address_mask_, src_lsb_;
  bool cut_through_, store_forward_, age_, by_dest_, plain_, large_;
  // By VC set: the first VC and how many; of sets relative to a packet's VC the count is 0.
  std::array<std::array<std::uint16_t, 2>, kVcSets> sets_ = {};
  LargeArray<Channel> channels_;  // Offered packets, links into interfaces, and all others.
  LargeArray<Port> ports_;
  std::vector<Router> routers_;
  std::vector<std::uint64_t> wants_;  // By port: requesters, if there can be more than 64.
  std::vector<std::uint32_t> rings_;  // By channel: packets behind the front packet.
  std::vector<std::uint32_t> rank_;   // By address.
  Wheel wheel_;                       // Ports to look at.
  Wheel fronts_;                      // Channels whose next packet comes to the front.
  std::vector<Exit> exits_;
  std::vector<Delivered> delivered_;
  std::vector<Sent> sent_;
  std::uint64_t entered_ = 0;
  Cycle moves_until_ = 0;
};

}  // namespace weft
