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

/// Cycles by which barriers by messages take longer than barrier units; 0 with barrier units.
double barrier_cycles(const Config& config, const Graph& network, unsigned barriers);

/// Messages in which `lanes` controllers send a piece (weft_pieces): how many, and their length.
struct Pieces {
  Pieces(double flits, double lanes);
  double length = 0, count = 1;
};

/// Estimates for an algorithm on a network with the send controllers that it asks for, and an
/// array.
class MessageTime {
 public:
  /// `algorithm`: its name. Throws ConfigError if the network cannot be built.
  MessageTime(const Config& config, const char* algorithm);

  /// A ring of all members, round by round, as in reduce_scatter_ring and allgather_ring.
  double ring(bool reduces);
  /// A binomial tree of all members.
  double binomial(bool reduces);
  /// A block from the root to each member, then the ring.
  double scatter();
  /// The ring, then a block from each member to the root.
  double gather();
  /// allreduce_rabenseifner, allreduce_recursive_doubling on RV32 processors, and allreduce_swing:
  /// round one ring of all members, or on a torus round the rings of all dimensions.
  double rabenseifner();
  double doubling();
  double swing();

 private:
  using Pair = std::pair<std::uint32_t, std::uint32_t>;  // Members: from, to.

  // Load of the network when each of some pairs sends the same amount. `busiest`: on the busiest
  // link, as a multiple of that amount; `hops`: links between switches on the longest path, where
  // two registers count as one more.
  struct Load {
    double busiest = 0, hops = 0;
  };
  Load load(std::span<const Pair> pairs);
  // A ring of members of Swing; `rank_step`: difference in rank of two neighbours.
  struct Ring {
    std::uint32_t size, rank_step;
  };
  std::vector<Ring> rings() const;
  // Load of the pairs of members whose numbers differ in a bit.
  Load load_of_bit(unsigned bit, bool down);
  // Load of the root sending to each other member, or each other member to the root.
  Load load_of_root(bool sends);
  double instructions(double messages) const;
  unsigned bits() const;

  bool rv32_, routers_;
  double flits_;
  Graph graph_;
  Boards boards_;
  std::uint32_t members_, root_;
  double dims_;  // Dimensions of addresses.
  std::vector<double> shares_;
};

}  // namespace weft
