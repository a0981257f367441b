// Whether traffic is steady or saturates a network: windows with a known trend and noise, and runs.
#include "sim/run/steady.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>

#include "sim/base/random.hpp"

namespace {

using namespace weft;

std::optional<Steadiness> steadiness(const std::array<TrafficWindow, kWindows>& windows) {
  return weft::steadiness({.windows = windows, .cycles = 10'000, .packet_flits = 4});
}

using Windows = std::array<TrafficWindow, kWindows>;

// Sums of 12 numbers have nearly a normal distribution.
double normal(RandomStream& random) {
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += static_cast<double>(random.below(1u << 20)) / (1u << 20);
  return sum;
}

// `latency(w)` and `accepted(w)`: means of a window, of 10,000 flits offered on average; noise of
// both in percent.
template <class Latency, class Accepted>
Windows windows_of(RandomStream& random, double noise, Latency latency, Accepted accepted) {
  Windows windows;
  for (unsigned w = 0; w < kWindows; ++w) {
    const double packets = 2500, offered = 10'000 * (1 + noise / 100 * normal(random));
    windows[w] = {
        .offered = static_cast<std::uint64_t>(offered),
        .accepted =
            static_cast<std::uint64_t>(offered * accepted(w) * (1 + noise / 100 * normal(random))),
        .packets = 2500,
        .latency =
            static_cast<std::uint64_t>(packets * latency(w) * (1 + noise / 100 * normal(random)))};
  }
  return windows;
}

double one(unsigned) {
  return 1;
}

TEST_CASE("noise is steady, 98 times in 100") {
  RandomStream random(1);
  unsigned saturated = 0, unsettled = 0;
  for (int i = 0; i < 1000; ++i) {
    const auto found = steadiness(windows_of(
        random, 2, [](unsigned) { return 100.0; }, one));
    REQUIRE(found);
    saturated += found->saturated;
    unsettled += found->unsettled() != 0;
  }
  CHECK(saturated <= 20);
  CHECK(unsettled <= 20);
}

TEST_CASE("also noise in which a window is like the one before, as near saturation") {
  RandomStream random(3);
  unsigned saturated = 0, unsettled = 0;
  for (int i = 0; i < 1000; ++i) {
    double state = normal(random);
    const auto latency = [&](unsigned) {
      constexpr double kLike = 0.7;
      state = kLike * state + std::sqrt(1 - kLike * kLike) * normal(random);
      return 100 * (1 + 0.1 * state);
    };
    const auto found = steadiness(windows_of(random, 0.5, latency, one));
    REQUIRE(found);
    saturated += found->saturated;
    unsettled += found->unsettled() != 0;
  }
  CHECK(saturated <= 30);
  CHECK(unsettled <= 80);
}

// 200 times, each with other noise.
template <class Latency, class Accepted>
void saturated_always(double noise, Latency latency, Accepted accepted) {
  RandomStream random(2);
  for (int i = 0; i < 200; ++i) {
    const auto found = steadiness(windows_of(random, noise, latency, accepted));
    REQUIRE(found);
    CHECK(found->saturated);
  }
}

TEST_CASE("less than is offered is accepted, also where 95 % are") {
  saturated_always(
      1, [](unsigned) { return 400.0; }, [](unsigned) { return 0.957; });
}

TEST_CASE("latency that grows all the time is that of a saturated network") {
  saturated_always(
      2, [](unsigned w) { return 100.0 + 10 * w; }, one);
}

TEST_CASE("latency that grows at first is that of a warm-up that was too short") {
  RandomStream random(4);
  for (int i = 0; i < 200; ++i) {
    const auto found = steadiness(windows_of(
        random, 0.5, [](unsigned w) { return 100 * (1 - 0.6 * std::exp(-0.8 * w)); },
        [](unsigned w) { return w == 0 ? 0.6 : 1.0; }));
    REQUIRE(found);
    CHECK(!found->saturated);
    CHECK(found->latency_unsettled >= 2);
    CHECK(found->latency_unsettled <= 10);
    CHECK(found->latency_without > found->latency_with);
  }
}

TEST_CASE("what is lost is no shortfall, and a network that fills up is not saturated") {
  RandomStream random(5);
  const Windows windows = windows_of(
      random, 0.5, [](unsigned) { return 100.0; }, [](unsigned) { return 0.9; });
  WindowsOfPhase phase = {.windows = windows, .cycles = 10'000, .packet_flits = 4};
  CHECK(weft::steadiness(phase)->saturated);
  phase.lost = 10'500;
  CHECK(!weft::steadiness(phase)->saturated);
  phase.lost = 8'000;
  CHECK(weft::steadiness(phase)->saturated);
  phase.fills_up = true;
  CHECK(!weft::steadiness(phase)->saturated);
}

TEST_CASE("of few packets nothing is said") {
  Windows windows;
  for (TrafficWindow& window : windows) window = {40, 40, 10, 1000};
  CHECK(steadiness(windows));
  windows[7].offered = 39;
  CHECK(!steadiness(windows));
}

TEST_CASE("throughput alone tells where few packets of the end are delivered") {
  Windows windows;
  for (TrafficWindow& window : windows) window = {1000, 700, 250, 25'000};
  windows[0].accepted = 300;
  windows[19].packets = 9;
  const auto found = steadiness(windows);
  REQUIRE(found);
  CHECK(found->saturated);
  CHECK(found->throughput_unsettled == 1);
  CHECK(found->latency_unsettled == 0);
}

}  // namespace
