// The barrier units of a fabric and the tree that connects them.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/barrier/barrier_unit.hpp"
#include "sim/base/archive.hpp"
#include "sim/base/error.hpp"
#include "sim/base/parcel.hpp"
#include "sim/fabric/barrier_times.hpp"
#include "sim/fabric/unit_tree.hpp"
#include "sim/fabric/unit_views.hpp"
#include "sim/fabric/wires.hpp"
#include "sim/packet/packet.hpp"

namespace weft {

/// Configuration of the unit of a node. The unit delays a release until it has reached the deepest
/// unit, so that all nodes see it in the same cycle. Throws ConfigError for a tree that is too
/// deep.
inline BarrierUnit::Config barrier_config(const UnitTree& tree, std::uint32_t rank) {
  if (tree.depth() > BarrierUnit::kMostHold) {
    throw ConfigError(fmt::format(
        "the barrier tree is {} cycles deep, expected: {} at most: fewer link.stages, or barrier "
        "\"software\"",
        tree.depth(), BarrierUnit::kMostHold));
  }
  return {.num_child = tree[rank].num_child,
          .is_root = rank == tree.root(),
          .hold_cycles = tree.depth() - tree[rank].depth,
          .max_flight = kBarrierFlight};
}

/// The type of barrier unit that goes with a type of network interface.
template <class NicT>
struct BarrierUnitOf {
  using Type = BarrierUnit;
};

/// `UnitT`: the model, Verilated RTL, or a cosimulation pair with the model's interface. In each
/// cycle `step` reads the tree's links, then `publish` puts the units' outputs on them; several
/// threads may share either.
template <class UnitT>
class BarrierTree {
 public:
  /// Makes a unit for each node of `graph`. `more`: further arguments of each unit's constructor.
  template <class... More>
  explicit BarrierTree(const Graph& graph, const More&... more)
      : first_link_(graph.links.size()),
        tree_(graph),
        times_(graph.nodes),
        nodes_(graph.nodes),
        up_(graph.nodes),
        down_(graph.nodes) {
    for (std::uint32_t n = 0; n < graph.nodes; ++n) {
      units_.emplace_back(barrier_config(tree_, n), more...);
      if (tree_.longest() == 1) continue;
      up_wires_.emplace_back(tree_[n].cycles - (n != tree_.root()));
      down_wires_.push_back(up_wires_.back());
    }
  }

  /// The run's result omits the first `count` barriers of every node, which belong to the start-up.
  void leave_out(std::uint32_t count) { times_.leave_out(count); }

  /// Notes that the node's endpoint enters its next barrier in `cycle`; the unit sees it in the
  /// next cycle.
  void enter(std::uint32_t node, std::uint64_t cycle) {
    nodes_[node].enters = true;
    times_.enter(node, cycle);
  }

  /// Barriers that a node has left.
  std::uint32_t count(std::uint32_t node) const { return times_.left(node); }
  /// Times of all barriers. A node leaves a barrier in the cycle in which its unit shows the
  /// release.
  const BarrierTimes& times() const { return times_; }

  /// The values on the wires of a node's unit, before `cycle`.
  BarrierView view(std::uint32_t node, std::uint64_t cycle) const {
    return {in(node, cycle),
            {.up = up_[node] != 0, .down = down_[node] != 0, .count = count(node), .full = false},
            times_.inside(node)};
  }

