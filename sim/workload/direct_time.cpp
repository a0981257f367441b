// Estimated time of the collectives that use all pairs at once: for each stage the time of the
// busiest link, found by following all messages, and what the stage takes besides.
#include "sim/workload/direct_time.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "sim/topology/topology.hpp"
#include "sim/workload/boards.hpp"
#include "sim/workload/collective.hpp"
#include "sim/workload/message_time.hpp"

namespace weft {
namespace {

// Measured (scripts/figures/README.md). kStart, kStage: cycles of a run and of a stage beside those
// of its data. kReduced: cycles of a word that is reduced after another word of its address; at the
// end few such words wait (kMostReduced). kShortMessage: cycles of any message at a send
// controller. kOverBusiest: links between routers are not quite busy if several nodes use them, and
// less so on long rings: kOverLongRing more for each doubling of a ring's size above kLongRing.
constexpr double kStart = 30, kStage = 20, kReduced = 7, kShortMessage = 3.5, kOverBusiest = 1.1;
constexpr double kMostReduced = 4, kOverLongRing = 0.45, kLongRing = 4;
// On boards, links on paths over more than kBoardHops links carry less for each further one.
constexpr double kOverBoardHop = 0.3, kBoardHops = 4;
// Instructions of an RV32 processor: for a stage; for each part of the array in it; for a receiver,
// and more for each dimension of addresses above 2; for a message.
constexpr double kStageProgram = 413, kPartProgram = 89, kReceiver = 195, kFurtherDim = 40,
                 kMessage = 42;
// Instructions where the blocks of members are sent or received separately: for a receiver; for a
// block; more for each further part of the array.
constexpr double kScatterReceiver = 77, kScatteredBlock = 180, kGatherReceiver = 151,
                 kGatheredBlock = 220, kFurtherBlockPart = 25;
constexpr double kLeastMessage = 8;  // Flits: WEFT_LEAST_MESSAGE of weft_pieces.h.
constexpr std::uint64_t kMostWalks = 1 << 21;

struct Dimension {
  std::uint32_t size = 1, step = 1;  // `step`: in member numbers.
};

// The dimensions that weft_find_direct finds, and which of them take turns.
struct Stages {
  explicit Stages(const Boards& boards) {
    std::uint32_t step = 1;
    if (boards.aggregators != 0) {
      add({boards.members(), 1});
      return;
    }
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

  // Steps of the dimensions of a stage; stages of an allgather follow in reverse order.
  std::vector<std::uint32_t> steps(std::size_t number) const {
    const std::size_t s = number < dims.size() ? number : 2 * dims.size() - 1 - number;
    std::vector<std::uint32_t> all;
    for (std::size_t q = 0; q < parts(); ++q) all.push_back(at(q, s).step);
    std::ranges::sort(all);
    return all;
  }
  // Number of barriers by messages (weft_run_direct); `empty`: members may have nothing to send in
  // a stage.
  unsigned barriers(weft_kind kind, bool empty) const {
    const std::size_t stages = dims.size();
    const std::size_t begin = kind == WEFT_ALLGATHER ? stages : 0;
    const std::size_t end = kind == WEFT_REDUCE_SCATTER ? stages : 2 * stages;
    unsigned count = kind == WEFT_ALLGATHER ? 0 : 1;
    bool gathers = false;
    for (std::size_t n = begin + 2; n < end; ++n) {
      const bool waits = empty || !std::ranges::includes(steps(n - 1), steps(n));
      count += waits;
      gathers |= waits && n > stages;
    }
    return count + (gathers && begin == 0);
  }

  std::vector<Dimension> dims;
  std::size_t first = 0, linked = 0;
};

}  // namespace

std::uint64_t direct_cycles(const Config& config, const Graph& network, const char* algorithm,
                            std::uint64_t limit) {
  constexpr auto kNoCycles = std::numeric_limits<std::uint64_t>::max();
  if (!network.failures.component.empty()) return kNoCycles;
  const weft_collective& collective = find_collective(algorithm);
  const double passes = collective.kind == WEFT_ALLREDUCE ? 2 : 1;
  const double reduced = collective.kind == WEFT_ALLGATHER ? 0 : kReduced;
  const bool blocks = collective.kind != WEFT_ALLREDUCE;
  const bool rv32 = config.processor == ProcessorKind::kRv32;
  const Boards boards(network);
  const Stages stages(boards);
  const std::uint32_t members = boards.members();
  std::uint64_t receivers_of_all = 0;
  const bool empty = config.workload.array.flits() < members * stages.parts();
  double cycles = kStart + barrier_cycles(config, network, stages.barriers(collective.kind, empty));
  for (const Dimension& dim : stages.dims) {
    receivers_of_all += std::uint64_t{members} * (dim.size - 1) * stages.parts();
    cycles += passes * kStage;
  }
  if (cycles >= static_cast<double>(limit)) return kNoCycles;
  const Config own = with_algorithm(config, collective);
  if (receivers_of_all * own.nic.controllers > kMostWalks) return kNoCycles;
  const Graph graph = build_graph(own);
  const std::uint32_t links = graph.nic_links;

  const double flits = config.workload.array.flits();
  const auto parts = static_cast<double>(stages.parts());
  // Whether lines of members may be rings: then half of their links are the longest path.
  const bool round = graph.has_routers() && !graph.staged && graph.aggregators == 0;
  const double further_dims = std::max(0.0, static_cast<double>(network.dims.size()) - 2);
  std::vector<double> shares(stages.parts(), 1 / parts);
  for (std::size_t s = 0; s < stages.dims.size(); ++s) {
    std::vector<double> load(graph.links.size());
    double receivers = 0, in_line = 0, hops = 0;
    double pieces = 0;  // Pieces of all receivers: the blocks of the members behind these are
                        // separate.
    for (std::size_t q = 0; q < stages.parts(); ++q) {
      const Dimension& dim = stages.at(q, s);
      shares[q] /= dim.size;
      receivers += dim.size - 1;
      pieces += blocks ? (dim.size - 1) * std::round(shares[q] * parts * members) : dim.size - 1;
      in_line = std::max<double>(in_line, dim.size - 1);
      for (std::uint32_t from = 0; from < members; ++from) {
        const std::uint32_t base = from - from / dim.step % dim.size * dim.step;
        for (std::uint32_t c = 0; c < dim.size; ++c) {
          const std::uint32_t to = base + c * dim.step;
          for (std::uint32_t i = 0; to != from && i < links; ++i) {
            double away = 0;
            graph.walk(
                boards.rank(from), boards.rank(to),
                [&](std::uint32_t link) {
                  load[link] += shares[q] / links;
                  away += graph.between_switches(graph.links[link]);
                },
                i);
            hops = std::max(hops, away);
          }
        }
      }
    }
    double length = kLeastMessage;
    while (length * length < 4 * flits * shares[0]) length *= 2;
    length = std::min<double>(length, config.nic.packet_flits);
    // Pieces over the busiest link, each message with a header, even without data.
    const double piece = flits * shares[0] * receivers / pieces;
    const double on_busiest = *std::ranges::max_element(load) * credit_share(graph) * flits / piece;
    double over = kOverBusiest;
    if (round && hops > kLongRing / 2 && 2 * hops <= in_line + 1) {
      over += kOverLongRing * std::log2((in_line + 1) / kLongRing);
    }
    double stage = on_busiest * (piece * over + std::max(1.0, piece / length));
    if (graph.aggregators != 0) stage *= 1 + kOverBoardHop * std::max(0.0, hops - kBoardHops);
    const double messages = pieces * std::max(1.0, piece / length);
    double program = kShortMessage * messages / links;
    if (rv32 && blocks) {
      const bool gathers = collective.kind == WEFT_ALLGATHER;
      program = kStageProgram + kPartProgram * parts +
                (gathers ? kGatherReceiver : kScatterReceiver) * receivers +
                ((gathers ? kGatheredBlock : kScatteredBlock) + kFurtherBlockPart * (parts - 1)) *
                    pieces +
                kMessage * (messages - pieces);
    } else if (rv32) {
      program = kStageProgram + kPartProgram * parts +
                (kReceiver + kFurtherDim * further_dims) * receivers + kMessage * messages;
    }
    stage = std::max(stage, program);
    cycles += passes * (stage + std::min(length, flits * shares[0])) +
              reduced * std::min(in_line, kMostReduced);
  }
  return static_cast<std::uint64_t>(cycles);
}

}  // namespace weft
