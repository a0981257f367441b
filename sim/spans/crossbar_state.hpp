// The buffers and stages of a network of crossbars that moves packets as spans.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/arbiter/rr_arbiter.hpp"
#include "sim/buffer/input_buffer.hpp"
#include "sim/share/division.hpp"
#include "sim/spans/line.hpp"
#include "sim/spans/network_state.hpp"
#include "sim/spans/saved.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// Buffers, and stages between them, which packets pass one after the other: a switch from an input
/// buffer into an output buffer, a link from there into the next input buffer. A detour has no
/// output buffer: its link begins at the input buffer.
struct CrossbarState {
  static constexpr std::uint32_t kNone = NetworkBasis::kNone;
  /// Flits granted into a link before the Buffer-Full that they cause reaches its sender.
  static constexpr std::uint32_t kLate = 2;

  /// A link with the input buffer or the interface at its end; an output buffer; or the packets
  /// that an interface offers.
  struct Buffer {
    PastLine in;                  ///< Flits granted into it.
    Line out;                     ///< Flits granted out of it.
    std::uint32_t front = kNone;  ///< Packet in front.
    std::uint32_t from = kNone;   ///< Stage that fills it.
    std::uint32_t to = kNone;  ///< Stage that the front packet passes or requests; not interfaces.
    Cycle free = 0;            ///< The packet before has left it before this cycle.
    std::uint16_t delay = 1;   ///< Cycles from a flit's grant into it to the first out of it.
    std::uint16_t space = 0;   ///< Flits that it accepts in a span.
    std::uint16_t queued = 0;  ///< Packets behind the front packet.
    std::uint16_t oldest = 0;  ///< First of these packets in the ring.
    bool link = false;         ///< Is filled over a link, whose sender sees Buffer-Full a flit too
                               ///< late.
    bool awaited = false;      ///< The stage that fills it waits for space.
    bool awaits = false;       ///< The stage that empties it waits for flits.
    bool taken = false;        ///< The interface accepts the front packet.
    // For input buffers:
    bool input = false, detour = false;  ///< `detour`: is among the destinations.
    std::uint16_t number = 0;            ///< Number of the crossbar's input.
    std::uint32_t crossbar = 0;
    std::uint64_t factor = 0;  ///< For links: digest_factor.
    // For a link between parts of the network: `told` is set in the buffer at its end, `mirror` in
    // the *mirror* that the sender's part has of it (network_state.hpp). `part` and `twin`: the
    // other part, and the number of the other buffer there.
    bool told = false, mirror = false;
    std::uint32_t part = 0, twin = kNone;
  };

  /// The link of an out-port, with the port's number, or the switch in front of its output buffer.
  struct Stage {
    std::uint32_t packet = kNone;        // Packet that passes it; none: it is free.
    std::uint32_t x = kNone, y = kNone;  // Buffers that it empties and fills.
    Cycle look = kNever;                 // Cycle in which it will be looked at.
    Cycle until = 0;                     // One after the last certain cycle of its span.
    std::uint16_t first = 0;             // First flit of the span.
    std::uint16_t left = 0;              // Flits of the packet that are not certain yet.
    bool moves = false, counted = false;
    bool link = false, exit = false;  // `exit`: leads to an interface.
    std::uint32_t arbiters = kNone;   // First of its arbiters.
    std::uint64_t load = 0;           // Flits that have passed.
  };
  struct Arbiter {
    static constexpr std::uint8_t kFree = 0xff;

    std::uint64_t waiting = 0;  // Requests, except that of the granted one.
    std::uint32_t stage = 0, crossbar = 0;
    RoundRobin round_robin;
    std::uint8_t granted = kFree;
  };
  struct Switches {
    DestinationDecoder decoder;
    std::uint32_t inputs, outputs;  // Buffer of the first input; stage of the first link.
    std::uint32_t first_in, first;  // Inputs of a first-stage switch; number of first-stage
                                    // switches.
  };
  // A packet behind the front packet, and the cycle of its header.
  struct Queued {
    std::uint32_t packet;
    Cycle granted;
  };

  /// `graph` and `division` must outlive it. `controllers`: per interface; they share its link.
  CrossbarState(const Graph& graph, const Division& division, unsigned controllers);