  /// Steps the units of nodes `first` to `end` - 1; `at` is the node being stepped, for messages.
  void step(std::uint32_t first, std::uint32_t end, std::uint64_t cycle, std::uint32_t& at) {
    for (std::uint32_t n = first; n < end; ++n) {
      NodeState& state = nodes_[n];
      const BarrierUnit::In pulses = in(n, cycle);
      if (!up_wires_.empty()) step_wires(n, cycle);
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

  /// Whether the node's unit was stepped in the last cycle; otherwise its links have not changed.
  /// Call it after `publish`.
  bool stepped(std::uint32_t n) const { return nodes_[n].steps; }
  /// Sends the link values of node `n` to the process that has a neighbouring unit.
  void write(std::uint32_t n, Parcel& parcel) const {
    parcel.put(up_[n]);
    parcel.put(down_[n]);
  }
  /// Receives the link values of node `n` from its process.
  void read(std::uint32_t n, Parcel& parcel) {
    parcel.take(up_[n]);
    parcel.take(down_[n]);
  }

  /// Whether the next `step` changes nothing at nodes `first` to `end` - 1, as the last one did.
  bool quiet(std::uint32_t first, std::uint32_t end) const {
    for (std::uint32_t n = first; n < end; ++n) {
      if (nodes_[n].steps || nodes_[n].enters || !units_[n].idle()) return false;
      if (up_wires_.empty()) continue;
      bool wires = down_wires_[n].quiet();
      for (const std::uint32_t child : tree_.children(n)) wires = wires && up_wires_[child].quiet();
      if (!wires) return false;
    }
    return true;
  }

  /// If some nodes wait in a barrier for others: which nodes have not entered it; otherwise empty.
  /// The job's first barrier is barrier 1.
  std::string missing() const {
    const std::uint32_t left_out = times_.left_out();
    std::vector<std::uint32_t> entered;
    for (std::uint32_t n = 0; n < nodes_.size(); ++n) entered.push_back(times_.entered(n));
    const NodesBehind behind = nodes_behind(entered);
    if (behind.count == 0) return {};
    return fmt::format(
        "\n  barrier {}: {} of {} nodes wait for those that have not entered it: {}",
        behind.done < left_out ? "of the start-up" : std::to_string(behind.done - left_out + 1),
        nodes_.size() - behind.count, nodes_.size(), behind.ranks);
  }

  /// Checkpoint state of a node, with the wires into its unit.
  template <class Archive>
  void archive_node(Archive& archive, std::uint32_t n) {
    next_block(archive, n);
    archive(units_[n], nodes_[n].enters, up_[n], down_[n]);
    if (!up_wires_.empty()) {
      archive(down_wires_[n]);
      for (const std::uint32_t child : tree_.children(n)) archive(up_wires_[child]);
    }
    times_.archive_node(archive, n);
  }

 private:
  struct NodeState {
    bool enters = false;
    // Not saved: a run that starts or is resumed first tells other processes the values of all
    // links.
    bool steps = true;
  };

  // A pulse on a wire with registers.
  struct Pulse {
    template <class Archive>
    void serialize(Archive& /*archive*/) {}
  };
  using Wire = TreeWire<Pulse>;

  BarrierUnit::In in(std::uint32_t n, std::uint64_t cycle) const {
    BarrierUnit::In in{.enter = nodes_[n].enters};
    for (const std::uint32_t child : tree_.children(n)) {
      const bool up =
          tree_.has_registers(child) ? up_wires_[child].leaves(cycle) != nullptr : up_[child];
      in.up |= static_cast<std::uint8_t>(up << tree_[child].number);
    }
    if (n == tree_.root()) return in;
    in.down =
        tree_.has_registers(n) ? down_wires_[n].leaves(cycle) != nullptr : down_[tree_[n].parent];
    return in;
  }

  // Steps the wires into a unit.
  void step_wires(std::uint32_t n, std::uint64_t cycle) {
    static constexpr Pulse kPulse;
    const auto step = [&](Wire& wire, bool enters) {
      if (enters || !wire.quiet()) wire.step(cycle, enters ? &kPulse : nullptr);
    };
    if (tree_.has_registers(n)) step(down_wires_[n], down_[tree_[n].parent] != 0);
    for (const std::uint32_t child : tree_.children(n)) {
      if (tree_.has_registers(child)) step(up_wires_[child], up_[child] != 0);
    }
  }

  // Term of a pulse in the digest, where it counts as a flit without data. The number of a unit's
  // down link is that of its up link plus one.
  unsigned __int128 pulse_term(std::uint32_t link) const {
    return digest_term(digest_factor(static_cast<std::uint32_t>(first_link_ + link), 0), 0, 1);
  }

  std::uint64_t first_link_;  // Number of the tree's first link in the digest.
  UnitTree tree_;
  std::vector<UnitT> units_;
  BarrierTimes times_;
  std::vector<NodeState> nodes_;
  std::vector<std::uint8_t> up_, down_;      // By node.
  std::vector<Wire> up_wires_, down_wires_;  // Registers of the edge to the parent; empty if no
                                             // edge has registers.
};

}  // namespace weft
