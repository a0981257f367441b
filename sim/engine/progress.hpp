// Progress of a run on a terminal.
#pragma once

#include <fmt/format.h>

#include <chrono>
#include <cstdint>

namespace weft {

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// One line on standard error, rewritten about twice a second.
class ProgressLine {
 public:
  ProgressLine(bool shown, std::uint32_t nodes, std::uint64_t bound)
      : shown_(shown), nodes_(nodes), bound_(bound), start_(Clock::now()), last_(start_) {}
  ~ProgressLine() {
    if (written_) fmt::print(stderr, "\r\x1b[K");
  }
  void operator()(std::uint64_t cycle, std::uint32_t done) {
    if (!shown_ || seconds_since(last_) < 0.5) return;
    last_ = Clock::now();
    written_ = true;
    const double rate = static_cast<double>(cycle) / seconds_since(start_);
    // The bound is the least that can be left; what is really left is not known before the end.
    const double left =
        cycle < bound_ && rate > 0 ? static_cast<double>(bound_ - cycle) / rate : 0.0;
    fmt::print(stderr,
               "\r\x1b[Kcycle {}  {:.0f} cycles/s  {} of {} nodes done  at least {:.0f} s left",
               cycle, rate, done, nodes_, left);
  }

 private:
  bool shown_, written_ = false;
  std::uint32_t nodes_;
  std::uint64_t bound_;
  Clock::time_point start_, last_;
};

}  // namespace weft
