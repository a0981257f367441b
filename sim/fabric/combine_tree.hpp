// The combine units of a fabric and the tree that connects them.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/base/archive.hpp"
#include "sim/base/parcel.hpp"
#include "sim/combine/combine_unit.hpp"
#include "sim/config/config.hpp"
#include "sim/fabric/unit_tree.hpp"
#include "sim/fabric/unit_views.hpp"
#include "sim/fabric/wires.hpp"
#include "sim/packet/packet.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// Words of a child that a unit must be able to hold to keep the longest edge busy: a word and its
/// credit take the edge's cycles in each direction, and at most 9 cycles in the unit.
inline unsigned full_rate_depth(const UnitTree& tree) {
  return 2 * tree.longest() + 9;
}

/// Configuration of the unit of a node; words are as wide as the flits of `form`.
inline CombineUnit::Config combine_config(const UnitTree& tree, std::uint32_t rank,
                                          const PacketForm& form) {
  return {.num_child = tree[rank].num_child,
          .is_root = rank == tree.root(),
          .depth = std::clamp(full_rate_depth(tree), kCombineDepth, CombineUnit::kMostDepth),
          .data_w = form.data_w};
}

/// Number of the tree's first link in the digest: after those of the fabric and the barrier units.
inline std::uint64_t first_combine_link(const Graph& graph) {
  return graph.links.size() + 2 * std::uint64_t{graph.nodes};
}

/// The type of combine unit that goes with a type of network interface.
template <class NicT>
struct CombineUnitOf {
  using Type = CombineUnit;
};

/// `UnitT`: the model, Verilated RTL, or a cosimulation pair with the model's interface. In each
/// cycle `step` reads the tree's links and the memories, then `publish` writes the memories and
/// puts the units' outputs on the links; several threads may share either. Between the two the
/// endpoints are stepped: a unit reads before, and writes after, what an endpoint writes in the
/// same cycle.
template <class UnitT>
class CombineTree {
 public:
  /// Makes a unit for each node of `graph`. `more`: further arguments of each unit's constructor.
  template <class... More>
  explicit CombineTree(const Graph& graph, const More&... more)
      : first_link_(first_combine_link(graph)),
        words_(graph.header.flit_words()),
        tree_(graph),
        nodes_(graph.nodes) {
    for (std::uint32_t n = 0; n < graph.nodes; ++n) {
      units_.emplace_back(combine_config(tree_, n, graph.header), more...);
      if (tree_.longest() == 1) continue;
      const unsigned delay = tree_[n].cycles - (n != tree_.root());
      wires_.push_back({TreeWire<CombineUnit::Up>(delay), TreeWire<CombineUnit::Down>(delay),
                        TreeWire<bool>(delay)});
    }
  }

  /// Posts an order of the node's endpoint; the unit sees it in the next cycle.
  void post(std::uint32_t node, const CombineOrder& order) {
    nodes_[node].posts = true;
    nodes_[node].order = order;
    ++nodes_[node].posted;
  }

  /// Completed orders of a node.
  std::uint32_t done(std::uint32_t node) const { return nodes_[node].out.done; }

  /// The values on the wires of a node's unit, before `cycle`.
  CombineView view(std::uint32_t node, std::uint64_t cycle) const {
    CombineView view{links_of(node, cycle).in, nodes_[node].out};
    view.in.post = nodes_[node].posts;
    return view;
  }

  /// Steps the units of nodes `first` to `end` - 1; `at` is the node being stepped, for messages.
  /// `read(node, address, word)` reads a word of the node's memory.
  template <class Read>
  void step(std::uint32_t first, std::uint32_t end, std::uint64_t cycle, std::uint32_t& at,
            Read read) {
    for (std::uint32_t n = first; n < end; ++n) {
      NodeState& state = nodes_[n];
      const Links links = links_of(n, cycle);
      if (!wires_.empty()) step_wires(n, cycle);
      state.steps = state.posts || links.any || !units_[n].idle();
      if (!state.steps) continue;
      at = n;
      // The unit gets the word in the next cycle.
      FlitData word = state.word;
      if (state.out.mem_ren) read(n, state.out.mem_raddr, word);
      CombineUnit::In in = links.in;
      in.post = state.posts;
      in.order = state.order;
      in.mem_rdata = state.word;
      units_[n].step(in);
      state.word = word;
      state.posts = false;
    }
  }

  /// Puts the outputs of the units of nodes `first` to `end` - 1 on the links, as the values of
  /// `cycle`. `write(node, address, word)` stores a word, and `completed(node)` is called for each
  /// node whose `done` has changed.
  template <class Write, class Completed>
  void publish(std::uint32_t first, std::uint32_t end, std::uint64_t cycle, Counters& counters,
               Write write, Completed completed) {
    for (std::uint32_t n = first; n < end; ++n) {
      NodeState& state = nodes_[n];
      if (!state.steps) continue;
      if (state.out.mem_wen) write(n, state.out.mem_waddr, state.out.mem_wdata);
      const std::uint32_t before = state.out.done;
      state.out = units_[n].out();
      const CombineUnit::Out& out = state.out;
      if (out.up.valid) {
        counters.digest.add(cycle, word_term(2 * n, out.up.word, out.up.some ? 3 : 1));
      }
      if (out.down.valid) counters.digest.add(cycle, word_term(2 * n + 1, out.down.word, 1));
      counters.combined += out.up.valid + out.down.valid;
      if (out.done != before) completed(n);
    }
  }

