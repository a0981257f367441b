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

/// Runs at one rate that differ in their seeds. All rates are flits a node and cycle.
struct RatePoint {
  double rate = 0;                   ///< `workload.rate`.
  unsigned seeds = 0;                ///< Runs.
  double offered = 0, accepted = 0;  ///< Means.
  Confidence shortfall;              ///< Offered less accepted.
  std::optional<double> latency;     ///< Mean, cycles; none: no measured packet arrived.
  bool sustained = false;            ///< The network accepts what is offered.
};

/// The rate up to which a network accepts what is offered lies between `low` and `high`.
struct Saturation {
  double low = 0;               ///< The highest rate that was sustained; 0: none was.
  std::optional<double> high;   ///< The lowest that was not; none: each that nodes can offer is.
  std::vector<RatePoint> runs;  ///< In the order in which they were made.

  /// The middle; none: there is no saturation.
  std::optional<double> rate() const {
    return high ? std::optional((low + *high) / 2) : std::nullopt;
  }
};

/// Runs traffic at a rate with the seed of a number, from 0 on.
using RunAtRate = std::function<TrafficResult(double rate, unsigned number)>;

/// Bisects the rates up to `highest` until the interval is no wider than `width`. Each rate is run
/// with several seeds. It is sustained if the 95 % confidence interval of its shortfall begins at 0
/// or below and is known to half of `width` either way; it is not if that interval lies above 0,
/// also that of a second sample alone, as chance leads one sample in forty there, or if the runs of
/// the first are all `saturated`. More seeds are run until it is one of them. Throws ConfigError
/// where kMostSeeds do not suffice or no packet was measured.
Saturation bisect_saturation(double highest, double width, const RunAtRate& run);

/// Runs of a sample, and most runs at a rate.
inline constexpr unsigned kSampleSeeds = 5, kMostSeeds = 40;

/// The saturation of the traffic of `config` over its `rate`, that of regions included, on the
/// engine and threads of `options`, with the seed of the configuration and those after it; `shown`
/// is told of each run before it is made. Throws ConfigError for work that is not offered at a rate
/// which the network has no influence on, CheckError for a run with errors, and what a run throws.
Saturation find_saturation(const Config& config, const RunOptions& options, double width,
                           const std::function<void(double rate, unsigned number)>& shown);

}  // namespace weft
