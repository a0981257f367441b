// What a result needs of the endpoints after a run.
#include "sim/run/node_ends.hpp"

#include <algorithm>
#include <utility>

#include "sim/share/archived.hpp"

namespace weft {
namespace {

// Compares the memories with their expected contents.
template <class E>
void add_wrong(const Contents& contents, PartArray<E>& endpoints, const NodeSet& own,
               NodeEnds& ends) {
  for (const std::uint32_t n : own) {
    std::uint64_t words = 0;
    contents.compare(n, endpoints[n].memory(), [&](const WrongWord& word) {
      if (words++ == 0) ends.wrong.push_back({n, 0, word});
    });
    if (words != 0) ends.wrong.back().words = words;
  }
}

NodeEnds::Program end_of(const NicPort& port, std::uint64_t cycles) {
  NodeEnds::Program program;
  program.job_start = port.job_start();
  program.first_act = port.first_act();
  if (port.halted()) program.exit = port.exit_cycle();
  program.posted_messages = port.posted_messages();
  program.values = port.values();
  program.phases = port.phases(cycles);
  return program;
}

}  // namespace

NodeEnds node_ends(const Workload& workload, Endpoints& endpoints, const NodeSet& own,
                   std::uint64_t cycles, bool stopped) {
  NodeEnds ends;
  std::visit(
      [&]<class E>(PartArray<E>& nodes) {
        for (const std::uint32_t n : own) {
          if constexpr (requires { nodes[n].port(); }) {
            ends.programs.push_back(end_of(nodes[n].port(), cycles));
          }
          if constexpr (std::is_same_v<E, TrafficEndpoint>) {
            const TrafficMemory& memory = nodes[n].memory();
            ends.traffic.push_back(
                {memory.words(), memory.errors(), nodes[n].rounds(), nodes[n].waits()});
          }
        }
        if constexpr (!std::is_same_v<E, TrafficEndpoint>) {
          if (!stopped) add_wrong(*contents_of(workload), nodes, own, ends);
        }
      },
      endpoints);
  return ends;
}

void gather(const NetworkShare& share, NodeEnds& ends) {
  if (share.alone()) return;
  Parcel own;
  own.put(ends.wrong);
  own.put(ends.traffic);
  own.put(ends.programs.size());
  put_archived(own, ends.programs);
  std::vector<Parcel> parcels = collect_parcels(share.processes(), std::move(own));
  if (!share.leads()) return;
  std::vector<std::vector<NodeEnds::Traffic>> traffic(parcels.size());
  std::vector<std::vector<NodeEnds::Program>> programs(parcels.size());
  traffic[0] = std::move(ends.traffic);
  programs[0] = std::move(ends.programs);
  for (unsigned r = 1; r < parcels.size(); ++r) {
    std::vector<NodeEnds::Wrong> wrong;
    parcels[r].take(wrong);
    ends.wrong.insert(ends.wrong.end(), wrong.begin(), wrong.end());
    parcels[r].take(traffic[r]);
    programs[r].resize(parcels[r].take<std::size_t>());
    programs[r] = take_archived(parcels[r], std::move(programs[r]));
  }
  std::sort(ends.wrong.begin(), ends.wrong.end(),
            [](const auto& a, const auto& b) { return a.node < b.node; });
  ends.traffic = share.by_node(std::move(traffic));
  ends.programs = share.by_node(std::move(programs));
}

}  // namespace weft
