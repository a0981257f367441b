// What all nodes of a run of synthetic traffic share.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "sim/analysis/partition.hpp"
#include "sim/base/random.hpp"
#include "sim/config/config.hpp"
#include "sim/packet/packet.hpp"
#include "sim/topology/graph.hpp"
#include "sim/traffic/traffic.hpp"
#include "sim/workload/traffic_result.hpp"
#include "sim/workload/traffic_sums.hpp"

namespace weft {

/// Settings that all nodes of a run of traffic share. A packet carries its generation time in the
/// header's `off`: generation time and source identify a packet (or the packets of one round, or of
/// one cycle of a trace). The run ends before that field wraps, except for a trace: the mean
/// latency of packets that take longer comes from `true_latency`. The lowest bit of the tag is that
/// of the number of the packet's round; it is set in replies, which carry the generation time of
/// what they answer.
class TrafficPlan {
 public:
  /// The traffic of a region of a partitioned network, or of the whole network. Ranks are those
  /// within the region.
  struct Region {
    std::vector<std::uint32_t> address;  ///< By rank.
    std::vector<std::uint32_t> bodies;   ///< Choices of body flits, for packets at random or in
                                         ///< rounds.
    WeightedDraw body{{1}};              ///< Draws an index of `bodies` for a packet.
    /// Mean cycles per packet of a round at the rate, in units of 2^-kPaceBits; 0 at rate 1.
    std::uint64_t packet_time = 0;
    std::optional<PacketGaps> gaps;  ///< Gaps within bursts; none: no packets at random.
    std::optional<Bursts> bursts;    ///< None: all cycles are alike.
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
  bool parity() const { return parity_; }  ///< Whether links carry parity.
  bool has_replies() const {
    return std::ranges::any_of(regions_, [](const Region& region) { return region.reply != 0; });
  }
  /// Most packets that can be posted to an interface and not yet read completely.
  std::uint32_t in_flight() const { return in_flight_; }
  /// Generation time in the header of a packet that is delivered in `cycle`. Only an injected fault
  /// makes it later than `cycle`, or earlier than a trace begins.
  std::uint64_t generated_at(std::uint64_t header, std::uint64_t cycle) const {
    const std::uint64_t time = header >> generation_lsb_ & generation_mask_;
    return to_its_end_ ? cycle - std::min(cycle, (cycle - time) & generation_mask_) : time;
  }
  /// The time for the header of a packet that is posted in `cycle`. For a trace: its generation,
  /// but not so early that no time is left for its way.
  std::uint32_t header_time(std::uint64_t generated_at, std::uint64_t cycle) const {
    const std::uint64_t most = to_its_end_ ? generation_mask_ / 2 : cycle;
    return static_cast<std::uint32_t>(std::max(generated_at, cycle - std::min(cycle, most))) &
           generation_mask_;
  }
  /// Whether the run lasts until all packets of a trace are delivered.
  bool to_its_end() const { return to_its_end_; }
  static constexpr unsigned kPaceBits = 20;
  /// Whether a cycle belongs to the measuring phase.
  bool measures(std::uint64_t cycle) const { return cycle - warmup_ < measure_; }
  /// The window that a cycle of the measuring phase belongs to.
  unsigned window_of(std::uint64_t cycle) const {
    return static_cast<unsigned>(static_cast<double>(cycle - warmup_) * windows_per_cycle_);
  }
  /// Calls `use(window, cycles)` for the parts in each window of the `count` cycles from `first`
  /// on; cycles outside the measuring phase are left out.
  template <class Use>
  void each_measured(std::uint64_t first, std::uint64_t count, Use use) const {
    std::uint64_t from = std::max(first, warmup_);
    const std::uint64_t to = std::min(first + count, warmup_ + measure_);
    while (from < to) {
      const unsigned window = window_of(from);
      std::uint64_t next = to;
      // Seldom more than once.
      while (window_of(next - 1) != window) --next;
      use(window, next - from);
      from = next;
    }
  }
  /// Cycles of the measuring phase that a run of `cycles` cycles has seen.
  std::uint64_t measured(std::uint64_t cycles) const {
    return cycles > warmup_ ? std::min(cycles - warmup_, measure_) : 0;
  }
  /// First cycle of the measuring phase.
  std::uint64_t begin() const { return warmup_; }
  /// First cycle after the measuring phase. A trace is measured as long as it runs: for it, first
  /// cycle after its last packet was generated.
  std::uint64_t end() const { return end_; }
  /// Whether a region with these counts over all its nodes needs no further cycle: its measured
  /// packets are delivered, or it is surely saturated and the drain (by default) would not change
  /// that.
  bool over(const TrafficCounts& counts, std::uint64_t cycle) const {
    return cycle >= end() && (counts.measured == counts.measured_arrived ||
                              (stops_if_saturated_ && falls_behind(counts, cycle)));
  }
  /// Whether the network accepted less than 95 % of what was offered, and less by more than chance
  /// explains for so many packets. It is judged by the second half of the measuring phase; if
  /// `cycle`, before which the run ends or goes on, is earlier than the phase's end, by what was
  /// measured so far. While the network may still fill up, 80 % instead of 95 %. `lost`: flits that
  /// cannot arrive any more.
  bool falls_behind(const TrafficCounts& counts, std::uint64_t cycle, std::uint64_t lost = 0) const;
  /// Whether the second half of the measuring phase begins so early that the network may still fill
  /// up: within 50 times the mean latency of packets that never wait. With a warm-up, the network
  /// counts as full.
  bool fills_up() const { return warmup_ == 0 && measure_ / 2 < kFillsUp * idle_latency_; }
  /// Length of the longest packet, flits.
  std::uint32_t longest_packet() const { return longest_packet_; }
  /// Whether the drain is at least as long as the measuring phase, and as packets take.
  bool drains() const {
    return limit_ - end() >= std::max(measure_, kSomeLatencies * idle_latency_);
  }
  /// Cycle in which the run ends, even if measured packets are still in flight.
  std::uint64_t limit() const { return limit_; }

 private:
  /// The traffic of a workload on a region, without addresses.
  static Region region_of(const Config& config, const Graph& network);
  static std::uint64_t limit_of(const Config& config, const Graph& graph);
  /// The cycle after the last packet of all traces.
  std::uint64_t end_of_traces() const;

  // In mean latencies of packets that never wait: until kFillsUp a network may fill up; until
  // kSomeLatencies nothing is known of its load.
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
/// those of the cycles of the measuring phase that were run. `lost`: packets that links have
/// dropped for good.
TrafficResult traffic_result(const TrafficSums& sums, std::uint32_t nodes, const TrafficPlan& plan,
                             std::uint64_t cycles, std::uint64_t lost);

}  // namespace weft
