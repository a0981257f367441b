// Pickers. Their limits are measured: scripts/figures/README.md.
#include "sim/workload/pickers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/fabric/combine_tree.hpp"
#include "sim/workload/all_to_all_picker.hpp"
#include "sim/workload/boards.hpp"
#include "sim/workload/direct_time.hpp"
#include "sim/workload/message_picker.hpp"
#include "sim/workload/message_time.hpp"

namespace weft {
namespace {

// On boards arrays of fewer flits are reduced sooner by the combining tree, which carries a word a
// cycle, than over the links of all dimensions.
constexpr std::uint32_t kBoardFlits = 4096;

// Whether the streams of a torus or a mesh (allreduce_tree_links) save
// the combining tree a part of the array that is worth their steps, each of which costs some
// cycles, and instructions of an RV32 processor, the more the more streams it serves at the same
// time.
bool dimensions_stream(const Config& config, const Graph& network) {
  const StreamedDims ways(network);
  const bool torus = network.rings == low_mask(network.dims.size());
  const bool rv32 = config.processor == "rv32";
  if (!streams(config, network) || ways.dims == 0 ||
      !(torus || (network.rings == 0 && !rv32 && network.aggregators == 0))) {
    return false;
  }
  const std::uint32_t step_cycles =
      torus ? WEFT_RING_STEP_CYCLES(rv32, ways.dims) : WEFT_LINE_STEP_CYCLES;
  return config.workload.array.flits() > step_cycles * ways.steps;
}

// Whether nodes have a combining tree.
bool combines(const Config& config) {
  return config.combining == "tree";
}

// Cycles of an array by the combining tree, up and down again: a word a cycle, or where its longest
// edge is longer than the words of a unit's buffer as many in the time of a credit.
std::uint64_t tree_cycles(const Config& config, const Graph& network) {
  if (!combines(config)) return std::numeric_limits<std::uint64_t>::max();
  const UnitTree tree(network);
  const unsigned words = combine_config(tree, 0, network.header).depth;
  const double word = std::max(1.0, static_cast<double>(full_rate_depth(tree)) / words);
  return static_cast<std::uint64_t>(word * config.workload.array.flits()) + 2 * tree.depth() +
         (config.processor == "rv32" ? 52 : 7);
}

// By the combining tree, with long arrays also over the links at the same time where the network
// has streams, or between all pairs at once where that is faster. On other boards with long arrays:
// rings in all dimensions if a size is not a power of two, and for the longest if a size is above
// 2: they use the links of all dimensions at once; otherwise nested halving and doubling, the
// widest dimension first. RV32 processors need too many instructions for the messages between
// boards: 296,620 cycles on 4x2x1x4 at 256 KiB, the tree 32,900.
const char* allreduce(Config& config, const Graph& network, const Given& /*given*/) {
  if (!combines(config)) return allreduce_by_messages(config, network);
  const Boards boards(network);
  const std::uint32_t flits = config.workload.array.flits();
  const bool on_boards = boards.aggregators != 0;
  if (on_boards ? boards_stream(config, network) : dimensions_stream(config, network)) {
    return "allreduce_tree_links";
  }
  if (!on_boards) {
    const char* const direct = "allreduce_direct";
    const std::uint64_t tree = tree_cycles(config, network);
    return direct_cycles(config, network, direct, tree) < tree ? direct : "allreduce_tree";
  }
  if (flits < kBoardFlits || config.processor == "rv32") return "allreduce_tree";
  return allreduce_by_messages(config, network);
}

// The fastest of three ways to give every member its block, or all blocks.
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

// Long arrays on boards go dimension by dimension, the widest first, where instructions take no
// time.
bool by_boards(Config& config, const Graph& network) {
  if (!halves(Boards(network)) || config.workload.array.flits() < kBoardFlits ||
      config.processor == "rv32") {
    return false;
  }
  config.workload.array.order = "bandwidth";
  return true;
}

// From the root, or to it, without a combining tree: down a binomial tree, in blocks, or on boards
// between these. RV32 processors send short arrays between boards at the same cost as down a tree.
const char* rooted(Config& config, const Graph& network, bool reduces) {
  const Boards boards(network);
  const double flits = config.workload.array.flits();
  const char* const binomial = reduces ? "reduce_binomial" : "broadcast_binomial";
  const char* const by_block = reduces ? "reduce_gather" : "broadcast_scatter";
  const double by_tree = MessageTime(config, binomial).binomial(reduces);
  MessageTime blocks(config, by_block);
  const double by_blocks = reduces ? blocks.gather() : blocks.scatter();
  if (halves(boards)) {
    const bool rv32 = config.processor == "rv32";
    double nested = nested_cycles(boards, flits);
    if (!reduces && rv32) nested = (6000 + 8 * flits) * (0.9 + 0.1 * std::log2(boards.count));
    if (!reduces && !rv32) nested = 0.7 * flits;
    if ((!rv32 || !reduces) && nested < std::min(by_tree, by_blocks)) {
      config.workload.array.order = "bandwidth";
      return reduces ? "reduce_nested" : "broadcast_nested";
    }
  }
  return by_tree <= by_blocks ? binomial : by_block;
}

const char* broadcast(Config& config, const Graph& network, const Given& /*given*/) {
  if (!combines(config)) return rooted(config, network, false);
  return by_boards(config, network) ? "broadcast_nested" : "broadcast_tree";
}

const char* reduce(Config& config, const Graph& network, const Given& /*given*/) {
  if (!combines(config)) return rooted(config, network, true);
  return by_boards(config, network) ? "reduce_nested" : "reduce_tree";
}

const char* barrier(Config& config, const Graph& /*network*/, const Given& /*given*/) {
  return config.barrier == "hardware" ? "barrier_tree" : "barrier_dissemination";
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
  return picker.pick(config, build_graph(probe), given);
}

}  // namespace weft
