// Combines the outcomes of the processes that share a network.
#include "sim/engine/gather.hpp"

#include <utility>
#include <vector>

#include "sim/base/parcel.hpp"
#include "sim/share/archived.hpp"

namespace weft {
namespace {

// Calls `use` with the flits of each link whose sender is a block of `process`.
template <class Use>
void each_load(const NetworkShare& share, const Graph& graph, unsigned process, Outcome& outcome,
               Use use) {
  for (std::uint32_t l = 0; l < graph.links.size(); ++l) {
    const std::uint32_t block = graph.links[l].src_block;
    if (block != kOpen && share.of_block(block) == process) use(outcome.link_load[l]);
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

// Results by node of each process.
struct OfNodes {
  explicit OfNodes(unsigned processes)
      : status(processes), window_flits(processes), arrivals(processes) {}

  std::vector<std::vector<NicStatus>> status;
  std::vector<std::vector<std::uint32_t>> window_flits;
  std::vector<std::vector<std::vector<Arrival>>> arrivals;
};

void add(Outcome& outcome, OfNodes& nodes, unsigned process, Parcel& parcel) {
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
  parcel.take(nodes.status[process]);
  parcel.take(nodes.window_flits[process]);
  for (auto left = parcel.take<std::size_t>(); left != 0; --left) {
    parcel.take(nodes.arrivals[process].emplace_back());
  }
}

}  // namespace

void gather(const NetworkShare& share, const Graph& graph, Outcome& outcome) {
  if (share.alone()) return;
  Parcel own;
  if (!share.leads()) {
    put(own, outcome);
    each_load(share, graph, share.processes().number(), outcome,
              [&](std::uint64_t flits) { own.put(flits); });
  }
  std::vector<Parcel> parcels = collect_parcels(share.processes(), std::move(own));
  if (!share.leads()) return;
  OfNodes nodes(share.processes().count());
  nodes.status[0] = std::move(outcome.status);
  nodes.window_flits[0] = std::move(outcome.window_flits);
  nodes.arrivals[0] = std::move(outcome.arrivals);
  for (unsigned r = 1; r < share.processes().count(); ++r) {
    add(outcome, nodes, r, parcels[r]);
    each_load(share, graph, r, outcome, [&](std::uint64_t& flits) { parcels[r].take(flits); });
  }
  outcome.status = share.by_node(std::move(nodes.status));
  outcome.window_flits = share.by_node(std::move(nodes.window_flits));
  outcome.arrivals = share.by_node(std::move(nodes.arrivals));
}

}  // namespace weft
