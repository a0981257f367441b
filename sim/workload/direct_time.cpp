// Estimated time of the collectives between all pairs at once: in every stage that of the busiest
// link, which is found by following all messages, and what a stage takes beside it.
#include "sim/workload/direct_time.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "sim/topology/graph.hpp"
#include "sim/workload/boards.hpp"
#include "sim/workload/collective.hpp"

namespace weft {
namespace {

// Measured (scripts/figures/README.md). Cycles of a run and of a stage beside those of its data; of
// a word that is reduced after another one of its address; instructions of an RV32 processor for a
// receiver and for a message; of a message at a send controller, however short. Links between
// routers are not quite busy where several nodes use them.
constexpr double kStart = 30, kStage = 20, kReduced = 7, kReceiver = 300, kMessage = 42,
                 kShortMessage = 6.3, kOverBusiest = 1.1;
constexpr double kLeastMessage = 8;  // Flits: WEFT_LEAST_MESSAGE of weft_pieces.h.
constexpr std::uint64_t kMostWalks = 1 << 21;

struct Dimension {
  std::uint32_t size = 1, step = 1;  // Step: in member numbers.
};

// The dimensions that weft_find_direct finds, and which of them take turns.
struct Stages {
  explicit Stages(const Boards& boards) {
    std::uint32_t step = 1;
    for (std::size_t d = 0; d < boards.dims.size(); ++d) {
      const std::uint32_t size = boards.dims[d];
      if (d == 0 && boards.per_router > 1 && size % boards.per_router == 0) {
        add({boards.per_router, 1});
        add({size / boards.per_router, boards.per_router});
      } else {
        if (size > 1 && (boards.linked >> d & 1) != 0 &&
            (linked == 0 || first + linked == dims.size())) {
          if (linked == 0) first = dims.size();
          ++linked;
        }
        add({size, step});
      }
      step *= size;
    }
  }
  void add(Dimension dim) {
    if (dim.size > 1) dims.push_back(dim);
  }
  std::size_t parts() const { return std::max<std::size_t>(linked, 1); }
  const Dimension& at(std::size_t part, std::size_t stage) const {
    const bool turns = stage >= first && stage < first + linked;
    return dims[turns ? first + (stage - first + part) % linked : stage];
  }

  std::vector<Dimension> dims;
  std::size_t first = 0, linked = 0;
};

}  // namespace

std::uint64_t direct_cycles(const Config& config, const Graph& network, const char* algorithm,
                            std::uint64_t limit) {
  constexpr auto kNever = std::numeric_limits<std::uint64_t>::max();
  if (config.barrier != "hardware" || network.aggregators != 0 ||
      !network.failures.component.empty()) {
    return kNever;
  }
  const weft_collective& collective = find_collective(algorithm);
  const double passes = collective.kind == WEFT_ALLREDUCE ? 2 : 1;
  const double reduced = collective.kind == WEFT_ALLGATHER ? 0 : kReduced;
  const Stages stages{Boards(network)};
  const std::uint32_t nodes = network.nodes;
  std::uint64_t receivers_of_all = 0;
  double cycles = kStart;  // Without data.
  for (const Dimension& dim : stages.dims) {
    receivers_of_all += std::uint64_t{nodes} * (dim.size - 1) * stages.parts();
    cycles += passes * kStage;
  }
  if (cycles >= static_cast<double>(limit)) return kNever;
  const Config own = with_algorithm(config, collective);
  if (receivers_of_all * own.nic.controllers > kMostWalks) return kNever;
  const Graph graph = build_graph(own);
  const std::uint32_t links = graph.nic_links;

  const double flits = config.workload.array.flits();
  std::vector<double> shares(stages.parts(), 1.0 / static_cast<double>(stages.parts()));
  for (std::size_t s = 0; s < stages.dims.size(); ++s) {
    std::vector<double> load(graph.links.size());
    double receivers = 0, in_line = 0;
    for (std::size_t q = 0; q < stages.parts(); ++q) {
      const Dimension& dim = stages.at(q, s);
      shares[q] /= dim.size;
      receivers += dim.size - 1;
      in_line = std::max<double>(in_line, dim.size - 1);
      for (std::uint32_t from = 0; from < nodes; ++from) {
        const std::uint32_t base = from - from / dim.step % dim.size * dim.step;
        for (std::uint32_t c = 0; c < dim.size; ++c) {
          const std::uint32_t to = base + c * dim.step;
          for (std::uint32_t i = 0; to != from && i < links; ++i) {
            graph.walk(
                from, to, [&](std::uint32_t link) { load[link] += shares[q] / links; }, i);
          }
        }
      }
    }
    double length = kLeastMessage;
    while (length * length < 4 * flits * shares[0]) length *= 2;
    length = std::min<double>(length, config.nic.packet_flits);
    const double busiest = *std::ranges::max_element(load) * flits * (1 + 1 / length);
    double stage = busiest * kOverBusiest;
    const double messages = receivers * std::max(1.0, flits * shares[0] / length);
    stage = std::max(stage, config.processor == "rv32" ? kReceiver * receivers + kMessage * messages
                                                       : kShortMessage * messages / links);
    cycles += passes * (stage + std::min(length, flits * shares[0])) + reduced * in_line;
  }
  return static_cast<std::uint64_t>(cycles);
}

}  // namespace weft
