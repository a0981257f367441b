// A network of crossbars that moves packets as runs of flits.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/arbiter/rr_arbiter.hpp"
#include "sim/buffer/input_buffer.hpp"
#include "sim/runs/line.hpp"
#include "sim/runs/network.hpp"
#include "sim/runs/packets.hpp"
#include "sim/runs/wheel.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// The crossbars and links of a network, with the links out of interfaces and into them
/// (rtl/crossbar/README.md; rtl/buffer/README.md, input_buffer and output_buffer; rtl/README.md,
/// Buffer-Full; rtl/nic/README.md, nic), in the terms of RunNetwork. A packet passes a crossbar in
/// two runs: from its input buffer into an output buffer, and from there into the link.
class RunCrossbars {
 public:
  static constexpr std::uint32_t kNone = RunNetwork::kNone;
  using Exit = RunNetwork::Exit;
  using Delivered = RunNetwork::Delivered;
  using Sent = RunNetwork::Sent;

  /// A link and the buffer at its end.
  struct Channel {
    PastLine in;                  ///< Flits granted into the link,
    Line out;                     ///< and out of the buffer.
    std::uint32_t front = kNone;  ///< Packet in front.
    std::uint32_t from = kNone;   ///< Port that sends into it.
    /// Out-port that the front packet requests or has, of those of a crossbar from `ports` on.
    std::uint32_t port = kNone, ports = kNone;
    std::uint32_t decoder = 0;
    std::uint32_t limit = 0;  ///< Most flits in link and buffer without Buffer-Full.
    Cycle free = 0;           ///< The packet before has left before then.
    std::uint16_t input = 0, first = 0, position = 0;  ///< First-stage switch, and its input there.
    std::uint16_t queued = 0, oldest = 0;              ///< Packets behind the front packet.
    bool detour = false;                               ///< A detour is among its destinations.
    bool awaited = false;      ///< The port that sends into it waits for Buffer-Full to fall.
    bool taken = false;        ///< The interface takes the front packet.
    bool awaits = false;       ///< Its connected packet waits for flits.
    std::uint64_t factor = 0;  ///< digest_factor.
  };

  /// `graph` and `packets` must outlive it. `controllers`: of an interface; they share its link.
  RunCrossbars(const Graph& graph, Packets& packets, const Powers& powers, unsigned controllers);

  /// As those of RunNetwork.
  void step(Cycle cycle);
  void clear_news() {
    exits_.clear();
    delivered_.clear();
    sent_.clear();
  }
  const std::vector<Exit>& exits() const { return exits_; }
  const std::vector<Delivered>& delivered() const { return delivered_; }
  const std::vector<Sent>& sent() const { return sent_; }
  /// `port`: the interface's number times its controllers, and the controller.
  void offer(std::uint32_t port, std::uint32_t packet, Cycle cycle);
  Channel& exit(std::uint32_t link) { return channels_[link]; }
  void take(std::uint32_t link, Cycle cycle, std::uint32_t flits, bool begins);
  void pop_exit(std::uint32_t link);
  void end(Cycle cycle);
  std::uint64_t packets() const { return entered_; }
  std::vector<std::uint64_t> load() const;
  bool empty() const;
  Cycle moves_until() const { return moves_until_; }

 private:
  /// Cycles from the grant of a flit into a link to its first in the output register of the input
  /// buffer.
  static constexpr Cycle kInput = 5;

  /// An out-port: its link register, and in front of it the queue of packets of an output buffer or
  /// of the controllers of an interface. A detour has no buffer: its flits come from `x`.
  struct Port {
    Line pushed;                   // Flits granted into the output buffer.
    std::uint64_t load = 0;        // Flits on the link.
    std::uint32_t packet = kNone;  // On the link.
    Cycle look = kNever;           // Cycle in which the link will be looked at.
    Cycle until = 0;               // One after the last certain cycle of its run.
    std::uint32_t y = kNone;       // Channel of its link.
    std::uint16_t first = 0;       // First flit of the run.
    std::uint16_t left = 0;        // Flits of the packet that are not certain yet.
    bool moves = false, counted = false, exit = false, detour = false;
    bool awaits = false;                   // The link waits for flits.
    bool awaits_space = false;             // The connected input waits for space.
    std::uint16_t queued = 0, oldest = 0;  // Packets behind that on the link.
    // The way into the output buffer.
    std::uint32_t x = kNone;  // Connected input.
    Cycle in_look = kNever, in_until = 0;
    std::uint16_t in_left = 0;
    bool in_moves = false, in_first = false;
    std::uint16_t switches = 0;  // First-stage switches.
    std::uint32_t arbiters = 0;  // Theirs, and then that of the second stage.
    std::uint32_t inputs = 0;    // Channel of input 0.
    std::uint16_t first_in = 0;  // Inputs of a first-stage switch.
    std::uint16_t depth = 0;     // Of the output buffer.
  };
  struct Arbiter {
    std::uint64_t waiting = 0;  // Requests, without that of the granted one.
    RoundRobin round_robin;
    std::uint8_t granted = kFree;
    static constexpr std::uint8_t kFree = 0xff;
  };

