// Fault injection on the wires of a run.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/config/config.hpp"
#include "sim/fabric/wires.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// Injects each fault of the configuration once: into the first flit on its link at or after its
/// cycle.
class FaultInjector {
 public:
  FaultInjector(const std::vector<Fault>& faults, const Graph& graph)
      : faults_(faults), graph_(graph), put_(faults.size()) {}

  bool empty() const { return faults_.empty(); }
  /// Faults injected so far.
  std::uint64_t count() const { return count_; }
  /// Called between two cycles: injects the faults that are due into the values of `cycle`.
  void put(std::uint64_t cycle, Wires& wires);

 private:
  const std::vector<Fault>& faults_;
  const Graph& graph_;
  std::vector<std::uint8_t> put_;
  std::uint64_t count_ = 0;
};

}  // namespace weft
