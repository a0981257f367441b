// The search for a saturation rate on the command line: progress and results.
#include "sim/cli/saturation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "sim/cli/build.hpp"
#include "sim/report/text.hpp"

namespace weft::cli {
using nlohmann::json;

Saturation search_saturation(const Config& config, const RunOptions& options, double width) {
  RunOptions quiet = options;
  quiet.progress = false;
  bool written = false;
  const auto clear = [&] {
    if (written) fmt::print(stderr, "\r\x1b[K");
  };
  const auto show = [&](double rate, unsigned number) {
    if (!options.progress) return;
    written = true;
    fmt::print(stderr, "\r\x1b[Krate {:.5g}  run {}", rate, number + 1);
    std::fflush(stderr);
  };
  try {
    Saturation found = find_saturation(config, quiet, width, show);
    clear();
    return found;
  } catch (...) {
    clear();
    throw;
  }
}

json to_json(const Saturation& found, const Config& config, const RunOptions& options) {
  const auto or_null = [](const auto& value) { return value ? json(*value) : json(); };
  json runs = json::array();
  for (const RatePoint& point : found.runs) {
    runs.push_back({{"rate", point.rate},
                    {"seeds", point.seeds},
                    {"offered_rate", point.offered},
                    {"accepted_rate", point.accepted},
                    {"shortfall", point.shortfall.mean},
                    {"shortfall_ci95", or_null(point.shortfall.half_width)},
                    {"latency", or_null(point.latency)},
                    {"sustained", point.sustained}});
  }
  json result = {{"config", weft::to_json(config)},
                 {"engine", options.engine},
                 {"saturation_rate", or_null(found.rate())},
                 {"interval", {found.low, or_null(found.high)}},
                 {"runs", runs}};
  enter_build(result);
  return result;
}

std::string saturation_text(const Saturation& found, const Config& config) {
  const std::string unit = "flits a node and cycle";
  std::string text = summary_line("network", to_json(config.topology).dump());
  json workload = weft::to_json(config)["workload"];
  workload.erase("rate");  // The search finds the rate.
  text += summary_line("workload", workload.dump());
  text += summary_line("saturation",
                       found.rate()
                           ? fmt::format("{:.5g} {}, in [{:.5g}, {:.5g}]", *found.rate(), unit,
                                         found.low, *found.high)
                           : fmt::format("none: {:.5g} {} are sustained, all that nodes can offer",
                                         found.low, unit));
  std::vector<RatePoint> points = found.runs;
  std::ranges::sort(points, {}, &RatePoint::rate);
  for (const RatePoint& point : points) {
    text += summary_line(
        fmt::format("rate {:.5g}", point.rate),
        fmt::format("accepted {:.5f} of {:.5f}, short of it by {:.1e} +- {:.1e}, latency {}, {} "
                    "runs: {}",
                    point.accepted, point.offered, point.shortfall.mean,
                    point.shortfall.half_width.value(),
                    point.latency ? fmt::format("{:.2f}", *point.latency) : "-", point.seeds,
                    point.sustained ? "sustained" : "not sustained"));
  }
  return text;
}

}  // namespace weft::cli
