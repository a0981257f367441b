// Source and sink of synthetic traffic at a node, instead of a processor.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <variant>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/packet/packet.hpp"
#include "sim/traffic/traffic.hpp"
#include "sim/workload/endpoint.hpp"
#include "sim/workload/traffic_memory.hpp"
#include "sim/workload/traffic_plan.hpp"
#include "sim/workload/traffic_sums.hpp"

namespace weft {

/// Generates packets, queues them without limit in front of the interface, and records those that
/// are delivered.
///
/// In a closed loop all packets of a round are generated when the round begins: in the cycle after
/// the delivery of the last packet of the previous round, but not before the time that the packets
/// of that round take at the workload's rate; rate 1 adds no delay. A partner is at most one round
/// ahead, so one bit tells to which round a packet belongs.
///
/// A reply is generated in the cycle after the delivery of what it answers, behind all packets that
/// are queued then. As queues have no limit, a node always accepts what is delivered: waiting
/// replies block no request in the network, so there is no deadlock between the two.
class TrafficEndpoint : public EndpointDefaults {
 public:
  static constexpr bool kTimed = true;
  static constexpr std::size_t kQueuedBytes = 8;  ///< Memory of a queued packet.
  TrafficEndpoint(const TrafficPlan& plan, std::uint32_t rank);

  /// The cycle in which `step` is to be called even if the status is unchanged.
  std::uint64_t wake() const {
    if (replies_.empty()) [[likely]]
      return next_generation_;
    return std::min<std::uint64_t>(next_generation_, replies_.front().due);
  }
  /// Generates packets, and posts one if the interface has a free descriptor.
  void step(const NicStatus& status, std::uint64_t cycle, RegionSums& sums);
  /// Never called: a traffic endpoint always rests.
  void step_on(const NicStatus&, std::uint64_t, RegionSums&) {}
  bool resting() const { return true; }
  bool done() const { return false; }
  NodeView view() const { return {}; }
  std::string describe() const { return "traffic"; }
  /// Opens the window; the offset of a packet in it is its generation time.
  void drive(Nic::In& in) const {
    in.windows.base[0] = 0;
    in.windows.size[0] = static_cast<std::uint32_t>(low_mask(kOffW) + low_mask(kLenW) + 1);
  }
  bool posted() const { return posted_; }
  /// Whether there are more packets to post.
  bool waits_to_post() const { return count_ != 0; }
  const Descriptor& descriptor() const { return descriptor_; }
  void read_flit(std::uint32_t addr, std::uint64_t* words) { memory_.read_flits(addr, 1, words); }
  void write_flit(std::uint32_t link, std::uint32_t addr, const FlitData& data) {
    write_flits(link, addr, 1, data.word.data());
  }
  void write_flits(std::uint32_t link, std::uint32_t addr, std::uint32_t count,
                   const std::uint64_t* words) {
    memory_.write_flits(link, addr, count, words, plan_->graph().header);
  }
  TrafficMemory& memory() { return memory_; }
  const TrafficMemory& memory() const { return memory_; }
  const TrafficPlan& plan() const { return *plan_; }

  /// Number of its region in the partition.
  std::uint32_t region() const { return region_number_; }

  /// Completed rounds of a closed loop.
  std::uint64_t rounds() const { return round_; }
  /// Whether it waits for packets of its round.
  bool waits() const { return in_round_; }

