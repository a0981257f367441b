// The part of a network that one process simulates, among others that simulate the rest of it.
#include "sim/engine/rank_part.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <tuple>
#include <utility>

#include "sim/base/error.hpp"
#include "sim/base/host_memory.hpp"
#include "sim/engine/archived.hpp"
#include "sim/engine/difference.hpp"
#include "sim/engine/engine.hpp"

namespace weft {
namespace {

enum class Kind : std::uint8_t {
  kNone,
  kNotByRuns,
  kDifference,
  kCheck,
  kNoProgress,
  kConfig,
  kOther
};

// `cycle`: of a difference between RTL and model.
Kind kind_of(const std::exception_ptr& error, std::string& text, std::uint64_t& cycle) {
  if (!error) return Kind::kNone;
  try {
    std::rethrow_exception(error);
  } catch (const NotByRuns& e) {
    text = e.what();
    return Kind::kNotByRuns;
  } catch (const DifferenceAt& e) {
    text = e.what();
    cycle = e.cycle;
    return Kind::kDifference;
  } catch (const CheckError& e) {
    text = e.what();
    return Kind::kCheck;
  } catch (const NoProgressError& e) {
    text = e.what();
    return Kind::kNoProgress;
  } catch (const ConfigError& e) {
    text = e.what();
    return Kind::kConfig;
  } catch (const std::exception& e) {
    const auto why = shortage(e);
    text = why.value_or(e.what());
    return why ? Kind::kConfig : Kind::kOther;
  }
}

[[noreturn]] void rethrow(Kind kind, const std::string& text, std::uint64_t cycle) {
  switch (kind) {
    case Kind::kDifference:
      throw DifferenceAt(cycle, text);
    case Kind::kNotByRuns:
      throw NotByRuns(text);
    case Kind::kCheck:
      throw CheckError(text);
    case Kind::kNoProgress:
      throw NoProgressError(text);
    case Kind::kConfig:
      throw ConfigError(text);
    default:
      throw std::runtime_error(text);
  }
}

// Calls `use` with the flits of each link from a block of a rank.
template <class Use>
void each_load(const RankPart& part, const Graph& graph, unsigned rank, Outcome& outcome, Use use) {
  for (std::uint32_t l = 0; l < graph.links.size(); ++l) {
    const std::uint32_t block = graph.links[l].src_block;
    if (block != kOpen && part.of_block(block) == rank) use(outcome.link_load[l]);
  }
}

void put(Parcel& parcel, const Outcome& outcome) {
  put_archived(parcel, outcome.counters);
  parcel.put(outcome.hops_before);
  put_archived(parcel, outcome.sums);
  put_archived(parcel, outcome.faults);
  parcel.put(outcome.links);
  parcel.put(outcome.barrier_sums);
  parcel.put(outcome.region_digests);
  parcel.put(outcome.status);
  parcel.put(outcome.window_flits);
  parcel.put(outcome.arrivals.size());
  for (const std::vector<Arrival>& of_node : outcome.arrivals) parcel.put(of_node);
}

// What ranks have of their nodes, by rank.
struct OfNodes {
  explicit OfNodes(unsigned ranks) : status(ranks), window_flits(ranks), arrivals(ranks) {}

  std::vector<std::vector<NicStatus>> status;
  std::vector<std::vector<std::uint32_t>> window_flits;
  std::vector<std::vector<std::vector<Arrival>>> arrivals;
};

void add(Outcome& outcome, OfNodes& nodes, unsigned rank, Parcel& parcel) {
  outcome.counters += take_archived<Counters>(parcel);
  outcome.hops_before += parcel.take<std::uint64_t>();
  outcome.sums += take_archived<RegionSums>(parcel);
  outcome.faults += take_archived(parcel, outcome.faults);
  outcome.links += parcel.take<LinkCounts>();
  outcome.barrier_sums += parcel.take<BarrierSums>();
  std::vector<std::uint64_t> numbers;
  parcel.take(numbers);
  for (std::size_t r = 0; r < numbers.size(); ++r) {
    outcome.region_digests[r] =
        Mod61::reduce(static_cast<unsigned __int128>(outcome.region_digests[r]) + numbers[r]);
  }
  parcel.take(nodes.status[rank]);
  parcel.take(nodes.window_flits[rank]);
  for (auto left = parcel.take<std::size_t>(); left != 0; --left) {
    parcel.take(nodes.arrivals[rank].emplace_back());
  }
}

}  // namespace

std::vector<Part> RankPart::parts_of_thread(const Graph& graph, unsigned thread) const {
  const auto [first, end] = division_.parts_of_thread(thread, threads_);
  NodeSet nodes, switches;
  for (std::uint32_t b = 0; b < graph.blocks.size(); ++b) {
    const unsigned part = division_.of_block[b];
    if (part >= first && part < end) (b < graph.nodes ? nodes : switches).add(b);
  }
  std::vector<Part> parts(std::max(nodes.ranges().size(), switches.ranges().size()));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i < nodes.ranges().size()) {
      const NodeRange& range = nodes.ranges()[i];
      std::tie(parts[i].first_node, parts[i].end_node) = std::tie(range.first, range.end);
    }
    if (i < switches.ranges().size()) {
      const NodeRange& range = switches.ranges()[i];
      std::tie(parts[i].first_block, parts[i].end_block) = std::tie(range.first, range.end);
    }
  }
  return parts;
}

