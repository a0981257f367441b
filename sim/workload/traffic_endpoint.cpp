// Source and sink of synthetic traffic at a node.
#include "sim/workload/traffic_endpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace weft {
namespace {

constexpr std::uint32_t kQueuePackets = 32;       // Initial capacity, a power of two.
constexpr std::uint64_t kForever = low_mask(62);  // Cycles.
constexpr double kChance = 3;                     // Standard deviations.

// Mean cycles per packet at the rate; limited to the longest run.
std::uint64_t packet_time(const WorkloadConfig& workload) {
  if (workload.rate >= 1) return 0;
  const double cycles = std::min(workload.packet_flits.mean() / workload.rate, 0x1.0p30);
  return static_cast<std::uint64_t>(cycles * (1u << TrafficPlan::kPaceBits));
}

// Whether packets are generated at a rate, in all regions: packets with times of their own are a
// task to be completed, not a load that the network sustains or not.
bool has_rates(const WorkloadConfig& workload) {
  const auto& regions = workload.regions;
  return !workload.timed && std::none_of(regions.begin(), regions.end(),
                                         [](const WorkloadConfig& region) { return region.timed; });
}

// Bursts whose mean rate with the pauses between them is that of the workload.
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

LatencyResult latency_result(const Latencies& latencies) {
  LatencyResult result{.packets = latencies.packets};
  if (latencies.packets == 0) return result;
  result.mean = latencies.mean();
  result.p50 = latencies.percentile(0.5);
  result.p99 = latencies.percentile(0.99);
  result.max = latencies.percentile(1);
  return result;
}

// Mean latency of packets that wait nowhere, cycles, on routes between nodes that are drawn at
// random: in the two interfaces, in routers and on links with as many stages as the longest
// (sim/README.md).
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
  // A route has a link more than routers.
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
      to_its_end_(config.workload.timed),
      longest_packet_(config.workload.longest_packet()),
      generation_lsb_(graph.header.off_lsb()),
      generation_mask_(static_cast<std::uint32_t>(low_mask(graph.header.off_w()))),
      partition_(config, graph) {
  if (config.workload.regions.size() > partition_.regions()) {
    config.source.refuse(
        "/workload/regions", config.workload.region_changes,
        fmt::format("a list of up to {}, as many regions as there are", partition_.regions()));
  }
  // Patterns see a region as a network of its own.
  Graph region;
  region.dims = partition_.dims();
  region.nodes = graph.nodes / partition_.regions();
  const auto& own = config.workload.regions;
  for (std::uint32_t r = 0; r < partition_.regions(); ++r) {
    if (r < own.size()) {
      if (to_its_end_ && !own[r].timed && own[r].rate > 0) {
        config.source.refuse(
            fmt::format("/workload/regions/{}/traffic", r), own[r].traffic,
            "traffic from a file, as that of the workload, which has no phases; or a workload with "
            "a rate, and a region with traffic from a file");
      }
      Config its = config;
      its.workload = own[r];
      // Patterns name their keys as those of a workload; keys that a region lacks are those of the
      // workload.
      for (const auto& [key, value] : config.workload.region_changes[r].items()) {
        its.source.move_place("/workload/" + key, fmt::format("/workload/regions/{}/{}", r, key));
      }
      regions_.push_back(region_of(its, region));
    } else if (r == own.size()) {
      regions_.push_back(region_of(config, region));
    } else {
      regions_.push_back(regions_.back());
    }
    if (!graph.failures.component.empty()) {  // Then there is one region.
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
  // Cycles between the empty network and the middle of what is judged, or its beginning.
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
  if (config.workload.timed) return UINT64_MAX;
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

Latencies& Latencies::operator+=(const Latencies& other) {
  packets += other.packets;
  sum += other.sum;
  if (by_cycles.size() < other.by_cycles.size()) by_cycles.resize(other.by_cycles.size());
  for (std::size_t i = 0; i < other.by_cycles.size(); ++i) by_cycles[i] += other.by_cycles[i];
  return *this;
}

std::uint64_t Latencies::percentile(double share) const {
  const double wanted = share * static_cast<double>(packets);
  std::uint64_t reached = 0;
  for (std::size_t cycles = 0; cycles < by_cycles.size(); ++cycles) {
    reached += by_cycles[cycles];
    if (static_cast<double>(reached) >= wanted) return cycles;
  }
  return 0;
}

TrafficSums& TrafficSums::operator+=(const TrafficSums& other) {
  TrafficCounts::operator+=(other);
  latency += other.latency;
  round_trip += other.round_trip;
  for (unsigned w = 0; w < kWindows; ++w) windows[w] += other.windows[w];
  return *this;
}

TrafficResult traffic_result(const TrafficSums& sums, std::uint32_t nodes, const TrafficPlan& plan,
                             std::uint64_t cycles, std::uint64_t lost) {
  TrafficResult result;
  if (!plan.to_its_end()) result.warmup = plan.begin();
  result.measured_cycles = plan.measured(cycles);
  result.cut = cycles < plan.end();
  if (result.measured_cycles > 0) {
    const auto node_cycles = static_cast<double>(nodes * result.measured_cycles);
    result.offered_rate = static_cast<double>(sums.measured_flits) / node_cycles;
    result.accepted_rate = static_cast<double>(sums.arrived_flits) / node_cycles;
  }
  result.packets = sums.measured;
  result.arrived = sums.measured_arrived;
  // A trace is a task to be completed, not a load.
  result.saturated = !plan.to_its_end() &&
                     (plan.falls_behind(sums, cycles, lost * plan.longest_packet()) ||
                      (plan.drains() && cycles >= plan.limit() && result.arrived < result.packets));
  result.latency = latency_result(sums.latency);
  if (plan.to_its_end() && sums.latency.packets == sums.generated - sums.replies &&
      sums.latency.sum != sums.true_latency) {
    result.beyond_headers = true;
    result.latency.mean =
        static_cast<double>(sums.true_latency) / static_cast<double>(sums.latency.packets);
  }
  result.latencies = sums.latency.by_cycles;
  if (plan.has_replies()) result.round_trip = latency_result(sums.round_trip);
  return result;
}

[[gnu::always_inline]] inline std::uint32_t TrafficEndpoint::draw_gap() {
  const std::uint32_t cycles = region_->gaps->draw(random_);
  if (!region_->bursts) [[likely]]
    return cycles;
  return region_->bursts->with_pauses(cycles, burst_left_, random_);
}

TrafficEndpoint::TrafficEndpoint(const TrafficPlan& plan, std::uint32_t rank)
    : plan_(&plan),
      region_(&plan.region(plan.partition().region_of(rank))),
      region_number_(plan.partition().region_of(rank)),
      rank_(plan.partition().rank_within(rank)),
      random_(mix64(plan.seed()) + 4 * std::uint64_t{rank}),  // A stream takes four numbers.
      memory_(plan.graph().address[rank], plan.in_flight(), plan.graph().nic_links,
              plan.graph().header.flit_words()),
      queue_(kQueuePackets) {
  if (!region_->gaps) {
    next_generation_ = kNever;
  } else if (std::holds_alternative<DrawDestination>(region_->source)) {
    if (region_->bursts) burst_left_ = region_->bursts->begin(random_);
    next_generation_ = draw_gap() - 1;
  } else if (const auto* rounds = std::get_if<TrafficRounds>(&region_->source)) {
    partners_ = static_cast<std::uint32_t>(rounds->partners.of(rank_).size());
    next_generation_ = partners_ != 0 ? 0 : kNever;
  } else {
    timed_ = std::get<TimedPackets>(region_->source).packets.of(rank_);
    next_generation_ = next_timed();
  }
}

void TrafficEndpoint::step(const NicStatus& status, std::uint64_t cycle, RegionSums& sums) {
  if (!replies_.empty()) [[unlikely]]
    queue_replies(cycle, sums.of(region_number_));
  if (cycle >= next_generation_) generate(cycle, sums.of(region_number_));
  // Last cycle's post is not in `desc_free` yet.
  const std::uint32_t free = status.desc_free - (posted_ ? 1 : 0);
  posted_ = count_ != 0 && free != 0;
  if (!posted_) return;
  const Packet& packet = queue_[first_];
  const std::uint32_t time = plan_->header_time(packet.generated_at, cycle);
  memory_.put(packet.dst, time, packet.body);
  descriptor_ = {.dst = packet.dst,
                 .addr = memory_.address(),
                 .len = packet.body,
                 .off = time,
                 .tag = packet.tag,
                 .gap = plan_->gap()};
  first_ = (first_ + 1) & (static_cast<std::uint32_t>(queue_.size()) - 1);
  --count_;
}

[[gnu::always_inline]] inline void TrafficEndpoint::queue(const Packet& packet, TrafficSums& sums) {
  if (count_ == queue_.size()) grow();
  queue_[(first_ + count_) & (queue_.size() - 1)] = packet;
  ++count_;
  ++sums.generated;
}

[[gnu::always_inline]] inline void TrafficEndpoint::add(std::uint32_t dst, std::uint32_t body,
                                                        std::uint32_t tag, TrafficSums& sums) {
  queue({.dst = region_->address[dst], .generated_at = next_generation_, .body = body, .tag = tag},
        sums);
  sums.true_latency -= next_generation_;
  if (!plan_->measures(next_generation_)) return;
  sums.measured += region_->reply != 0 ? 2 : 1;
  sums.offer(plan_->window_of(next_generation_), body + 1 + region_->reply);
}

// Answers what was delivered before `cycle`, by cycle and link: engines take the deliveries of a
// cycle in any order.
void TrafficEndpoint::queue_replies(std::uint64_t cycle, TrafficSums& sums) {
  std::ranges::sort(replies_, {}, [](const Reply& r) { return std::pair(r.due, r.link); });
  const auto end = std::ranges::upper_bound(replies_, cycle, {}, &Reply::due);
  for (auto reply = replies_.begin(); reply != end; ++reply) {
    queue({.dst = reply->dst,
           .generated_at = reply->generated_at,
           .body = region_->reply - 1,
           .tag = kReplyTag},
          sums);
    ++sums.replies;
  }
  replies_.erase(replies_.begin(), end);
}

void TrafficEndpoint::generate(std::uint64_t cycle, TrafficSums& sums) {
  if (const auto* draw = std::get_if<DrawDestination>(&region_->source)) {
    const std::uint32_t dst = (*draw)(rank_, random_);
    if (dst != kNoDestination) add(dst, draw_body(), 0, sums);
    next_generation_ += draw_gap();
  } else if (const auto* rounds = std::get_if<TrafficRounds>(&region_->source)) {
    begin_round(*rounds, sums);
  } else {
    for (; next_generation_ <= cycle; timed_ = timed_.subspan(1), next_generation_ = next_timed()) {
      add(timed_.front().dst, timed_.front().flits - 1, 0, sums);
    }
  }
}

void TrafficEndpoint::begin_round(const TrafficRounds& rounds, TrafficSums& sums) {
  for (const std::uint32_t dst : rounds.partners.of(rank_)) {
    add(dst, draw_body(), round_ & 1, sums);
  }
  // By mean lengths: all nodes' rounds take the same time, else each would wait for the longest.
  pace_ = std::max(pace_, next_generation_ << TrafficPlan::kPaceBits) +
          partners_ * region_->packet_time;
  in_round_ = true;
  // All partners' packets of this round may have been delivered already.
  const std::uint64_t now = next_generation_;
  next_generation_ = kNever;
  if (came_[round_ & 1] >= partners_) end_round(now);
}

bool TrafficEndpoint::note_round(unsigned round_bit, std::uint64_t cycle) {
  ++came_[round_bit];
  if (!in_round_ || came_[round_ & 1] < partners_) return false;
  end_round(cycle);
  return true;
}

void TrafficEndpoint::end_round(std::uint64_t cycle) {
  came_[round_ & 1] = 0;
  ++round_;
  in_round_ = false;
  const std::uint64_t paced = (pace_ + low_mask(TrafficPlan::kPaceBits)) >> TrafficPlan::kPaceBits;
  next_generation_ = std::min(std::max(cycle + 1, paced), kNever);
}

void TrafficEndpoint::grow() {
  std::rotate(queue_.begin(), queue_.begin() + first_, queue_.end());
  first_ = 0;
  queue_.resize(2 * queue_.size());
}

}  // namespace weft
