// The rate at which synthetic traffic saturates a network, found by runs at several rates.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "sim/config/config.hpp"
#include "sim/engine/run_options.hpp"
#include "sim/run/confidence.hpp"
#include "sim/workload/traffic_result.hpp"

namespace weft {

/// Runs at one rate with different seeds. All rates are in flits per node and cycle.
struct RatePoint {
  double rate = 0;                   ///< `workload.rate`.
  unsigned seeds = 0;                ///< Number of runs.
  double offered = 0, accepted = 0;  ///< Mean offered and accepted rates.
  Confidence shortfall;              ///< Offered minus accepted rate.
  std::optional<double> latency;     ///< Mean latency in cycles; none: no measured packet arrived.
  bool sustained = false;            ///< The network accepts the offered rate.
};

/// The rate up to which a network accepts what is offered lies between `low` and `high`.
struct Saturation {
  double low = 0;               ///< Highest sustained rate; 0: none.
  std::optional<double> high;   ///< Lowest rate that was not sustained; none: all that nodes can
                                ///< offer are.
  std::vector<RatePoint> runs;  ///< Points in the order of their runs.

  /// Middle of the interval; none: there is no saturation.
  std::optional<double> rate() const {
    return high ? std::optional((low + *high) / 2) : std::nullopt;
  }
};

/// Runs traffic at a rate with seed number `number`, counted from 0.
using RunAtRate = std::function<TrafficResult(double rate, unsigned number)>;

/// Bisects the rates up to `highest` until the interval is no wider than `width`. Each rate is run
/// with several seeds. It is sustained if the 95 % confidence interval of its shortfall begins at 0
/// or below and extends at most half of `width` to either side. It is not sustained if that
/// interval lies above 0, also for a second sample alone (chance leads one sample in forty there),
/// or if all runs of the first sample are `saturated`. More seeds are run until one of these holds.
/// Throws ConfigError if kMostSeeds do not suffice or no packet was measured.
Saturation bisect_saturation(double highest, double width, const RunAtRate& run);

/// Runs of a sample, and most runs at a rate.
inline constexpr unsigned kSampleSeeds = 5, kMostSeeds = 40;

/// Finds the saturation of the traffic of `config`, that of regions included, over its `rate`, on
/// the engine and threads of `options`, with the seed of the configuration and the following ones;
/// `shown` is called before each run. Throws ConfigError for a workload whose offered rate the
/// network influences, CheckError for a run with errors, and what a run throws.
Saturation find_saturation(const Config& config, const RunOptions& options, double width,
                           const std::function<void(double rate, unsigned number)>& shown);

}  // namespace weft
