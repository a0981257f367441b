// A barrier: the work of the nodes before it, the check of when they leave, and the bound.
#include "sim/workload/barrier_work.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "sim/fabric/unit_tree.hpp"
#include "sw/include/weft_hal.h"

namespace weft {
namespace {

// Flits of the send area and of the receive window: messages have no body.
constexpr std::uint64_t kAreaFlits = 1;
constexpr std::uint64_t kLastNode = 0xFFFFFFFF;  // Replaces a rank in the random draw.

}  // namespace

BarrierWork::BarrierWork(const Config& config, const Graph& graph)
    : config_(config), graph_(graph) {
  layout_ = place_areas(kAreaFlits, kAreaFlits, graph.header, config.source);
}

std::uint32_t BarrierWork::work_cycles(std::uint32_t rank) const {
  const auto draw = [&](std::uint64_t number, std::uint64_t below) {
    return static_cast<std::uint32_t>(mix64(mix64(config_.seed) + number) % below);
  };
  const std::uint32_t spread = config_.workload.spread;
  return draw(kLastNode, graph_.nodes) == rank ? spread : draw(rank, spread);
}

std::vector<std::string> BarrierWork::wrong_with(const std::vector<BarrierNode>& nodes) const {
  std::vector<std::string> wrong;
  const auto entry = [&](std::uint32_t n) { return nodes[n].start + work_cycles(n); };
  std::uint32_t last = 0;
  for (std::uint32_t n = 0; n < graph_.nodes; ++n) {
    if (entry(n) > entry(last)) last = n;
  }
  for (std::uint32_t n = 0; n < graph_.nodes; ++n) {
    if (nodes[n].first_act.value_or(entry(n)) < entry(n)) {
      wrong.push_back(fmt::format("node {} took part in cycle {}, before its work was done in {}",
                                  n, *nodes[n].first_act, entry(n)));
    } else if (nodes[n].end < entry(last)) {
      wrong.push_back(fmt::format("node {} left in cycle {}, before node {} could enter in {}", n,
                                  nodes[n].end, last, entry(last)));
    }
  }
  return wrong;
}

std::string BarrierWork::times_of(const std::vector<BarrierNode>& nodes) const {
  std::uint64_t first = UINT64_MAX, last = 0, least = UINT64_MAX, most = 0;
  for (std::uint32_t n = 0; n < graph_.nodes; ++n) {
    first = std::min(first, nodes[n].start + work_cycles(n));
    last = std::max(last, nodes[n].start + work_cycles(n));
    least = std::min(least, nodes[n].end);
    most = std::max(most, nodes[n].end);
  }
  return fmt::format("{} nodes could enter in cycles {} to {}, and left in {} to {}", graph_.nodes,
                     first, last, least, most);
}

void BarrierWork::fill(std::uint32_t rank, Memory& memory) const {
  const weft_barrier_job job = {.work_cycles = work_cycles(rank)};
  std::memcpy(memory.data() + WEFT_ARRAY_JOB_BASE, &job, sizeof job);
}

Bound BarrierWork::bound() const {
  std::vector<std::uint64_t> entries(graph_.nodes);
  for (std::uint32_t n = 0; n < graph_.nodes; ++n) entries[n] = work_cycles(n);
  const bool units = config_.derived.barrier_units;
  return barrier_bound(graph_, entries,
                       units ? UnitTree(graph_).depths() : std::vector<unsigned>());
}

}  // namespace weft
