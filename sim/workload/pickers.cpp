// Pickers. Their limits are measured: scripts/figures/README.md.
#include "sim/workload/pickers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/fabric/combine_tree.hpp"
#include "sim/topology/topology.hpp"
#include "sim/workload/all_to_all_picker.hpp"
#include "sim/workload/boards.hpp"
#include "sim/workload/direct_time.hpp"
#include "sim/workload/message_picker.hpp"
#include "sim/workload/message_time.hpp"

namespace weft {
namespace {

// Whether the streams of a torus or a mesh (allreduce_tree_links) relieve the combining tree of a
// part of the array that is worth their steps. Each step costs cycles, and instructions of an RV32
// processor; the more, the more streams it serves at the same time.
bool dimensions_stream(const Config& config, const Graph& network) {
  const StreamedDims ways(network);
  const bool torus = network.rings == low_mask(network.dims.size());
  const bool rv32 = config.processor == ProcessorKind::kRv32;
  if (!streams(config, network) || ways.dims == 0 ||
      !(torus || (network.rings == 0 && !rv32 && network.aggregators == 0))) {
    return false;
  }
  const std::uint32_t step_cycles =
      torus ? WEFT_RING_STEP_CYCLES(rv32, ways.dims) : WEFT_LINE_STEP_CYCLES;
  return config.workload.array.flits() > (step_cycles + 2 * most_registers(network)) * ways.steps +
                                             3 * barrier_cycles(config, network, ways.dims);
}

// Whether nodes have a combining tree.
bool combines(const Config& config) {
  return config.combining == Combining::kTree;
}

// Cycles of an array by the combining tree, up and down again: one word per cycle, or as many words
// as a unit's buffer has per round trip of a credit, if the longest edge is longer than that.
std::uint64_t tree_cycles(const Config& config, const Graph& network) {
  if (!combines(config)) return std::numeric_limits<std::uint64_t>::max();
  const UnitTree tree(network);
  const unsigned words = combine_config(tree, 0, network.header).depth;
  const double word = std::max(1.0, static_cast<double>(full_rate_depth(tree)) / words);
  return static_cast<std::uint64_t>(word * config.workload.array.flits()) + 2 * tree.depth() +
         (config.processor == ProcessorKind::kRv32 ? 52 : 7);
}

// Picks the combining tree, for long arrays together with streams over the links where the network
// has them, or messages where these are faster.
const char* allreduce(Config& config, const Graph& network, const Given& /*given*/) {
  const bool on_boards = network.aggregators != 0;
  if (combines(config) &&
      (on_boards ? boards_stream(config, network) : dimensions_stream(config, network))) {
    return "allreduce_tree_links";
  }
  const Choice tree = {static_cast<double>(tree_cycles(config, network)), "allreduce_tree"};
  return allreduce_by_messages(config, network, tree).name;
}

// The fastest of three algorithms that give every member its block, or all blocks.
const char* by_blocks(const Config& config, const Graph& network, const char* direct,
                      const char* ring, const char* tree, bool reduces) {
  const double by_ring = MessageTime(config, ring).ring(reduces);
  const std::uint64_t by_tree = tree_cycles(config, network);
  const bool rings = by_ring < static_cast<double>(by_tree);
  const std::uint64_t others = rings ? static_cast<std::uint64_t>(by_ring) : by_tree;
  if (direct_cycles(config, network, direct, others) < others) return direct;
  return rings ? ring : tree;
}

const char* reduce_scatter(Config& config, const Graph& network, const Given& /*given*/) {
  return by_blocks(config, network, "reduce_scatter_direct", "reduce_scatter_ring",
                   "reduce_scatter_tree", true);
}

const char* allgather(Config& config, const Graph& network, const Given& /*given*/) {
  return by_blocks(config, network, "allgather_direct", "allgather_ring", "allgather_tree", false);
}

// The fastest algorithm from the root, or to it, without a combining tree: a binomial tree, blocks,
// or on boards a mixture. RV32 processors send short arrays between boards at the same cost as down
// a tree.
Choice rooted(const Config& config, const Graph& network, bool reduces) {
  const Boards boards(network);
  const double flits = config.workload.array.flits();
  const char* const binomial = reduces ? "reduce_binomial" : "broadcast_binomial";
  const char* const by_block = reduces ? "reduce_gather" : "broadcast_scatter";
  const bool rv32 = config.processor == ProcessorKind::kRv32;
  double nested = kNever;
  if (halves(boards) && !(rv32 && reduces)) {
    const double count = std::log2(boards.count);
    nested = reduces ? nested_cycles(boards, flits)
             : rv32  ? (6000 + 8 * flits) * (0.9 + 0.1 * count)
                     : 75 * count + nested_cycles(boards, flits) - nested_cycles(boards, 0);
  }
  MessageTime blocks(config, by_block);
  return std::min({Choice{MessageTime(config, binomial).binomial(reduces), binomial},
                   Choice{reduces ? blocks.gather() : blocks.scatter(), by_block},
                   Choice{nested, reduces ? "reduce_nested" : "broadcast_nested"}});
}

const char* broadcast(Config& config, const Graph& network, const Given& /*given*/) {
  const Choice tree = {static_cast<double>(tree_cycles(config, network)), "broadcast_tree"};
  return std::min(tree, rooted(config, network, false)).name;
}

const char* reduce(Config& config, const Graph& network, const Given& /*given*/) {
  const Choice tree = {static_cast<double>(tree_cycles(config, network)), "reduce_tree"};
  return std::min(tree, rooted(config, network, true)).name;
}

const char* barrier(Config& config, const Graph& /*network*/, const Given& /*given*/) {
  return config.barrier == BarrierKind::kHardware ? "barrier_tree" : "barrier_dissemination";
}

constexpr Picker kPickers[] = {
    {"allgather", WEFT_ALLGATHER, "every member's block to all; picks an algorithm", allgather},
    {"allreduce", WEFT_ALLREDUCE, "the reduction of all arrays to all; picks an algorithm",
     allreduce},
    {"alltoall", WEFT_ALL_TO_ALL, "a block from every node to every other; picks an algorithm",
     pick_all_to_all},
    {"barrier", WEFT_BARRIER, "no node leaves before all have entered; picks an algorithm",
     barrier},
    {"broadcast", WEFT_BROADCAST, "the root's array to all; picks an algorithm", broadcast},
    {"reduce", WEFT_REDUCE, "the reduction of all arrays to the root; picks an algorithm", reduce},
    {"reduce_scatter", WEFT_REDUCE_SCATTER,
     "the reduction of every member's block to that member; picks an algorithm", reduce_scatter},
};

}  // namespace

std::span<const Picker> pickers() {
  return kPickers;
}

std::string pick(const Picker& picker, Config& config, const Given& given) {
  Config probe = config;
  probe.nic.controllers = 1;
  const std::string name = picker.pick(config, build_graph(probe), given);
  // Between boards the widest dimension first.
  if (name.ends_with("_nested")) config.workload.array.order = BoardOrder::kBandwidth;
  return name;
}

}  // namespace weft
