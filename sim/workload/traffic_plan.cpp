// What all nodes of a run of synthetic traffic share.
#include "sim/workload/traffic_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace weft {
namespace {

constexpr std::uint64_t kForever = low_mask(62);  // Cycles.
constexpr double kChance = 3;                     // Standard deviations.

// Mean cycles per packet at the rate; limited to the longest run.
std::uint64_t packet_time(const WorkloadConfig& workload) {
  if (workload.rate >= 1) return 0;
  const double cycles = std::min(workload.packet_flits.mean() / workload.rate, 0x1.0p30);
  return static_cast<std::uint64_t>(cycles * (1u << TrafficPlan::kPaceBits));
}

// Whether packets are generated at a rate, in all regions. Packets with times of their own are a
// task to complete, not a load that the network sustains or not.
bool has_rates(const WorkloadConfig& workload) {
  const auto& regions = workload.regions;
  return !workload.is(kTimedTraffic) &&
         std::none_of(regions.begin(), regions.end(),
                      [](const WorkloadConfig& region) { return region.is(kTimedTraffic); });
}

// Bursts whose mean rate, with the pauses between them, is that of the workload.
std::optional<Bursts> bursts_of(const Config& config, const TrafficSource& source) {
  const WorkloadConfig& workload = config.workload;
  const double rate = workload.rate, burst_rate = workload.burst_rate;
  if (workload.burst_cycles == 0) {
    if (burst_rate != 1) {
      config.source.refuse("/workload/burst_rate", burst_rate, "1 without burst_cycles");
    }
    return {};
  }
  if (std::holds_alternative<TrafficRounds>(source)) {
    config.source.refuse("/workload/burst_cycles", workload.burst_cycles,
                         "0: partners pace each other's rounds");
  }
  if (rate == 0) return {};
  if (rate >= burst_rate) {
    config.source.refuse("/workload/burst_rate", burst_rate,
                         fmt::format("more than workload.rate, {}", rate));
  }
  const double cycles = workload.burst_cycles, pause = cycles * (burst_rate / rate - 1);
  constexpr double kRounding = 1e-9;
  if (pause < 1 - kRounding) {
    config.source.refuse("/workload/burst_cycles", workload.burst_cycles,
                         fmt::format("{:.0f} or more at these rates: pauses are 1 cycle or more",
                                     std::ceil(rate / (burst_rate - rate) - kRounding)));
  }
  return Bursts(cycles, std::max(pause, 1.0));
}

// Replies go to the source that a header names, and nobody waits for them.
void check_replies(const Config& config, const TrafficSource& source) {
  const std::uint32_t flits = config.workload.reply_flits;
  if (flits == 0) return;
  if (std::holds_alternative<TrafficRounds>(source)) {
    config.source.refuse("/workload/reply_flits", flits, "0: partners answer in the next round");
  }
  if (!config.faults.empty()) {
    config.source.refuse("/workload/reply_flits", flits,
                         "0 with faults, which may change the source that a header names");
  }
}

// Mean latency in cycles of packets that never wait, between nodes that are drawn at random: in the
// two interfaces, in routers, and on links with as many stages as the longest (sim/README.md).
std::uint64_t idle_latency_of(const Config& config, const Graph& graph) {
  constexpr unsigned kRoutes = 64;
  const auto& stages = config.link.stages;
  const std::uint64_t link = stages.empty() ? 0 : *std::ranges::max_element(stages);
  RandomStream random(0);
  std::uint64_t hops = 0, routes = 0;
  for (unsigned i = 0; i < kRoutes; ++i) {
    const auto from = static_cast<std::uint32_t>(random.below(graph.nodes));
    const auto to = static_cast<std::uint32_t>(random.below(graph.nodes));
    if (from == to || !graph.connected(from, to)) continue;
    graph.walk(from, to, [&](std::uint32_t) { ++hops; });
    ++routes;
  }
  // A route has one more link than routers.
  const std::uint64_t routers = routes == 0 ? 1 : (hops - routes) / routes;
  const auto flits = static_cast<std::uint64_t>(config.workload.packet_flits.mean());
  return 6 + routers * (config.router.pipeline + 1 + link) + flits - 1;
}

}  // namespace

