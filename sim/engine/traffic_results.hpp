// What a run of synthetic traffic reports.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <variant>

#include "sim/engine/result.hpp"
#include "sim/observe/region_digests.hpp"
#include "sim/workload/traffic_host.hpp"

namespace weft {

/// Enters what only a source in rounds or from a list has to tell of a region.
template <class Machine>
void add_source(Machine& machine, std::uint32_t number, Result& result, TrafficResult& traffic) {
  const TrafficPlan& plan = machine.host(0).plan();
  const TrafficPlan::Region& region = plan.region(number);
  const TrafficSums sums = machine.sums().of(number);
  if (std::holds_alternative<TrafficRounds>(region.source)) {
    std::uint64_t rounds = ~std::uint64_t{0};
    bool all_wait = true;
    for (const std::uint32_t n : plan.partition().members(number)) {
      rounds = std::min(rounds, machine.host(n).rounds());
      all_wait &= machine.host(n).waits();
    }
    traffic.rounds = rounds;
    // A header that was spoiled on the way: no body word can tell.
    if (all_wait && sums.born == sums.arrived) {
      ++result.data_errors;
      result.notes.push_back(
          "every node waits for a packet of its round, though all have arrived: one came as of "
          "another round");
    }
  }
  if (const auto* timed = std::get_if<TimedPackets>(&region.source)) {
    const std::uint64_t all = timed->packets.items.size();
    if (sums.born < all) {
      result.notes.push_back(fmt::format(
          "{} of {} packets of the file come after the end of the run", all - sums.born, all));
    }
  }
}

/// Enters rates, latencies and notes of a run of traffic, which has ended; with `digests` also
/// those of each region.
template <class Machine>
void add_traffic(Machine& machine, const RegionDigests* digests, Result& result) {
  const TrafficPlan& plan = machine.host(0).plan();
  const std::uint32_t all = plan.graph().nodes;
  result.traffic = traffic_result(machine.sums().all(), all, plan, result.cycles);
  const TrafficResult& traffic = *result.traffic;
  std::uint64_t words = 0;
  for (std::uint32_t n = 0; n < all; ++n) words += machine.host(n).memory().words();
  result.notes.push_back(
      fmt::format("{} body words compared as they arrived at {} nodes, {} differ", words, all,
                  result.data_errors));
  if (traffic.arrived < traffic.packets) {
    result.notes.push_back(
        fmt::format("{} of {} measured packets had not arrived at the end of the run",
                    traffic.packets - traffic.arrived, traffic.packets));
  }
  if (digests == nullptr) return add_source(machine, 0, result, *result.traffic);
  for (std::uint32_t r = 0; r < plan.partition().regions(); ++r) {
    const auto nodes = static_cast<std::uint32_t>(plan.partition().members(r).size());
    RegionResult& region = result.regions.emplace_back();
    region = {nodes, digests->of(r).digest(),
              traffic_result(machine.sums().of(r), nodes, plan, result.cycles)};
    add_source(machine, r, result, region.traffic);
  }
}

}  // namespace weft
