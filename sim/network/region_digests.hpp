// Digests of the regions of a partitioned network, each as that of a run.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/analysis/partition.hpp"
#include "sim/network/wires.hpp"

namespace weft {

/// A run's digest is a sum over links, so that each region has its part of it. Looks at all links
/// in every cycle.
class RegionDigests {
 public:
  explicit RegionDigests(const Partition& partition)
      : region_(partition.region_of_link()), counters_(partition.regions()) {}

  /// The values on the wires in a cycle; for each but 0.
  void sample(std::uint64_t cycle, const Wires& wires) {
    for (std::uint32_t link = 0; link < region_.size(); ++link) {
      if (region_[link] == kOpen || !wires.stands(link)) continue;
      const Flit& flit = wires.on(link);
      counters_[region_[link]].digest_sum +=
          flit_hash(hash_of_cycle(cycle), hash_of_link(link), flit.data, sides_of(flit));
    }
  }

  const Counters& of(std::uint32_t region) const { return counters_[region]; }

 private:
  const std::vector<std::uint32_t>& region_;  // By link.
  std::vector<Counters> counters_;
};

}  // namespace weft
