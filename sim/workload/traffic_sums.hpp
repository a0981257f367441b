// Counters of synthetic traffic during a run.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace weft {

/// Counts of the nodes of one thread in one region.
struct TrafficCounts {
  std::uint64_t generated = 0, arrived = 0;          ///< Packets of all phases.
  std::uint64_t measured = 0, measured_arrived = 0;  ///< Packets generated in the measuring phase.
  std::uint64_t measured_flits = 0;                  ///< Those of `measured`.
  std::uint64_t arrived_flits = 0;                   ///< Flits delivered in that phase.

  TrafficCounts& operator+=(const TrafficCounts& other) {
    generated += other.generated;
    arrived += other.arrived;
    measured += other.measured;
    measured_arrived += other.measured_arrived;
    measured_flits += other.measured_flits;
    arrived_flits += other.arrived_flits;
    return *this;
  }
  /// After the measuring phase: the network took less than 95 % of what was offered.
  bool falls_behind() const { return 20 * arrived_flits < 19 * measured_flits; }
};

/// The same with latencies; the total of all threads does not depend on their number.
struct TrafficSums : TrafficCounts {
  std::uint64_t latency_sum = 0;       ///< Of `measured_arrived`, cycles.
  std::vector<std::uint32_t> latency;  ///< Packets of each latency.

  void add_latency(std::uint64_t cycles) {
    // Rare, as the length at least doubles.
    if (cycles >= latency.size()) latency.resize(std::bit_ceil(std::max(cycles + 1, kLeast)));
    ++latency[cycles];
    ++measured_arrived;
    latency_sum += cycles;
  }
  TrafficSums& operator+=(const TrafficSums& other);

 private:
  static constexpr std::uint64_t kLeast = 1024;
};

/// Sums by region.
class RegionSums {
 public:
  TrafficSums& of(std::uint32_t region) {
    if (region >= regions_.size()) regions_.resize(region + 1);
    return regions_[region];
  }
  TrafficSums of(std::uint32_t region) const {
    return region < regions_.size() ? regions_[region] : TrafficSums{};
  }
  TrafficSums all() const {
    TrafficSums sums;
    for (const TrafficSums& region : regions_) sums += region;
    return sums;
  }
  /// The counts of a region below `size`; others have none.
  const TrafficCounts& counts(std::size_t region) const { return regions_[region]; }
  std::size_t size() const { return regions_.size(); }
  RegionSums& operator+=(const RegionSums& other) {
    for (std::uint32_t i = 0; i < other.regions_.size(); ++i) of(i) += other.regions_[i];
    return *this;
  }

 private:
  std::vector<TrafficSums> regions_ = std::vector<TrafficSums>(1);
};

}  // namespace weft
