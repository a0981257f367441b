// The result of a run of synthetic traffic.
#include "sim/run/collect_traffic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <variant>

#include "sim/run/node_ends.hpp"
#include "sim/run/steady.hpp"

namespace weft {
namespace {

// Adds to a region's result what only traffic in rounds or from a list has.
void add_source(const RunEnd& s, const TrafficPlan& plan, std::uint32_t number, Result& result,
                TrafficResult& traffic) {
  const TrafficPlan::Region& region = plan.region(number);
  const TrafficSums sums = s.outcome.sums.of(number);
  if (std::holds_alternative<TrafficRounds>(region.source)) {
    std::uint64_t rounds = ~std::uint64_t{0};
    bool all_wait = true;
    for (const std::uint32_t n : plan.partition().members(number)) {
      rounds = std::min(rounds, s.ends.traffic[n].rounds);
      all_wait &= s.ends.traffic[n].waits;
    }
    traffic.rounds = rounds;
    // A header was corrupted on the way, which no comparison of body words can detect.
    if (all_wait && sums.generated == sums.arrived) {
      ++result.data_errors;
      result.notes.push_back(
          "every node waits for a packet of its round, though all have arrived: one came as of "
          "another round");
    }
  }
  if (const auto* timed = std::get_if<TimedPackets>(&region.source)) {
    const std::uint64_t all = timed->packets.items.size();
    const std::uint64_t sent = sums.generated - sums.replies;
    if (sent < all) {
      result.notes.push_back(fmt::format(
          "{} of {} packets of the file come after the end of the run", all - sent, all));
    }
  }
}

// Packets that links have dropped for good.
std::uint64_t lost_packets(const Result& result) {
  return result.links && !result.resends ? result.links->lost : 0;
}

// Adds whether the measured traffic of a region, or of all, is steady; `where`: " of region 1", or
// empty.
void add_steadiness(const TrafficPlan& plan, const TrafficPlan::Region& region,
                    const TrafficSums& sums, const std::string& where, Result& result,
                    TrafficResult& traffic) {
  if (traffic.saturated) traffic.steady = false;
  // A trace is a list of arbitrary packets, not a load.
  if (traffic.cut || !region.gaps || std::holds_alternative<TimedPackets>(region.source)) return;
  const std::uint64_t measure = plan.end() - plan.begin();
  const double packet_flits =
      static_cast<double>(sums.measured_flits) / static_cast<double>(sums.measured);
  traffic.steadiness = steadiness({.windows = sums.windows,
                                   .cycles = measure,
                                   .packet_flits = packet_flits,
                                   .lost = lost_packets(result) * plan.longest_packet(),
                                   .fills_up = plan.fills_up()});
  if (!traffic.steadiness) return;
  const Steadiness& found = *traffic.steadiness;
  // In rounds nothing is offered before the previous packets are accepted.
  const bool in_rounds = std::holds_alternative<TrafficRounds>(region.source);
  traffic.saturated |= found.saturated && !in_rounds;
  traffic.steady = !traffic.saturated && found.unsettled() == 0;
  if (traffic.saturated || *traffic.steady) return;
  const std::uint64_t cycles = (measure * found.unsettled() + kWindows - 1) / kWindows;
  const std::string latencies =
      found.latency_unsettled == 0 ? "with them fewer flits are accepted a cycle"
                                   : fmt::format("with them mean latency is {:.2f}, without {:.2f}",
                                                 found.latency_with, found.latency_without);
  // If the last window that can be left out is left out, more might have to be.
  const std::string needed =
      found.unsettled() == kMostUnsettled
          ? "a longer warmup or measure"
          : fmt::format("warmup {} or more", std::min(plan.begin() + cycles, kMaxTrafficPhase));
  result.notes.push_back(
      fmt::format("the first {} of {} measured cycles{} are not like those after them: {}: "
                  "expected: {}",
                  cycles, measure, where, latencies, needed));
}

// For two regions together: false if it is for one, true if it is for both; otherwise none.
std::optional<bool> both(std::optional<bool> a, std::optional<bool> b) {
  if (a && b) return *a && *b;
  return !a.value_or(true) || !b.value_or(true) ? std::optional(false) : std::nullopt;
}

}  // namespace

void add_traffic(const RunEnd& s, const TrafficPlan& plan, Result& result) {
  const TrafficSums all = s.outcome.sums.all();
  result.traffic = traffic_result(all, s.graph.nodes, plan, result.cycles, lost_packets(result));
  const TrafficResult& traffic = *result.traffic;
  std::uint64_t words = 0;
  for (const NodeEnds::Traffic& node : s.ends.traffic) {
    words += node.words;
    result.data_errors += node.errors;
  }
  result.notes.push_back(
      fmt::format("{} body words compared as they arrived at {} nodes, {} differ", words,
                  s.graph.nodes, result.data_errors));
  if (traffic.arrived < traffic.packets) {
    result.notes.push_back(
        fmt::format("{} of {} measured packets had not arrived at the end of the run",
                    traffic.packets - traffic.arrived, traffic.packets));
  }
  if (traffic.beyond_headers) {
    result.notes.push_back(
        fmt::format("packets were longer on their way than headers tell ({} cycles): the mean "
                    "latency is right, p50, p99 and the longest may be too low",
                    low_mask(s.graph.header.off_w()) / 2));
  }
  const std::vector<std::uint64_t>& digests = s.outcome.region_digests;
  if (digests.empty()) {
    add_steadiness(plan, plan.region(0), all, "", result, *result.traffic);
    return add_source(s, plan, 0, result, *result.traffic);
  }
  result.traffic->steady = true;
  for (std::uint32_t r = 0; r < digests.size(); ++r) {
    const auto nodes = static_cast<std::uint32_t>(plan.partition().members(r).size());
    const TrafficSums sums = s.outcome.sums.of(r);
    RegionResult& region = result.regions.emplace_back();
    region = {nodes, digests[r],
              traffic_result(sums, nodes, plan, result.cycles, lost_packets(result))};
    add_steadiness(plan, plan.region(r), sums, fmt::format(" of region {}", r), result,
                   region.traffic);
    result.traffic->saturated |= region.traffic.saturated;
    result.traffic->steady = both(result.traffic->steady, region.traffic.steady);
    add_source(s, plan, r, result, region.traffic);
  }
}

}  // namespace weft
