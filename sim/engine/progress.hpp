// Progress of a run on a terminal.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace weft {

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Phases of a run of synthetic traffic, in cycles.
struct TrafficPhases {
  std::uint64_t measure = 0;  ///< First cycle that is measured.
  std::uint64_t drain = 0;    ///< First cycle after the measuring phase.
  std::uint64_t limit = 0;  ///< End of the run, unless all measured packets are delivered earlier.
};

/// Progress text of a run in `cycle`, at `rate` cycles a second. For traffic: the phase and the
/// time left in it. For other workloads: the nodes that are done and a lower bound of the time
/// left; `bound`: a lower bound of the run's cycles.
inline std::string progress_text(std::uint64_t cycle, double rate, std::uint32_t nodes,
                                 std::uint32_t done, std::uint64_t bound,
                                 const std::optional<TrafficPhases>& traffic) {
  const auto seconds_to = [&](std::uint64_t end) {
    return rate > 0 && end > cycle ? static_cast<double>(end - cycle) / rate : 0.0;
  };
  std::string text = fmt::format("cycle {}  {:.0f} cycles/s  ", cycle, rate);
  if (!traffic) {
    return text + fmt::format("{} of {} nodes done  at least {:.0f} s left", done, nodes,
                              seconds_to(bound));
  }
  if (cycle >= traffic->drain && traffic->limit == UINT64_MAX) return text + "draining";
  if (cycle >= traffic->drain) {
    return text + fmt::format("draining  at most {:.0f} s left", seconds_to(traffic->limit));
  }
  const bool warm = cycle >= traffic->measure;
  return text + fmt::format("{} {} of {} cycles  {:.0f} s to the end of measuring",
                            warm ? "measuring" : "warm-up", warm ? cycle - traffic->measure : cycle,
                            warm ? traffic->drain - traffic->measure : traffic->measure,
                            seconds_to(traffic->drain));
}

/// One line on standard error, rewritten about twice a second.
class ProgressLine {
 public:
  ProgressLine(bool shown, std::uint32_t nodes, std::uint64_t bound,
               std::optional<TrafficPhases> traffic)
      : shown_(shown),
        nodes_(nodes),
        bound_(bound),
        traffic_(traffic),
        start_(Clock::now()),
        last_(start_) {}
  ~ProgressLine() {
    if (written_) fmt::print(stderr, "\r\x1b[K");
  }
  void operator()(std::uint64_t cycle, std::uint32_t done) {
    if (!shown_ || seconds_since(last_) < 0.5) return;
    last_ = Clock::now();
    written_ = true;
    const double rate = static_cast<double>(cycle) / seconds_since(start_);
    fmt::print(stderr, "\r\x1b[K{}", progress_text(cycle, rate, nodes_, done, bound_, traffic_));
  }
  /// Writes a line that stays.
  void say(const std::string& note) {
    if (shown_) fmt::print(stderr, "\r\x1b[K{}\n", note);
  }

 private:
  bool shown_, written_ = false;
  std::uint32_t nodes_;
  std::uint64_t bound_;
  std::optional<TrafficPhases> traffic_;
  Clock::time_point start_, last_;
};

}  // namespace weft
