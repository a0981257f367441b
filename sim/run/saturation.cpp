// The search for the saturation rate: statistics of a rate, bisection, and runs of a configuration.
#include "sim/run/saturation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <variant>

#include "sim/base/error.hpp"
#include "sim/run/prepare.hpp"

namespace weft {
namespace {

// Whether what is offered exceeds what is accepted beyond doubt.
bool falls_short(const Confidence& shortfall) {
  return shortfall.mean > shortfall.half_width.value();
}

[[noreturn]] void refuse_width(double width, const RatePoint& point, const std::string& why) {
  throw ConfigError("--saturation", "", fmt::format("{}", width),
                    fmt::format("a wider interval, or a longer workload.measure: at rate {} {} "
                                "with {} seeds",
                                point.rate, why, point.seeds));
}

RatePoint run_rate(double rate, double width, const RunAtRate& run) {
  RatePoint point{.rate = rate, .seeds = 0, .shortfall = {}, .latency = {}};
  std::vector<double> offered, accepted, shortfalls, latencies;
  const auto mean = [](const std::vector<double>& values) { return confidence_95(values).mean; };
  for (;;) {
    bool saturated = true;
    for (unsigned i = 0; i < kSampleSeeds; ++i) {
      const TrafficResult result = run(rate, point.seeds++);
      offered.push_back(result.offered_rate);
      accepted.push_back(result.accepted_rate);
      shortfalls.push_back(result.offered_rate - result.accepted_rate);
      if (result.latency.packets > 0) latencies.push_back(result.latency.mean);
      saturated = saturated && result.saturated;
    }
    point.offered = mean(offered);
    point.accepted = mean(accepted);
    point.shortfall = confidence_95(shortfalls);
    if (!latencies.empty()) point.latency = mean(latencies);
    if (point.offered == 0) refuse_width(width, point, "no packet was generated");
    const auto last = std::span(shortfalls).last(kSampleSeeds);
    const bool most = point.seeds == kMostSeeds;
    if (falls_short(point.shortfall)) {
      const bool again = point.seeds > kSampleSeeds && falls_short(confidence_95(last));
      if (saturated || again || most) return point;
    } else if (*point.shortfall.half_width <= width / 2) {
      point.sustained = true;
      return point;
    } else if (most) {
      refuse_width(width, point,
                   fmt::format("what is accepted is known to {:.2g} either way",
                               *point.shortfall.half_width));
    }
  }
}

// Whether `--saturation` sets the rate of a region: not if it has one of its own.
bool has_own_rate(const Config& config, std::size_t region) {
  return config.workload.region_changes->at(region).contains("rate");
}

// The configuration at a rate, with the seed of a number.
Config at_rate(const Config& config, double rate, unsigned number) {
  Config changed = config;
  changed.seed += number;
  changed.workload.rate = rate;
  for (std::size_t r = 0; r < config.workload.regions.size(); ++r) {
    if (!has_own_rate(config, r)) changed.workload.regions[r].rate = rate;
  }
  return changed;
}

// Between bursts there is a cycle or more.
double highest_of(const WorkloadConfig& workload) {
  if (workload.burst_cycles == 0) return 1;
  const double cycles = workload.burst_cycles;
  return workload.burst_rate * cycles / (cycles + 1);
}

double highest_rate(const Config& config) {
  double highest = highest_of(config.workload);
  for (std::size_t r = 0; r < config.workload.regions.size(); ++r) {
    const WorkloadConfig& region = config.workload.regions[r];
    if (!has_own_rate(config, r)) highest = std::min(highest, highest_of(region));
  }
  return highest;
}

// Throws unless the rate alone says when packets are generated.
void check_open_loop(const Config& config, const PreparedRun& prepared) {
  const auto* const plan = std::get_if<TrafficPlan>(&prepared.workload);
  if (plan == nullptr) {
    throw ConfigError("--saturation", "", "with " + to_json(config)["workload"].dump(),
                      "a workload of traffic");
  }
  if (config.max_cycles != 0) {
    config.source.refuse("/max_cycles", config.max_cycles,
                         "0 with --saturation, where each run ends with its drain");
  }
  const auto& regions = config.workload.regions;
  for (std::uint32_t r = 0; r < plan->partition().regions(); ++r) {
    const bool listed = r < regions.size();
    const std::string at = fmt::format("/workload/regions/{}", r);
    if (listed && has_own_rate(config, r) && regions[r].rate > 0) {
      config.source.refuse(at + "/rate", regions[r].rate,
                           "0, or none of the region's own with --saturation, which varies "
                           "workload.rate");
    }
    if (std::holds_alternative<DrawDestination>(plan->region(r).source)) continue;
    const bool own = listed && config.workload.region_changes->at(r).contains("traffic");
    config.source.refuse((own ? at : "/workload") + "/traffic",
                         listed ? regions[r].traffic : config.workload.traffic,
                         "with --saturation a pattern whose packets are generated at "
                         "workload.rate, whatever the network delivers");
  }
}

}  // namespace

Saturation bisect_saturation(double highest, double width, const RunAtRate& run) {
  Saturation found;
  const auto sustained = [&](double rate) {
    found.runs.push_back(run_rate(rate, width, run));
    return found.runs.back().sustained;
  };
  if (sustained(highest)) {
    found.low = highest;
    return found;
  }
  found.high = highest;
  while (*found.high - found.low > width) {
    const double middle = (found.low + *found.high) / 2;
    sustained(middle) ? found.low = middle : found.high = middle;
  }
  return found;
}

Saturation find_saturation(const Config& config, const RunOptions& options, double width,
                           const std::function<void(double rate, unsigned number)>& shown) {
  RouteChecks routes;
  Config checked = config;
  checked.workload.warmup = config.workload.known_warmup();  // Rates have each their own.
  check_open_loop(config, prepare_run(checked, options, routes));
  return bisect_saturation(highest_rate(config), width, [&](double rate, unsigned number) {
    shown(rate, number);
    Config changed = at_rate(config, rate, number);
    const Result result = run(changed, prepare_run(changed, options, routes), options);
    if (!result.verified()) {
      throw CheckError(fmt::format("at rate {} with seed {}: {} data, {} refused, {} parity errors",
                                   rate, changed.seed, result.data_errors, result.order_errors,
                                   result.parity_errors));
    }
    return *result.traffic;
  });
}

}  // namespace weft
