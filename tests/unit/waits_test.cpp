// Why packets and links wait, against what follows from the times of packets that are alone.
#include "sim/observe/waits.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "sim/base/error.hpp"
#include "sim/engine/run.hpp"
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

// Every link-cycle has one cause, and the flits are those of the run's own counters.
void check_sums(const Result& result) {
  const json& losses = result.losses;
  std::uint64_t sum = 0;
  for (const auto& cycles : losses.at("link_cycles")) sum += cycles.get<std::uint64_t>();
  const auto cycles = losses.at("cycles").get<std::uint64_t>();
  CHECK(cycles == result.cycles);
  CHECK(sum == losses.at("links").get<std::uint64_t>() * cycles);
  const auto& by = losses.at("link_cycles");
  // A flit is also counted on the links from and to the interfaces.
  CHECK(by.at("header").get<std::uint64_t>() + by.at("body").get<std::uint64_t>() ==
        result.flit_hops - 2 * result.flits);
  const auto& ejection = losses.at("ejection");
  std::uint64_t ejected = ejection.at("header").get<std::uint64_t>() +
                          ejection.at("body").get<std::uint64_t>() +
                          ejection.at("no_packet").get<std::uint64_t>();
  for (const auto& stranded : ejection.at("tail_stranded")) {
    ejected += stranded.get<std::uint64_t>();
  }
  CHECK(ejected == ejection.at("links").get<std::uint64_t>() * cycles);
}

TEST_CASE("traffic has no program whose next message links could wait for") {
  const Seen seen = observe({{"topology", {{"kind", "torus"}, {"dims", {4, 4}}}},
                             {"workload", {{"traffic", "uniform"}, {"measure", 500}}}});
  const json& losses = seen.result.losses;
  const json& by = losses.at("link_cycles");
  std::uint64_t sum = 0;
  for (const auto& cycles : by) sum += cycles.get<std::uint64_t>();
  CHECK(sum == losses.at("links").get<std::uint64_t>() * seen.result.cycles);
  CHECK(by.at("nothing_source") > 0);
  CHECK_FALSE(by.contains("nothing_program"));
  CHECK_FALSE(by.contains("nothing_end"));
}

TEST_CASE("two packets for one link: the later one waits as long as the first one still is") {
  // Both go on together behind the link from node 1 to node 2, so that their last flits at node 3,
  // each alone, tell when each would have the link.
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
    std::uint64_t waits = 0;
    for (const json& cycles : both.result.losses.at("packet_waits")) {
      waits += cycles.get<std::uint64_t>();
    }
    CHECK(waits == late_first + late_second);
    for (const json& cycles : both.result.losses.at("ejection").at("packet_waits")) {
      CHECK(cycles == 0);
    }
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
      CHECK(alone.losses.is_null());
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
    const std::string place = fmt::format("r_{} out 0 -> r_{} in 0 vc 0 (packet {} -> {})", n,
                                          (n + 1) % 5, n, (n + 2) % 5);
    CHECK(message.find(place) != std::string::npos);
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
                       "--losses: value engine \"rtl\": expected: model, cosim", ConfigError);
  document["topology"] = {{"kind", "full_crossbar"}, {"pes", 4}};
  document["router"] = json::object();
  const Config crossbar = parse_config(document, "test");
  options.engine = "model";
  CHECK_THROWS_AS(run(crossbar, build_graph(crossbar), options), ConfigError);
}

}  // namespace
}  // namespace weft
