// Estimates and limits of algorithms by messages, measured: scripts/figures/README.md.
#include "sim/workload/message_picker.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "sim/workload/direct_time.hpp"

namespace weft {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

// Whether the messages of a ring of all members, in the order of their numbers or in both orders,
// have every link for themselves.
bool ring_is_alone(const Graph& network, bool both_ways) {
  const Boards boards(network);
  const std::uint32_t members = boards.members();
  std::vector<bool> taken(network.links.size());
  bool alone = true;
  const auto walk = [&](std::uint32_t from, std::uint32_t to) {
    network.walk(boards.rank(from), boards.rank(to), [&](std::uint32_t link) {
      // With one send controller both orders share the links of the interface.
      alone &= !taken[link] || (both_ways && !network.between_switches(network.links[link]));
      taken[link] = true;
    });
  };
  for (std::uint32_t m = 0; m < members; ++m) {
    walk(m, (m + 1) % members);
    if (both_ways) walk((m + 1) % members, m);
  }
  return alone;
}

// What the estimates depend on.
struct Work {
  double flits = 0, members = 1;
  bool rv32 = false;
  // Flits that every member must send.
  double sent() const { return 2 * flits * (members - 1) / members; }
};

// allreduce_rings on a torus whose dimensions stream, allreduce_lines on such a mesh.
double streamed(const Config& config, const Graph& network, const Work& work) {
  const StreamedDims ways(network);
  if (!streams(config, network) || ways.dims == 0) return kNever;
  if (network.rings == low_mask(network.dims.size())) {
    const double data = 1.03 * work.sent() / (2 * ways.dims);
    return work.rv32 ? std::max(data, 1.0 * ways.steps * WEFT_RING_STEP_CYCLES(1, ways.dims))
                     : data + 24 * ways.steps;
  }
  if (network.rings != 0 || work.rv32) return kNever;
  return 1.63 * work.flits / ways.dims + 25 * ways.steps + 100;
}

// allreduce_rings elsewhere: one ring of all members.
double one_ring(const Graph& network, const Work& work) {
  const double steps = 2 * (work.members - 1);
  if (!ring_is_alone(network, false)) return kNever;
  if (!work.rv32) return 1.01 * work.sent() + 20 * steps;
  const double messages = std::min(4.0, work.flits / work.members / 8);
  return std::max(work.sent() + 1500, steps * (300 + 60 * messages));
}

// allreduce_swing on a ring of both directions.
double swing(const Graph& network, const Work& work) {
  const auto members = static_cast<std::uint32_t>(work.members);
  // Interfaces of crossbars and stages have one link, which both directions would share.
  if (work.rv32 || !network.has_routers() || network.staged || !std::has_single_bit(members) ||
      members < 4 || !ring_is_alone(network, true)) {
    return kNever;
  }
  double share = 0, part = 0.25, distance = 1, steps = 0;
  for (std::uint32_t span = 1; span < members; span *= 2, ++steps) {
    share += part * std::abs(distance);
    part /= 2;
    distance = 1 - 2 * distance;
  }
  return 2 * share * 1.08 * work.flits + 60 * 2 * steps;
}

// allreduce_rabenseifner, on any network.
double by_pairs(const Work& work) {
  const int steps = std::bit_width(static_cast<std::uint32_t>(work.members) - 1);
  return work.rv32 ? 820 * steps + std::min(8 * work.flits, 2000 + 3.8 * work.flits)
                   : 110 * steps + 1.2 * work.sent();
}

// On boards: arrays from which on rings of all dimensions are faster than halving and doubling.
constexpr std::uint32_t kRingFlits = 1 << 14;

const char* between_boards(Config& config, const Graph& network) {
  const Boards boards(network);
  if (boards_stream(config, network)) return "allreduce_boards";
  const bool longer = std::ranges::any_of(boards.dims, [](std::uint32_t size) { return size > 2; });
  if (!halves(boards) || (longer && config.workload.array.flits() >= kRingFlits)) {
    return "allreduce_bucket";
  }
  config.workload.array.order = "bandwidth";
  return "allreduce_nested";
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
         config.nic.in_order.value_or(true) && config.barrier == "hardware";
}

StreamedDims::StreamedDims(const Graph& network) {
  for (const std::uint32_t size : network.dims) {
    dims += size > 1;
    steps += 2 * (size - 1);
  }
}

bool boards_stream(const Config& config, const Graph& network) {
  const Boards boards(network);
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

std::uint64_t ring_cycles(const Config& config, const Graph& network) {
  const std::uint64_t members = Boards(network).members(), flits = config.workload.array.flits();
  if (config.processor == "rv32" || !ring_is_alone(network, false)) {
    return std::numeric_limits<std::uint64_t>::max();
  }
  const std::uint32_t step_cycles = network.has_routers() ? 70 : 120;
  return flits - flits / members + flits / 32 + step_cycles * (members - 1);
}

const char* allreduce_by_messages(Config& config, const Graph& network) {
  if (network.aggregators != 0) return between_boards(config, network);
  const Work work = {.flits = static_cast<double>(config.workload.array.flits()),
                     .members = static_cast<double>(network.nodes),
                     .rv32 = config.processor == "rv32"};
  const bool torus = network.rings == low_mask(network.dims.size());
  const bool hardware = config.barrier == "hardware";
  const std::pair<double, const char*> ways[] = {
      {streamed(config, network, work), torus ? "allreduce_rings" : "allreduce_lines"},
      {hardware ? one_ring(network, work) : kNever, "allreduce_rings"},
      {swing(network, work), "allreduce_swing"},
      {by_pairs(work), "allreduce_rabenseifner"},
  };
  const auto& [cycles, fastest] = *std::ranges::min_element(ways);
  const auto limit = static_cast<std::uint64_t>(cycles) + 1;
  const char* const direct = "allreduce_direct";
  return direct_cycles(config, network, direct, limit) < limit ? direct : fastest;
}

}  // namespace weft
