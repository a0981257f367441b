// The barrier units of a fabric and the tree that connects them, whatever the topology.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/barrier/barrier_unit.hpp"
#include "sim/base/archive.hpp"
#include "sim/base/parcel.hpp"
#include "sim/fabric/barrier_times.hpp"
#include "sim/fabric/heap_tree.hpp"
#include "sim/fabric/wires.hpp"
#include "sim/packet/packet.hpp"

namespace weft {

/// Configuration of the unit of one rank among `nodes`. The unit holds a release until it has
/// reached the deepest unit, so that all nodes see it in the same cycle.
constexpr BarrierUnit::Config barrier_config(std::uint32_t rank, std::uint32_t nodes) {
  return {.num_child = tree_children(rank, nodes),
          .is_root = rank == 0,
          .hold_cycles = tree_depth(nodes - 1) - tree_depth(rank),
          .max_flight = kBarrierFlight};
}

/// The type of barrier unit that goes with a type of network interface.
template <class NicT>
struct BarrierUnitOf {
  using Type = BarrierUnit;
};

/// Inputs and outputs of a node's unit in a cycle.
struct BarrierView {
  BarrierUnit::In in;
  BarrierUnit::Out out;
  bool inside = false;  ///< The node waits for a release.
};

/// `UnitT`: the model, Verilated RTL, or a cosimulation pair with the model's interface. In each
/// cycle `step` reads the tree's links, then `publish` puts the units' outputs on them; several
/// threads may share either.
template <class UnitT>
class BarrierTree {
 public:
  /// `first_link`: number of the tree's first link in the digest, after all links of the fabric.
  /// `more`: further arguments of each unit's constructor.
  template <class... More>
  BarrierTree(std::uint32_t nodes, std::uint64_t first_link, const More&... more)
      : first_link_(first_link), times_(nodes), nodes_(nodes), up_(2 * nodes + 3), down_(nodes) {
    for (std::uint32_t n = 0; n < nodes; ++n) {
      units_.emplace_back(barrier_config(n, nodes), more...);
    }
  }

  /// The run's result omits the first `count` barriers of every node, which belong to the start-up.
  void leave_out(std::uint32_t count) { times_.leave_out(count); }

  /// The node's endpoint enters its next barrier in `cycle`; the unit sees it in the next cycle.
  void enter(std::uint32_t node, std::uint64_t cycle) {
    nodes_[node].enters = true;
    times_.enter(node, cycle);
  }

  /// Barriers that a node has left.
  std::uint32_t count(std::uint32_t node) const { return times_.left(node); }
  /// A node leaves a barrier in the cycle in which its unit shows the release.
  const BarrierTimes& times() const { return times_; }

  /// Between two cycles: the values on the wires of a node's unit.
  BarrierView view(std::uint32_t node) const {
    return {in(node),
            {.up = up_[node] != 0, .down = down_[node] != 0, .count = count(node), .full = false},
            times_.inside(node)};
  }

  /// Steps the units of nodes `first` to `end` - 1; `at` is the node being stepped, for messages.
  void step(std::uint32_t first, std::uint32_t end, std::uint32_t& at) {
    for (std::uint32_t n = first; n < end; ++n) {
      NodeState& state = nodes_[n];
      const BarrierUnit::In pulses = in(n);
      state.steps = pulses.enter || pulses.up != 0 || pulses.down || !units_[n].idle();
      if (!state.steps) continue;
      at = n;
      units_[n].step(pulses);
      state.enters = false;
    }
  }

  /// Puts the outputs of the units of nodes `first` to `end` - 1 on the links, as the values of
  /// `cycle`. `released(node)` is called for each node whose count has changed.
  template <class Released>
  void publish(std::uint32_t first, std::uint32_t end, std::uint64_t cycle, Counters& counters,
               Released released) {
    for (std::uint32_t n = first; n < end; ++n) {
      if (!nodes_[n].steps) continue;
      const BarrierUnit::Out out = units_[n].out();
      up_[n] = out.up;
      down_[n] = out.down;
      if (out.up) counters.digest.add(cycle, pulse_term(2 * n));
      if (out.down) counters.digest.add(cycle, pulse_term(2 * n + 1));
      if (out.count == count(n)) continue;
      times_.leave(n, cycle);
      released(n);
    }
  }

  /// After `publish`: whether the node's unit was stepped; otherwise its links show what they did.
  bool stepped(std::uint32_t n) const { return nodes_[n].steps; }
  /// What the links of a node's unit show, for a process with a unit next to it,
  void write(std::uint32_t n, Parcel& parcel) const {
    parcel.put(up_[n]);
    parcel.put(down_[n]);
  }
  /// and there.
  void read(std::uint32_t n, Parcel& parcel) {
    parcel.take(up_[n]);
    parcel.take(down_[n]);
  }

  /// Before `step`: whether it changes nothing, as the last one did, at nodes `first` to `end` - 1.
  bool quiet(std::uint32_t first, std::uint32_t end) const {
    for (std::uint32_t n = first; n < end; ++n) {
      if (nodes_[n].steps || nodes_[n].enters || !units_[n].idle()) return false;
    }
    return true;
  }

  /// If some nodes wait in a barrier for others: which nodes have not entered it; otherwise empty.
  /// The job's first barrier is barrier 1.
  std::string missing() const {
    const std::uint32_t left_out = times_.left_out();
    const NodesBehind behind =
        nodes_behind(nodes_.size(), [&](std::uint32_t n) { return times_.entered(n); });
    if (behind.count == 0) return {};
    return fmt::format(
        "\n  barrier {}: {} of {} nodes wait for those that have not entered it: {}",
        behind.done < left_out ? "of the start-up" : std::to_string(behind.done - left_out + 1),
        nodes_.size() - behind.count, nodes_.size(), behind.ranks);
  }

  /// The state: what a checkpoint keeps of a node.
  template <class Archive>
  void archive_node(Archive& archive, std::uint32_t n) {
    next_block(archive, n);
    archive(units_[n], nodes_[n].enters, up_[n], down_[n]);
    times_.archive_node(archive, n);
  }

 private:
  struct NodeState {
    bool enters = false;
    // Not kept: what begins or goes on tells other processes first what all its links show.
    bool steps = true;
  };

  BarrierUnit::In in(std::uint32_t n) const {
    return {.enter = nodes_[n].enters,
            .up = static_cast<std::uint8_t>(up_[2 * n + 1] | up_[2 * n + 2] << 1),
            .down = n != 0 && down_[(n - 1) / 2] != 0};
  }

  // In the digest a pulse counts as a flit without data. A unit's down link has the number of its
  // up link plus one.
  unsigned __int128 pulse_term(std::uint32_t link) const {
    return digest_term(digest_factor(static_cast<std::uint32_t>(first_link_ + link), 0), 0, 1);
  }

  std::uint64_t first_link_;
  std::vector<UnitT> units_;
  BarrierTimes times_;
  std::vector<NodeState> nodes_;
  std::vector<std::uint8_t> up_, down_;  // By node; entries after the last node stay 0.
};

}  // namespace weft
