// The search for a warm-up: longer and longer runs from an empty network.
#include "sim/run/warmup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "sim/base/random.hpp"
#include "sim/run/run.hpp"
#include "sim/run/steady.hpp"

namespace weft {
namespace {

constexpr std::uint64_t kLeastMeasure = 1000;
constexpr unsigned kMostDoublings = 6;

// Findings of a run, for the region in which most windows are to be left out.
struct Found {
  unsigned windows = 0;
  bool saturated = false;
};

void add(const TrafficResult& traffic, std::optional<Found>& all) {
  if (!traffic.steadiness) return;
  const Steadiness& s = *traffic.steadiness;
  if (!all) all.emplace();
  // While a network is saturated its latency grows; its throughput does not.
  all->windows =
      std::max({all->windows, s.throughput_unsettled, traffic.saturated ? 0 : s.latency_unsettled});
  all->saturated |= traffic.saturated;
}

// Returns none if there are too few packets.
std::optional<Found> found_by(const Result& result) {
  std::optional<Found> all;
  if (result.regions.empty()) add(*result.traffic, all);
  for (const RegionResult& region : result.regions) add(region.traffic, all);
  return all;
}

// The run that finds the warm-up; its packets are not those that are measured.
Config pilot_of(const Config& config) {
  Config pilot = config;
  pilot.seed = mix64(config.seed) >> 32;
  pilot.faults.clear();
  pilot.max_cycles = 0;
  pilot.workload.warmup = 0;
  return pilot;
}

Result run_pilot(const Config& pilot, const Graph& graph, const RunOptions& options) {
  RunOptions alone;
  alone.threads = options.threads;
  alone.progress = options.progress;
  try {
    return run(pilot, graph, alone);
  } catch (const NoProgressError& error) {
    throw NoProgressError(fmt::format("in a run that is to find the warmup: {}", error.what()));
  }
}

}  // namespace

std::string find_warmup(Config& config, const Graph& graph, const RunOptions& options) {
  WorkloadConfig& workload = config.workload;
  if (workload.warmup != kAutoWarmup || !workload.is(kAnyTraffic)) return {};
  Config pilot = pilot_of(config);
  const std::uint64_t most = low_mask(graph.header.off_w());
  std::uint64_t& measure = pilot.workload.measure;
  measure = std::max(measure, kLeastMeasure);
  std::optional<Found> found;
  for (unsigned doubled = 0;; ++doubled, measure *= 2) {
    const bool was_saturated = found && found->saturated;
    const Result result = run_pilot(pilot, graph, options);
    found = found_by(result);
    // A network that only fills up may look saturated once.
    const bool sure = found && (!found->saturated || was_saturated);
    if ((sure && found->windows < kMostUnsettled) || result.stopped) break;
    if (2 * measure + workload.measure > most || doubled == kMostDoublings) break;
  }
  const std::string runs =
      fmt::format("runs from an empty network, the last of {} measured cycles", measure);
  if (!found) {
    workload.warmup = WorkloadConfig().warmup;
    return fmt::format("warmup {}, the default: too few packets to tell in {}", workload.warmup,
                       runs);
  }
  // Leave out at least the first window, which includes the empty network.
  workload.warmup = std::min(measure * std::max(found->windows, 1u) / kWindows, kMaxTrafficPhase);
  const std::string how = fmt::format("warmup {}: found by {}", workload.warmup, runs);
  if (found->windows < kMostUnsettled) return how;
  return how + ", which is not steady before its middle, if at all";
}

}  // namespace weft
