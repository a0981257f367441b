// Faults on the wires of links, and their check against the network.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include "sim/base/items.hpp"
#include "sim/base/random.hpp"
#include "sim/config/config.hpp"
#include "sim/engine/engine.hpp"
#include "sim/fabric/link_checks.hpp"
#include "sim/fabric/link_paths.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// Throws ConfigError for the first fault on a bit that its link does not have.
void check_faults(const Config& config, const Graph& graph);

/// Puts the faults of a configuration on the wires, between two cycles.
class FaultInjector {
 public:
  /// Injects the faults on links whose sender is among the `own` blocks.
  FaultInjector(const Config& config, const Graph& graph, const OwnsBlock& own);

  bool empty() const { return faults_.empty(); }
  const FaultCounts& counts() const { return counts_; }
  /// Changes the values that are on the wires in `cycle`.
  void put(std::uint64_t cycle, FaultyLinks& links);

  /// Checkpoint state of the faults of this process; counts() is saved separately.
  template <class Archive>
  void serialize(Archive& archive) {
    const auto at = [this](std::uint32_t number) {
      return std::lower_bound(own_.begin(), own_.end(), number,
                              [](const OnLink& own, std::uint32_t n) { return own.number < n; });
    };
    archive_items(
        archive, places_,
        [&](std::uint32_t number) {
          const auto found = at(number);
          return found != own_.end() && found->number == number;
        },
        [&](std::uint32_t number) {
          OnLink& own = *at(number);
          archive(own.left, own.next, own.stream);
        });
    if constexpr (Archive::is_loading::value) arrange();
  }
  /// Restores counts().
  void go_on(const FaultCounts& counts) { counts_ = counts; }

 private:
  // A fault on one of its links.
  struct OnLink {
    std::uint32_t number;  // Index among all faults on all of their links.
    std::uint32_t fault, link;
    std::uint64_t left;  // Single fault: cycles that it still lasts; its whole length before it
                         // begins.
    std::uint64_t next;  // Random fault: its next cycle.
    RandomStream stream;
  };
  // A word of a protected link before faults of this cycle changed it.
  struct Struck {
    std::uint32_t word;  // Twice the link's number; plus 1 for the back word.
    LinkWord forward;    // Used for a forward word; else `back`.
    std::vector<std::uint64_t> back;
  };
  bool later(std::uint32_t a, std::uint32_t b) const {
    return std::tie(own_[a].next, a) > std::tie(own_[b].next, b);
  }

  bool strike(FaultField field, unsigned bit, FaultEffect effect,
              const FaultyLinks::Faulty& at) const;
  bool hit(std::uint32_t link, FaultField field, unsigned bit, FaultEffect effect,
           const FaultyLinks::Faulty& at);
  bool strike_burst(OnLink& random, const FaultyLinks::Faulty& at);
  void judge(FaultyLinks& links);
  void put_single(std::uint64_t cycle, FaultyLinks& links);
  void put_random(std::uint64_t cycle, FaultyLinks& links);
  void wait(OnLink& random, std::uint64_t from) const;
  void arrange();

  const std::vector<Fault>& faults_;
  const unsigned data_w_;
  const bool protected_;
  // By link; only links with faults have wires.
  std::vector<LinkWires> wires_;
  std::vector<std::optional<LinkChecks>> checks_;  // By link; of links with faults, if links are
                                                   // protected.
  std::vector<Struck> struck_;
  std::uint32_t places_ = 0;  // Number of all faults on all of their links.
  std::vector<OnLink> own_;   // By `number`.
  // Indices of `own_`, by state of the fault.
  std::vector<std::uint32_t> waiting_;  // Single faults by cycle, the latest first.
  std::vector<std::uint32_t> active_;   // Single faults whose cycle has come.
  std::vector<std::uint32_t> random_;   // Random faults: a heap, the next one first.
  FaultCounts counts_;
};

}  // namespace weft
