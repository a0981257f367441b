// What the processes that share a fabric tell each other: the values on what leads from one to
// another.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/parcel.hpp"
#include "sim/fabric/wires.hpp"
#include "sim/share/network_share.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// The links from blocks of one process to those of another. A link with blocks in it, or with
/// faults, is its sender's up to the receiver's end.
class WireCut {
 public:
  WireCut(const NetworkShare& share, const Graph& graph, Wires& wires);

  /// Between two cycles: puts what own blocks drive, or only what goes forward, into the parcels
  /// of the processes that read it,
  void write(std::vector<Parcel>& to, bool forward_only) const;
  /// and takes what they drive from theirs.
  void read(std::vector<Parcel>& from, bool forward_only);

 private:
  struct Cut {
    std::vector<std::uint32_t> out;       // Links to that process.
    std::vector<std::uint32_t> in;        // Links from there.
    std::vector<std::uint32_t> out_port;  // Places of what comes back on the former,
    std::vector<std::uint32_t> in_port;   // and on the latter.
  };

  void write_back(const Cut& cut, Parcel& parcel) const;
  void read_back(const Cut& cut, Parcel& parcel);

  Wires& wires_;
  std::vector<Cut> cuts_;  // By process.
};

/// The edges of the tree of units (fabric/unit_tree.hpp) that lead from one process to another.
class TreeCut {
 public:
  TreeCut() = default;
  TreeCut(const NetworkShare& share, const Graph& graph);

  /// Between two cycles: puts what the trees of this process, each of which may be null, show to
  /// units elsewhere into the parcels,
  template <class Barriers, class Combines>
  void write(std::vector<Parcel>& to, const Barriers* barriers, const Combines* combines) const {
    for (unsigned process = 0; process < to_.size(); ++process) {
      if (to_[process].empty()) continue;
      for (const std::uint32_t n : to_[process]) {
        const bool steps = (barriers != nullptr && barriers->stepped(n)) ||
                           (combines != nullptr && combines->stepped(n));
        if (!steps) continue;
        to[process].put(n);
        if (barriers != nullptr) barriers->write(n, to[process]);
        if (combines != nullptr) combines->write(n, to[process]);
      }
      to[process].put(kLast);
    }
  }
  /// and takes from the parcel of a process what its units show.
  template <class Barriers, class Combines>
  void read(unsigned process, Parcel& from, Barriers* barriers, Combines* combines) const {
    if (to_.empty() || to_[process].empty()) return;
    for (auto n = from.take<std::uint32_t>(); n != kLast; n = from.take<std::uint32_t>()) {
      if (barriers != nullptr) barriers->read(n, from);
      if (combines != nullptr) combines->read(n, from);
    }
  }

 private:
  // Behind the last node.
  static constexpr std::uint32_t kLast = ~0u;

  std::vector<std::vector<std::uint32_t>>
      to_;  // By process: own nodes whose parent or child is there.
};

}  // namespace weft