OwnsBlock RunParts::owns_block() const {
  if (part.alone()) return owns_all;
  return [this](std::uint32_t block) { return part.owns_block(block); };
}

void throw_first(Ranks& ranks, const RankError& own) {
  if (ranks.alone()) std::rethrow_exception(own.error);
  std::string text;
  std::uint64_t cycle = 0;
  Parcel parcel;
  parcel.put(kind_of(own.error, text, cycle));
  parcel.put(own.order);
  parcel.put(cycle);
  parcel.put(text);
  std::vector<Parcel> parcels = share_parcels(ranks, parcel);
  Kind first = Kind::kNone;
  std::uint64_t least = 0;
  for (Parcel& of_rank : parcels) {
    const auto kind = of_rank.take<Kind>();
    const auto order = of_rank.take<std::uint64_t>();
    if (kind == Kind::kNone || (first != Kind::kNone && order >= least)) continue;
    first = kind;
    least = order;
    of_rank.take(cycle);
    of_rank.take(text);
  }
  // Of this alone more is to be done.
  if (first != Kind::kNotByRuns) ranks.conclude();
  rethrow(first, text, cycle);
}

void together(Ranks& ranks, const std::function<void()>& work) {
  if (ranks.alone()) return work();
  RankError own;
  try {
    work();
  } catch (...) {
    own.error = std::current_exception();
  }
  std::uint64_t errors = own.error != nullptr;
  ranks.add_up({&errors, 1});
  if (errors != 0) throw_first(ranks, own);
}

std::array<std::size_t, 2> least_of(Ranks& ranks, std::array<std::size_t, 2> own) {
  Parcel parcel;
  parcel.put(own);
  for (Parcel& of_rank : share_parcels(ranks, parcel)) {
    const auto other = of_rank.take<std::array<std::size_t, 2>>();
    own = {std::min(own[0], other[0]), std::min(own[1], other[1])};
  }
  return own;
}

void check_same(Ranks& ranks, const std::function<std::string()>& what, const char* names) {
  if (ranks.alone()) return;
  Parcel parcel;
  parcel.put(what());
  std::vector<Parcel> of_all = share_parcels(ranks, parcel);
  std::string first;
  of_all[0].take(first);
  for (unsigned r = 1; r < of_all.size(); ++r) {
    std::string other;
    of_all[r].take(other);
    if (other == first) continue;
    ranks.conclude();
    throw ConfigError(fmt::format("processes 1 and {} of {} have other {}: expected: the same",
                                  r + 1, of_all.size(), names));
  }
}

void gather(const RankPart& part, const Graph& graph, Outcome& outcome) {
  if (part.alone()) return;
  Parcel own;
  if (!part.leads()) {
    put(own, outcome);
    each_load(part, graph, part.ranks().number(), outcome,
              [&](std::uint64_t flits) { own.put(flits); });
  }
  std::vector<Parcel> parcels = collect_parcels(part.ranks(), std::move(own));
  if (!part.leads()) return;
  OfNodes nodes(part.ranks().count());
  nodes.status[0] = std::move(outcome.status);
  nodes.window_flits[0] = std::move(outcome.window_flits);
  nodes.arrivals[0] = std::move(outcome.arrivals);
  for (unsigned r = 1; r < part.ranks().count(); ++r) {
    add(outcome, nodes, r, parcels[r]);
    each_load(part, graph, r, outcome, [&](std::uint64_t& flits) { parcels[r].take(flits); });
  }
  outcome.status = part.by_node(std::move(nodes.status));
  outcome.window_flits = part.by_node(std::move(nodes.window_flits));
  outcome.arrivals = part.by_node(std::move(nodes.arrivals));
}

}  // namespace weft
