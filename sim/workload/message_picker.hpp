// Knowledge of algorithms by messages for the pickers of collectives on arrays: where they reach
// full speed, and which allreduce is the fastest without a combining tree.
#pragma once

#include <cstdint>

#include "sim/config/config.hpp"
#include "sim/topology/graph.hpp"
#include "sim/workload/boards.hpp"

namespace weft {

/// Whether all sizes of a network of boards are powers of two.
bool halves(const Boards& boards);

/// Whether messages between neighbours keep their order, and each direction of every dimension has
/// its own controller, as streams along all of them need.
bool streams(const Config& config, const Graph& network);

/// The dimensions with several nodes, and the steps of a message there and back along each.
struct StreamedDims {
  explicit StreamedDims(const Graph& network);
  std::uint32_t dims = 0, steps = 0;
};

/// Whether main units' streams over all of their links (allreduce_boards) reach full speed, and the
/// array is long enough to outweigh their cost.
bool boards_stream(const Config& config, const Graph& network);

/// Cycles of native collectives by halving and doubling between boards.
double nested_cycles(const Boards& boards, double flits);

/// An algorithm and its estimated cycles.
struct Choice {
  double cycles;
  const char* name;

  friend bool operator<(const Choice& a, const Choice& b) { return a.cycles < b.cycles; }
};

/// The fastest allreduce by messages, or `other` if that is faster. `network`: with one send
/// controller. Throws ConfigError if the network cannot be built.
Choice allreduce_by_messages(const Config& config, const Graph& network, const Choice& other);

}  // namespace weft
