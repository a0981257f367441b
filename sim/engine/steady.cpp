// Whether traffic is steady: by the means of windows, as independent as they are long.
#include "sim/engine/steady.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "sim/engine/confidence.hpp"

namespace weft {
namespace {

constexpr std::uint64_t kLeastPackets = 10;  // In a window.
constexpr unsigned kHalf = kWindows / 2;
constexpr double kConfidence = 0.99;
// Differences that are of no interest, however certain.
constexpr double kLeastShortfall = 0.005;  // Of what is offered.
constexpr double kLeastGrowth = 0.1;       // Of the mean latency, over half of the phase,
constexpr double kLeastSlope = 0.001;      // and cycles a cycle: as much as is not accepted.
constexpr double kLeastChange = 0.02;      // Of a mean, by windows that are left out.

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// Whether values grow by more than `least` from the first to the last, on the line through them
// that is the best by least squares, and beyond doubt.
bool grows(std::span<const double> values, double least) {
  const auto count = static_cast<double>(values.size());
  const double middle = (count - 1) / 2, average = mean(values);
  double spread = 0, product = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double x = static_cast<double>(i) - middle;
    spread += x * x;
    product += x * (values[i] - average);
  }
  const double slope = product / spread;
  double squares = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double rest = values[i] - average - slope * (static_cast<double>(i) - middle);
    squares += rest * rest;
  }
  const double error = std::sqrt(squares / (count - 2) / spread);
  return slope * (count - 1) > least && slope > error * student_t(kConfidence, count - 2);
}

// How many of the first half of the values to leave out, so that the mean of the others is known
// best (MSER: K. P. White, "An effective truncation heuristic for bias reduction in simulation
// output", Simulation 69 (6), 1997).
unsigned transient(std::span<const double> values) {
  unsigned best = 0;
  double least = HUGE_VAL;
  for (unsigned first = 0; first <= kHalf; ++first) {
    const auto rest = values.subspan(first);
    const double average = mean(rest);
    double squares = 0;
    for (const double value : rest) squares += (value - average) * (value - average);
    const double error = squares / static_cast<double>(rest.size() * rest.size());
    if (error < least) {
      least = error;
      best = first;
    }
  }
  return best;
}

}  // namespace

std::optional<Steadiness> steadiness(std::span<const TrafficWindow, kWindows> windows,
                                     std::uint64_t cycles, bool fills_up) {
  std::vector<double> offered, accepted, shortfalls, latencies;
  for (const TrafficWindow& window : windows) {
    if (window.packets < kLeastPackets) return {};
    offered.push_back(static_cast<double>(window.offered));
    accepted.push_back(static_cast<double>(window.accepted));
    shortfalls.push_back(offered.back() - accepted.back());
    latencies.push_back(static_cast<double>(window.latency) / static_cast<double>(window.packets));
  }
  const auto late = [](const std::vector<double>& values) { return std::span(values).last(kHalf); };
  Steadiness result;
  const Confidence shortfall = confidence(late(shortfalls), kConfidence);
  const double growth =
      std::max(kLeastGrowth * mean(late(latencies)), kLeastSlope * static_cast<double>(cycles) / 2);
  result.saturated = !fills_up && ((shortfall.mean > *shortfall.half_width &&
                                    shortfall.mean > kLeastShortfall * mean(late(offered))) ||
                                   grows(late(latencies), growth));
  result.latency_transient = transient(latencies);
  result.throughput_transient = transient(accepted);
  // What is left out is left out of all.
  const unsigned first = std::max(result.latency_transient, result.throughput_transient);
  result.latency_with = mean(latencies);
  result.latency_without = mean(std::span(latencies).subspan(first));
  // A network that fills up has short latencies and accepts little.
  const auto rises = [](double with, double without) {
    return without - with > kLeastChange * without;
  };
  if (rises(result.latency_with, result.latency_without) ||
      rises(mean(accepted), mean(std::span(accepted).subspan(first)))) {
    result.unsettled = first;
  }
  return result;
}

}  // namespace weft
