// A lane of an interface with `MemReady`, for the benches of its bus blocks: random runs of words.
#pragma once

#include <cstdint>

#include "sim/bus/axi.hpp"
#include "tb/lib/bench.hpp"

namespace weft::tb {

/// Requests one run after the other, with random pauses between them, each lane in its own part of
/// the memory; that of lane 0 goes over the end of the address range.
class MemoryLane {
 public:
  explicit MemoryLane(unsigned lane) : first_((lane << 20) - 1024) {}

  /// Whether there is a request in this cycle; a run begins only with `more`.
  bool next(RandomStream& random, bool more = true) {
    if (!active_ && begin_.next(random) && more) {
      active_ = true;
      auto offset = static_cast<std::uint32_t>(random.below((1u << 20) - 1024));
      const auto back = static_cast<std::uint32_t>(random.below(70));
      if (random.below(4) == 0) offset = (offset | 511) - back;  // Around the end of a page.
      if (random.below(8) == 0) offset = 1023 - back;            // Around the end of the range.
      request_.addr = (first_ + offset) & kMask;
      const std::uint64_t kind = random.below(8);
      request_.left = static_cast<std::uint32_t>(random.below(kind == 0 ? 256 : kind < 3 ? 40 : 6));
      if (kind == 7) request_.left = 0;
    }
    return active_;
  }
  const MemRequest& request() const { return request_; }

  /// The request is accepted: the run goes on or ends.
  void accept() {
    active_ = request_.left != 0;
    request_ = active_ ? MemRequest{(request_.addr + 1) & kMask, request_.left - 1} : MemRequest{};
  }

 private:
  static constexpr auto kMask = static_cast<std::uint32_t>(low_mask(kMemAddrW));

  std::uint32_t first_;
  Pressure begin_;
  MemRequest request_;
  bool active_ = false;
};

}  // namespace weft::tb
