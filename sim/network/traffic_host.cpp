// Source and sink of synthetic traffic at a node.
#include "sim/network/traffic_host.hpp"

#include <fmt/format.h>

namespace weft {
namespace {

constexpr std::uint64_t kDrain = 10;         // At most so many times the measuring phase.
constexpr double kKeepsUp = 0.95;            // Accepted over offered, else it is saturated.
constexpr std::uint32_t kQueuePackets = 32;  // Places at the start, a power of two.

// The least latency that is not exceeded by `share` of the packets.
std::uint64_t percentile(const TrafficSums& sums, double share) {
  const double wanted = share * static_cast<double>(sums.measured_arrived);
  std::uint64_t packets = 0;
  for (std::size_t cycles = 0; cycles < sums.latency.size(); ++cycles) {
    packets += sums.latency[cycles];
    if (static_cast<double>(packets) >= wanted) return cycles;
  }
  return 0;
}

}  // namespace

TrafficPlan::TrafficPlan(const Config& config, const Graph& graph)
    : graph_(graph),
      seed_(config.seed),
      warmup_(config.workload.warmup),
      measure_(config.workload.measure),
      limit_(limit_of(config, graph)),
      body_(config.workload.packet_flits - 1),
      gap_(config.nic.gap),
      // In the queue, being cut, and in two send buffers; one is on its way into the queue.
      in_flight_(config.nic.queue_depth + 3 * config.nic.controllers + 1),
      birth_lsb_(graph.header.off_lsb()),
      birth_mask_(static_cast<std::uint32_t>(low_mask(graph.header.off_w()))),
      gaps_(config.workload.rate / config.workload.packet_flits),
      draw_(find_traffic(config).build(config, graph)) {}

// Births stand in headers, so that they end before that field does.
std::uint64_t TrafficPlan::limit_of(const Config& config, const Graph& graph) {
  const std::uint64_t most = low_mask(graph.header.off_w());
  const WorkloadConfig& workload = config.workload;
  const std::uint64_t end = workload.warmup + workload.measure;
  if (end > most) {
    config.source.refuse("/workload/measure", workload.measure,
                         fmt::format("with warmup up to {} cycles on this network", most));
  }
  return std::min(end + kDrain * workload.measure, most);
}

TrafficSums& TrafficSums::operator+=(const TrafficSums& other) {
  born += other.born;
  arrived += other.arrived;
  measured += other.measured;
  measured_arrived += other.measured_arrived;
  arrived_flits += other.arrived_flits;
  latency_sum += other.latency_sum;
  if (latency.size() < other.latency.size()) latency.resize(other.latency.size());
  for (std::size_t i = 0; i < other.latency.size(); ++i) latency[i] += other.latency[i];
  return *this;
}

TrafficResult traffic_result(const TrafficSums& sums, const TrafficPlan& plan,
                             std::uint64_t cycles) {
  TrafficResult result;
  result.measured_cycles = plan.measured(cycles);
  result.cut = cycles < plan.end();
  if (result.measured_cycles > 0) {
    const auto node_cycles = static_cast<double>(plan.graph().nodes * result.measured_cycles);
    const std::uint64_t packet = plan.body() + 1;
    result.offered_rate = static_cast<double>(sums.measured * packet) / node_cycles;
    result.accepted_rate = static_cast<double>(sums.arrived_flits) / node_cycles;
  }
  result.packets = sums.measured;
  result.arrived = sums.measured_arrived;
  result.saturated = result.accepted_rate < kKeepsUp * result.offered_rate ||
                     (cycles >= plan.limit() && result.arrived < result.packets);
  if (sums.measured_arrived == 0) return result;
  result.latency_mean =
      static_cast<double>(sums.latency_sum) / static_cast<double>(sums.measured_arrived);
  result.latency_p50 = percentile(sums, 0.5);
  result.latency_p99 = percentile(sums, 0.99);
  result.latency_max = percentile(sums, 1);
  return result;
}

TrafficHost::TrafficHost(const TrafficPlan& plan, std::uint32_t rank)
    : plan_(&plan),
      rank_(rank),
      random_(mix64(plan.seed()) + 4 * std::uint64_t{rank}),  // A stream takes four numbers.
      memory_(plan.graph().address[rank], plan.in_flight()),
      queue_(kQueuePackets) {
  next_birth_ = plan.gaps().draw(random_) - 1;
}

void TrafficHost::step(const NicStatus& status, std::uint64_t cycle, TrafficSums& sums) {
  if (cycle >= next_birth_) give_birth(sums);
  // Last cycle's post is not in `desc_free` yet.
  const std::uint32_t free = status.desc_free - (posted_ ? 1 : 0);
  posted_ = count_ != 0 && free != 0;
  if (!posted_) return;
  const Packet& packet = queue_[first_];
  memory_.put(packet.dst, packet.birth);
  descriptor_ = {.dst = packet.dst,
                 .addr = memory_.address(),
                 .len = plan_->body(),
                 .off = packet.birth,
                 .tag = 0,
                 .gap = plan_->gap()};
  first_ = (first_ + 1) & (static_cast<std::uint32_t>(queue_.size()) - 1);
  --count_;
}

void TrafficHost::give_birth(TrafficSums& sums) {
  if (count_ == queue_.size()) grow();
  const std::uint32_t dst = plan_->draw(rank_, random_);
  queue_[(first_ + count_) & (queue_.size() - 1)] = {plan_->graph().address[dst],
                                                     static_cast<std::uint32_t>(next_birth_)};
  ++count_;
  ++sums.born;
  sums.measured += plan_->measures(next_birth_);
  next_birth_ += plan_->gaps().draw(random_);
}

void TrafficHost::grow() {
  std::rotate(queue_.begin(), queue_.begin() + first_, queue_.end());
  first_ = 0;
  queue_.resize(2 * queue_.size());
}

}  // namespace weft
