// The tree that connects barrier units and combine units, laid out along the network.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/topology/graph.hpp"

namespace weft {

/// A tree of the units of all nodes, with at most two children each. Its edges are wires beside the
/// links between routers or crossbars, and as long as these: an edge takes one cycle, plus the
/// link's registers, for each link, or one cycle if both units are at the same router or crossbar.
/// The root is a node in the middle of the network; each further unit is connected where it is
/// reached soonest (sim/fabric/README.md).
class UnitTree {
 public:
  static constexpr unsigned kMostChildren = 2;

  /// The unit of a node.
  struct Unit {
    std::uint32_t parent = kOpen;  ///< Rank of the parent; kOpen: this is the root.
    std::array<std::uint32_t, kMostChildren> children = {kOpen, kOpen};
    unsigned num_child = 0;
    unsigned number = 0;  ///< Index among the children of its parent.
    unsigned cycles = 0;  ///< Cycles of the edge to its parent, in either direction; 1 or more.
    unsigned links = 0;   ///< Links of the network along which the edge to its parent lies.
    unsigned depth = 0;   ///< Cycles from the root.
  };

  /// Throws ConfigError where links do not connect all nodes.
  explicit UnitTree(const Graph& graph);

  std::uint32_t nodes() const { return static_cast<std::uint32_t>(units_.size()); }
  const Unit& operator[](std::uint32_t rank) const { return units_[rank]; }
  /// All ranks; each comes after its parent.
  const std::vector<std::uint32_t>& order() const { return order_; }
  std::uint32_t root() const { return order_.front(); }
  /// Ranks of the children of a unit.
  std::span<const std::uint32_t> children(std::uint32_t rank) const {
    return {units_[rank].children.data(), units_[rank].num_child};
  }
  /// Whether the edge from a unit to its parent has registers.
  bool has_registers(std::uint32_t rank) const { return units_[rank].cycles > 1; }
  /// Cycles from the root to the deepest unit.
  unsigned depth() const { return depth_; }
  unsigned longest() const { return longest_; }
  /// Number of links along which all edges lie: a wire in each edge is that many wires of a link.
  std::uint64_t links() const;
  /// `depth` of every unit.
  std::vector<unsigned> depths() const;

 private:
  class Layout;
  struct Way;
  struct Switches;
  UnitTree() = default;

  std::vector<Unit> units_;
  std::vector<std::uint32_t> order_;
  unsigned depth_ = 0, longest_ = 1;
};

/// A wire with registers, along an edge that takes more than one cycle: the other unit sees a value
/// `delay` cycles later.
template <class Word>
class TreeWire {
 public:
  explicit TreeWire(unsigned delay = 0) : ring_(delay), delay_(delay) {}

  unsigned delay() const { return delay_; }
  /// Whether nothing is on the way.
  bool quiet() const { return count_ == 0; }
  /// The word that leaves in `cycle`; null: none.
  const Word* leaves(std::uint64_t cycle) const {
    return count_ != 0 && ring_[first_].due == cycle ? &ring_[first_].word : nullptr;
  }
  /// Ends `cycle`: `enters` is put on the wire; null: nothing.
  void step(std::uint64_t cycle, const Word* enters) {
    if (leaves(cycle) != nullptr) {
      first_ = first_ + 1 == delay_ ? 0 : first_ + 1;
      --count_;
    }
    if (enters == nullptr) return;
    const unsigned at = first_ + count_++;
    ring_[at < delay_ ? at : at - delay_] = {cycle + delay_, *enters};
  }

  /// The state: what a checkpoint keeps.
  template <class Archive>
  void serialize(Archive& archive) {
    archive(ring_, first_, count_);
    archive.require(ring_.size() == delay_ && count_ <= delay_ && (first_ < delay_ || first_ == 0));
  }

 private:
  struct Entry {
    std::uint64_t due = 0;  // Cycle in which the word leaves.
    Word word = {};

    template <class Archive>
    void serialize(Archive& archive) {
      archive(due, word);
    }
  };
  std::vector<Entry> ring_;
  unsigned delay_, first_ = 0, count_ = 0;
};

/// Nodes that have begun fewer orders or barriers than others.
struct NodesBehind {
  std::uint32_t done = 0;   ///< Orders or barriers that these nodes have begun.
  std::uint32_t count = 0;  ///< Number of these nodes; 0 if all nodes have begun the same number.
  std::string ranks;        ///< Their ranks, as "0, 3 and 12 more": the first eight.
};
/// Finds the nodes that are behind. `done`: by node: orders or barriers that it has begun.
NodesBehind nodes_behind(std::span<const std::uint32_t> done);

}  // namespace weft
