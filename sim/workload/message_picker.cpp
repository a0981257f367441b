// Estimates and limits of algorithms by messages, measured: scripts/figures/README.md.
#include "sim/workload/message_picker.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>
#include <vector>

#include "sim/topology/topology.hpp"
#include "sim/workload/direct_time.hpp"
#include "sim/workload/message_time.hpp"

namespace weft {
namespace {

// Whether the messages of a ring of all members, in the order of their numbers, share no link.
bool ring_is_alone(const Graph& network) {
  const Boards boards(network);
  const std::uint32_t members = boards.members();
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

// Inputs of the estimates.
struct Work {
  double flits = 0, members = 1;
  bool rv32 = false;
  // Flits that every member must send.
  double sent() const { return 2 * flits * (members - 1) / members; }
};

// Cycles of allreduce_rings on a torus whose dimensions stream, or of allreduce_lines on such a
// mesh.
double streamed(const Config& config, const Graph& network, const Work& work) {
  const StreamedDims ways(network);
  if (!streams(config, network) || ways.dims == 0) return kNever;
  const double share = credit_share(network), registers = most_registers(network);
  if (network.rings == low_mask(network.dims.size())) {
    const double data = 1.03 * share * work.sent() / (2 * ways.dims);
    const double cycles =
        work.rv32 ? std::max(data, 1.0 * ways.steps * WEFT_RING_STEP_CYCLES(1, ways.dims))
                  : data + (24 + registers) * ways.steps;
    return cycles + barrier_cycles(config, network, ways.dims);
  }
  if (network.rings != 0 || work.rv32) return kNever;
  return 1.63 * share * work.flits / ways.dims + (25 + registers) * ways.steps + 100 +
         barrier_cycles(config, network, 2 * ways.dims - (ways.dims > 1));
}

// Cycles of allreduce_rings elsewhere: one ring of all members.
double one_ring(const Config& config, const Graph& network, const Work& work) {
  const double steps = 2 * (work.members - 1);
  if (!network.keeps_order() || !config.nic.in_order.value_or(true)) {
    MessageTime rounds(config, "allreduce_rings");
    return rounds.ring(true) + rounds.ring(false);
  }
  if (!ring_is_alone(network)) return kNever;
  const double barrier = barrier_cycles(config, network, 1);
  const double sent = credit_share(network) * work.sent(), registers = most_registers(network);
  if (!work.rv32 && network.aggregators != 0) {
    return std::max((65 + registers) * steps + std::min(sent, 450.0), 1.15 * sent + 170) + barrier;
  }
  if (!work.rv32) {
    const double stages = network.has_routers() ? 0 : 200;
    return std::max((20 + registers) * steps + 20 + std::min(sent, 450.0), 1.01 * sent + 170) +
           stages + barrier;
  }
  const double messages = std::min(4.0, work.flits / work.members / 8);
  return std::max(sent + 1500, steps * (300 + 60 * messages)) + barrier;
}

// Cycles as a limit, in whole numbers.
std::uint64_t whole(double cycles) {
  constexpr double kMost = 1e18;
  return static_cast<std::uint64_t>(std::min(cycles, kMost)) + 1;
}

// On boards: shortest arrays for which rings of all dimensions are faster than halving and
// doubling.
constexpr std::uint32_t kRingFlits = 1 << 14;

constexpr bool above_one(std::uint32_t size) {
  return size > 1;
}

// Whether allreduce_boards reaches full speed.
bool streams_of_boards(const Config& config, const Graph& network) {
  const Boards boards(network);
  const auto planes = std::ranges::count_if(boards.dims.begin() + 1, boards.dims.end(), above_one);
  const std::uint32_t w = boards.dims[0];
  const unsigned controllers = config.nic.controllers;  // 0: "auto"
  return config.processor != ProcessorKind::kRv32 && boards.mains == 8 && boards.aggregators == 4 &&
         planes <= 2 && (w % 2 == 0 || w == 1) && network.keeps_order() &&
         config.nic.in_order.value_or(true) &&
         (controllers == 0 || controllers >= 4 + 2 * planes) &&
         config.workload.array.op != ReduceOp::kMean;
}

// The better of a choice and an algorithm with all pairs at once.
Choice or_direct(const Config& config, const Graph& network, Choice others) {
  const char* const direct = "allreduce_direct";
  const std::uint64_t cycles = direct_cycles(config, network, direct, whole(others.cycles));
  return std::min(others, Choice{static_cast<double>(cycles), direct});
}

Choice between_boards(const Config& config, const Graph& network, const Choice& other) {
  const Boards boards(network);
  const double flits = config.workload.array.flits();
  // RV32 processors need too many instructions for the messages between boards: 296,620 cycles on
  // 4x2x1x4 at 256 KiB, compared with 32,900 for the combining tree.
  const char* const pairs = "allreduce_rabenseifner";
  const Choice by_pairs = {MessageTime(config, pairs).rabenseifner(), pairs};
  if (config.processor == ProcessorKind::kRv32)
    return or_direct(config, network, std::min(other, by_pairs));
  const bool longer = std::ranges::any_of(boards.dims, [](std::uint32_t size) { return size > 2; });
  const bool rounds = !halves(boards) || (longer && flits >= kRingFlits);
  const auto planes = std::ranges::count_if(boards.dims.begin() + 1, boards.dims.end(), above_one);
  double legs = (planes != 0 ? 550 : 300) + (planes > 1 ? 0.45 : 0.63) * flits;
  for (const std::uint32_t size : boards.dims) legs += 85 * (size - 1);
  const Work work = {.flits = flits, .members = static_cast<double>(boards.members())};
  const Choice ways[] = {
      {nested_cycles(boards, flits), rounds ? "allreduce_bucket" : "allreduce_nested"},
      {streams_of_boards(config, network) ? legs : kNever, "allreduce_boards"},
      {one_ring(config, network, work), "allreduce_rings"},
      by_pairs,
  };
  return or_direct(config, network, std::min(other, std::ranges::min(ways, {}, &Choice::cycles)));
}

}  // namespace

bool halves(const Boards& boards) {
  return boards.aggregators != 0 && std::ranges::all_of(boards.dims, [](std::uint32_t size) {
           return std::has_single_bit(size);
         });
}

bool streams(const Config& config, const Graph& network) {
  const auto dims = static_cast<unsigned>(network.dims.size());
  const unsigned controllers = config.nic.controllers;  // 0: "auto"
  return network.in_dimension_order() && 2 * dims <= kMostControllers &&
         (controllers == 0 || controllers == 2 * dims) && network.keeps_order() &&
         config.nic.in_order.value_or(true);
}

StreamedDims::StreamedDims(const Graph& network) {
  for (const std::uint32_t size : network.dims) {
    dims += size > 1;
    steps += 2 * (size - 1);
  }
}

bool boards_stream(const Config& config, const Graph& network) {
  return streams_of_boards(config, network) &&
         config.workload.array.flits() > WEFT_BOARD_STREAM_CYCLES;
}

double nested_cycles(const Boards& boards, double flits) {
  // By the aggregation units of a board, each of which has its own links to other boards.
  const double flit = boards.aggregators >= 4 ? 0.72
                      : boards.aggregators >= 2
                          ? (*std::ranges::max_element(boards.dims) > 2 ? 1.8 : 1.4)
                      : boards.mains > 1 ? 2.9
                                         : 3.6;
  return 350 + 85 * std::log2(boards.count) + flit * flits;
}

Choice allreduce_by_messages(const Config& config, const Graph& network, const Choice& other) {
  if (network.aggregators != 0) return between_boards(config, network, other);
  const Work work = {.flits = static_cast<double>(config.workload.array.flits()),
                     .members = static_cast<double>(network.nodes),
                     .rv32 = config.processor == ProcessorKind::kRv32};
  const bool torus = network.rings == low_mask(network.dims.size());
  const char *const pairs = "allreduce_rabenseifner",
                    *const doubling = "allreduce_recursive_doubling",
                    *const swing = "allreduce_swing";
  const Choice ways[] = {
      {streamed(config, network, work), torus ? "allreduce_rings" : "allreduce_lines"},
      {one_ring(config, network, work), "allreduce_rings"},
      {MessageTime(config, swing).swing(), swing},
      {MessageTime(config, pairs).rabenseifner(), pairs},
      {MessageTime(config, doubling).doubling(), doubling},
  };
  return or_direct(config, network, std::min(other, std::ranges::min(ways, {}, &Choice::cycles)));
}

}  // namespace weft
