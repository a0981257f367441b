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

#include "sim/analysis/partition.hpp"
#include "sim/base/random.hpp"
#include "sim/config/config.hpp"
#include "sim/packet/packet.hpp"
#include "sim/topology/graph.hpp"
#include "sim/traffic/traffic.hpp"
#include "sim/workload/endpoint.hpp"
#include "sim/workload/traffic_memory.hpp"
#include "sim/workload/traffic_result.hpp"
#include "sim/workload/traffic_sums.hpp"

namespace weft {

/// State that all nodes of a run of traffic share. A packet carries its generation time in the
/// header's `off`: generation time and source identify a packet (or the packets of one round, or of
/// one cycle of a trace). The run ends before that field wraps, except that of a trace: of packets
/// that take longer than that `true_latency` tells the mean. The lowest bit of the tag is that of
/// the number of the packet's round, or set in replies, which carry the generation time of what
/// they answer.
class TrafficPlan {
 public:
  /// The traffic of a region of a partitioned network, or of the whole network. Ranks are those
  /// within it.
  struct Region {
    std::vector<std::uint32_t> address;  ///< By rank.
    std::vector<std::uint32_t> bodies;   ///< Body flits of packets at random or in rounds.
    WeightedDraw body{{1}};              ///< Which of them a packet has.
    /// Mean cycles per packet of a round at the rate, in units of 2^-kPaceBits; 0 at rate 1.
    std::uint64_t packet_time = 0;
    std::optional<PacketGaps> gaps;  ///< Within bursts; none: no packets.
    std::optional<Bursts> bursts;    ///< None: every cycle alike.
    std::uint32_t reply = 0;         ///< Flits of the reply to each packet; 0: none.
    TrafficSource source;
  };

  /// Throws ConfigError if a pattern does not fit the network or its regions.
  TrafficPlan(const Config& config, const Graph& graph);

  const Graph& graph() const { return graph_; }
  const Partition& partition() const { return partition_; }
  const Region& region(std::uint32_t number) const { return regions_[number]; }
  std::uint64_t seed() const { return seed_; }
  std::uint32_t gap() const { return gap_; }
  bool parity() const { return parity_; }  ///< Links carry parity.
  bool has_replies() const {
    return std::ranges::any_of(regions_, [](const Region& region) { return region.reply != 0; });
  }
  /// Most packets that can be posted to an interface and not yet read completely.
  std::uint32_t in_flight() const { return in_flight_; }
  /// Generation time in the header of a packet that is delivered in `cycle`. Only an injected fault
  /// makes it later than that, and earlier than a trace begins.
  std::uint64_t generated_at(std::uint64_t header, std::uint64_t cycle) const {
    const std::uint64_t time = header >> generation_lsb_ & generation_mask_;
    return to_its_end_ ? cycle - std::min(cycle, (cycle - time) & generation_mask_) : time;
  }
  /// The time for the header of a packet that is posted in `cycle`: of a trace, its generation, but
  /// not so early that nothing is left for its way.
  std::uint32_t header_time(std::uint64_t generated_at, std::uint64_t cycle) const {
    const std::uint64_t most = to_its_end_ ? generation_mask_ / 2 : cycle;
    return static_cast<std::uint32_t>(std::max(generated_at, cycle - std::min(cycle, most))) &
           generation_mask_;
  }
  /// The run lasts until all packets of a trace are delivered.
  bool to_its_end() const { return to_its_end_; }
  static constexpr unsigned kPaceBits = 20;
  /// Whether a cycle belongs to the measuring phase.
  bool measures(std::uint64_t cycle) const { return cycle - warmup_ < measure_; }
  /// The window of a cycle of it.
  unsigned window_of(std::uint64_t cycle) const {
    return static_cast<unsigned>(static_cast<double>(cycle - warmup_) * windows_per_cycle_);
  }
  /// Calls `use(window, cycles)` with those of `count` cycles from `first` on that belong to it.
  template <class Use>
  void each_measured(std::uint64_t first, std::uint64_t count, Use use) const {
    std::uint64_t from = std::max(first, warmup_);
    const std::uint64_t to = std::min(first + count, warmup_ + measure_);
    while (from < to) {
      const unsigned window = window_of(from);
      std::uint64_t next = to;
      // Seldom more than one.
      while (window_of(next - 1) != window) --next;
      use(window, next - from);
      from = next;
    }
  }
  /// Cycles of the measuring phase that a run of `cycles` cycles has seen.
  std::uint64_t measured(std::uint64_t cycles) const {
    return cycles > warmup_ ? std::min(cycles - warmup_, measure_) : 0;
  }
  /// First cycle of the measuring phase,
  std::uint64_t begin() const { return warmup_; }
  /// and the first one after it; of a trace, which is measured as long as it runs, the first one
  /// after its last packet was generated.
  std::uint64_t end() const { return end_; }
  /// Whether a region with these counts of all its nodes needs no further cycle: its measured
  /// packets are delivered, or it is surely saturated and the drain, by default, would not change
  /// that.
  bool over(const TrafficCounts& counts, std::uint64_t cycle) const {
    return cycle >= end() && (counts.measured == counts.measured_arrived ||
                              (stops_if_saturated_ && falls_behind(counts, cycle)));
  }
  /// In the second half of the measuring phase, or in what was measured before `cycle`, in which
  /// the run ends or goes on, if that is earlier than the end of the phase, the network took less
  /// than 95 % of what was offered, and less by more than chance makes of so many packets. Less
  /// than 80 % where it may still fill up. `lost`: flits that cannot arrive any more.
  bool falls_behind(const TrafficCounts& counts, std::uint64_t cycle, std::uint64_t lost = 0) const;
  /// Whether the second half of that phase begins so early that the network may still fill up:
  /// within 50 times the mean latency of packets that wait nowhere. After a warm-up it is taken at
  /// its word.
  bool fills_up() const { return warmup_ == 0 && measure_ / 2 < kFillsUp * idle_latency_; }
  std::uint32_t longest_packet() const { return longest_packet_; }  ///< Flits.
  /// Whether the drain is at least as long as the measuring phase, and as packets take.
  bool drains() const {
    return limit_ - end() >= std::max(measure_, kSomeLatencies * idle_latency_);
  }
  /// Cycle in which the run ends, even if measured packets are still in flight.
  std::uint64_t limit() const { return limit_; }

