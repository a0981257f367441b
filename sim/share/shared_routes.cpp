// The union of the findings of all processes.
#include "sim/share/shared_routes.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "sim/share/together.hpp"

namespace weft {
namespace {

// Most words have no bit set: for up to 64 words a mask says which have one, and these follow.
constexpr std::size_t kMasked = 64;

void put_words(Parcel& parcel, std::span<const std::uint64_t> words) {
  for (std::size_t first = 0; first < words.size(); first += kMasked) {
    const auto some = words.subspan(first, std::min(kMasked, words.size() - first));
    std::uint64_t mask = 0;
    for (std::size_t i = 0; i < some.size(); ++i) mask |= std::uint64_t{some[i] != 0} << i;
    parcel.put(mask);
    for (const std::uint64_t word : some) {
      if (word != 0) parcel.put(word);
    }
  }
}

// Adds the bits of words in that form.
void unite_words(Parcel& parcel, std::span<std::uint64_t> words) {
  for (std::size_t first = 0; first < words.size(); first += kMasked) {
    for (auto mask = parcel.take<std::uint64_t>(); mask != 0; mask &= mask - 1) {
      words[first + static_cast<unsigned>(std::countr_zero(mask))] |= parcel.take<std::uint64_t>();
    }
  }
}

// Each process unites a slice of the bits for all, so that none receives all bits of all others.
void unite_bits(Processes& processes, std::span<std::uint64_t> bits) {
  const auto slice = [&](unsigned process) {
    const std::size_t first = bits.size() * process / processes.count();
    return bits.subspan(first, bits.size() * (process + 1) / processes.count() - first);
  };
  std::vector<Parcel> to(processes.count()), from;
  for (unsigned r = 0; r < processes.count(); ++r) {
    if (r != processes.number()) put_words(to[r], slice(r));
  }
  processes.exchange({}, to, from);
  const std::span<std::uint64_t> own = slice(processes.number());
  for (unsigned r = 0; r < processes.count(); ++r) {
    if (r != processes.number()) unite_words(from[r], own);
  }
  Parcel united;
  put_words(united, own);
  std::vector<Parcel> slices = share_parcels(processes, united);
  for (unsigned r = 0; r < processes.count(); ++r) unite_words(slices[r], slice(r));
}

}  // namespace

void SharedRoutes::unite(RouteShare& own) {
  std::array<std::uint64_t, 2> sums = {own.error != nullptr, own.check.distances};
  processes_.add_up(sums);
  if (sums[0] != 0) throw_first(processes_, {own.error, own.step});
  own.check.distances = sums[1];
  Parcel parcel;
  parcel.put(own.check.diameter);
  parcel.put(own.cycle_step);
  parcel.put(own.check.cycle);
  std::uint64_t first = std::numeric_limits<std::uint64_t>::max();
  for (Parcel& of_process : share_parcels(processes_, parcel)) {
    own.check.diameter = std::max(own.check.diameter, of_process.take<std::uint32_t>());
    const auto step = of_process.take<std::uint64_t>();
    std::vector<Channel> cycle;
    of_process.take(cycle);
    if (cycle.empty() || step >= first) continue;
    first = step;
    own.check.cycle = std::move(cycle);
  }
  unite_bits(processes_, own.waits);
}

}  // namespace weft
