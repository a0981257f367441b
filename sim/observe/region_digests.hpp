// A digest for each region of a partitioned fabric, computed as that of a run.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/analysis/partition.hpp"
#include "sim/fabric/wires.hpp"

namespace weft {

/// Digests of the regions: a run's digest is a sum over links, so each region has a part of it.
/// Only cycles up to `last` count, because the length of the run after that may depend on other
/// regions.
class RegionDigests {
 public:
  RegionDigests(const Partition& partition, std::uint64_t last)
      : region_(partition.region_of_link()), digests_(partition.regions()), last_(last) {}
  /// From now on counts only links from own blocks.
  template <class Own>
  void keep(const Graph& graph, const Own& own) {
    for (std::uint32_t link = 0; link < region_.size(); ++link) {
      if (region_[link] != kOpen && !own(graph.links[link].src_block)) region_[link] = kOpen;
    }
  }

  /// Takes the values on the wires in a cycle.
  void sample(std::uint64_t cycle, const Wires& wires) {
    if (cycle > last_) return;
    for (std::uint32_t link = 0; link < region_.size(); ++link) {
      if (region_[link] == kOpen || !wires.has_flit(link)) continue;
      const Flit& flit = wires.on(link);
      digests_[region_[link]].add(
          cycle, digest_term(digest_factor(link, flit.vc), flit, wires.flit_words));
    }
  }

  /// Digests by region.
  std::vector<std::uint64_t> values() const {
    std::vector<std::uint64_t> values;
    for (const Digest& digest : digests_) values.push_back(digest.value());
    return values;
  }

  /// Checkpoint state, by region.
  std::vector<Digest>& digests() { return digests_; }

 private:
  std::vector<std::uint32_t> region_;  // By link.
  std::vector<Digest> digests_;
  std::uint64_t last_;
};

}  // namespace weft
