// What a result needs of the endpoints after a run.
#include "sim/engine/node_ends.hpp"

#include <utility>

#include "sim/engine/archived.hpp"

namespace weft {
namespace {

// Compares the memories with what they are to have.
template <class E>
void add_wrong(const Contents& contents, PartArray<E>& endpoints, NodeRange own, NodeEnds& ends) {
  for (std::uint32_t n = own.first; n < own.end; ++n) {
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

template <class T>
void append(std::vector<T>& all, std::vector<T>&& more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

}  // namespace

NodeEnds node_ends(const Workload& workload, Endpoints& endpoints, NodeRange own,
                   std::uint64_t cycles, bool stopped) {
  NodeEnds ends;
  std::visit(
      [&]<class E>(PartArray<E>& nodes) {
        for (std::uint32_t n = own.first; n < own.end; ++n) {
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

void gather(Ranks& ranks, NodeEnds& ends) {
  Parcel own;
  own.put(ends.wrong);
  own.put(ends.traffic);
  put_archived(own, ends.programs);
  std::vector<Parcel> parcels = collect_parcels(ranks, std::move(own));
  if (ranks.number() != 0) return;
  for (unsigned r = 1; r < ranks.count(); ++r) {
    NodeEnds more;
    parcels[r].take(more.wrong);
    parcels[r].take(more.traffic);
    append(ends.wrong, std::move(more.wrong));
    append(ends.traffic, std::move(more.traffic));
    append(ends.programs, take_archived<std::vector<NodeEnds::Program>>(parcels[r]));
  }
}

}  // namespace weft
