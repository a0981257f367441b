// The combine units of a fabric and the tree that connects them, whatever the topology.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/archive.hpp"
#include "sim/base/parcel.hpp"
#include "sim/combine/combine_unit.hpp"
#include "sim/fabric/heap_tree.hpp"
#include "sim/fabric/wires.hpp"
#include "sim/packet/packet.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// Configuration of the unit of one rank among `nodes`; words are as wide as the flits of `form`.
constexpr CombineUnit::Config combine_config(std::uint32_t rank, std::uint32_t nodes,
                                             const PacketForm& form) {
  return {.num_child = tree_children(rank, nodes),
          .is_root = rank == 0,
          .depth = kCombineDepth,
          .data_w = form.data_w};
}

/// Number of the tree's first link in the digest: after the fabric's and those of barrier units.
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
/// endpoints are stepped: what a unit reads in a cycle is older than what an endpoint writes in it,
/// what a unit writes is newer.
template <class UnitT>
class CombineTree {
 public:
  /// For all nodes of `graph`. `more`: further arguments of each unit's constructor.
  template <class... More>
  explicit CombineTree(const Graph& graph, const More&... more)
      : first_link_(first_combine_link(graph)),
        words_(graph.header.flit_words()),
        nodes_(graph.nodes) {
    for (std::uint32_t n = 0; n < graph.nodes; ++n) {
      units_.emplace_back(combine_config(n, graph.nodes, graph.header), more...);
    }
  }

  /// The node's endpoint posts an order; the unit sees it in the next cycle.
  void post(std::uint32_t node, const CombineOrder& order) {
    nodes_[node].posts = true;
    nodes_[node].order = order;
    ++nodes_[node].posted;
  }

  /// Orders of a node that are completed.
  std::uint32_t done(std::uint32_t node) const { return nodes_[node].out.done; }

  /// Steps the units of nodes `first` to `end` - 1; `at` is the node being stepped, for messages.
  /// `read(node, address, word)` reads a word of the node's memory.
  template <class Read>
  void step(std::uint32_t first, std::uint32_t end, std::uint32_t& at, Read read) {
    for (std::uint32_t n = first; n < end; ++n) {
      NodeState& state = nodes_[n];
      const Links links = links_of(n);
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

  /// As those of BarrierTree.
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
    }
    return true;
  }

  /// If some nodes have not posted an order that others have: which; otherwise empty.
  std::string missing() const {
    const NodesBehind behind =
        nodes_behind(nodes_.size(), [&](std::uint32_t n) { return nodes_[n].posted; });
    if (behind.count == 0) return {};
    return fmt::format("\n  combining tree, order {}: {} of {} nodes have not posted it: {}",
                       behind.done + 1, behind.count, nodes_.size(), behind.ranks);
  }

  /// The state: what a checkpoint keeps of a node.
  template <class Archive>
  void archive_node(Archive& archive, std::uint32_t n) {
    next_block(archive, n);
    archive(units_[n], nodes_[n]);
  }

 private:
  struct NodeState {
    bool posts = false;
    bool steps = true;         // Not kept, as in BarrierTree.
    CombineOrder order;        // That is posted, or the last one.
    FlitData word;             // Read for the unit.
    CombineUnit::Out out;      // On the links in this cycle.
    std::uint32_t posted = 0;  // Orders.

    template <class Archive>
    void serialize(Archive& archive) {
      archive(posts, order, word, out, posted);
    }
  };
  struct Links {
    CombineUnit::In in;
    bool any;  // Something is on them.
  };

  // What the links to a unit show.
  Links links_of(std::uint32_t n) const {
    Links links{};
    for (std::uint32_t c = 0; c < 2; ++c) {
      const std::uint32_t child = 2 * n + 1 + c;
      if (child >= nodes_.size()) break;
      links.in.up[c] = nodes_[child].out.up;
      links.any = links.any || links.in.up[c].valid;
    }
    if (n != 0) {
      const CombineUnit::Out& parent = nodes_[(n - 1) / 2].out;
      links.in.down = parent.down;
      links.in.credit = (parent.credit >> (n - 1) % 2 & 1) != 0;
      links.any = links.any || parent.down.valid || links.in.credit;
    }
    return links;
  }

  // In the digest a word counts as a flit; the number of a unit's down link is that of its up link
  // plus one.
  unsigned __int128 word_term(std::uint32_t link, const FlitData& data, std::uint64_t sides) const {
    return digest_term(digest_factor(static_cast<std::uint32_t>(first_link_ + link), 0),
                       fold_data(data.word[0], &data.word[1], words_ - 1), sides);
  }

  std::uint64_t first_link_;  // Number of the tree's first link in the digest.
  unsigned words_;            // Of 64 bits in a word of the tree.
  std::vector<UnitT> units_;
  std::vector<NodeState> nodes_;
};

}  // namespace weft
