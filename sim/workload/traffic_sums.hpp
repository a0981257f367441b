// Counters of synthetic traffic during a run.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace weft {

/// Counts of the nodes of one thread in one region.
struct TrafficCounts {
  std::uint64_t generated = 0, arrived = 0;  ///< Packets generated and delivered in all phases.
  std::uint64_t replies = 0;                 ///< Part of `generated` that are replies.
  /// Packets generated in the measuring phase, each with its future reply, and those of them that
  /// were delivered.
  std::uint64_t measured = 0, measured_arrived = 0;
  std::uint64_t measured_flits = 0;  ///< Flits of the packets in `measured`.
  std::uint64_t arrived_flits = 0;   ///< Flits delivered in the measuring phase.
  /// Sum of the latencies of all packets that are no replies once all are delivered: cycles of
  /// delivery minus cycles of generation, modulo 2^64. It does not come from headers.
  std::uint64_t true_latency = 0;
  /// Part of measured_flits and arrived_flits from the second half of the measuring phase.
  std::uint64_t late_measured_flits = 0, late_arrived_flits = 0;

  TrafficCounts& operator+=(const TrafficCounts& other) {
    generated += other.generated;
    arrived += other.arrived;
    replies += other.replies;
    measured += other.measured;
    measured_arrived += other.measured_arrived;
    measured_flits += other.measured_flits;
    arrived_flits += other.arrived_flits;
    true_latency += other.true_latency;
    late_measured_flits += other.late_measured_flits;
    late_arrived_flits += other.late_arrived_flits;
    return *this;
  }
  template <class Archive>
  void serialize(Archive& archive) {
    archive(generated, arrived, replies, measured, measured_arrived, measured_flits, arrived_flits,
            true_latency, late_measured_flits, late_arrived_flits);
  }
};

/// One of kWindows parts of equal length of the measuring phase.
struct TrafficWindow {
  std::uint64_t offered = 0, accepted = 0;  ///< Flits generated, and delivered, in the window.
  /// Packets generated in the window that were delivered and are no replies; sum of their latencies
  /// in cycles.
  std::uint64_t packets = 0, latency = 0;

  TrafficWindow& operator+=(const TrafficWindow& other) {
    offered += other.offered;
    accepted += other.accepted;
    packets += other.packets;
    latency += other.latency;
    return *this;
  }
  template <class Archive>
  void serialize(Archive& archive) {
    archive(offered, accepted, packets, latency);
  }
};
inline constexpr unsigned kWindows = 20;

/// Numbers of packets by latency in cycles.
struct Latencies {
  std::uint64_t packets = 0, sum = 0;
  std::vector<std::uint32_t> by_cycles;  ///< Packets of each latency.

  void add(std::uint64_t cycles) {
    // Rare, as the length at least doubles.
    if (cycles >= by_cycles.size()) by_cycles.resize(std::bit_ceil(std::max(cycles + 1, kLeast)));
    ++by_cycles[cycles];
    ++packets;
    sum += cycles;
  }
  Latencies& operator+=(const Latencies& other);
  /// Least latency that `share` of the packets do not exceed; 0 if there are none.
  std::uint64_t percentile(double share) const;
  /// Mean latency of one or more packets.
  double mean() const { return static_cast<double>(sum) / static_cast<double>(packets); }

  /// The state: what a checkpoint keeps.
  template <class Archive>
  void serialize(Archive& archive) {
    archive(packets, sum);
    archive.any_size(by_cycles);
  }

 private:
  static constexpr std::uint64_t kLeast = 1024;
};

/// Counts with latencies. The total over all threads does not depend on their number.
struct TrafficSums : TrafficCounts {
  Latencies latency;     ///< Latencies of the packets in `measured_arrived` that are no replies.
  Latencies round_trip;  ///< Latencies of replies, from the generation of what they answer.
  std::array<TrafficWindow, kWindows> windows = {};

  void offer(unsigned window, std::uint64_t flits) {
    measured_flits += flits;
    windows[window].offered += flits;
    if (is_late(window)) late_measured_flits += flits;
  }
  void accept(unsigned window, std::uint64_t flits) {
    arrived_flits += flits;
    windows[window].accepted += flits;
    if (is_late(window)) late_arrived_flits += flits;
  }

  void arrive(Latencies& kind, std::uint64_t cycles) {
    ++measured_arrived;
    kind.add(cycles);
  }
  TrafficSums& operator+=(const TrafficSums& other);

  template <class Archive>
  void serialize(Archive& archive) {
    TrafficCounts::serialize(archive);
    archive(latency, round_trip, windows);
  }

 private:
  static constexpr bool is_late(unsigned window) { return window >= kWindows / 2; }
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
  /// Counts of a region below `size`; other regions have none.
  const TrafficCounts& counts(std::size_t region) const { return regions_[region]; }
  std::size_t size() const { return regions_.size(); }
  RegionSums& operator+=(const RegionSums& other) {
    for (std::uint32_t i = 0; i < other.regions_.size(); ++i) of(i) += other.regions_[i];
    return *this;
  }

  /// The state: what a checkpoint keeps.
  template <class Archive>
  void serialize(Archive& archive) {
    archive.any_size(regions_);
  }

 private:
  std::vector<TrafficSums> regions_ = std::vector<TrafficSums>(1);
};

}  // namespace weft
