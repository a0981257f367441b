// Pickers. Their limits are measured: scripts/figures/README.md.
#include "sim/workload/pickers.hpp"

#include <algorithm>
#include <bit>
#include <vector>

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

// Whether the streams of a torus or a mesh (allreduce_tree_links) save
// the combining tree a part of the array that is worth their steps, each of which costs some
// cycles, and instructions of an RV32 processor, the more the more streams it serves at the same
// time.
bool dimensions_stream(const Config& config, const Graph& network) {
  const Ways ways(network);
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

// The same of main units' streams over all of their links (allreduce_boards).
bool boards_stream(const Config& config, const Graph& network, const Boards& boards) {
  const auto planes = std::ranges::count_if(boards.dims.begin() + 1, boards.dims.end(),
                                            [](std::uint32_t size) { return size > 1; });
  const std::uint32_t w = boards.dims[0];
  const unsigned controllers = config.nic.controllers;  // 0: "auto"
  return config.processor != "rv32" && boards.mains == 8 && boards.aggregators == 4 &&
         planes <= 2 && (w % 2 == 0 || w == 1) && network.keeps_order() &&
         config.nic.in_order.value_or(true) && config.barrier == "hardware" &&
         (controllers == 0 || controllers >= 4 + 2 * planes) &&
         config.workload.array.op != ReduceOp::kMean &&
         config.workload.array.flits() > WEFT_BOARD_STREAM_CYCLES;
}

// By the combining tree, with long arrays also over the links at the same time where the network
// has streams. On other boards with long arrays: rings in all dimensions if a size is not a power
// of two, and for the longest if a size is above 2: they use the links of all dimensions at once;
// otherwise nested halving and doubling, the widest dimension first. RV32 processors need too many
// instructions for the messages between boards: 296,620 cycles on 4x2x1x4 at 256 KiB, the tree
// 32,900.
const char* allreduce(Config& config, const Graph& network, const Given& /*given*/) {
  const Boards boards(network);
  const std::uint32_t flits = config.workload.array.flits();
  const bool on_boards = boards.aggregators != 0;
  if (on_boards ? boards_stream(config, network, boards) : dimensions_stream(config, network)) {
    return "allreduce_tree_links";
  }
  if (!on_boards || flits < kBoardFlits || config.processor == "rv32") return "allreduce_tree";
  const bool longer = std::ranges::any_of(boards.dims, [](std::uint32_t size) { return size > 2; });
  if (!halves(boards) || (longer && flits >= kRingFlits)) return "allreduce_bucket";
  config.workload.array.order = "bandwidth";
  return "allreduce_nested";
}

// Whether a ring of all members, which sends all blocks but one, is faster than the combining tree,
// which carries the whole array: a step costs some cycles, messages have headers, and both are too
// much for RV32 processors. No link may carry messages of several members.
bool ring_is_faster(const Config& config, const Graph& network) {
  const Boards boards(network);
  const std::uint32_t members = boards.members(), flits = config.workload.array.flits();
  const std::uint32_t step_cycles = network.has_routers() ? 70 : 120;
  if (config.processor == "rv32" || flits / members <= flits / 32 + step_cycles * (members - 1)) {
    return false;
  }
  std::vector<bool> taken(network.links.size());
  bool alone = true;
  for (std::uint32_t m = 0; m < members; ++m) {
    network.walk(boards.rank(m), boards.rank((m + 1) % members), [&](std::uint32_t link) {
      alone &= !taken[link];
      taken[link] = true;
    });
  }
  return alone;
}

const char* reduce_scatter(Config& config, const Graph& network, const Given& /*given*/) {
  return ring_is_faster(config, network) ? "reduce_scatter_ring" : "reduce_scatter_tree";
}

const char* allgather(Config& config, const Graph& network, const Given& /*given*/) {
  return ring_is_faster(config, network) ? "allgather_ring" : "allgather_tree";
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
