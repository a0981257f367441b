// The state of the nodes on engine `model`.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/part_array.hpp"
#include "sim/fabric/arrivals.hpp"
#include "sim/fabric/barrier_times.hpp"
#include "sim/nic/nic_signals.hpp"
#include "sim/runs/line.hpp"
#include "sim/runs/network_state.hpp"
#include "sim/runs/node_memory.hpp"
#include "sim/runs/saved.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// A packet in a send controller.
struct SendSlot {
  std::uint32_t packet = NetworkBasis::kNone;
  Cycle ready = 0;  // From then on it can be offered.
  std::uint16_t flits = 0, gap = 0;
  bool eom = false;
};
/// A send controller.
struct SenderState {
  Descriptor message;
  Cycle open = 0;       // Takes no message before then.
  Cycle cut = 0;        // The fetch of the packet before allows no cut before then.
  Cycle sent = kNever;  // The first packet has left its slot from then on.
  Cycle paced = 0;      // The next packet may be offered from then on.
  std::uint32_t held = 0;
  bool cutting = false;
  std::array<SendSlot, 2> slots;
};
/// Of a link into an interface.
struct ReceiverState {
  std::uint32_t packet = NetworkBasis::kNone;  // That is being taken.
  Cycle until = 0;                             // Its taking is certain up to then.
  std::uint32_t left = 0;                      // Flits of it that are not certain.
  bool stopped = false;                        // Waits for the next of them.
  Cycle free = 0;                              // The packet before was taken before then.
  // The last three accepted packets: cycle in which the interface ends their writing, and the
  // receive counter to count then.
  std::array<Cycle, 3> stored = {};
  std::array<std::int32_t, 3> tag = {-1, -1, -1};  // Of traffic.
  // Not of traffic: what is to be counted, in order.
  struct Count {
    Cycle cycle;
    std::uint32_t tag;
  };
  std::vector<Count> counts;
  // With reduction: accepted packets whose first word is still to come, the accumulator's
  // setting, and from when on it takes a new one.
  struct Start {
    std::uint32_t packet, address;
  };
  std::vector<Start> starts;
  Reduction setting;
  Cycle settles = 0;
  bool empty = false;  // The last of them had no body.
  // Traffic: packets that came and whose bodies are not checked yet, words of the first that are,
  // and packets that were accepted, at most as many (more: some of them are still to come).
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
  Cycle seen = kNever;  // Cycle in which it was looked at.
  Cycle wake = 0;       // In which its endpoint is to be stepped.
  Reduction reduction;
  std::uint32_t window_base = 0, window_flits = 0;
  std::uint32_t queued = 0, oldest = 0;      // Descriptors.
  std::uint32_t next_ctrl = 0, cutting = 0;  // Controllers that cut a message.
  bool news = true, told = false, posts = false, done = false;
};

/// All nodes of this process, of which each part of the network uses its own.
struct NodeStates {
  /// Nodes `first` to `end` - 1. `with_memories`: nodes have some. `record_arrivals`: they are
  /// recorded.
  NodeStates(const Graph& graph, const Nic::Config& nic, std::uint32_t first, std::uint32_t end,
             bool with_memories, bool record_arrivals)
      : nodes(graph.nodes),
        units(std::size_t{graph.nodes} * nic.num_ctrl),
        receivers(std::size_t{graph.nodes} * nic.links()),
        queue(std::size_t{graph.nodes} * (nic.queue_depth + 1)),
        memories(with_memories ? graph.nodes : 0),
        ranks(low_mask(graph.header.addr_w) + 1, NetworkBasis::kNone),
        record(record_arrivals),
        arrivals(record ? graph.nodes : 0),
        message_barriers(graph.nodes),
        first_(first),
        end_(end) {
    nodes.make(first, end);
    units.make(std::size_t{first} * nic.num_ctrl, std::size_t{end} * nic.num_ctrl);
    receivers.make(std::size_t{first} * nic.links(), std::size_t{end} * nic.links());
    queue.make(std::size_t{first} * (nic.queue_depth + 1),
               std::size_t{end} * (nic.queue_depth + 1));
    if (with_memories) memories.make(first, end);
    if (record) arrivals.make(first, end);
    for (std::uint32_t n = 0; n < graph.nodes; ++n) ranks[graph.address[n]] = n;
  }

  PartArray<NodeState> nodes;
  PartArray<SenderState> units;        ///< By port.
  PartArray<ReceiverState> receivers;  ///< By link.
  PartArray<Descriptor> queue;         ///< By node.
  PartArray<NodeMemory> memories;      ///< Not of traffic.
  std::vector<std::uint32_t> ranks;    ///< By address.
  bool record;
  PartArray<std::vector<Arrival>> arrivals;  ///< By node, if recorded.
  BarrierTimes message_barriers;

  template <class Archive>
  void serialize(Archive& archive) {
    const std::uint32_t count = end_ - first_;
    const std::size_t ctrls = units.size() / nodes.size(), links = receivers.size() / nodes.size(),
                      places = queue.size() / nodes.size();
    archive_bytes(archive, nodes.data() + first_, count);
    archive_bytes(archive, units.data() + first_ * ctrls, count * ctrls);
    archive_bytes(archive, queue.data() + first_ * places, count * places);
    for (std::size_t l = first_ * links; l < end_ * links; ++l) archive(receivers[l]);
    for (std::uint32_t n = first_; n < end_; ++n) {
      if (memories.size() != 0) archive(memories[n]);
      if (record) archive(arrivals[n]);
    }
    archive(message_barriers);
  }

 private:
  std::uint32_t first_, end_;
};

}  // namespace weft
