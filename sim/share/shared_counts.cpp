// Sums over the processes that share a network, on which the end of a run depends.
#include "sim/share/shared_counts.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <type_traits>

namespace weft {
namespace {

template <class T>
constexpr std::size_t kNumbers = sizeof(T) / sizeof(std::uint64_t);
constexpr std::size_t kTotals = kNumbers<LoopTotals>, kCounts = kNumbers<TrafficCounts>;
static_assert(std::is_trivially_copyable_v<LoopTotals> &&
              std::is_trivially_copyable_v<TrafficCounts>);

template <class T>
void put(const T& counts, std::uint64_t* to) {
  const auto numbers = std::bit_cast<std::array<std::uint64_t, kNumbers<T>>>(counts);
  std::copy(numbers.begin(), numbers.end(), to);
}
template <class T>
T take(const std::uint64_t* from) {
  std::array<std::uint64_t, kNumbers<T>> numbers;
  std::copy_n(from, numbers.size(), numbers.begin());
  return std::bit_cast<T>(numbers);
}

}  // namespace

SharedCounts::SharedCounts(Processes& processes, std::uint32_t regions)
    : processes_(processes),
      to_(processes.count()),
      sums_(kTotals + kCounts * regions),
      counts_(regions) {}

void SharedCounts::set_counts(std::uint32_t region, const TrafficCounts& own) {
  put(own, &sums_[kTotals + kCounts * region]);
}

std::vector<Parcel>& SharedCounts::exchange(LoopTotals& totals) {
  put(totals, sums_.data());
  processes_.exchange(sums_, to_, from_);
  totals = take<LoopTotals>(sums_.data());
  for (std::uint32_t region = 0; region < regions(); ++region) {
    counts_[region] = take<TrafficCounts>(&sums_[kTotals + kCounts * region]);
  }
  return from_;
}

std::vector<Parcel>& SharedCounts::exchange(std::span<std::uint64_t> sums) {
  processes_.exchange(sums, to_, from_);
  return from_;
}

}  // namespace weft
