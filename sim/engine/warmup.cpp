// The search for a warm-up: longer and longer runs from an empty network.
#include "sim/engine/warmup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "sim/engine/run.hpp"

namespace weft {
namespace {

constexpr std::uint64_t kLeastMeasure = 1000;
constexpr std::uint64_t kMostDoublings = 6;

// The windows that are not steady, of the region in which they are most; half of them is all that
// can be told.
struct Unsteady {
  unsigned windows = 0;
  bool saturated = false;
};

void add(const TrafficResult& traffic, std::optional<Unsteady>& all) {
  if (!traffic.steadiness) return;
  const Steadiness& s = *traffic.steadiness;
  if (!all) all.emplace();
  // Latency grows as long as a network is saturated; throughput does not.
  all->windows =
      std::max({all->windows, s.throughput_transient, traffic.saturated ? 0 : s.latency_transient});
  all->saturated |= traffic.saturated;
}

// None: too few packets.
std::optional<Unsteady> unsteady(const Result& result) {
  std::optional<Unsteady> all;
  if (result.regions.empty()) add(*result.traffic, all);
  for (const RegionResult& region : result.regions) add(region.traffic, all);
  return all;
}

}  // namespace

std::string find_warmup(Config& config, const RunOptions& options, RouteChecks& routes) {
  if (config.workload.warmup != kAutoWarmup || config.workload.traffic.empty()) return {};
  RunOptions alone;
  alone.threads = options.threads;
  alone.progress = options.progress;
  Config pilot = config;
  pilot.max_cycles = 0;
  pilot.workload.warmup = 0;
  const std::uint64_t first = std::max(config.workload.measure, kLeastMeasure);
  bool was_saturated = false;
  std::optional<Unsteady> found;
  std::uint64_t measure = first;
  for (;; measure *= 2) {
    pilot.workload.measure = measure;
    PreparedRun prepared = prepare_run(pilot, alone, routes);
    found = unsteady(run(pilot, prepared, alone));
    // A network that only fills up may look saturated once.
    const bool sure = found && (!found->saturated || was_saturated);
    if (sure && found->windows < kWindows / 2) break;
    was_saturated = found && found->saturated;
    const std::uint64_t most = low_mask(prepared.graph->header.off_w());
    if (2 * measure + config.workload.measure > most || measure == first << kMostDoublings) break;
  }
  config.workload.warmup =
      found ? (measure * found->windows + kWindows - 1) / kWindows : WorkloadConfig().warmup;
  const std::string how = fmt::format(
      "warmup {}: found by runs from an empty network, the last of "
      "{} measured cycles",
      config.workload.warmup, measure);
  if (!found) return how + ", in which there are too few packets to tell: that is the default";
  if (found->windows < kWindows / 2) return how;
  return how + ", which is not steady before its middle, if at all";
}

}  // namespace weft
