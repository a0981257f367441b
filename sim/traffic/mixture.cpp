// Several patterns in one workload: the pattern of each packet is drawn by weight.
#include <fmt/format.h>

#include "sim/traffic/traffic.hpp"

namespace weft {
namespace {

// One pattern of the list, as if the workload named it alone.
DrawDestination build_share(const Config& config, std::size_t number, const Graph& graph) {
  const PatternShare& share = config.workload.patterns[number];
  const std::string place = fmt::format("/workload/traffic/{}/", number);
  Config alone = config;
  alone.workload.traffic = share.traffic;
  alone.workload.parameters = share.parameters;
  for (const Key& key : share.parameters.keys()) {
    alone.source.move_place(std::string("/workload/") + key.name, place + key.name);
  }
  alone.source.move_place("/workload/traffic", place + "traffic");
  TrafficSource source = find_traffic(alone).build(alone, graph);
  if (auto* const draw = std::get_if<DrawDestination>(&source)) return std::move(*draw);
  alone.source.refuse("/workload/traffic", share.traffic,
                      "a pattern that draws destinations, in a list of patterns");
}

}  // namespace

TrafficSource traffic_source(const Config& config, const Graph& graph) {
  const auto& patterns = config.workload.patterns;
  if (patterns.empty()) return find_traffic(config).build(config, graph);
  std::vector<double> weights;
  std::vector<DrawDestination> draws;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    weights.push_back(patterns[i].weight);
    draws.push_back(build_share(config, i, graph));
  }
  return DrawDestination([which = WeightedDraw(weights), draws = std::move(draws)](
                             std::uint32_t src, RandomStream& random) {
    return draws[which.draw(random)](src, random);
  });
}

}  // namespace weft
