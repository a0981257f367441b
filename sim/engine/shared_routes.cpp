// Findings of all ranks, united.
#include "sim/engine/shared_routes.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>
#include <vector>

#include "sim/engine/rank_part.hpp"

namespace weft {
namespace {

// Each rank unites a slice of the bits for all, so that none is sent those of all others.
void unite_bits(Ranks& ranks, std::span<std::uint64_t> bits) {
  const auto slice = [&](unsigned rank) {
    const std::size_t first = bits.size() * rank / ranks.count();
    return bits.subspan(first, bits.size() * (rank + 1) / ranks.count() - first);
  };
  std::vector<Parcel> to(ranks.count()), from;
  for (unsigned r = 0; r < ranks.count(); ++r) {
    if (r != ranks.number()) to[r].put(slice(r).data(), slice(r).size());
  }
  ranks.exchange({}, to, from);
  const std::span<std::uint64_t> own = slice(ranks.number());
  for (unsigned r = 0; r < ranks.count(); ++r) {
    if (r == ranks.number()) continue;
    for (std::uint64_t& word : own) word |= from[r].take<std::uint64_t>();
  }
  Parcel united;
  united.put(own.data(), own.size());
  std::vector<Parcel> slices = share_parcels(ranks, united);
  for (unsigned r = 0; r < ranks.count(); ++r) slices[r].take(slice(r).data(), slice(r).size());
}

}  // namespace

void SharedRoutes::unite(RouteShare& own) {
  std::array<std::uint64_t, 2> sums = {own.error != nullptr, own.check.distances};
  ranks_.add_up(sums);
  if (sums[0] != 0) throw_first(ranks_, {own.error, own.step});
  own.check.distances = sums[1];
  Parcel parcel;
  parcel.put(own.check.diameter);
  parcel.put(own.cycle_step);
  parcel.put(own.check.cycle);
  std::uint64_t first = std::numeric_limits<std::uint64_t>::max();
  for (Parcel& of_rank : share_parcels(ranks_, parcel)) {
    own.check.diameter = std::max(own.check.diameter, of_rank.take<std::uint32_t>());
    const auto step = of_rank.take<std::uint64_t>();
    std::vector<Channel> cycle;
    of_rank.take(cycle);
    if (cycle.empty() || step >= first) continue;
    first = step;
    own.check.cycle = std::move(cycle);
  }
  unite_bits(ranks_, own.waits);
}

}  // namespace weft