  /// What a packet passes: a port's link, or the way into its output buffer.
  struct Stage {
    std::uint32_t port = kNone;
    bool link_stage = false;

    static Stage link(std::uint32_t p) { return {p, true}; }
    static Stage input(std::uint32_t p) { return {p, false}; }
    bool exists() const { return port != kNone; }
    bool into_link() const { return link_stage; }
    bool operator==(const Stage&) const = default;
  };
  struct ChainStep {
    Stage stage;
    std::uint32_t there, space;
  };

  bool of_interface(std::uint32_t p) const { return p < nodes_; }
  std::uint32_t* ring(std::uint32_t c) { return &rings_[std::size_t{c} * (ring_mask_ + 1)]; }
  Cycle* grants(std::uint32_t c) { return &grants_[std::size_t{c} * (ring_mask_ + 1)]; }
  std::uint32_t* queue(std::uint32_t p) { return &queues_[std::size_t{p} * (queue_mask_ + 1)]; }

  void wake_link(std::uint32_t p, Cycle cycle);
  void wake_input(std::uint32_t p, Cycle cycle);
  void look_at_link(std::uint32_t p, Cycle cycle);
  void look_at_input(std::uint32_t p, Cycle cycle);
  std::uint32_t flits_there(Stage stage, Cycle cycle) const;
  bool flit_there(Stage stage, Cycle cycle, Cycle& next);
  std::uint32_t space_behind(Stage stage, Cycle cycle) const;
  std::uint32_t left(Stage stage) const {
    return stage.into_link() ? ports_[stage.port].left : ports_[stage.port].in_left;
  }
  Stage before(Stage stage, Cycle cycle) const;
  Stage after(Stage stage, Cycle cycle) const;
  bool follows(Stage first, Stage second, Cycle cycle) const;
  void run_on(Stage stage, Cycle cycle);
  void advance(Stage stage, std::uint32_t flits, Cycle cycle);
  void advance_input(std::uint32_t p, std::uint32_t flits, Cycle cycle);
  bool full(const Channel& y, Cycle cycle) const {
    return y.in.before(cycle - 1) - y.out.before(cycle) > y.limit;
  }
  void enqueue(std::uint32_t p, std::uint32_t packet);
  void arrive(std::uint32_t c, std::uint32_t packet, Cycle cycle);
  void request(std::uint32_t c, std::uint32_t packet, Cycle cycle);
  void advance_link(std::uint32_t p, std::uint32_t flits, Cycle cycle);
  void let_in(Channel& y, Cycle cycle);
  void take_in(std::uint32_t c, std::uint32_t flits, Cycle cycle, bool tail);
  void count_part(std::uint32_t p, Cycle until);
  void flag(std::uint32_t what);
  void end_packet(std::uint32_t p);
  void choose(std::uint32_t arbiter, Cycle cycle);

  const Graph& graph_;
  Packets& packets_;
  const Powers& powers_;
  std::uint32_t nodes_, controllers_;
  std::uint32_t ring_mask_ = 0, queue_mask_ = 0;
  std::vector<Channel> channels_;  // By link.
  std::vector<Port> ports_;
  std::vector<Arbiter> arbiters_;
  std::vector<std::uint32_t> arbiter_port_;
  std::vector<std::uint32_t> offered_;  // By controller: packet.
  std::vector<DestinationDecoder> decoders_;
  std::vector<std::uint32_t> rings_;  // By channel: packets behind the front packet,
  std::vector<Cycle> grants_;         // and the cycles of their headers.
  std::vector<std::uint32_t> queues_;
  std::vector<ChainStep> chain_;
  std::vector<std::uint32_t> dirty_;  // Arbiters that may choose.
  Wheel flags_;                       // Requests that reach their arbiters.
  Wheel links_, inputs_;              // Ports to look at.
  Wheel ends_;                        // Ports whose connected packet ends.
  std::vector<Exit> exits_;
  std::vector<Delivered> delivered_;
  std::vector<Sent> sent_;
  std::uint64_t entered_ = 0;
  Cycle moves_until_ = 0;
};

}  // namespace weft
