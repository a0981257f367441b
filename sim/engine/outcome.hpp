// What a cycle engine returns from a run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/fabric/arrivals.hpp"
#include "sim/fabric/barrier_times.hpp"
#include "sim/fabric/counters.hpp"
#include "sim/fabric/link_counts.hpp"
#include "sim/packet/packet.hpp"
#include "sim/workload/traffic_sums.hpp"

namespace weft {

/// A restart of the network, after which packets are sent again.
struct Restart {
  std::uint64_t begin = 0, end = 0;  ///< No packet was issued in the cycles from `begin` to `end` -
                                     ///< 1.
  std::vector<std::string> dead;     ///< Names of links that were given up.

  template <class Archive>
  void serialize(Archive& archive) {
    archive(begin, end);
    archive.any_size(dead);
  }
};

/// Faults of a configuration that changed something.
struct FaultCounts {
  std::uint64_t struck = 0;          ///< Single faults that took effect.
  std::vector<std::uint8_t> random;  ///< By index in Config::faults: 1 if the random fault took
                                     ///< effect.
  std::uint64_t put = 0;             ///< Link cycles in which any fault changed a wire.
  std::uint64_t passed = 0;          ///< Wrong words that the check of a protected link accepted.

  FaultCounts& operator+=(const FaultCounts& other) {
    struck += other.struck;
    put += other.put;
    passed += other.passed;
    for (std::size_t f = 0; f < other.random.size(); ++f) random[f] |= other.random[f];
    return *this;
  }

  template <class Archive>
  void serialize(Archive& archive) {
    archive(struck, random, put, passed);
  }
};

/// Counts and final state of a run; the memories are in the endpoints. Where processes share the
/// network, entries "by node" exist for a process's own nodes, and links of other processes have no
/// flits.
struct Outcome {
  std::uint64_t cycles = 0;
  bool stopped = false;  ///< Stopped by `max_cycles` or an interrupt.
  double wall_s = 0;     ///< Wall time of the cycle loop, without the building of Verilated blocks.
  FaultCounts faults;
  LinkCounts links;               ///< Counts of protected links.
  std::vector<Restart> restarts;  ///< Restarts of the network, in order.
  Counters counters;
  std::uint64_t hops_before = 0;  ///< Part of counters.flit_hops from before the resumed
                                  ///< checkpoint.
  RegionSums sums;                ///< Sums of synthetic traffic.
  std::vector<std::uint64_t> region_digests;   ///< By region; empty without a partition.
  std::vector<NicStatus> status;               ///< By node.
  std::vector<std::uint32_t> window_flits;     ///< By node: size of its receive window.
  std::vector<std::vector<Arrival>> arrivals;  ///< By node, if recorded.
  std::vector<std::uint64_t> link_load;        ///< Flits by link.
  BarrierSums barrier_sums;                    ///< Barriers by barrier units or by messages.
  std::string stepped;                         ///< Why every flit was stepped; as in Result.
  std::vector<std::string> notes;              ///< Notes for the result.
};

}  // namespace weft
