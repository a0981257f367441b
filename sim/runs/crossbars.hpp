// A network of crossbars that moves packets as runs of flits.
#pragma once

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
/// Buffer-Full; rtl/nic/README.md, nic), in the terms of RunNetwork.
///
/// The network consists of buffers and of stages between them, which packets pass one after the
/// other: a switch from an input buffer into an output buffer, a link from there into the next
/// input buffer. A detour has no output buffer: its link begins at the input buffer.
class RunCrossbars {
 public:
  static constexpr std::uint32_t kNone = RunNetwork::kNone;
  using Exit = RunNetwork::Exit;
  using Delivered = RunNetwork::Delivered;
  using Sent = RunNetwork::Sent;

  /// A link with the input buffer or the interface at its end; an output buffer; or the packets
  /// that an interface offers.
  struct Buffer {
    PastLine in;                  ///< Flits granted into it,
    Line out;                     ///< and out of it.
    std::uint32_t front = kNone;  ///< Packet in front.
    std::uint32_t from = kNone;   ///< Stage that fills it.
    std::uint32_t to = kNone;  ///< Stage that the front packet passes or requests; not interfaces.
    Cycle free = 0;            ///< The packet before has left it before then.
    std::uint16_t delay = 1;   ///< Cycles from a flit's grant into it to the first out of it.
    std::uint16_t space = 0;   ///< Flits that it takes in a run.
    std::uint16_t queued = 0;  ///< Packets behind the front packet.
    std::uint16_t oldest = 0;  ///< The first of them in the ring.
    bool link = false;         ///< What fills it sees Buffer-Full, a flit too late.
    bool awaited = false;      ///< The stage that fills it waits for space.
    bool awaits = false;       ///< The stage that empties it waits for flits.
    bool taken = false;        ///< The interface takes the front packet.
    // Of input buffers.
    bool input = false, detour = false;  ///< `detour`: is among the destinations.
    std::uint16_t number = 0;            ///< Of the input.
    std::uint32_t crossbar = 0;
    std::uint64_t factor = 0;  ///< Of links: digest_factor.
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
  Buffer& exit(std::uint32_t link) { return buffers_[link]; }
  void take(std::uint32_t link, Cycle cycle, std::uint32_t flits, bool begins);
  void pop_exit(std::uint32_t link);
  void end(Cycle cycle);
  std::uint64_t packets() const { return entered_; }
  std::vector<std::uint64_t> load() const;
  bool empty() const;
  Cycle moves_until() const { return moves_until_; }

 private:
  /// Flits granted into a link before Buffer-Full, which they cause, reaches it.
  static constexpr std::uint32_t kLate = 2;

  /// The link of an out-port, by its number, or the switch in front of its output buffer.
  struct Stage {
    std::uint32_t packet = kNone;        // That passes it; none: it is free.
    std::uint32_t x = kNone, y = kNone;  // Buffers that it empties and fills.
    Cycle look = kNever;                 // Cycle in which it will be looked at.
    Cycle until = 0;                     // One after the last certain cycle of its run.
    std::uint16_t first = 0;             // First flit of the run.
    std::uint16_t left = 0;              // Flits of the packet that are not certain yet.
    bool moves = false, counted = false;
    bool link = false, exit = false;  // `exit`: to an interface.
    std::uint32_t arbiters = kNone;   // First of its arbiters.
    std::uint64_t load = 0;           // Flits.
  };
  struct Arbiter {
    static constexpr std::uint8_t kFree = 0xff;

    std::uint64_t waiting = 0;  // Requests, without that of the granted one.
    std::uint32_t stage = 0, crossbar = 0;
    RoundRobin round_robin;
    std::uint8_t granted = kFree;
  };
  struct Switches {
    DestinationDecoder decoder;
    std::uint32_t inputs, outputs;  // Buffer of the first input, stage of the first link.
    std::uint32_t first_in, first;  // Inputs of a first-stage switch; such switches.
  };
  // A packet behind the front packet, and the cycle of its header.
  struct Queued {
    std::uint32_t packet;
    Cycle granted;
  };
  // Of what a packet passes: sums of flits that will be there, and of space for them.
  struct ChainStep {
    std::uint32_t stage, there, space;
  };

  bool of_interface(std::uint32_t s) const { return s < nodes_; }
  Queued* ring(std::uint32_t b) { return &rings_[std::size_t{b} * (ring_mask_ + 1)]; }
  void add_arbiters(std::uint32_t s, std::uint32_t crossbar, std::uint32_t count);
  void wake(std::uint32_t s, Cycle cycle);
  void look(std::uint32_t s, Cycle cycle);
  bool flit_there(const Stage& stage, Cycle cycle);
  bool space_there(const Stage& stage, Cycle cycle);
  std::uint32_t flits_before(const Stage& stage, Cycle cycle) const;
  std::uint32_t space_behind(const Stage& stage, Cycle cycle) const;
  bool passes(std::uint32_t s, std::uint32_t packet, Cycle cycle) const;
  bool follows(std::uint32_t first, std::uint32_t second, Cycle cycle) const;
  void run_on(std::uint32_t s, Cycle cycle);
  void advance(std::uint32_t s, std::uint32_t flits, Cycle cycle);
  void arrive(std::uint32_t b, std::uint32_t packet, Cycle cycle);
  void come_front(std::uint32_t b, Queued what);
  void leave(std::uint32_t b);
  void let_in(Buffer& y, Cycle cycle);
  void count_part(std::uint32_t s, Cycle until);
  void end_packet(std::uint32_t s);
  void choose(std::uint32_t arbiter, Cycle cycle);

  Packets& packets_;
  const Powers& powers_;
  std::uint32_t nodes_, links_, controllers_;
  std::uint32_t ring_mask_ = 0;
  std::vector<Buffer> buffers_;  // By link, then one in front of each link.
  std::vector<Stage> stages_;    // By out-port: its link; then the switch in front of each.
  std::vector<Switches> crossbars_;
  std::vector<Arbiter> arbiters_;
  std::vector<std::uint32_t> offered_;  // By controller: packet.
  std::vector<Queued> rings_;           // By buffer.
  std::vector<ChainStep> chain_;
  std::vector<std::uint32_t> dirty_;  // Arbiters that may choose.
  Wheel flags_;                       // Requests that reach their arbiters.
  Wheel looks_;                       // Stages to look at.
  Wheel ends_;                        // Stages whose granted packet ends.
  std::vector<Exit> exits_;
  std::vector<Delivered> delivered_;
  std::vector<Sent> sent_;
  std::uint64_t entered_ = 0;
  Cycle moves_until_ = 0;
};

}  // namespace weft
