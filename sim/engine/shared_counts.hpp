// What the end of a run depends on, of all processes that share the network.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "sim/engine/rank_part.hpp"
#include "sim/workload/traffic_sums.hpp"

namespace weft {

/// The sums of `Totals`, a struct of 64-bit counts, and of traffic, and parcels: what processes
/// tell each other in a cycle.
template <class Totals>
class SharedCounts {
 public:
  /// `ranks` must outlive it. `regions`: of traffic.
  SharedCounts(Ranks& ranks, std::uint32_t regions)
      : ranks_(ranks), to_(ranks.count()), sums_(kTotals + kCounts * regions), counts_(regions) {}

  std::vector<Parcel>& to() { return to_; }  ///< By rank: what is sent next.
  /// A step of all ranks: `totals` become those of all. `own(region)`: counts of this one. Returns
  /// the parcels that came, by rank.
  template <class Own>
  std::vector<Parcel>& exchange(Totals& totals, Own own) {
    std::memcpy(sums_.data(), &totals, sizeof(totals));
    for (std::uint32_t region = 0; region < counts_.size(); ++region) {
      const TrafficCounts counts = own(region);
      std::memcpy(&sums_[kTotals + kCounts * region], &counts, sizeof(counts));
    }
    ranks_.exchange(sums_, to_, from_);
    std::memcpy(&totals, sums_.data(), sizeof(totals));
    for (std::uint32_t region = 0; region < counts_.size(); ++region) {
      std::memcpy(&counts_[region], &sums_[kTotals + kCounts * region], sizeof(TrafficCounts));
    }
    return from_;
  }
  /// The same without counts.
  std::vector<Parcel>& exchange(std::span<std::uint64_t> sums = {}) {
    ranks_.exchange(sums, to_, from_);
    return from_;
  }
  const TrafficCounts& counts(std::uint32_t region) const { return counts_[region]; }

 private:
  template <class T>
  static constexpr std::size_t kNumbers = sizeof(T) / sizeof(std::uint64_t);
  static constexpr std::size_t kTotals = kNumbers<Totals>, kCounts = kNumbers<TrafficCounts>;
  static_assert(std::is_trivially_copyable_v<Totals> &&
                std::is_trivially_copyable_v<TrafficCounts>);

  Ranks& ranks_;
  std::vector<Parcel> to_, from_;
  std::vector<std::uint64_t> sums_;
  std::vector<TrafficCounts> counts_;  // By region.
};

}  // namespace weft
