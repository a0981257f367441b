// The least times that a message takes, for bounds of latency.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/packet/packet.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

// Cycles from a post to the header on the link (rtl/nic: the descriptor is written in the next
// cycle, the header is on the link 6 cycles later); from the last word on the link to its write;
// what accumulators add to that (rtl/reduce); and from a header without a body to its count.
inline constexpr std::uint64_t kSendCycles = 7, kReceiveCycles = 3,
                               kReduceCycles = 1 + kReduceLatency, kCountCycles = 1;

/// In networks of more nodes not all distances are computed.
inline constexpr std::uint32_t kMostSources = 1024;

/// Cycles from link to link: a router takes `router.pipeline` (rtl/router), the input buffer and
/// link register of a crossbar 5 (rtl/buffer); its switches and output buffers take longer.
inline std::uint64_t block_cycles(const Graph& graph) {
  return graph.has_routers() ? graph.router_cycles() : 5;
}

/// The least that a path from one rank to each takes. If links differ in registers, links and
/// cycles may be those of different paths. Nodes on a path may pass data on.
struct LeastWays {
  std::vector<std::uint32_t> links;  ///< Links between switching blocks, by rank.
  /// Cycles from the link out of one rank to the link into the other, by rank: routers or
  /// crossbars, and registers of links.
  std::vector<std::uint64_t> cycles;
};

/// Paths from rank `src` to every rank, or if `backwards` from every rank to it.
LeastWays least_ways(const Graph& graph, std::uint32_t src, bool backwards);

/// The least cycles that anything takes from one rank to each by wires along the links between
/// routers or crossbars, in either direction: for each link one cycle and its registers.
std::vector<std::uint64_t> wire_cycles(const Graph& graph, std::uint32_t src);

}  // namespace weft
