// Pickers. Their limits are measured: scripts/figures/README.md.
#include "sim/workload/pickers.hpp"

#include <algorithm>
#include <bit>

#include "sim/workload/boards.hpp"

namespace weft {
namespace {

// Arrays up to so many flits are short: fewer steps count more than fewer flits.
constexpr std::uint32_t kShortFlits = 64;
// On boards: flits for each main unit below which a slot on the board costs more time than it
// saves; arrays from which on rings of all dimensions are faster than halving and doubling.
constexpr std::uint32_t kSlotFlits = 8, kRingFlits = 1 << 14;

bool halves(const Boards& boards) {
  return boards.aggregators != 0 && std::ranges::all_of(boards.dims, [](std::uint32_t size) {
           return std::has_single_bit(size);
         });
}

// On boards: rings in all dimensions if a size is not a power of two, and for long arrays if a size
// is above 2: they use the links of all dimensions at once. Pairs of main units for short arrays.
// Otherwise nested halving and doubling, the widest dimension first.
const char* allreduce_on_boards(Config& config, const Boards& boards) {
  const std::uint32_t flits = config.workload.array.flits();
  const bool longer = std::ranges::any_of(boards.dims, [](std::uint32_t size) { return size > 2; });
  if (!halves(boards) || (longer && flits >= kRingFlits)) return "allreduce_bucket";
  if (flits < kSlotFlits * boards.mains) return "allreduce_rabenseifner";
  config.workload.array.order = "bandwidth";
  return "allreduce_nested";
}

const char* allreduce(Config& config, const Graph& network) {
  const Boards boards(network);
  if (boards.aggregators != 0) return allreduce_on_boards(config, boards);
  const std::uint32_t flits = config.workload.array.flits();
  if (flits <= kShortFlits) return "allreduce_recursive_doubling";
  return flits < 16 * boards.members() ? "allreduce_rabenseifner" : "allreduce_ring";
}

const char* reduce_scatter(Config& /*config*/, const Graph& /*network*/) {
  return "reduce_scatter_ring";
}

const char* allgather(Config& /*config*/, const Graph& /*network*/) {
  return "allgather_ring";
}

const char* broadcast(Config& config, const Graph& network) {
  const Boards boards(network);
  if (halves(boards)) return "broadcast_nested";
  return config.workload.array.flits() < 16 * boards.members() ? "broadcast_binomial"
                                                               : "broadcast_scatter";
}

const char* reduce(Config& config, const Graph& network) {
  const Boards boards(network);
  if (halves(boards)) return "reduce_nested";
  return config.workload.array.flits() < 16 * boards.members() ? "reduce_binomial"
                                                               : "reduce_gather";
}

constexpr Picker kPickers[] = {
    {"allgather", WEFT_ALLGATHER, "every member's block to all; picks an algorithm", allgather},
    {"allreduce", WEFT_ALLREDUCE, "the reduction of all arrays to all; picks an algorithm",
     allreduce},
    {"broadcast", WEFT_BROADCAST, "the root's array to all; picks an algorithm", broadcast},
    {"reduce", WEFT_REDUCE, "the reduction of all arrays to the root; picks an algorithm", reduce},
    {"reduce_scatter", WEFT_REDUCE_SCATTER,
     "the reduction of every member's block to that member; picks an algorithm", reduce_scatter},
};

}  // namespace

std::span<const Picker> pickers() {
  return kPickers;
}

std::string pick(const Picker& picker, Config& config) {
  Config probe = config;
  probe.nic.controllers = 1;
  return picker.pick(config, build_graph(probe));
}

}  // namespace weft
