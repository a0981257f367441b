// The part of a network that one process simulates, among others that simulate the rest of it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "sim/engine/outcome.hpp"
#include "sim/fabric/fabric.hpp"
#include "sim/ranks/ranks.hpp"
#include "sim/runs/division.hpp"
#include "sim/workload/workload.hpp"

namespace weft {

/// A network divided among ranks, and the parts of each among its threads. All ranks take the same
/// steps together, in every cycle one (`Ranks::exchange`).
class RankPart {
 public:
  /// `graph` and `ranks` must outlive it.
  RankPart(const Graph& graph, Ranks& ranks, Sharing shares, unsigned threads)
      : ranks_(ranks),
        threads_(threads),
        nodes_(graph.nodes),
        division_(graph, shares, ranks.number(), ranks.count()) {}

  /// All of it, in this process alone.
  explicit RankPart(const Graph& graph, unsigned threads = 1)
      : RankPart(graph, single_process(), {1, threads}, threads) {}

  Ranks& ranks() const { return ranks_; }
  bool alone() const { return ranks_.alone(); }
  const Division& division() const { return division_; }
  const NodeSet& nodes() const { return division_.own; }
  /// The rank that has a part, a block or a node.
  unsigned rank_of(unsigned part) const { return division_.process_of(part); }
  unsigned of_block(std::uint32_t block) const { return rank_of(division_.of_block[block]); }
  bool owns_block(std::uint32_t block) const { return division_.owns_block(block); }
  /// The blocks of one of its threads.
  std::vector<Part> parts_of_thread(const Graph& graph, unsigned thread) const;
  bool leads() const { return ranks_.leads(); }
  /// The sums over all ranks of numbers that each has; a step of all.
  template <std::size_t N>
  std::array<std::uint64_t, N> sum(std::array<std::uint64_t, N> own) const {
    ranks_.add_up(own);
    return own;
  }
  /// What ranks have of their nodes, by rank and each in the order of nodes, for all nodes; nothing
  /// where they have nothing.
  template <class T>
  std::vector<T> by_node(std::vector<std::vector<T>> of_rank) const {
    std::vector<T> all;
    if (std::all_of(of_rank.begin(), of_rank.end(), [](const auto& own) { return own.empty(); })) {
      return all;
    }
    std::vector<std::size_t> next(of_rank.size());
    for (std::uint32_t n = 0; n < nodes_; ++n) {
      const unsigned rank = of_block(n);
      all.push_back(std::move(of_rank[rank][next[rank]++]));
    }
    return all;
  }

 private:
  Ranks& ranks_;
  unsigned threads_;
  std::uint32_t nodes_;  // Of the network.
  Division division_;
};

/// Errors of one step, by precedence: the one that a single process would report comes first.
struct RankError {
  std::exception_ptr error;  ///< Null: none.
  std::uint64_t order = 0;   ///< Lower ones come first; of equals that of the lowest rank.
};
/// A step of all ranks, some of which have an error: throws in all of them the first one.
[[noreturn]] void throw_first(Ranks& ranks, const RankError& own);
/// Does some work in all ranks: what it throws in one of them is thrown in all.
void together(Ranks& ranks, const std::function<void()>& work);

/// The least of all ranks of each of two numbers; a step of all.
std::array<std::size_t, 2> least_of(Ranks& ranks, std::array<std::size_t, 2> own);
/// Throws ConfigError where `what` is not the same on all ranks; `names`: what that may be. A step
/// of all. A process alone does not ask.
void check_same(Ranks& ranks, const std::function<std::string()>& what, const char* names);

/// Adds to the outcome of rank 0 what the others have; a step of all ranks.
void gather(const RankPart& part, const Graph& graph, Outcome& outcome);

}  // namespace weft
