// Synthetic traffic: patterns, the list of patterns, and how packets are spread over time.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/config/config.hpp"
#include "sim/config/registry.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// Draws the destination of one packet of a node (both ranks), from that node's own stream. It has
/// no state, so that nodes are independent. The node itself is allowed. kNoDestination: the
/// destination is cut off, and there is no such packet.
using DrawDestination = std::function<std::uint32_t(std::uint32_t src, RandomStream& random)>;
inline constexpr std::uint32_t kNoDestination = 0xFFFFFFFF;

/// A list for each node, stored one after the other.
template <class T>
struct ListsByNode {
  std::vector<T> items;
  std::vector<std::size_t> end;  ///< By rank: end of the node's own list.

  std::span<const T> of(std::uint32_t rank) const {
    const std::size_t begin = rank == 0 ? 0 : end[rank - 1];
    return {items.data() + begin, end[rank] - begin};
  }
};

/// A closed loop: in each round a node sends one packet to each of its partners (ranks) and waits
/// for one of that round from each of them. Partners of a node are different nodes, and it is a
/// partner of each of them.
struct TrafficRounds {
  ListsByNode<std::uint32_t> partners;
};

/// A packet that is generated in a given cycle.
struct TimedPacket {
  std::uint32_t cycle = 0;
  std::uint32_t dst = 0;    ///< Rank of the destination.
  std::uint32_t flits = 0;  ///< With the header, 1 to 256.
};
/// All packets of a run, by source, those of one source by cycle.
struct TimedPackets {
  ListsByNode<TimedPacket> packets;
};

/// Sources and destinations: at random at the workload's rate, in rounds, or from a packet trace.
using TrafficSource = std::variant<DrawDestination, TrafficRounds, TimedPackets>;

/// A traffic pattern. Each has a file <name>.cpp in sim/traffic that defines `extern const
/// TrafficPattern traffic_<name>`.
struct TrafficPattern {
  std::string name;
  std::string description;  ///< One line, for `weft list`.
  KeyTable keys = {};       ///< Keys of `workload` that only this pattern has; as
                            ///< TrafficKind::keys.
  std::function<std::uint32_t(const JsonCursor& workload)> longest_packet =
      {};  ///< As TrafficKind::longest_packet.
  /// The pattern on a network; throws ConfigError if the network does not allow it.
  std::function<TrafficSource(const Config&, const Graph&)> build;
};

/// All patterns, sorted by name: a table that the build makes from the names of the files.
const std::vector<TrafficPattern>& traffic_patterns();
/// The pattern that `config.workload.traffic` names, which must exist.
const TrafficPattern& find_traffic(const Config& config);
/// The traffic of a workload on a network: of its pattern, or of its list of patterns, from which
/// one is drawn for each packet. Throws ConfigError as they do.
TrafficSource traffic_source(const Config& config, const Graph& graph);
/// Removes packets between nodes that are not connected (`Graph::connected`) from `source`.
TrafficSource connected_traffic(TrafficSource source, const Graph& graph);

/// Draws one of `count` numbers from 0 on other than `self`, each with equal probability.
inline std::uint32_t draw_other(std::uint32_t self, std::uint32_t count, RandomStream& random) {
  const auto drawn = static_cast<std::uint32_t>(random.below(count - 1));
  return drawn + (drawn >= self ? 1 : 0);
}

/// Text after ranks in messages: " within a region" in a partitioned network, where each region is
/// a separate network for patterns; otherwise empty.
const char* of_region(const Config& config);

/// Throws ConfigError: the pattern is for networks of as many nodes as `expected` says.
[[noreturn]] void refuse_nodes(const Config& config, const Graph& graph,
                               const std::string& expected);

/// Draws one of several things by weight.
class WeightedDraw {
 public:
  /// `weights` are above 0, one or more; thing i has probability weights[i] over their sum.
  explicit WeightedDraw(const std::vector<double>& weights);

  /// Draws a thing by number, from 0 on. If there is only one, nothing is drawn from `random`.
  std::uint32_t draw(RandomStream& random) const {
    if (below_.empty()) return 0;
    const double drawn = random.fraction();
    std::uint32_t index = 0;
    while (index < below_.size() && drawn >= below_[index]) ++index;
    return index;
  }

 private:
  std::vector<double> below_;  // Cumulative probabilities of all things but the last.
};

/// How far something gets that reaches `length` with probability `chance`: as far as its
/// probability stays above `drawn`. `further[i]`, i below `bits`: the probability to get 2^i
/// further.
inline std::uint32_t reached(double drawn, double chance, std::uint32_t length,
                             const double* further, unsigned bits) {
  for (unsigned i = bits; i-- > 0;) {
    const double longer = chance * further[i];
    if (longer <= drawn) continue;
    chance = longer;
    length += 1u << i;
  }
  return length;
}

/// Cycles from one packet of a node to its next if every cycle brings one with the same probability
/// (Bernoulli process): drawn at once, so that a node costs nothing in between.
class PacketGaps {
 public:
  /// `chance` of a packet in a cycle, above 0 and up to 1.
  explicit PacketGaps(double chance);

  /// Draws a gap, 1 or more; longer ones are kLongest.
  std::uint32_t draw(RandomStream& random) const;

  static constexpr std::uint32_t kLongest = 1u << 21;

 private:
  static constexpr unsigned kSteps = 21;
  // Probability of 2^i cycles without a packet. Only multiplications, which are the same on every
  // machine; a logarithm is not.
  std::array<double, kSteps> silence_ = {};
  // By a number drawn, in parts of 1 / kParts: so many of them can be above it.
  static constexpr unsigned kParts = 64;
  std::array<std::uint8_t, kParts> above_ = {};
};

/// Alternating bursts and pauses of a node, both of geometric lengths (a Markov process of two
/// states, "on/off": Dally and Towles 2004, 24.2.2). Whether a burst ends does not depend on its
/// past.
class Bursts {
 public:
  /// Bursts of `cycles` cycles and pauses of `pause` cycles on average, both 1 or more.
  Bursts(double cycles, double pause)
      : burst_(1 / cycles), pause_(1 / pause), share_(cycles / (cycles + pause)) {}

  /// Cycles of a burst that a node is in at the beginning; 0: it is in a pause.
  std::uint32_t begin(RandomStream& random) const {
    return random.chance(share_) ? burst_.draw(random) : 0;
  }
  /// Cycles until `cycles` cycles of bursts have passed, pauses included; `left`: the rest of the
  /// present burst.
  std::uint32_t with_pauses(std::uint32_t cycles, std::uint32_t& left, RandomStream& random) const {
    std::uint32_t all = cycles;
    while (cycles > left) {
      cycles -= left;
      all += pause_.draw(random);
      left = burst_.draw(random);
    }
    left -= cycles;
    return all;
  }

 private:
  PacketGaps burst_, pause_;
  double share_;
};

}  // namespace weft