TrafficPlan::TrafficPlan(const Config& config, const Graph& graph)
    : graph_(graph),
      seed_(config.seed),
      warmup_(config.workload.known_warmup()),
      measure_(config.workload.measure),
      end_(warmup_ + measure_),
      limit_(limit_of(config, graph)),
      idle_latency_(idle_latency_of(config, graph)),
      gap_(config.nic.gap),
      // In the queue, being cut into packets, in two send buffers, and one on its way to the queue.
      in_flight_(config.nic.queue_depth + 3 * config.nic.controllers + 1),
      parity_(config.link.parity),
      stops_if_saturated_(config.workload.drain == kAutoDrain && has_rates(config.workload)),
      to_its_end_(config.workload.is(kTimedTraffic)),
      longest_packet_(config.workload.longest_packet()),
      generation_lsb_(graph.header.off_lsb()),
      generation_mask_(static_cast<std::uint32_t>(low_mask(graph.header.off_w()))),
      partition_(config, graph) {
  if (config.workload.regions.size() > partition_.regions()) {
    config.source.refuse(
        "/workload/regions", *config.workload.region_changes,
        fmt::format("a list of up to {}, as many regions as there are", partition_.regions()));
  }
  // Patterns see a region as a separate network.
  Graph region;
  region.dims = partition_.dims();
  region.nodes = graph.nodes / partition_.regions();
  const auto& own = config.workload.regions;
  for (std::uint32_t r = 0; r < partition_.regions(); ++r) {
    if (r < own.size()) {
      if (to_its_end_ && !own[r].is(kTimedTraffic) && own[r].rate > 0) {
        config.source.refuse(
            fmt::format("/workload/regions/{}/traffic", r), own[r].traffic,
            "traffic from a file, as that of the workload, which has no phases; or a workload with "
            "a rate, and a region with traffic from a file");
      }
      Config its = config;
      its.workload = own[r];
      // Patterns name keys as in a workload. Keys that the region gives are at its place; all
      // others are those of the workload.
      for (const auto& [key, value] : config.workload.region_changes->at(r).items()) {
        its.source.move_place("/workload/" + key, fmt::format("/workload/regions/{}/{}", r, key));
      }
      regions_.push_back(region_of(its, region));
    } else if (r == own.size()) {
      regions_.push_back(region_of(config, region));
    } else {
      regions_.push_back(regions_.back());
    }
    // Failures may leave several components; then there is one region.
    if (!graph.failures.component.empty()) {
      regions_.back().source = connected_traffic(std::move(regions_.back().source), graph);
    }
    auto& address = regions_.back().address;
    address.clear();
    for (const std::uint32_t rank : partition_.members(r)) address.push_back(graph.address[rank]);
  }
  if (to_its_end_) {
    warmup_ = 0;
    measure_ = kForever;
    end_ = end_of_traces();
  }
  windows_per_cycle_ = static_cast<double>(kWindows) / static_cast<double>(measure_);
}

bool TrafficPlan::falls_behind(const TrafficCounts& counts, std::uint64_t cycle,
                               std::uint64_t lost) const {
  const bool cut = cycle < end_;
  const std::uint64_t offered = cut ? counts.measured_flits : counts.late_measured_flits;
  const std::uint64_t accepted = (cut ? counts.arrived_flits : counts.late_arrived_flits) + lost;
  if (offered <= accepted) return false;
  // Cycles from the empty network to the middle, or the beginning, of what is judged.
  const std::uint64_t filled = cut ? measured(cycle) / 2 : measure_ / 2;
  if (warmup_ == 0 && filled < kSomeLatencies * idle_latency_) return false;
  const std::uint64_t least = cut || fills_up() ? 80 : 95;  // Percent.
  const auto short_by = static_cast<double>(offered - accepted);
  const double packet =
      static_cast<double>(counts.measured_flits) / static_cast<double>(counts.measured);
  return 100 * accepted < least * offered &&
         short_by * short_by > kChance * kChance * packet * static_cast<double>(offered);
}

std::uint64_t TrafficPlan::end_of_traces() const {
  std::uint64_t end = 1;
  for (const Region& region : regions_) {
    if (const auto* timed = std::get_if<TimedPackets>(&region.source)) {
      for (const TimedPacket& packet : timed->packets.items) {
        end = std::max(end, std::uint64_t{packet.cycle} + 1);
      }
    }
  }
  return end;
}

TrafficPlan::Region TrafficPlan::region_of(const Config& config, const Graph& network) {
  const WorkloadConfig& workload = config.workload;
  Region region;
  const PacketLengths& flits = workload.packet_flits;
  if (flits.list.empty()) {
    region.bodies = {flits.one - 1};
  } else {
    std::vector<double> weights;
    for (const PacketLength& length : flits.list) {
      region.bodies.push_back(length.flits - 1);
      weights.push_back(length.weight);
    }
    region.body = WeightedDraw(weights);
  }
  region.packet_time = packet_time(workload);
  region.source = traffic_source(config, network);
  region.bursts = bursts_of(config, region.source);
  check_replies(config, region.source);
  region.reply = workload.reply_flits;
  const double rate = region.bursts ? workload.burst_rate : workload.rate;
  if (workload.rate > 0) region.gaps.emplace(rate / flits.mean());
  return region;
}

// Headers carry the generation time: no packet is generated after that field wraps. A trace has no
// limit.
std::uint64_t TrafficPlan::limit_of(const Config& config, const Graph& graph) {
  if (config.workload.is(kTimedTraffic)) return UINT64_MAX;
  const std::uint64_t most = low_mask(graph.header.off_w());
  const WorkloadConfig& workload = config.workload;
  const std::uint64_t end = workload.known_warmup() + workload.measure;
  if (end > most) {
    config.source.refuse("/workload/measure", workload.measure,
                         fmt::format("with warmup up to {} cycles on this network", most));
  }
  const bool automatic = workload.drain == kAutoDrain;
  return std::min(end + (automatic ? kDrainPhases * workload.measure : workload.drain), most);
}

}  // namespace weft
