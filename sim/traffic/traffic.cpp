// Look-up of traffic patterns; draws by weight; gaps between packets.
#include "sim/traffic/traffic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace weft {

const TrafficPattern& find_traffic(const Config& config) {
  const auto& list = traffic_patterns();
  const auto found = std::find_if(list.begin(), list.end(), [&](const TrafficPattern& pattern) {
    return pattern.name == config.workload.traffic;
  });
  if (found == list.end()) throw std::logic_error("traffic: a pattern that is not registered");
  return *found;
}

namespace {

// Keeps the items of each node's list that go to a node which is connected with it.
template <class T, class To>
void keep_connected(ListsByNode<T>& lists, const Graph& graph, To to) {
  ListsByNode<T> kept;
  for (std::uint32_t src = 0; src < graph.nodes; ++src) {
    for (const T& item : lists.of(src)) {
      if (graph.connected(src, to(item))) kept.items.push_back(item);
    }
    kept.end.push_back(kept.items.size());
  }
  lists = std::move(kept);
}

}  // namespace

TrafficSource connected_traffic(TrafficSource source, const Graph& graph) {
  if (auto* const rounds = std::get_if<TrafficRounds>(&source)) {
    keep_connected(rounds->partners, graph, [](std::uint32_t rank) { return rank; });
  } else if (auto* const timed = std::get_if<TimedPackets>(&source)) {
    keep_connected(timed->packets, graph, [](const TimedPacket& packet) { return packet.dst; });
  } else {
    source = [&graph, draw = std::get<DrawDestination>(std::move(source))](std::uint32_t src,
                                                                           RandomStream& random) {
      const std::uint32_t dst = draw(src, random);
      return graph.connected(src, dst) ? dst : kNoDestination;
    };
  }
  return source;
}

const char* of_region(const Config& config) {
  return config.partition.empty() ? "" : " within a region";
}

void refuse_nodes(const Config& config, const Graph& graph, const std::string& expected) {
  config.source.refuse(
      "/workload/traffic", config.workload.traffic,
      fmt::format("on {} of {} nodes; this one has {}",
                  config.partition.empty() ? "networks" : "regions", expected, graph.nodes));
}

WeightedDraw::WeightedDraw(const std::vector<double>& weights) {
  double all = 0, sum = 0;
  for (const double weight : weights) all += weight;
  for (std::size_t i = 0; i + 1 < weights.size(); ++i) {
    sum += weights[i];
    below_.push_back(sum / all);
  }
}

PacketGaps::PacketGaps(double chance) {
  silence_[0] = 1 - chance;
  for (unsigned i = 1; i < kSteps; ++i) silence_[i] = silence_[i - 1] * silence_[i - 1];
  for (unsigned part = 0; part < kParts; ++part) {
    while (above_[part] < kSteps && silence_[above_[part]] > static_cast<double>(part) / kParts) {
      ++above_[part];
    }
  }
}

std::uint32_t PacketGaps::draw(RandomStream& random) const {
  // The longest gap whose probability is still above the number drawn.
  const double drawn = random.fraction();
  return reached(drawn, 1, 1, silence_.data(), above_[static_cast<unsigned>(drawn * kParts)]);
}

}  // namespace weft
