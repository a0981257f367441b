// Why packets and links wait, against what follows from the times of packets that are alone.
#include "sim/observe/waits.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>

#include "sim/base/error.hpp"
#include "sim/run/run.hpp"
#include "sim/topology/topology.hpp"
#include "sim/workload/registry.hpp"

namespace weft {
namespace {

using nlohmann::json;

json line_of_four(const json& transfers) {
  return {{"topology", {{"kind", "mesh"}, {"dims", {4}}}},
          {"router", {{"vcs", 2}, {"vc_depth", 64}}},
          {"nic", {{"controllers", 1}, {"packet_flits", 100}}},
          {"workload", {{"transfers", transfers}}}};
}

json transfer(unsigned from, unsigned to, unsigned flits, unsigned start) {
  return {{"from", from}, {"to", to}, {"flits", flits}, {"start", start}};
}

struct Seen {
  Result result;
  std::map<std::string, std::uint64_t> waited;  // By packet: cycles of all its slices.
};

Seen observe(const json& document) {
  const Config config = parse_config(document, "test");
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / fmt::format("weft_waits_{}.json", getpid());
  RunOptions options;
  options.losses = true;
  options.events = file;
  Seen seen{run(config, build_graph(config), options), {}};
  std::ifstream in(file);
  const json written = json::parse(in);
  for (const json& event : written.at("traceEvents")) {
    if (event.at("ph") != "X") continue;
    seen.waited[event.at("name")] += event.at("dur").get<std::uint64_t>();
  }
  std::filesystem::remove(file);
  return seen;
}

template <std::size_t N>
std::uint64_t sum_of(const std::array<std::uint64_t, N>& sums) {
  return std::accumulate(sums.begin(), sums.end(), std::uint64_t{0});
}

// Every link-cycle has one cause.
void check_causes(const Result& result) {
  REQUIRE(result.losses);
  const LossSums& losses = *result.losses;
  CHECK(losses.cycles == result.cycles);
  CHECK(sum_of(losses.causes) == losses.links * losses.cycles);
  const LossSums::Ejection& ejection = losses.ejection;
  CHECK(ejection.header + ejection.body + ejection.no_packet + sum_of(ejection.tails) ==
        ejection.links * losses.cycles);
}

// Checks causes and sums of a run that ends with nothing in flight; its flits equal its own
// counters.
void check_sums(const Result& result) {
  check_causes(result);
  // A flit is also counted on the links from and to the NICs.
  CHECK(result.losses->causes[LossSums::kHeader] + result.losses->causes[LossSums::kBody] ==
        result.flit_hops - 2 * result.flits);
}

TEST_CASE("under traffic no link waits for a program's next message") {
  const Seen seen = observe({{"topology", {{"kind", "torus"}, {"dims", {4, 4}}}},
                             {"workload", {{"traffic", "uniform"}, {"measure", 500}}}});
  check_causes(seen.result);
  const LossSums& losses = *seen.result.losses;
  CHECK(losses.causes[LossSums::kSource] > 0);
  for (const auto cause : {LossSums::kBarrier, LossSums::kProgram, LossSums::kEnd}) {
    CHECK(losses.causes[cause] == 0);
    CHECK_FALSE(losses.tells(cause));
  }
}

TEST_CASE("two packets for one link: the later one waits until the first one has passed") {
  // After the link from node 1 to node 2 both have the same route, so that the times of their last
  // flits at node 3, each alone, tell when each would have the link.
  constexpr unsigned kFirst = 20, kSecond = 30;
  const json first = transfer(0, 3, kFirst, 100);
  const std::uint64_t end_first =
      *observe(line_of_four(json::array({first}))).result.transfers.at(0).end;
  unsigned first_waits = 0, second_waits = 0, none = 0;
  for (unsigned start = 60; start < 135; ++start) {
    CAPTURE(start);
    const json second = transfer(1, 3, kSecond, start);
    const std::uint64_t end_second =
        *observe(line_of_four(json::array({second}))).result.transfers.at(0).end;
    const Seen both = observe(line_of_four(json::array({first, second})));
    check_sums(both.result);
    const std::uint64_t late_first = *both.result.transfers.at(0).end - end_first;
    const std::uint64_t late_second = *both.result.transfers.at(1).end - end_second;
    const auto waited = [&](const char* packet) {
      const auto found = both.waited.find(packet);
      return found == both.waited.end() ? 0 : found->second;
    };
    CHECK(waited("1 -> 3") == late_second);
    CHECK(late_first * late_second == 0);
    // Packets are one flit longer than their bodies.
    const std::uint64_t begin_first = end_first - kFirst, begin_second = end_second - kSecond;
    if (begin_first < begin_second && begin_second <= end_first) {
      CHECK(late_second == end_first + 1 - begin_second);
      ++second_waits;
    } else if (begin_second < begin_first && begin_first <= end_second) {
      CHECK(late_first == end_second + 1 - begin_first);
      ++first_waits;
    } else if (begin_first == begin_second) {
      CHECK(late_first + late_second == (late_second != 0 ? kFirst + 1 : kSecond + 1));
    } else {
      CHECK(late_first + late_second == 0);
      CHECK(both.waited.empty());
      ++none;
    }
    if (late_first != 0) CHECK(waited("0 -> 3") == late_first);
    // The link from node 1 to node 2 is one between routers.
    CHECK(sum_of(both.result.losses->packet_waits) == late_first + late_second);
    CHECK(sum_of(both.result.losses->ejection.packet_waits) == 0);
  }
  CHECK(first_waits >= 20);
  CHECK(second_waits >= 15);
  CHECK(none >= 5);
}

TEST_CASE("the sums hold under load, and watching changes nothing") {
  for (const char* sync : {"none", "local"}) {
    for (const unsigned controllers : {1u, 4u}) {
      const json document = {
          {"topology", {{"kind", "torus"}, {"dims", {4, 3}}}},
          {"router", {{"vcs", 2}, {"vc_depth", 6}}},
          {"nic", {{"controllers", controllers}, {"packet_flits", 40}}},
          {"processor", "native"},
          {"workload", {{"collective", "a2a"}, {"message_flits", 40}, {"sync", sync}}}};
      const Seen seen = observe(document);
      check_sums(seen.result);
      CHECK(seen.result.verified());
      const Config config = parse_config(document, "test");
      const Result alone = run(config, build_graph(config), {});
      CHECK(alone.digest == seen.result.digest);
      CHECK(alone.cycles == seen.result.cycles);
      CHECK_FALSE(alone.losses);
    }
  }
}

TEST_CASE("a ring whose packets each wait for the next: the cycle is named") {
  json transfers;
  for (unsigned n = 0; n < 5; ++n) transfers.push_back(transfer(n, (n + 2) % 5, 40, 0));
  json document = line_of_four(transfers);
  document["topology"] = {{"kind", "torus"}, {"dims", {5}}};
  document["router"] = {{"vcs", 1}, {"vc_depth", 2}};
  document["watchdog"] = 300;
  const Config config = parse_config(document, "test");
  std::string message;
  try {
    run(config, build_graph(config), {});
  } catch (const NoProgressError& error) {
    message = error.what();
  }
  CHECK(message.find("channels wait in a cycle") != std::string::npos);
  for (unsigned n = 0; n < 5; ++n) {
    CAPTURE(n);
    const std::string edge = fmt::format("r_{} out 0 -> r_{} in 0 vc 0 (packet {} -> {})", n,
                                         (n + 1) % 5, n, (n + 2) % 5);
    CHECK(message.find(edge) != std::string::npos);
  }
  // With a second VC and the dateline there is none.
  document["router"]["vcs"] = 2;
  const Config safe = parse_config(document, "test");
  CHECK(run(safe, build_graph(safe), {}).verified());
}

TEST_CASE("other networks and engines are refused") {
  json document = line_of_four(json::array({transfer(0, 3, 1, 0)}));
  RunOptions options;
  options.losses = true;
  options.engine = "rtl";
  const Config line = parse_config(document, "test");
  CHECK_THROWS_WITH_AS(run(line, build_graph(line), options),
                       "--losses: value engine \"rtl\": expected: model, flit, cosim", ConfigError);
  document["topology"] = {{"kind", "full_crossbar"}, {"pes", 4}};
  document["router"] = json::object();
  const Config crossbar = parse_config(document, "test");
  options.engine = "model";
  CHECK_THROWS_AS(run(crossbar, build_graph(crossbar), options), ConfigError);
}

}  // namespace
}  // namespace weft