  /// Notes a flit on a link into the interface. Returns whether the wake time has changed.
  bool arrive(std::uint32_t link, const Flit& flit, std::uint64_t cycle, RegionSums& by_region) {
    Arriving& a = arriving_[link];
    count_flits(cycle, 1, by_region);
    if (a.flits++ == 0) a.header = flit.data;
    a.spoilt |=
        plan_->parity() && flit.parity != parity_of(flit, plan_->graph().header.flit_words());
    if (!flit.last) return false;
    const Arriving packet = std::exchange(a, {});
    return take(link, packet, cycle, by_region);
  }
  /// Notes a packet of `flits` flits, the last of which is on a link into the interface; its flits
  /// are counted separately. Returns whether the wake time has changed.
  bool arrive_packet(std::uint32_t link, std::uint64_t header, std::uint32_t flits,
                     std::uint64_t cycle, RegionSums& by_region) {
    return take(link, {header, flits, false}, cycle, by_region);
  }
  /// Counts flits on a link into the interface, one a cycle from cycle `first` on.
  void count_flits(std::uint64_t first, std::uint32_t flits, RegionSums& by_region) {
    TrafficSums& sums = by_region.of(region_number_);
    plan_->each_measured(first, flits,
                         [&](unsigned window, std::uint64_t more) { sums.accept(window, more); });
  }
  /// Takes back flits that count_flits counted.
  void take_back_flits(std::uint64_t first, std::uint32_t flits, RegionSums& by_region) {
    TrafficSums& sums = by_region.of(region_number_);
    plan_->each_measured(first, flits,
                         [&](unsigned window, std::uint64_t less) { sums.accept(window, -less); });
  }

  /// The state: what a checkpoint keeps.
  template <class Archive>
  void serialize(Archive& archive) {
    std::size_t timed = timed_.size();  // Number of the remaining packets of the trace.
    archive(posted_, next_generation_, burst_left_, arriving_, random_, descriptor_, memory_);
    archive.any_size(queue_);
    archive(first_, count_);
    archive.any_size(replies_);
    archive(round_, in_round_, came_, pace_, timed);
    archive.require(timed <= timed_.size());
    timed_ = timed_.last(timed);
    archive.require(consistent());
  }

 private:
  // Whether a loaded state is valid: the ring and the destinations exist, and so does what is to be
  // generated.
  bool consistent() const {
    const auto exists = [this](const auto& packet) {
      return packet.dst <= low_mask(plan_->graph().header.addr_w);
    };
    const bool timed = std::holds_alternative<TimedPackets>(region_->source);
    return std::has_single_bit(queue_.size()) && first_ < queue_.size() &&
           count_ <= queue_.size() && std::ranges::all_of(queue_, exists) &&
           std::ranges::all_of(replies_, exists) && exists(descriptor_) &&
           (timed ? next_generation_ == next_timed()
                  : region_->gaps.has_value() || next_generation_ == kNever);
  }

  struct Packet {
    std::uint64_t dst : kMaxAddrW = 0;  // Destination address.
    std::uint64_t generated_at : 64 - kMaxAddrW - kLenW - 1 = 0;
    std::uint64_t body : kLenW = 0, tag : 1 = 0;

    template <class Archive>
    void serialize(Archive& archive) {
      std::uint64_t at = generated_at;
      std::uint32_t to = dst, flits = body, tagged = tag;
      archive(to, at, flits, tagged);
      dst = to;
      generated_at = at;
      body = flits;
      tag = tagged;
      archive.require(dst == to && generated_at == at && body == flits && tag == tagged);
    }
  };
  static_assert(sizeof(Packet) == kQueuedBytes);
  // The cycles of a trace have 32 bits.
  static_assert(64 - kMaxAddrW - kLenW - 1 >= 32);
  // An answer to a packet that was delivered.
  struct Reply {
    std::uint64_t due = 0;  // Cycle in which it is generated.
    std::uint32_t link = 0;
    std::uint32_t dst = 0;           // Destination address.
    std::uint64_t generated_at = 0;  // Generation time of the packet.

    template <class Archive>
    void serialize(Archive& archive) {
      archive(due, link, dst, generated_at);
    }
  };
  static constexpr std::uint32_t kReplyTag = 1u << kTagClass;
  // The packet that is arriving on a link.
  struct Arriving {
    std::uint64_t header = 0;
    std::uint32_t flits = 0;  // Flits received so far.
    bool spoilt = false;      // A flit has the wrong parity.

