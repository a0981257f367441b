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
  std::uint64_t begin = 0, end = 0;  ///< Cycles from `begin` to `end` - 1: no packet was issued.
  std::vector<std::string> dead;     ///< Names of links that were given up.

  template <class Archive>
  void serialize(Archive& archive) {
    archive(begin, end);
    archive.any_size(dead);
  }
};

/// Faults of a configuration that have changed something.
struct FaultCounts {
  std::uint64_t struck = 0;          ///< Single ones,
  std::vector<std::uint8_t> random;  ///< random ones, by their number in it: 1,
  std::uint64_t put = 0;             ///< and cycles of links in which one of them did.
  std::uint64_t passed = 0;          ///< Wrong words that the check of a protected link accepts.

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

/// Counts and final state of a run; the endpoints have the memories. Where each process has a part
/// of the network, "by node" is of its own nodes, and other links have no flits.
struct Outcome {
  std::uint64_t cycles = 0;
  bool stopped = false;  ///< By `max_cycles` or an interrupt.
  double wall_s = 0;     ///< Of the cycle loop, without the building of Verilated blocks.
  FaultCounts faults;
  LinkCounts links;               ///< Of protected links.
  std::vector<Restart> restarts;  ///< Of the network, in order.
  Counters counters;
  std::uint64_t hops_before = 0;  ///< Of counters.flit_hops, those before the resumed checkpoint.
  RegionSums sums;                ///< Of synthetic traffic.
  std::vector<std::uint64_t> region_digests;   ///< By region; empty without a partition.
  std::vector<NicStatus> status;               ///< By node.
  std::vector<std::uint32_t> window_flits;     ///< By node: size of its receive window.
  std::vector<std::vector<Arrival>> arrivals;  ///< By node, if recorded.
  std::vector<std::uint64_t> link_load;        ///< By link: flits.
  BarrierSums barrier_sums;                    ///< By barrier units or by messages.
  std::string stepped;                         ///< As in Result.
  std::vector<std::string> notes;              ///< For the result.
};

}  // namespace weft
