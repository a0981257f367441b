// Events by cycle.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <queue>
#include <utility>
#include <vector>

#include "sim/spans/line.hpp"
#include "sim/spans/saved.hpp"

namespace weft {

/// A list of numbers for each cycle to come.
class Wheel {
 public:
  /// The events of one cycle. Adding to a vector is less often inlined.
  class Bucket {
   public:
    [[gnu::always_inline]] void add(std::uint32_t what) {
      if (size_ == events_.size()) grow();
      events_[size_++] = what;
    }
    std::uint32_t size() const { return size_; }
    std::uint32_t operator[](std::uint32_t i) const { return events_[i]; }
    void clear() { size_ = 0; }

   private:
    [[gnu::noinline]] void grow() { events_.resize(std::max<std::size_t>(16, 2 * events_.size())); }

    std::uint32_t size_ = 0;
    std::vector<std::uint32_t> events_;
  };

  /// Adds an event in `cycle`, which is not before the present one.
  [[gnu::always_inline]] void add(Cycle cycle, std::uint32_t what) {
    if (cycle - now_ < kSpan) [[likely]] {
      buckets_[cycle % kSpan].add(what);
    } else {
      add_far(cycle, what);
    }
  }
  /// Makes `cycle` the present cycle and returns its events; it is later than the present one, and
  /// there are no events between them. The caller may add to the events while it goes through them
  /// by index, and clears them.
  Bucket& begin(Cycle cycle) {
    now_ = cycle;
    while (!far_.empty() && far_.top().first - now_ < kSpan) {
      buckets_[far_.top().first % kSpan].add(far_.top().second);
      far_.pop();
    }
    return buckets_[cycle % kSpan];
  }

  /// The cycle of the first event after the present cycle, or `limit` if that is earlier.
  Cycle next(Cycle limit) const {
    const Cycle span = std::min(kSpan, limit - now_);
    for (Cycle ahead = 1; ahead < span; ++ahead) {
      if (buckets_[(now_ + ahead) % kSpan].size() != 0) return now_ + ahead;
    }
    return far_.empty() ? limit : std::min(limit, far_.top().first);
  }

  /// Whether all events of a state that was loaded before `cycle` are still to come.
  bool is_good(Cycle cycle) const {
    const bool none = far_.empty() && std::all_of(buckets_.begin(), buckets_.end(),
                                                  [](const Bucket& b) { return b.size() == 0; });
    return none || (now_ + 1 == cycle && (far_.empty() || far_.top().first > now_));
  }
  /// Calls `use(cycle, what)` with all events.
  template <class Use>
  void each(Use use) const {
    for (Cycle ahead = 1; ahead <= kSpan; ++ahead) {
      const Bucket& bucket = buckets_[(now_ + ahead) % kSpan];
      for (std::uint32_t i = 0; i < bucket.size(); ++i) use(now_ + ahead, bucket[i]);
    }
    for (auto left = far_; !left.empty(); left.pop()) use(left.top().first, left.top().second);
  }

  /// The state: what a checkpoint keeps.
  template <class Archive>
  void serialize(Archive& archive) {
    archive(now_);
    std::uint32_t at = 0;  // Buckets that are not empty; then their number.
    if constexpr (Archive::is_loading::value) {
      for (Bucket& bucket : buckets_) bucket.clear();
      for (archive(at); at < kSpan; archive(at)) {
        std::uint32_t size = 0;
        for (archive(size); size != 0; --size) {
          std::uint32_t what = 0;
          archive(what);
          buckets_[at].add(what);
        }
      }
    } else {
      for (; at < kSpan; ++at) {
        const std::uint32_t size = buckets_[at].size();
        if (size == 0) continue;
        archive(at, size);
        for (std::uint32_t i = 0; i < size; ++i) archive(buckets_[at][i]);
      }
      archive(at);
    }
    // Events of one cycle come by number, whatever their order here.
    std::vector<std::uint64_t> far;
    for (auto left = far_; !left.empty(); left.pop()) {
      far.push_back(std::uint64_t{left.top().first} << 32 | left.top().second);
    }
    archive_lists(archive, far);
    far_ = {};
    for (const std::uint64_t one : far) {
      far_.emplace(static_cast<Cycle>(one >> 32), static_cast<std::uint32_t>(one));
    }
  }

 private:
  static constexpr Cycle kSpan = 2048;
  using Far = std::pair<Cycle, std::uint32_t>;

  [[gnu::noinline]] void add_far(Cycle cycle, std::uint32_t what) { far_.emplace(cycle, what); }

  std::array<Bucket, kSpan> buckets_;
  Cycle now_ = 0;
  std::priority_queue<Far, std::vector<Far>, std::greater<>> far_;
};

}  // namespace weft
