// Faults on the wires of links, and their check against the network.
#pragma once

#include <cstdint>
#include <tuple>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/config/config.hpp"
#include "sim/engine/engine.hpp"
#include "sim/fabric/link_paths.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// Throws ConfigError for the first fault on a bit that its link does not have.
void check_faults(const Config& config, const Graph& graph);

/// Whether engine `model` may put all faults of a configuration on packets as they arrive: single
/// inversions of a data or parity bit of a flit into an interface.
bool faults_by_runs(const Config& config);

/// Puts the faults of a configuration on the wires, between two cycles.
class FaultInjector {
 public:
  /// Those on links whose sender is among `own` blocks.
  FaultInjector(const Config& config, const Graph& graph, const OwnsBlock& own);

  bool empty() const { return faults_.empty(); }
  /// Faults of the configuration that have changed something: single ones,
  std::uint64_t struck() const { return struck_; }
  /// random ones by their number in it: 1,
  const std::vector<std::uint8_t>& random_struck() const { return fault_struck_; }
  /// and cycles of links in which one of them did, or a random one.
  std::uint64_t put() const { return put_; }
  /// Changes the values of `cycle`, which are on the wires.
  void put(std::uint64_t cycle, FaultyLinks& links);

  /// The state: what a checkpoint keeps.
  template <class Archive>
  void serialize(Archive& archive) {
    archive(fault_struck_, waiting_, active_, struck_, put_);
    for (Random& random : random_) archive(random);
  }

 private:
  struct Single {
    std::uint32_t fault, link;
    std::uint64_t left;  // Cycles that it still lasts; all of them before it has begun.

    template <class Archive>
    void serialize(Archive& archive) {
      archive(fault, link, left);
    }
  };
  struct Random {
    std::uint32_t fault, link;
    std::uint64_t next;  // Its next cycle.
    RandomStream stream;

    template <class Archive>
    void serialize(Archive& archive) {
      archive(fault, link, next, stream);
    }
  };
  static bool later(const Random& a, const Random& b) {
    return std::tie(a.next, a.fault, a.link) > std::tie(b.next, b.fault, b.link);
  }

  bool strike(FaultField field, unsigned bit, FaultEffect effect,
              const FaultyLinks::Faulty& at) const;
  void put_single(std::uint64_t cycle, FaultyLinks& links);
  void put_random(std::uint64_t cycle, FaultyLinks& links);
  void wait(Random& random, std::uint64_t from) const;

  const std::vector<Fault>& faults_;
  const unsigned data_w_;
  const bool protected_;
  std::vector<LinkWires> wires_;            // By link, of those with faults.
  std::vector<std::uint8_t> fault_struck_;  // Random ones that have.
  std::vector<Single> waiting_;             // Single ones by cycle, the latest first;
  std::vector<Single> active_;              // those whose cycle has come.
  std::vector<Random> random_;              // A heap, the next one first.
  std::uint64_t struck_ = 0, put_ = 0;
};

}  // namespace weft
