// Whether traffic is steady: compares means over windows; the longer a window, the less it depends
// on the others.
#include "sim/run/steady.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "sim/run/confidence.hpp"

namespace weft {
namespace {

constexpr std::uint64_t kLeastPackets = 10;  // Least packets in a window.
constexpr unsigned kHalf = kWindows / 2;
constexpr double kConfidence = 0.99;
// Differences too small to matter, however certain.
constexpr double kLeastShortfall = 0.005;  // Fraction of the offered flits.
constexpr double kLeastGrowth = 0.1;       // Fraction of the mean latency, over half of the phase.
constexpr double kLeastSlope = 0.001;      // Cycles of latency per cycle: the fraction that is not
                                           // accepted.
constexpr double kLeastChange = 0.02;      // Fraction of a mean, by windows that are left out.

using Values = std::span<const double>;

double mean(Values values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double squares(Values values, double average) {
  return std::accumulate(values.begin(), values.end(), 0.0, [&](double sum, double value) {
    return sum + (value - average) * (value - average);
  });
}

// Ratio of a mean's variance to that of independent values: near saturation a window is like the
// one before it. Computed from their correlation, which so few values show too low (M. G. Kendall,
// "Note on bias in the estimation of autocorrelation", Biometrika 41, 1954).
double dependence(Values values, double average) {
  constexpr double kMost = 0.9;
  const auto count = static_cast<double>(values.size());
  double products = 0;
  for (std::size_t i = 1; i < values.size(); ++i) {
    products += (values[i] - average) * (values[i - 1] - average);
  }
  const double all = squares(values, average);
  const double shown = all > 0 ? products / all : 0;
  const double correlation = std::clamp(shown + (1 + 3 * shown) / count, 0.0, kMost);
  return (1 + correlation) / (1 - correlation);
}

// Whether values grow by more than `least` from the first to the last, on their least-squares line,
// and beyond doubt.
bool grows(Values values, double least) {
  const auto count = static_cast<double>(values.size());
  const double middle = (count - 1) / 2, average = mean(values);
  double spread = 0, product = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double x = static_cast<double>(i) - middle;
    spread += x * x;
    product += x * (values[i] - average);
  }
  const double slope = product / spread;
  std::vector<double> rests;
  for (std::size_t i = 0; i < values.size(); ++i) {
    rests.push_back(values[i] - average - slope * (static_cast<double>(i) - middle));
  }
  const double error = std::sqrt(squares(rests, 0) / (count - 2) / spread * dependence(rests, 0));
  return slope * (count - 1) > least && slope > error * student_t(kConfidence, count - 2);
}

// How many of the first half of the values to leave out so that the mean of the others is known
// best (MSER: K. P. White, "An effective truncation heuristic for bias reduction in simulation
// output", Simulation 69 (6), 1997).
unsigned transient(Values values) {
  unsigned best = 0;
  double least = HUGE_VAL;
  for (unsigned first = 0; first <= kMostUnsettled; ++first) {
    const Values rest = values.subspan(first);
    const double error = squares(rest, mean(rest)) / static_cast<double>(rest.size() * rest.size());
    if (error < least) {
      least = error;
      best = first;
    }
  }
  return best;
}

// How many of the first values to leave out: as `transient`, but 0 unless the mean of all values is
// lower than that of the rest by an amount that matters, and beyond chance: a network that fills up
// has short latencies and accepts little.
unsigned unsettled(Values values) {
  const unsigned first = transient(values);
  if (first == 0) return 0;
  const Values rest = values.subspan(first);
  const double early = mean(values.first(first)), late = mean(rest);
  if (late - mean(values) <= kLeastChange * late) return 0;
  const auto count = static_cast<double>(rest.size());
  const double variance = squares(rest, late) / (count - 1) * dependence(rest, late);
  const double error = std::sqrt(variance / count + variance / first);
  return late - early > error * student_t(kConfidence, count - 1) ? first : 0;
}

}  // namespace

std::optional<Steadiness> steadiness(const WindowsOfPhase& phase) {
  std::vector<double> offered, accepted, shortfalls, latencies;
  for (const TrafficWindow& window : phase.windows) {
    offered.push_back(static_cast<double>(window.offered));
    if (window.offered == 0 || offered.back() < kLeastPackets * phase.packet_flits) return {};
    accepted.push_back(static_cast<double>(window.accepted));
    shortfalls.push_back(offered.back() - accepted.back());
    if (window.packets < kLeastPackets) continue;
    latencies.push_back(static_cast<double>(window.latency) / static_cast<double>(window.packets));
  }
  const bool has_latencies = latencies.size() == kWindows;
  const auto late = [](const std::vector<double>& values) { return Values(values).last(kHalf); };
  Steadiness result;
  const Confidence shortfall = confidence(late(shortfalls), kConfidence);
  // At worst all lost flits were lost in that half.
  const double lost = static_cast<double>(phase.lost) / kHalf;
  const bool falls_short = shortfall.mean - lost > *shortfall.half_width &&
                           shortfall.mean - lost > kLeastShortfall * mean(late(offered));
  // Latency grows in the last half and in the whole phase: not only for a while, nor only while the
  // network fills up.
  const auto grows_on = [&] {
    const double growth = std::max(kLeastGrowth * mean(late(latencies)),
                                   kLeastSlope * static_cast<double>(phase.cycles) / 2);
    return grows(late(latencies), growth) && grows(latencies, growth);
  };
  result.saturated = !phase.fills_up && (falls_short || (has_latencies && grows_on()));
  result.throughput_unsettled = unsettled(accepted);
  if (!has_latencies) return result;
  result.latency_unsettled = unsettled(latencies);
  result.latency_with = mean(latencies);
  result.latency_without = mean(Values(latencies).subspan(result.unsettled()));
  return result;
}

}  // namespace weft
