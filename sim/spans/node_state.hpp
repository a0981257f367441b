// The state of the nodes on engine `model`.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/part_array.hpp"
#include "sim/config/config.hpp"
#include "sim/fabric/arrivals.hpp"
#include "sim/fabric/barrier_times.hpp"
#include "sim/nic/nic_signals.hpp"
#include "sim/spans/line.hpp"
#include "sim/spans/network_state.hpp"
#include "sim/spans/node_memory.hpp"
#include "sim/spans/saved.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// A packet in a send controller.
struct SendSlot {
  std::uint32_t packet = 0;
  Cycle ready = 0;  // First cycle in which it can be offered.
  std::uint16_t flits = 0, gap = 0;
  bool eom = false;
};
/// A send controller.
struct SenderState {
  Descriptor message;
  Cycle open = 0;       // First cycle in which it may take a message.
  Cycle cut = 0;        // First cycle for the next cut, after the fetch of the packet before.
  Cycle sent = kNever;  // First cycle in which the first packet has left its slot.
  Cycle paced = 0;      // First cycle in which the next packet may be offered.
  std::uint32_t held = 0;
  bool cutting = false;
  std::array<SendSlot, 2> slots;
};
/// The receive side of a link into an interface.
struct ReceiverState {
  std::uint32_t packet = NetworkBasis::kNone;  // Packet that is being taken.
  Cycle until = 0;                             // Its taking is certain before this cycle.
  std::uint32_t left = 0;                      // Flits of the packet that are not certain.
  bool stopped = false;                        // Waits for the next flit of the packet.
  Cycle free = 0;                              // Cycle after that in which the packet before was
                                               // taken.
  // For the last three accepted packets: cycle in which the interface ends their writing, and the
  // receive counter to increment then.
  std::array<Cycle, 3> stored = {};
  std::array<std::int32_t, 3> tag = {-1, -1, -1};  // Only for traffic.
  // Not for traffic: counts that are due, in order.
  struct Count {
    Cycle cycle;
    std::uint32_t tag;
  };
  std::vector<Count> counts;
  // With reduction: accepted packets whose first word is still to come, the accumulator's setting,
  // and the cycle from which on it takes a new one.
  struct Start {
    std::uint32_t packet, address;
  };
  std::vector<Start> starts;
  Reduction setting;
  Cycle settles = 0;
  bool empty = false;  // The last accepted packet had no body.
  // For traffic: packets that have arrived and whose bodies are not checked yet; checked words of
  // the first of them; and accepted packets, normally at most as many (more: some are still to
  // arrive).
  std::vector<std::uint32_t> unwritten;
  std::uint32_t written = 0, accepted = 0;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(packet, until, left, stopped, free, stored, tag, setting, settles, empty, written,
            accepted);
    archive_lists(archive, counts, starts, unwritten);
  }
};
/// A node.
struct NodeState {
  NicStatus status;
  Cycle seen = kNever;  // Cycle in which it was looked at last.
  Cycle wake = 0;       // Cycle in which its endpoint is to be stepped.
  Reduction reduction;
  std::uint32_t window_base = 0, window_flits = 0;
  std::uint32_t queued = 0, oldest = 0;      // Descriptors in the queue; slot of the oldest.
  std::uint32_t next_ctrl = 0, cutting = 0;  // `next_ctrl`: first controller to try; `cutting`:
                                             // number of controllers that cut a message.
  bool news = true, told = false, posts = false, done = false;
};

/// All nodes of this process, of which each part of the network uses its own.
struct NodeStates {
  /// For the `own` nodes. `with_memories`: they have memories. `record_arrivals`: record arrivals.
  NodeStates(const Graph& graph, const Nic::Config& nic, const NodeSet& own, bool with_memories,
             bool record_arrivals)
      : nodes(graph.nodes, !own.one_range()),
        units(std::size_t{graph.nodes} * nic.num_ctrl, !own.one_range()),
        receivers(std::size_t{graph.nodes} * nic.links(), !own.one_range()),
        queue(std::size_t{graph.nodes} * (nic.queue_depth + 1), !own.one_range()),
        memories(with_memories ? graph.nodes : 0, !own.one_range()),
        ranks(low_mask(graph.header.addr_w) + 1, NetworkBasis::kNone),
        record(record_arrivals),
        arrivals(record ? graph.nodes : 0),
        message_barriers(graph.nodes) {
    nodes.make(own, 1);
    units.make(own, nic.num_ctrl);
    receivers.make(own, nic.links());
    queue.make(own, nic.queue_depth + 1);
    if (with_memories) memories.make(own, 1);
    if (record) arrivals.make(own, 1);
    for (std::uint32_t n = 0; n < graph.nodes; ++n) ranks[graph.address[n]] = n;
  }

  PartArray<NodeState> nodes;
  PartArray<SenderState> units;        ///< By port.
  PartArray<ReceiverState> receivers;  ///< By link.
  PartArray<Descriptor> queue;         ///< By node.
  PartArray<NodeMemory> memories;      ///< By node; none for traffic.
  std::vector<std::uint32_t> ranks;    ///< Nodes by address.
  bool record;
  PartArray<std::vector<Arrival>> arrivals;  ///< By node, if recorded.
  BarrierTimes message_barriers;

  /// Checkpoint state of a node.
  template <class Archive>
  void archive_node(Archive& archive, std::uint32_t n) {
    const std::size_t ctrls = units.size() / nodes.size(), links = receivers.size() / nodes.size(),
                      places = queue.size() / nodes.size();
    archive_bytes(archive, nodes.data() + n, 1);
    archive_bytes(archive, units.data() + n * ctrls, ctrls);
    archive_bytes(archive, queue.data() + n * places, places);
    for (std::size_t l = n * links; l < (n + 1) * links; ++l) archive(receivers[l]);
    if (memories.size() != 0) archive(memories[n]);
    if (record) archive.any_size(arrivals[n]);
    message_barriers.archive_node(archive, n);
  }
};

}  // namespace weft