    template <class Archive>
    void serialize(Archive& archive) {
      archive(header, flits, spoilt);
    }
  };
  static constexpr std::uint64_t kNever = low_mask(62);  // Later than any run ends.

  // Whether the interface writes the body of a received packet (rtl/nic/README.md, recv_unit): its
  // parity, destination and length are right, and the body is inside the window.
  bool keeps(const Arriving& a) const {
    return a.flits > 1 && !a.spoilt && (a.header >> kHdrLenLsb & low_mask(kLenW)) == a.flits - 1 &&
           (a.header >> kHdrDstLsb & low_mask(plan_->graph().header.addr_w)) == memory_.own();
  }
  // Handles a packet whose last flit is on a link into the interface.
  bool take(std::uint32_t link, const Arriving& packet, std::uint64_t cycle,
            RegionSums& by_region) {
    if (keeps(packet)) memory_.expect(link, packet.header);
    TrafficSums& sums = by_region.of(region_number_);
    ++sums.arrived;
    const std::uint64_t generated_at = plan_->generated_at(packet.header, cycle);
    const bool is_reply = region_->reply != 0 && (packet.header >> kHdrTagLsb & kReplyTag) != 0;
    if (!is_reply) sums.true_latency += cycle;
    if (plan_->measures(generated_at) && generated_at <= cycle) {
      sums.arrive(is_reply ? sums.round_trip : sums.latency, cycle - generated_at);
      if (!is_reply) {
        TrafficWindow& window = sums.windows[plan_->window_of(generated_at)];
        ++window.packets;
        window.latency += cycle - generated_at;
      }
    }
    if (region_->reply != 0 && !is_reply) [[unlikely]] {
      const Header header = Header::unpack(packet.header, plan_->graph().header);
      replies_.push_back({cycle + 1, link, header.src, generated_at});
      return true;
    }
    return partners_ != 0 && note_round(packet.header >> kHdrTagLsb & 1, cycle);
  }
  std::uint32_t draw_gap();
  std::uint32_t draw_body() { return region_->bodies[region_->body.draw(random_)]; }
  void generate(std::uint64_t cycle, TrafficSums& sums);
  void begin_round(const TrafficRounds& rounds, TrafficSums& sums);
  bool note_round(unsigned round_bit, std::uint64_t cycle);
  void end_round(std::uint64_t cycle);
  void queue(const Packet& packet, TrafficSums& sums);
  void add(std::uint32_t dst, std::uint32_t body, std::uint32_t tag, TrafficSums& sums);
  void queue_replies(std::uint64_t cycle, TrafficSums& sums);
  std::uint64_t next_timed() const { return timed_.empty() ? kNever : timed_.front().cycle; }
  void grow();

  const TrafficPlan* plan_;
  const TrafficPlan::Region* region_;
  std::uint32_t region_number_;
  std::uint32_t rank_;  // Rank within the region.
  bool posted_ = false;
  std::uint64_t next_generation_ = 0;
  std::uint32_t burst_left_ = 0;           // Cycles of the present burst after `next_generation_`.
  std::array<Arriving, 8> arriving_ = {};  // By link.
  RandomStream random_;
  Descriptor descriptor_;
  TrafficMemory memory_;
  std::vector<Packet> queue_;  // A ring; grows when it is full.
  std::uint32_t first_ = 0, count_ = 0;
  std::vector<Reply> replies_;  // Replies that are not generated yet: those of one cycle, seldom of
                                // two.
  // Closed loop: number of partners (else 0), the round, whether it has begun, delivered packets of
  // this round and the next one by the lowest bit of the round's number, and when the next round
  // may begin (kPaceBits).
  std::uint32_t partners_ = 0, round_ = 0;
  bool in_round_ = false;
  std::array<std::uint32_t, 2> came_ = {};
  std::uint64_t pace_ = 0;
  std::span<const TimedPacket> timed_;  // Packets of a trace that are not generated yet.
};

static_assert(Endpoint<TrafficEndpoint>);

}  // namespace weft
