// Traffic in bursts: counts in windows against the formulas of a Markov process of two states, the
// offered rate, values that no bursts can have, and that engines agree.
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "sim/topology/topology.hpp"
#include "sim/traffic/traffic.hpp"
#include "sim/workload/registry.hpp"
#include "sim/workload/traffic_plan.hpp"
#include "tests/unit/traffic_runs.hpp"

namespace {

using namespace weft;
using nlohmann::json;

Config burst_config(const json& workload) {
  json document = {
      {"topology", {{"kind", "torus"}, {"dims", {4, 4}}}},
      {"workload", {{"traffic", "uniform"}, {"rate", 0.1}, {"warmup", 200}, {"measure", 60000}}}};
  document["workload"].update(workload);
  return parse_config(document, "test");
}

std::string refusal(const json& workload) {
  try {
    const Config config = burst_config(workload);
    TrafficPlan(config, build_graph(config));
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("bursts and pauses are a Markov process of two states") {
  for (const auto& means :
       std::vector<std::pair<double, double>>{{1, 1}, {20, 5}, {7, 63}, {100, 300}}) {
    const auto [cycles, pause] = means;
    CAPTURE(means.first);
    CAPTURE(means.second);
    const Bursts bursts(cycles, pause);
    RandomStream random(11);
    constexpr unsigned kWindow = 50, kWindows = 40'000;
    std::vector<unsigned> on(kWindows);
    std::uint32_t left = bursts.begin(random);
    // Every cycle of a burst has an event.
    std::uint64_t at = bursts.with_pauses(1, left, random) - 1;
    for (; at < std::uint64_t{kWindow} * kWindows; at += bursts.with_pauses(1, left, random)) {
      ++on[at / kWindow];
    }
    double sum = 0, squares = 0;
    for (const unsigned count : on) {
      sum += count;
      squares += double(count) * count;
    }
    const double share = cycles / (cycles + pause), kept = 1 - 1 / cycles - 1 / pause;
    double factor = kWindow;  // Of the variance: correlated cycles of a window.
    for (unsigned k = 1; k < kWindow; ++k) factor += 2 * (kWindow - k) * std::pow(kept, k);
    const double mean = sum / kWindows, variance = squares / kWindows - mean * mean;
    const double true_mean = kWindow * share, true_variance = share * (1 - share) * factor;
    // Windows are correlated: of the mean the error is that of the whole length.
    const double correlation = (1 + kept) / (1 - kept);
    const double error =
        std::sqrt(share * (1 - share) * std::max(correlation, 0.01) * kWindow / kWindows);
    CHECK(std::abs(mean - true_mean) < 5 * error + 0.01);
    CHECK(std::abs(variance - true_variance) < 0.06 * true_variance + 0.02);
  }
}

TEST_CASE("bursts leave the offered rate as it is, and packets wait for each other") {
  RunOptions options;
  const auto mean_wait = [&](const json& workload) {
    const Config config = burst_config(workload);
    const Result result = run(config, build_graph(config), options);
    CHECK(result.verified());
    CHECK(std::abs(result.traffic->offered_rate - 0.1) < 0.006);
    return result.traffic->latency.mean;
  };
  const double plain = mean_wait(json::object()), bursts = mean_wait({{"burst_cycles", 100}});
  CHECK(bursts > 1.5 * plain);
  // Nearly without pauses they are as without bursts.
  const double weak = mean_wait({{"burst_cycles", 100}, {"burst_rate", 0.102}});
  CHECK(weak == doctest::Approx(plain).epsilon(0.05));
}

TEST_CASE("all engines have the same bursts") {
  const Config config = burst_config(
      {{"burst_cycles", 30}, {"burst_rate", 0.6}, {"measure", 3000}, {"packet_flits", 3}});
  RunOptions options;
  const Result model = run(config, build_graph(config), options);
  options.engine = "flit";
  const Result flit = run(config, build_graph(config), options);
  CHECK(model.digest == flit.digest);
  CHECK(model.cycles == flit.cycles);
}

TEST_CASE("bursts that there cannot be are refused") {
  CHECK(refusal({{"burst_cycles", 20}}) == "accepted");
  CHECK(refusal({{"burst_rate", 0.5}})
            .find("/workload/burst_rate: value 0.5: expected: 1 without "
                  "burst_cycles") != std::string::npos);
  CHECK(refusal({{"burst_cycles", 20}, {"burst_rate", 0.1}})
            .find("/workload/burst_rate: value 0.1: expected: more than workload.rate, 0.1") !=
        std::string::npos);
  CHECK(refusal({{"burst_cycles", 3}, {"rate", 0.9}})
            .find("/workload/burst_cycles: value 3: expected: 9 or more at these rates") !=
        std::string::npos);
  CHECK(refusal({{"burst_cycles", 9}, {"rate", 0.9}}) == "accepted");
  CHECK(refusal({{"burst_cycles", -1}}).find("/workload/burst_cycles: value -1") !=
        std::string::npos);
  CHECK(refusal({{"traffic", "mesh_emulation"}, {"burst_cycles", 9}})
            .find("expected: 0: partners pace each other's rounds") != std::string::npos);
}