  /// Whether the node's unit was stepped in the last cycle, as BarrierTree::stepped.
  bool stepped(std::uint32_t n) const { return nodes_[n].steps; }
  void write(std::uint32_t n, Parcel& parcel) const {
    const CombineUnit::Out& out = nodes_[n].out;
    parcel.put(out.up);
    parcel.put(out.down);
    parcel.put(out.credit);
  }
  void read(std::uint32_t n, Parcel& parcel) {
    CombineUnit::Out& out = nodes_[n].out;
    parcel.take(out.up);
    parcel.take(out.down);
    parcel.take(out.credit);
  }

  bool quiet(std::uint32_t first, std::uint32_t end) const {
    for (std::uint32_t n = first; n < end; ++n) {
      if (nodes_[n].steps || nodes_[n].posts || !units_[n].idle()) return false;
      if (wires_.empty()) continue;
      bool wires = wires_[n].down.quiet() && wires_[n].credit.quiet();
      for (const std::uint32_t child : tree_.children(n)) wires = wires && wires_[child].up.quiet();
      if (!wires) return false;
    }
    return true;
  }

  /// If some nodes have not posted an order that others have: which nodes; otherwise empty.
  std::string missing() const {
    std::vector<std::uint32_t> posted;
    for (const NodeState& node : nodes_) posted.push_back(node.posted);
    const NodesBehind behind = nodes_behind(posted);
    if (behind.count == 0) return {};
    return fmt::format("\n  combining tree, order {}: {} of {} nodes have not posted it: {}",
                       behind.done + 1, behind.count, nodes_.size(), behind.ranks);
  }

  /// Checkpoint state of a node, with the wires into its unit.
  template <class Archive>
  void archive_node(Archive& archive, std::uint32_t n) {
    next_block(archive, n);
    archive(units_[n], nodes_[n]);
    if (wires_.empty()) return;
    archive(wires_[n].down, wires_[n].credit);
    for (const std::uint32_t child : tree_.children(n)) archive(wires_[child].up);
  }

 private:
  struct NodeState {
    bool posts = false;
    bool steps = true;         // Not saved, as in BarrierTree.
    CombineOrder order;        // The order that is posted, or the last one.
    FlitData word;             // Word read for the unit.
    CombineUnit::Out out;      // Outputs on the links in this cycle.
    std::uint32_t posted = 0;  // Number of posted orders.

    template <class Archive>
    void serialize(Archive& archive) {
      archive(posts, order, word, out, posted);
    }
  };
  struct Links {
    CombineUnit::In in;
    bool any;  // Whether anything is on the links.
  };

  // The registers of the edge to a unit's parent; not used for an edge of one cycle.
  struct Wires {
    TreeWire<CombineUnit::Up> up;
    TreeWire<CombineUnit::Down> down;
    TreeWire<bool> credit;
  };

  // Whether unit `n` gets a credit from its parent.
  bool credit_to(std::uint32_t n) const {
    return (nodes_[tree_[n].parent].out.credit >> tree_[n].number & 1) != 0;
  }

  // Values on the links to a unit.
  Links links_of(std::uint32_t n, std::uint64_t cycle) const {
    Links links{};
    for (const std::uint32_t child : tree_.children(n)) {
      CombineUnit::Up& up = links.in.up[tree_[child].number];
      if (!tree_.has_registers(child)) {
        up = nodes_[child].out.up;
      } else if (const CombineUnit::Up* const word = wires_[child].up.leaves(cycle)) {
        up = *word;
      }
      links.any = links.any || up.valid;
    }
    if (n == tree_.root()) return links;
    if (!tree_.has_registers(n)) {
      links.in.down = nodes_[tree_[n].parent].out.down;
      links.in.credit = credit_to(n);
    } else {
      const CombineUnit::Down* const word = wires_[n].down.leaves(cycle);
      if (word != nullptr) links.in.down = *word;
      links.in.credit = wires_[n].credit.leaves(cycle) != nullptr;
    }
    links.any = links.any || links.in.down.valid || links.in.credit;
    return links;
  }

  // Steps the wires into a unit.
  void step_wires(std::uint32_t n, std::uint64_t cycle) {
    static constexpr bool kCredit = true;
    const auto step = [&](auto& wire, const auto* word, bool enters) {
      if (enters || !wire.quiet()) wire.step(cycle, enters ? word : nullptr);
    };
    if (n != tree_.root() && tree_.has_registers(n)) {
      const CombineUnit::Down& down = nodes_[tree_[n].parent].out.down;
      step(wires_[n].down, &down, down.valid);
      step(wires_[n].credit, &kCredit, credit_to(n));
    }
    for (const std::uint32_t child : tree_.children(n)) {
      const CombineUnit::Up& up = nodes_[child].out.up;
      if (tree_.has_registers(child)) step(wires_[child].up, &up, up.valid);
    }
  }

  // Term of a word in the digest, where it counts as a flit. The number of a unit's down link is
  // that of its up link plus one.
  unsigned __int128 word_term(std::uint32_t link, const FlitData& data, std::uint64_t sides) const {
    return digest_term(digest_factor(static_cast<std::uint32_t>(first_link_ + link), 0),
                       fold_data(data.word[0], &data.word[1], words_ - 1), sides);
  }

  std::uint64_t first_link_;  // Number of the tree's first link in the digest.
  unsigned words_;            // 64-bit words in a word of the tree.
  UnitTree tree_;
  std::vector<UnitT> units_;
  std::vector<NodeState> nodes_;
  std::vector<Wires> wires_;  // By node; empty if all edges take one cycle.
};

}  // namespace weft