 private:
  /// Of a workload on a region, without its addresses.
  static Region region_of(const Config& config, const Graph& network);
  static std::uint64_t limit_of(const Config& config, const Graph& graph);
  /// The cycle after the last packet of all traces.
  std::uint64_t end_of_traces() const;

  // In latencies of packets that wait nowhere: until then a network may fill up, and until then
  // nothing is known of its load.
  static constexpr std::uint64_t kFillsUp = 50, kSomeLatencies = 10;

  const Graph& graph_;
  std::uint64_t seed_, warmup_, measure_;
  double windows_per_cycle_ = 0;
  std::uint64_t end_, limit_, idle_latency_;
  std::uint32_t gap_, in_flight_;
  bool parity_, stops_if_saturated_, to_its_end_;
  std::uint32_t longest_packet_;
  unsigned generation_lsb_;
  std::uint32_t generation_mask_;
  Partition partition_;
  std::vector<Region> regions_;
};

/// Rates and latencies of `nodes` nodes in a run that has ended after `cycles` cycles; rates are
/// those of the cycles of the measuring phase that were run.
/// `lost`: packets that links have dropped for good.
TrafficResult traffic_result(const TrafficSums& sums, std::uint32_t nodes, const TrafficPlan& plan,
                             std::uint64_t cycles, std::uint64_t lost);

/// Generates packets, queues them without limit in front of the interface, and records those
/// that are delivered.
///
/// In a closed loop all packets of a round are generated when the round begins: in the cycle after
/// the delivery of the last packet of the round before, but not before the time that the packets of
/// that round take at the workload's rate; rate 1 adds no delay. A partner is at most one round
/// ahead, so one bit tells to which round a packet belongs.
///
/// A reply is generated in the cycle after the delivery of what it answers, behind all packets that
/// are queued then. As queues have no limit, a node always takes what is delivered: replies that
/// wait keep no request in the network, so there is no deadlock between the two.
class TrafficEndpoint : public EndpointDefaults {
 public:
  static constexpr bool kTimed = true;
  static constexpr std::size_t kQueuedBytes = 8;  ///< Memory of a packet in the queue.
  TrafficEndpoint(const TrafficPlan& plan, std::uint32_t rank);

  /// The cycle in which `step` is to be called even if the status is unchanged.
  std::uint64_t wake() const {
    if (replies_.empty()) [[likely]]
      return next_generation_;
    return std::min<std::uint64_t>(next_generation_, replies_.front().due);
  }
  /// Generates packets, and posts one if the interface has a free descriptor.
  void step(const NicStatus& status, std::uint64_t cycle, RegionSums& sums);
  /// Never called: it always rests.
  void step_on(const NicStatus&, std::uint64_t, RegionSums&) {}
  bool resting() const { return true; }
  bool done() const { return false; }
  NodeView view() const { return {}; }
  std::string describe() const { return "traffic"; }
  /// The offset of a packet in the window is its generation time.
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

