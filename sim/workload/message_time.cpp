// The constants are measured (scripts/figures/README.md): cycles of a step, and instructions of an
// RV32 processor for a step and for each of its messages. The load of the links follows from the
// routes.
#include "sim/workload/message_time.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "sim/topology/topology.hpp"
#include "sim/workload/collective.hpp"

namespace weft {
namespace {

// Routes of larger networks are not followed: links count as if no two messages shared one.
constexpr std::uint64_t kMostWalks = 1 << 21;

// Steps of a message through crossbars take longer.
constexpr double kCrossbarStep = 10;

}  // namespace

double credit_share(const Graph& graph) {
  if (!graph.has_routers()) return 1;
  const double depth = graph.router_shapes.front().depth;
  return std::max(1.0, graph.full_rate_depth() / depth);
}

unsigned most_registers(const Graph& graph) {
  unsigned most = 0;
  for (const Link& link : graph.links) most = std::max<unsigned>(most, link.stages);
  return most;
}

double barrier_cycles(const Config& config, const Graph& network, unsigned barriers) {
  if (config.barrier == BarrierKind::kHardware || barriers == 0) return 0;
  const double told = std::ceil(std::sqrt(network.nodes)) - 1;  // Messages in each of two rounds.
  return config.processor == ProcessorKind::kRv32 ? barriers * (95 + 85 * told)
                                                  : 10 + barriers * (8 + 3.3 * told);
}

Pieces::Pieces(double flits, double lanes) {
  const double lane = std::ceil(flits / lanes);
  length = 8;
  while (length * length < lane) length *= 2;
  length = std::min({length, std::max(lane, 1.0), 32.0});
  count = std::max(1.0, std::ceil(flits / length));
}

MessageTime::MessageTime(const Config& config, const char* algorithm)
    : rv32_(config.processor == ProcessorKind::kRv32),
      flits_(config.workload.array.flits()),
      graph_(build_graph(with_algorithm(config, find_collective(algorithm)))),
      boards_(graph_),
      members_(boards_.members()),
      root_(config.workload.array.root < members_ ? config.workload.array.root : 0),
      dims_(static_cast<double>(graph_.dims.size())),
      shares_(graph_.links.size()) {
  routers_ = graph_.has_routers();
}

MessageTime::Load MessageTime::load(std::span<const Pair> pairs) {
  const std::uint32_t links = graph_.nic_links;
  if (pairs.size() * links > kMostWalks || !graph_.failures.component.empty()) return {1, 1};
  std::ranges::fill(shares_, 0);
  Load all;
  for (const auto& [from, to] : pairs) {
    for (std::uint32_t i = 0; i < links; ++i) {
      double hops = 0;
      graph_.walk(
          boards_.rank(from), boards_.rank(to),
          [&](std::uint32_t link) {
            shares_[link] += 1.0 / links;
            const Link& l = graph_.links[link];
            if (graph_.between_switches(l)) hops += 1 + l.stages / 2.0;
          },
          i);
      all.hops = std::max(all.hops, hops);
    }
  }
  all.busiest = *std::ranges::max_element(shares_) * credit_share(graph_);
  return all;
}

unsigned MessageTime::bits() const {
  return static_cast<unsigned>(std::bit_width(members_ - 1));
}

MessageTime::Load MessageTime::load_of_bit(unsigned bit, bool down) {
  std::vector<Pair> pairs;
  for (std::uint32_t m = 0; m < members_; ++m) {
    const std::uint32_t other = m ^ 1u << bit;
    // Down a binomial tree, members send that already have the data.
    const bool sends = !down || m % (2u << bit) == 0;
    const auto at = [&](std::uint32_t number) {
      return down ? (number + root_) % members_ : number;
    };
    if (sends && other < members_) pairs.emplace_back(at(m), at(other));
  }
  return load(pairs);
}

double MessageTime::instructions(double messages) const {
  return 18 * dims_ + 65 * (messages - 1);
}

double MessageTime::ring(bool reduces) {
  std::vector<Pair> pairs;
  for (std::uint32_t m = 0; m < members_; ++m) pairs.emplace_back(m, (m + 1) % members_);
  const Load on = load(pairs);
  const double block = flits_ / members_;
  const Pieces pieces(std::ceil(block), 1);
  // From the end of a mesh's line to the beginning of the next, messages wait for those of that
  // line.
  const double wait = graph_.in_dimension_order() && graph_.rings == 0 && on.hops > 2 ? 1.1 : 1;
  double round = 22 + 2 * on.hops + (block + block / pieces.length) * on.busiest * wait +
                 std::min(pieces.length, block) + (routers_ ? 0 : kCrossbarStep);
  if (reduces) round += 12;
  if (rv32_) round = std::max(round, 316 + instructions(pieces.count));
  return (members_ - 1) * round;
}

double MessageTime::binomial(bool reduces) {
  const Pieces pieces(flits_, graph_.nic_links);
  double cycles = 15;
  for (unsigned bit = 0; bit < bits(); ++bit) {
    const Load on = load_of_bit(bit, true);
    double step = 14 + 2 * on.hops + flits_ * (1 + 1 / pieces.length) * on.busiest +
                  (flits_ > pieces.length ? pieces.length / 2 : 0) + (routers_ ? 0 : kCrossbarStep);
    if (reduces) step += 23;
    if (rv32_) step = std::max(step, (reduces ? 400 : 355) + instructions(pieces.count));
    cycles += step;
  }
  return cycles;
}

MessageTime::Load MessageTime::load_of_root(bool sends) {
  std::vector<Pair> pairs;
  for (std::uint32_t m = 0; m < members_; ++m) {
    if (m != root_) pairs.push_back(sends ? Pair(root_, m) : Pair(m, root_));
  }
  return load(pairs);
}

double MessageTime::scatter() {
  const double block = flits_ / members_;
  const Pieces pieces(std::ceil(block), 1);
  double share = 0.6 + 0.4 * load_of_root(true).busiest / members_;
  if (graph_.nic_links < 4) share = 1.03;
  double cycles = 30 + flits_ * (1 + 1 / pieces.length) * share;
  if (rv32_) cycles = std::max(cycles, (members_ - 1) * (235 + 75 * (pieces.count - 1)));
  return cycles + ring(false);
}

double MessageTime::gather() {
  const double block = flits_ / members_;
  const Pieces pieces(std::ceil(block), 1);
  double cycles = 30 + block * (1 + 1 / pieces.length) * load_of_root(false).busiest;
  if (rv32_) cycles = std::max(cycles, (members_ - 1) * (55 + 25 * (pieces.count - 1)));
  return cycles + ring(true);
}

double MessageTime::rabenseifner() {
  if (rv32_) return 820 * bits() + std::min(8 * flits_, 2000 + 3.8 * flits_);
  double cycles = 0, part = flits_;
  for (unsigned bit = 0; bit < bits(); ++bit) {
    part /= 2;
    const Pieces pieces(part, graph_.nic_links);
    cycles += 2 * (42 + (routers_ ? 0 : kCrossbarStep) +
                   1.06 * part * (1 + 1 / pieces.length) * load_of_bit(bit, false).busiest);
  }
  // Members beyond a power of two first give their arrays to others.
  return std::has_single_bit(members_) ? cycles : cycles + 2 * (60 + 1.06 * flits_);
}

double MessageTime::doubling() {
  if (!rv32_ || !std::has_single_bit(members_)) return kNever;
  return bits() * (480 + 138 * Pieces(flits_, graph_.nic_links).count);
}

std::vector<MessageTime::Ring> MessageTime::rings() const {
  const std::size_t dims = graph_.dims.size();
  const bool torus = graph_.aggregators == 0 && graph_.rings == low_mask(dims);
  if (!torus || 2 * dims > kMostControllers) return {{members_, 1}};
  std::vector<Ring> rings;
  std::uint32_t step = 1;
  for (const std::uint32_t size : graph_.dims) {
    if (size > 1) rings.push_back({size, step});
    step *= size;
  }
  return rings;
}

double MessageTime::swing() {
  if (rv32_ || !std::has_single_bit(members_) || members_ < 4) return kNever;
  const std::vector<Ring> all = rings();
  // There is a piece for each direction of each ring; each piece starts with a different ring.
  double part = 0.25 / static_cast<double>(all.size()), cycles = 0;
  std::int64_t distance = 1;
  std::vector<Pair> pairs;
  for (std::uint32_t span = 1; span < members_; span *= 2, distance = 1 - 2 * distance) {
    std::vector<Ring> longer = all;
    std::erase_if(longer, [&](const Ring& ring) { return ring.size <= span; });
    // In one step for each of these rings, the pieces go along different ones.
    for (std::size_t step = 0; step < longer.size(); ++step) {
      pairs.clear();
      for (const Ring& ring : longer) {
        const auto size = static_cast<std::int64_t>(ring.size);
        for (std::int64_t m = 0; m < members_; ++m) {
          // For one piece even members go up and odd ones down; for the other the reverse.
          const std::int64_t at = m / ring.rank_step % size;
          for (const std::int64_t to : {at + distance, at - distance}) {
            const std::int64_t ahead = ((to % size) + size) % size - at;
            pairs.emplace_back(m, static_cast<std::uint32_t>(m + ahead * ring.rank_step));
          }
        }
      }
      // Where some rings are shorter, the pieces that are at these share the others.
      const double share = static_cast<double>(all.size()) / static_cast<double>(longer.size());
      cycles += 2 * (45 + 1.2 * share * part * flits_ * load(pairs).busiest);
      part /= 2;
    }
  }
  return cycles;
}

}  // namespace weft
