// The measurements of synthetic traffic, from its counters.
#include "sim/workload/traffic_result.hpp"

#include "sim/workload/traffic_plan.hpp"
#include "sim/workload/traffic_sums.hpp"

namespace weft {
namespace {

LatencyResult latency_result(const Latencies& latencies) {
  LatencyResult result{.packets = latencies.packets};
  if (latencies.packets == 0) return result;
  result.mean = latencies.mean();
  result.p50 = latencies.percentile(0.5);
  result.p99 = latencies.percentile(0.99);
  result.max = latencies.percentile(1);
  return result;
}

}  // namespace

Latencies& Latencies::operator+=(const Latencies& other) {
  packets += other.packets;
  sum += other.sum;
  if (by_cycles.size() < other.by_cycles.size()) by_cycles.resize(other.by_cycles.size());
  for (std::size_t i = 0; i < other.by_cycles.size(); ++i) by_cycles[i] += other.by_cycles[i];
  return *this;
}

std::uint64_t Latencies::percentile(double share) const {
  const double wanted = share * static_cast<double>(packets);
  std::uint64_t reached = 0;
  for (std::size_t cycles = 0; cycles < by_cycles.size(); ++cycles) {
    reached += by_cycles[cycles];
    if (static_cast<double>(reached) >= wanted) return cycles;
  }
  return 0;
}

TrafficSums& TrafficSums::operator+=(const TrafficSums& other) {
  TrafficCounts::operator+=(other);
  latency += other.latency;
  round_trip += other.round_trip;
  for (unsigned w = 0; w < kWindows; ++w) windows[w] += other.windows[w];
  return *this;
}

TrafficResult traffic_result(const TrafficSums& sums, std::uint32_t nodes, const TrafficPlan& plan,
                             std::uint64_t cycles, std::uint64_t lost) {
  TrafficResult result;
  if (!plan.to_its_end()) result.warmup = plan.begin();
  result.measured_cycles = plan.measured(cycles);
  result.cut = cycles < plan.end();
  if (result.measured_cycles > 0) {
    const auto node_cycles = static_cast<double>(nodes * result.measured_cycles);
    result.offered_rate = static_cast<double>(sums.measured_flits) / node_cycles;
    result.accepted_rate = static_cast<double>(sums.arrived_flits) / node_cycles;
  }
  result.packets = sums.measured;
  result.arrived = sums.measured_arrived;
  // A trace is a task to complete, not a load.
  result.saturated = !plan.to_its_end() &&
                     (plan.falls_behind(sums, cycles, lost * plan.longest_packet()) ||
                      (plan.drains() && cycles >= plan.limit() && result.arrived < result.packets));
  result.latency = latency_result(sums.latency);
  if (plan.to_its_end() && sums.latency.packets == sums.generated - sums.replies &&
      sums.latency.sum != sums.true_latency) {
    result.beyond_headers = true;
    result.latency.mean =
        static_cast<double>(sums.true_latency) / static_cast<double>(sums.latency.packets);
  }
  result.latencies = sums.latency.by_cycles;
  if (plan.has_replies()) result.round_trip = latency_result(sums.round_trip);
  return result;
}

}  // namespace weft
