// Pickers. Their limits are measured: scripts/figures/README.md.
#include "sim/workload/pickers.hpp"

#include <algorithm>
#include <bit>

#include "sim/workload/all_to_all_picker.hpp"
#include "sim/workload/boards.hpp"

namespace weft {
namespace {

// On boards: arrays of fewer flits are reduced sooner by the combining tree, which carries a word a
// cycle, than over the links of all dimensions; arrays from which on rings of all dimensions are
// faster than halving and doubling.
constexpr std::uint32_t kBoardFlits = 4096, kRingFlits = 1 << 14;

bool halves(const Boards& boards) {
  return boards.aggregators != 0 && std::ranges::all_of(boards.dims, [](std::uint32_t size) {
           return std::has_single_bit(size);
         });
}

// Whether messages between neighbours keep their order and each direction of every dimension has a
// controller of its own, as streams along all of them need.
bool streams(const Config& config, const Graph& network) {
  const auto dims = static_cast<unsigned>(network.dims.size());
  const unsigned controllers = config.nic.controllers;  // 0: "auto"
  return network.in_dimension_order() && 2 * dims <= kMostControllers &&
         (controllers == 0 || controllers == 2 * dims) && network.keeps_order() &&
         config.nic.in_order.value_or(true) && config.barrier == "hardware";
}

// The dimensions that have several nodes, and the steps of a message there and back along each.
struct Ways {
  explicit Ways(const Graph& network) {
    for (const std::uint32_t size : network.dims) {
      dims += size > 1;
      steps += 2 * (size - 1);
    }
  }
  std::uint32_t dims = 0, steps = 0;
};

// Whether the pipelined rings of a torus, which carry 1 / D of the array over each link, take less
// time than the combining tree, which carries all of it: each of their steps costs some cycles, and
// instructions of an RV32 processor, the more the more streams it serves at the same time.
bool rings_are_faster(const Config& config, const Graph& network) {
  const Ways ways(network);
  const bool all_rings = network.rings == low_mask(network.dims.size());
  if (!streams(config, network) || !all_rings || ways.dims < 2) return false;
  const std::uint32_t step_cycles = config.processor == "rv32" ? 550 * ways.dims * ways.dims : 20;
  const std::uint32_t flits = config.workload.array.flits();
  return flits - flits / ways.dims > step_cycles * ways.steps;
}

// The same of the lines of a mesh, of whose 2 D - 1 stages each carries 1 / 2 D of the array. RV32
// processors need too many instructions for their messages.
bool lines_are_faster(const Config& config, const Graph& network) {
  const Ways ways(network);
  if (!streams(config, network) || network.rings != 0 || ways.dims < 2) return false;
  const std::uint32_t step_cycles = 70;
  return config.processor != "rv32" &&
         config.workload.array.flits() / (2 * ways.dims) > step_cycles * ways.steps;
}

// By the combining tree, except for long arrays on tori and meshes, and on boards: rings in all
// dimensions if a size is not a power of two, and for the longest if a size is above 2: they use
// the links of all dimensions at once; otherwise nested halving and doubling, the widest dimension
// first. RV32 processors need too many instructions for the messages between boards: 296,620 cycles
// on 4x2x1x4 at 256 KiB, the tree 32,900.
const char* allreduce(Config& config, const Graph& network, const Given& /*given*/) {
  const Boards boards(network);
  const std::uint32_t flits = config.workload.array.flits();
  if (rings_are_faster(config, network)) return "allreduce_rings";
  if (boards.aggregators == 0 && lines_are_faster(config, network)) return "allreduce_lines";
  if (boards.aggregators == 0 || flits < kBoardFlits || config.processor == "rv32") {
    return "allreduce_tree";
  }
  const bool longer = std::ranges::any_of(boards.dims, [](std::uint32_t size) { return size > 2; });
  if (!halves(boards) || (longer && flits >= kRingFlits)) return "allreduce_bucket";
  config.workload.array.order = "bandwidth";
  return "allreduce_nested";
}

const char* reduce_scatter(Config& /*config*/, const Graph& /*network*/, const Given& /*given*/) {
  return "reduce_scatter_ring";
}

const char* allgather(Config& /*config*/, const Graph& /*network*/, const Given& /*given*/) {
  return "allgather_ring";
}

// Long arrays on boards go dimension by dimension, the widest first.
bool by_boards(Config& config, const Graph& network) {
  if (!halves(Boards(network)) || config.workload.array.flits() < kBoardFlits) return false;
  config.workload.array.order = "bandwidth";
  return true;
}

const char* broadcast(Config& config, const Graph& network, const Given& /*given*/) {
  return by_boards(config, network) ? "broadcast_nested" : "broadcast_tree";
}

const char* reduce(Config& config, const Graph& network, const Given& /*given*/) {
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
