// What the end of a run depends on, of all processes that share the network.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <type_traits>
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
    put(totals, 0);
    for (std::uint32_t region = 0; region < counts_.size(); ++region) {
      put(own(region), kTotals + kCounts * region);
    }
    ranks_.exchange(sums_, to_, from_);
    totals = take<Totals>(0);
    for (std::uint32_t region = 0; region < counts_.size(); ++region) {
      counts_[region] = take<TrafficCounts>(kTotals + kCounts * region);
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

  template <class T>
  void put(const T& counts, std::size_t at) {
    const auto numbers = std::bit_cast<std::array<std::uint64_t, kNumbers<T>>>(counts);
    std::copy(numbers.begin(), numbers.end(), &sums_[at]);
  }
  template <class T>
  T take(std::size_t at) const {
    std::array<std::uint64_t, kNumbers<T>> numbers;
    std::copy_n(&sums_[at], numbers.size(), numbers.begin());
    return std::bit_cast<T>(numbers);
  }

  Ranks& ranks_;
  std::vector<Parcel> to_, from_;
  std::vector<std::uint64_t> sums_;
  std::vector<TrafficCounts> counts_;  // By region.
};

}  // namespace weft
