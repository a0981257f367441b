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
  /// Those on links whose sender is among `own` blocks.
  FaultInjector(const Config& config, const Graph& graph, const OwnsBlock& own);

  bool empty() const { return faults_.empty(); }
  const FaultCounts& counts() const { return counts_; }
  /// Changes the values of `cycle`, which are on the wires.
  void put(std::uint64_t cycle, FaultyLinks& links);

  /// The state: what a checkpoint keeps, of the faults of this process; beside `counts`,
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
  /// with which it goes on.
  void go_on(const FaultCounts& counts) { counts_ = counts; }

 private:
  // A fault on one of its links.
  struct OnLink {
    std::uint32_t number;  // Among those of all faults on all of their links.
    std::uint32_t fault, link;
    std::uint64_t left;  // Single: cycles that it still lasts; all of them before it has begun.
    std::uint64_t next;  // Random: its next cycle.
    RandomStream stream;
  };
  // A word of a protected link that faults of this cycle have changed, as it was before.
  struct Struck {
    std::uint32_t word;  // Twice the link's number, one more if it is the back word.
    LinkWord forward;    // One of these two.
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
  // By link, of those with faults:
  std::vector<LinkWires> wires_;
  std::vector<std::optional<LinkChecks>> checks_;  // where links are protected.
  std::vector<Struck> struck_;
  std::uint32_t places_ = 0;  // Of all faults on all of their links.
  std::vector<OnLink> own_;   // By number.
  // Indices of `own_`:
  std::vector<std::uint32_t> waiting_;  // single ones by cycle, the latest first;
  std::vector<std::uint32_t> active_;   // those whose cycle has come;
  std::vector<std::uint32_t> random_;   // a heap, the next one first.
  FaultCounts counts_;
};

}  // namespace weft
