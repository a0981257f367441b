// Estimated times of collectives on arrays by messages, which the pickers compare.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sim/config/config.hpp"
#include "sim/topology/graph.hpp"
#include "sim/workload/boards.hpp"

namespace weft {

/// More cycles than any estimate.
inline constexpr double kNever = std::numeric_limits<double>::infinity();

/// How many times longer data take over a link whose buffers are too short for its registers: a VC
/// waits for its credits (Graph::full_rate_depth).
double credit_share(const Graph& graph);
/// Registers of the longest link.
unsigned most_registers(const Graph& graph);

/// Cycles of barriers by messages beside those of barrier units; 0 with these.
double barrier_cycles(const Config& config, const Graph& network, unsigned barriers);

/// Messages in which a piece is sent by `lanes` controllers (weft_pieces), and their length.
struct Pieces {
  Pieces(double flits, double lanes);
  double length = 0, count = 1;
};

/// What the messages of an algorithm share: its network, with the send controllers that it has, and
/// the array.
class MessageTime {
 public:
  /// `algorithm`: a name. Throws ConfigError if the network cannot be built.
  MessageTime(const Config& config, const char* algorithm);

  /// A ring of all members, round by round: what reduce_scatter_ring and allgather_ring take.
  double ring(bool reduces);
  /// A binomial tree of all members.
  double binomial(bool reduces);
  /// A block from the root to each member, and the ring.
  double scatter();
  /// The ring, and a block from each member to the root.
  double gather();
  /// allreduce_rabenseifner, allreduce_recursive_doubling on RV32 processors, and allreduce_swing
  /// round one ring of all members, or on a torus the rings of all dimensions.
  double rabenseifner();
  double doubling();
  double swing();

 private:
  using Pair = std::pair<std::uint32_t, std::uint32_t>;  // Members: from and to.

  // What the busiest link carries where each of these sends the same, as a share of it; and the
  // links between switches of the longest way, where two registers count as one more.
  struct Load {
    double busiest = 0, hops = 0;
  };
  Load load(std::span<const Pair> pairs);
  // Of a ring on which members of Swing are, with the distance of two neighbours in rank.
  struct Ring {
    std::uint32_t size, rank_step;
  };
  std::vector<Ring> rings() const;
  // Of the pairs of members whose numbers differ in a bit.
  Load load_of_bit(unsigned bit, bool down);
  // Of the root and each other member: it sends, or they.
  Load load_of_root(bool sends);
  double instructions(double messages) const;
  unsigned bits() const;

  bool rv32_, routers_;
  double flits_;
  Graph graph_;
  Boards boards_;
  std::uint32_t members_, root_;
  double dims_;  // Of addresses.
  std::vector<double> shares_;
};

}  // namespace weft