  /// Of the partition.
  std::uint32_t region() const { return region_number_; }

  /// Rounds that are over, of a closed loop.
  std::uint64_t rounds() const { return round_; }
  /// Whether it waits for packets of its round.
  bool waits() const { return in_round_; }

  /// A flit is on a link into the interface. Returns whether the wake time has changed.
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
  /// A packet of `flits` flits, the last of which is on a link into the interface; its flits are
  /// counted apart. `spoilt`: one of them has the wrong parity. Returns whether the wake time has
  /// changed.
  bool arrive_packet(std::uint32_t link, std::uint64_t header, std::uint32_t flits, bool spoilt,
                     std::uint64_t cycle, RegionSums& by_region) {
    return take(link, {header, flits, spoilt}, cycle, by_region);
  }
  /// Flits are on a link into the interface, one a cycle from `first` on.
  void count_flits(std::uint64_t first, std::uint32_t flits, RegionSums& by_region) {
    TrafficSums& sums = by_region.of(region_number_);
    plan_->each_measured(first, flits,
                         [&](unsigned window, std::uint64_t more) { sums.accept(window, more); });
  }
  /// They were counted, but are not.
  void take_back_flits(std::uint64_t first, std::uint32_t flits, RegionSums& by_region) {
    TrafficSums& sums = by_region.of(region_number_);
    plan_->each_measured(first, flits,
                         [&](unsigned window, std::uint64_t less) { sums.accept(window, -less); });
  }

  /// The state: what a checkpoint keeps.
  template <class Archive>
  void serialize(Archive& archive) {
    std::size_t timed = timed_.size();  // The last packets of the trace.
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
  // Of a state that was loaded: whether the ring and the destinations exist, and what is to be
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
    std::uint64_t dst : kMaxAddrW = 0;  // Address.
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
    std::uint32_t dst = 0;           // Address.
    std::uint64_t generated_at = 0;  // That of the packet.

    template <class Archive>
    void serialize(Archive& archive) {
      archive(due, link, dst, generated_at);
    }
  };
  static constexpr std::uint32_t kReplyTag = 1u << kTagClass;
  // Of a link: the packet that is arriving.
  struct Arriving {
    std::uint64_t header = 0;
    std::uint32_t flits = 0;  // Received so far.
    bool spoilt = false;      // One of them has the wrong parity.

    template <class Archive>
    void serialize(Archive& archive) {
      archive(header, flits, spoilt);
    }
  };
  static constexpr std::uint64_t kNever = low_mask(62);  // Later than any run ends.

  // Whether the interface is to write the body of a received packet (rtl/nic/README.md, recv_unit):
  // its parity, destination and length are right, and the body is inside the window.
  bool keeps(const Arriving& a) const {
    return a.flits > 1 && !a.spoilt && (a.header >> kHdrLenLsb & low_mask(kLenW)) == a.flits - 1 &&
           (a.header >> kHdrDstLsb & low_mask(plan_->graph().header.addr_w)) == memory_.own();
  }
  // The packet's last flit is on a link into the interface.
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
  std::uint32_t rank_;  // Within the region.
  bool posted_ = false;
  std::uint64_t next_generation_ = 0;
  std::uint32_t burst_left_ = 0;           // Cycles of the present burst after `next_generation_`.
  std::array<Arriving, 8> arriving_ = {};  // By link.
  RandomStream random_;
  Descriptor descriptor_;
  TrafficMemory memory_;
  std::vector<Packet> queue_;  // A ring; it grows when it is full.
  std::uint32_t first_ = 0, count_ = 0;
  std::vector<Reply> replies_;  // Not generated yet: those of one cycle, seldom of two.
  // Closed loop: partners (else 0), the round, whether it has begun, packets delivered of it and of
  // the next one by the lowest bit of their number, and when the next may begin (kPaceBits).
  std::uint32_t partners_ = 0, round_ = 0;
  bool in_round_ = false;
  std::array<std::uint32_t, 2> came_ = {};
  std::uint64_t pace_ = 0;
  std::span<const TimedPacket> timed_;  // Packets of a trace that are not generated yet.
};

static_assert(Endpoint<TrafficEndpoint>);

}  // namespace weft
