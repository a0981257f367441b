// The observers of a run between two cycles: waves, losses and events, digests of regions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/engine/engine.hpp"
#include "sim/observe/observer.hpp"
#include "sim/observe/region_digests.hpp"
#include "sim/observe/waves.hpp"

namespace weft {

/// The observers that the options of a run ask for.
class Probes {
 public:
  /// `partition`: of partitioned traffic, whose measuring phase ends before `measured_end`; else
  /// null. Waves begin in cycle `waves_from`. Throws ConfigError where a file cannot be written.
  Probes(const Config& config, const Graph& graph, const RunOptions& options,
         std::uint64_t waves_from, const Partition* partition, std::uint64_t measured_end);

  /// Called before cycle 0 with the router models of the fabric, and after each restart with the
  /// router models and the graph whose tables route packets from then on.
  void attach(const Graph& ways, RouterModels routers);

  /// Restricts the digests of regions to links from own blocks.
  void keep(const OwnsBlock& own) {
    if (regions_) regions_->keep(graph_, own);
  }
  /// Whether `sample` has anything to do.
  bool any() const { return waves_ || observer_; }
  /// What a run is asked to observe in every cycle, in words; empty: at most the digests of
  /// regions.
  std::string asked() const;
  /// Whether `sample` uses `views` in this cycle.
  bool draws(std::uint64_t cycle) const { return waves_ && cycle >= trace_from_; }
  /// Sends by node, filled in by the engine before `sample`; null if no observer needs them.
  std::vector<NodeSends>* sends() { return observer_ ? &observer_->sends() : nullptr; }
  /// Counts the flits on the wires in the digests of regions. Call it before faults change them:
  /// flits count as sent.
  void count(std::uint64_t cycle, const Wires& wires) {
    if (regions_) regions_->sample(cycle, wires);
  }
  /// Takes the values on the wires in a cycle and, if `draws`, the nodes' state.
  void sample(std::uint64_t cycle, const Wires& wires, const std::vector<NodeView>& views);
  /// Called when the run is over or has failed: files of a failed run matter most. Throws
  /// ConfigError if a file could not be written.
  void finish();

  const Losses* losses() const {
    return observer_ && observer_->losses() ? &*observer_->losses() : nullptr;
  }
  /// Activity, which is counted with the losses; null without them.
  const ActivityCounter* activity() const {
    return observer_ && observer_->activity() ? &*observer_->activity() : nullptr;
  }
  /// Checkpoint state: digests of regions, not waves, losses or events. Null without regions.
  std::vector<Digest>* region_digests() { return regions_ ? &regions_->digests() : nullptr; }

  const RegionDigests* regions() const { return regions_ ? &*regions_ : nullptr; }

 private:
  const Graph& graph_;
  const RunOptions& options_;
  std::uint64_t trace_from_;
  bool begun_ = false;
  std::optional<Waves> waves_;
  std::optional<Observer> observer_;
  std::optional<RegionDigests> regions_;
};

}  // namespace weft
