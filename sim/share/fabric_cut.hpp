// Exchange between the processes that share a fabric: values on links and tree edges between them.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/parcel.hpp"
#include "sim/fabric/wires.hpp"
#include "sim/share/network_share.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// The links from blocks of one process to those of another. If a link has blocks in it, or faults,
/// the sender's process has it up to the receiver's end.
class WireCut {
 public:
  WireCut(const NetworkShare& share, const Graph& graph, Wires& wires);

  /// Writes what own blocks drive, or only what goes forward, into the parcels of the processes
  /// that read it. Called between two cycles.
  void write(std::vector<Parcel>& to, bool forward_only) const;
  /// Reads what blocks of other processes drive from their parcels. Called between two cycles.
  void read(std::vector<Parcel>& from, bool forward_only);

 private:
  struct Cut {
    std::vector<std::uint32_t> out;       // Links to the other process.
    std::vector<std::uint32_t> in;        // Links from the other process.
    std::vector<std::uint32_t> out_port;  // Places of what comes back on links of `out`.
    std::vector<std::uint32_t> in_port;   // Places of what goes back on links of `in`.
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

  /// Writes what the trees of this process show to units of others into the parcels; each tree may
  /// be null. Called between two cycles.
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
  /// Reads what the units of `process` show from its parcel.
  template <class Barriers, class Combines>
  void read(unsigned process, Parcel& from, Barriers* barriers, Combines* combines) const {
    if (to_.empty() || to_[process].empty()) return;
    for (auto n = from.take<std::uint32_t>(); n != kLast; n = from.take<std::uint32_t>()) {
      if (barriers != nullptr) barriers->read(n, from);
      if (combines != nullptr) combines->read(n, from);
    }
  }

 private:
  // In a parcel, after the last node.
  static constexpr std::uint32_t kLast = ~0u;

  std::vector<std::vector<std::uint32_t>>
      to_;  // By process: own nodes that have a parent or child there.
};

}  // namespace weft