  const Graph& graph() const { return graph_; }
  std::vector<std::uint64_t> load() const;  ///< Flits by link; 0 for links of other processes.
  /// Whether stage `s` is one of `part`; checks a loaded state (crossbars_loaded.cpp).
  bool has_stage(std::uint32_t s, unsigned part) const;
  /// Whether buffer `b` is a mirror that `part` has; checks a loaded state.
  bool is_mirror(std::uint32_t b, unsigned part) const;
  /// Whether buffer `b` of `part` has a mirror in another part; checks a loaded state.
  bool is_told(std::uint32_t b, unsigned part) const;
  /// Summand of this process: the flits in the network are the sum over all processes, modulo 2^64.
  std::uint64_t held() const;

  std::uint32_t nodes, links, controllers;
  std::uint32_t ring_mask = 0;  ///< Slots of a ring less 1.
  std::vector<Buffer> buffers;  ///< By link: the buffer at its end; by link: that in front of it;
                                ///< then mirrors.
  std::vector<Stage> stages;    ///< By out-port: its link; by out-port: the switch in front of its
                                ///< output buffer.
  std::vector<Switches> crossbars;
  std::vector<Arbiter> arbiters;
  std::vector<Queued> rings;  ///< By buffer: packets behind the front packet.

  /// Checkpoint state of a block.
  template <class Archive>
  void archive_block(Archive& archive, std::uint32_t b) {
    const Block& block = graph_.blocks[b];
    for (std::uint32_t l = block.first_in; l < block.first_in + block.num_in; ++l) {
      archive_buffer(archive, l);
    }
    for (std::uint32_t p = block.first_out; p < block.first_out + block.num_out; ++p) {
      archive_buffer(archive, links + p);
      for (const std::uint32_t s : {p, links + p}) {
        archive_elements(archive, &stages[s], 1, same_stage);
        std::size_t a = stages[s].arbiters;
        for (; a < arbiters.size() && arbiters[a].stage == s; ++a) {
          archive_elements(archive, &arbiters[a], 1, same_arbiter);
        }
      }
      const std::uint32_t mirror = stages[p].y;
      if (mirror >= 2 * links) archive_elements(archive, &buffers[mirror], 1, same_buffer);
    }
  }

 private:
  template <class Archive>
  void archive_buffer(Archive& archive, std::uint32_t b) {
    archive_elements(archive, &buffers[b], 1, same_buffer);
    const std::uint32_t slots = ring_mask + 1;
    archive_bytes(archive, rings.data() + std::size_t{b} * slots, slots);
  }
  // Whether a loaded buffer has the same place in the network as the one before.
  static bool same_buffer(const Buffer& before, const Buffer& loaded) {
    return are_bools(loaded.link, loaded.awaited, loaded.awaits, loaded.taken, loaded.input,
                     loaded.detour, loaded.told, loaded.mirror) &&
           loaded.from == before.from && loaded.delay == before.delay &&
           loaded.space == before.space && loaded.link == before.link &&
           loaded.input == before.input && loaded.detour == before.detour &&
           loaded.number == before.number && loaded.crossbar == before.crossbar &&
           loaded.factor == before.factor && loaded.told == before.told &&
           loaded.mirror == before.mirror && loaded.part == before.part &&
           loaded.twin == before.twin && (loaded.input || loaded.to == before.to);
  }
  static bool same_stage(const Stage& before, const Stage& loaded) {
    return are_bools(loaded.moves, loaded.counted, loaded.link, loaded.exit) &&
           loaded.link == before.link && loaded.exit == before.exit &&
           loaded.arbiters == before.arbiters && loaded.y == before.y &&
           (!loaded.link || loaded.x == before.x);
  }
  static bool same_arbiter(const Arbiter& before, const Arbiter& loaded) {
    return loaded.stage == before.stage && loaded.crossbar == before.crossbar;
  }
  void add_arbiters(std::uint32_t s, std::uint32_t crossbar, std::uint32_t count);
  void add_mirror(std::uint32_t s, unsigned part, unsigned other);

  const Graph& graph_;
  const Division& division_;
};

}  // namespace weft
