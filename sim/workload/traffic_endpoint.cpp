// Source and sink of synthetic traffic at a node.
#include "sim/workload/traffic_endpoint.hpp"

#include <algorithm>

namespace weft {
namespace {

constexpr std::uint32_t kQueuePackets = 32;  // Initial capacity, a power of two.

}  // namespace

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
      random_(mix64(plan.seed()) + 4 * std::uint64_t{rank}),  // A stream uses four numbers.
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
  descriptor_ = {.addr = memory_.address(), .off = time, .gap = plan_->gap()};
  descriptor_.dst = packet.dst;
  descriptor_.len = packet.body;
  descriptor_.tag = packet.tag;
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

// Answers what was delivered before `cycle`, sorted by cycle and link: engines handle the
// deliveries of a cycle in any order.
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
  // By mean lengths: so the rounds of all nodes take the same time; else each would wait for the
  // longest.
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
