// The share of a network that one process simulates; other processes simulate the rest.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/fabric/block_range.hpp"
#include "sim/processes/processes.hpp"
#include "sim/share/division.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// A network divided among processes, and the share of each among its threads. All processes take
/// the same steps together, one in every cycle (`Processes::exchange`).
class NetworkShare {
 public:
  /// `graph` and `processes` must outlive it.
  NetworkShare(const Graph& graph, Processes& processes, Sharing shares, unsigned threads)
      : processes_(processes),
        threads_(threads),
        nodes_(graph.nodes),
        division_(graph, shares, processes.number(), processes.count()) {}

  /// The whole network, in this process alone.
  explicit NetworkShare(const Graph& graph, unsigned threads = 1)
      : NetworkShare(graph, single_process(), {1, threads}, threads) {}

  Processes& processes() const { return processes_; }
  bool alone() const { return processes_.alone(); }
  const Division& division() const { return division_; }
  const NodeSet& nodes() const { return division_.own; }
  /// The process that has `part`.
  unsigned process_of(unsigned part) const { return division_.process_of(part); }
  unsigned of_block(std::uint32_t block) const { return process_of(division_.of_block[block]); }
  bool owns_block(std::uint32_t block) const { return division_.owns_block(block); }
  /// The blocks of one thread of this process.
  std::vector<BlockRange> ranges_of_thread(const Graph& graph, unsigned thread) const;
  bool leads() const { return processes_.leads(); }
  /// Sums over all processes of the numbers of each. All processes call it together.
  template <std::size_t N>
  std::array<std::uint64_t, N> sum(std::array<std::uint64_t, N> own) const {
    processes_.add_up(own);
    return own;
  }
  /// Joins vectors of all processes, each by own node in order, into one by node of the network;
  /// empty if all are empty.
  template <class T>
  std::vector<T> by_node(std::vector<std::vector<T>> of_process) const {
    std::vector<T> all;
    if (std::all_of(of_process.begin(), of_process.end(),
                    [](const auto& own) { return own.empty(); })) {
      return all;
    }
    std::vector<std::size_t> next(of_process.size());
    for (std::uint32_t n = 0; n < nodes_; ++n) {
      const unsigned process = of_block(n);
      all.push_back(std::move(of_process[process][next[process]++]));
    }
    return all;
  }

 private:
  Processes& processes_;
  unsigned threads_;
  std::uint32_t nodes_;  // Nodes of the network.
  Division division_;
};

}  // namespace weft
