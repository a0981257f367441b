// What the processes that share a fabric tell each other: the values on what leads from one to
// another.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/parcel.hpp"
#include "sim/engine/rank_part.hpp"
#include "sim/fabric/wires.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// The links from blocks of one rank to those of another. A link with blocks in it, or with faults,
/// is its sender's up to the receiver's end.
class WireCut {
 public:
  WireCut(const RankPart& part, const Graph& graph, Wires& wires);

  /// Between two cycles: puts what own blocks drive, or only what goes forward, into the parcels
  /// of the ranks that read it,
  void write(std::vector<Parcel>& to, bool forward_only) const;
  /// and takes what they drive from theirs.
  void read(std::vector<Parcel>& from, bool forward_only);

 private:
  struct Cut {
    std::vector<std::uint32_t> out;       // Links to that rank.
    std::vector<std::uint32_t> in;        // Links from there.
    std::vector<std::uint32_t> out_port;  // Places of what comes back on the former,
    std::vector<std::uint32_t> in_port;   // and on the latter.
  };

  void write_back(const Cut& cut, Parcel& parcel) const;
  void read_back(const Cut& cut, Parcel& parcel);

  Wires& wires_;
  std::vector<Cut> cuts_;  // By rank.
};

/// The edges of the tree of units (fabric/unit_tree.hpp) that lead from one rank to another.
class TreeCut {
 public:
  TreeCut() = default;
  TreeCut(const RankPart& part, const Graph& graph);

  /// Between two cycles: puts what the trees of this rank, each of which may be null, show to units
  /// elsewhere into the parcels,
  template <class Barriers, class Combines>
  void write(std::vector<Parcel>& to, const Barriers* barriers, const Combines* combines) const {
    for (unsigned rank = 0; rank < to_.size(); ++rank) {
      if (to_[rank].empty()) continue;
      for (const std::uint32_t n : to_[rank]) {
        const bool steps = (barriers != nullptr && barriers->stepped(n)) ||
                           (combines != nullptr && combines->stepped(n));
        if (!steps) continue;
        to[rank].put(n);
        if (barriers != nullptr) barriers->write(n, to[rank]);
        if (combines != nullptr) combines->write(n, to[rank]);
      }
      to[rank].put(kLast);
    }
  }
  /// and takes from the parcel of a rank what its units show.
  template <class Barriers, class Combines>
  void read(unsigned rank, Parcel& from, Barriers* barriers, Combines* combines) const {
    if (to_.empty() || to_[rank].empty()) return;
    for (auto n = from.take<std::uint32_t>(); n != kLast; n = from.take<std::uint32_t>()) {
      if (barriers != nullptr) barriers->read(n, from);
      if (combines != nullptr) combines->read(n, from);
    }
  }

 private:
  // Behind the last node.
  static constexpr std::uint32_t kLast = ~0u;

  std::vector<std::vector<std::uint32_t>>
      to_;  // By rank: own nodes whose parent or child is there.
};

}  // namespace weft
