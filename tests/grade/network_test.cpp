// Upsets in a whole network: some whose outcome is known.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>

#include "sim/base/file_reader.hpp"
#include "sim/base/file_writer.hpp"
#include "sim/base/temporary_folder.hpp"
#include "sim/verilated/verilate.hpp"
#include "sim/workload/registry.hpp"
#include "tests/grade/network_upsets.hpp"

namespace weft::grade {
namespace {

// Two routers with a node each; `more`: added to the configuration.
Config two_nodes(const nlohmann::json& more = nlohmann::json::object()) {
  nlohmann::json json = {{"topology", {{"kind", "mesh"}, {"dims", {2}}}},
                         {"router", {{"vcs", 2}, {"vc_depth", 4}}},
                         {"nic", {{"controllers", 1}, {"packet_flits", 4}}},
                         {"workload", {{"transfers", {{{"from", 0}, {"to", 1}, {"flits", 1}}}}}}};
  json.merge_patch(more);
  return parse_config(json, "test");
}

// All flops of which `is` holds by name, each in every cycle.
template <class Is>
std::vector<Upset> upsets_of(const NetworkLanes& network, const NetworkUpsets& upsets, Is is) {
  std::vector<Upset> all;
  const auto& flops = network.library().netlist().flops;
  for (std::uint32_t f = 0; f < flops.size(); ++f) {
    for (std::uint32_t cycle = 0; cycle < upsets.cycles() && is(flops[f].name); ++cycle) {
      all.push_back({f, cycle});
    }
  }
  return all;
}

// Bit 20 of the words that routers have on their links.
bool in_router(const std::string& flop) {
  return flop.starts_with("u_r_") && flop.ends_with(".u_out.data_q[20]");
}

std::size_t count(const std::vector<Outcome>& outcomes, Outcome outcome) {
  return static_cast<std::size_t>(std::ranges::count(outcomes, outcome));
}

TEST_CASE("Intervals of shares are those of Wilson's formula") {
  // Tabulated: 0 of 100 and 10 of 100.
  CHECK(interval(0, 100)[0] == 0);
  CHECK(interval(0, 100)[1] == doctest::Approx(0.0370).epsilon(0.002));
  CHECK(interval(10, 100)[0] == doctest::Approx(0.0552).epsilon(0.002));
  CHECK(interval(10, 100)[1] == doctest::Approx(0.1744).epsilon(0.002));
}

TEST_CASE("Registers are named without the numbers of instances, words and bits") {
  CHECK(register_of("u_link_12_link_tx.words_q[3][7]") == "link_link_tx.words_q");
  CHECK(register_of("u_r_0.u_router.gen_in[1].u_in.credit_q[2]") ==
        "r.u_router.gen_in.u_in.credit_q");
}

TEST_CASE("The plan of the traffic gives each node words of all others, none twice") {
  const Traffic traffic{.nodes = 4, .messages = 5, .flits = 3};
  std::set<std::uint64_t> words;
  for (std::uint32_t n = 0; n < traffic.nodes; ++n) {
    for (std::uint32_t m = 0; m < traffic.messages; ++m) {
      const std::uint32_t to = traffic.destination(n, m);
      CHECK(to != n);
      for (std::uint32_t w = m * traffic.flits; w < (m + 1) * traffic.flits; ++w) {
        CHECK(traffic.received(to, w) == Traffic::sent(n, w));
        words.insert(traffic.received(to, w));
      }
    }
  }
  CHECK(words.size() == traffic.nodes * traffic.area());
}

TEST_CASE("Without protection an inverted flop of a router's data is silent") {
  NetworkLanes network(two_nodes(), 4, 10);
  NetworkUpsets upsets(network, 1000);
  const auto outcomes = upsets.run(upsets_of(network, upsets, in_router));
  CHECK(count(outcomes, Outcome::kWords) > 20);
  CHECK(count(outcomes, Outcome::kMasked) > 20);
  CHECK(count(outcomes, Outcome::kRepaired) == 0);

  // A counter of dropped packets that counts without one.
  const auto alarms = upsets.run(upsets_of(network, upsets, [](const std::string& flop) {
    return flop.starts_with("u_nic_1.") && flop.ends_with(".parity_q[5]");
  }));
  CHECK(count(alarms, Outcome::kAlarm) == alarms.size());
  CHECK(!alarms.empty());

  // A counter of received messages with a tag that none has.
  const auto counts = upsets.run(upsets_of(network, upsets, [](const std::string& flop) {
    return flop.starts_with("u_nic_1.") && flop.ends_with(".count_q[33]");
  }));
  CHECK(count(counts, Outcome::kCounts) == counts.size());
  CHECK(!counts.empty());
}

TEST_CASE("Parity tells of it, and packets that are sent again repair it") {
  const auto run = [](const nlohmann::json& more) {
    NetworkLanes network(two_nodes(more), 4, 10);
    NetworkUpsets upsets(network, 6000);
    return upsets.run(upsets_of(network, upsets, in_router));
  };
  const auto parity = run({{"link", {{"parity", true}}}});
  CHECK(count(parity, Outcome::kTold) > 20);
  CHECK(count(parity, Outcome::kWords) == 0);
  const auto reliable = run({{"link", {{"parity", true}, {"protection", "retry"}}},
                             {"nic", {{"reliable", true}, {"timeout", 400}}}});
  CHECK(count(reliable, Outcome::kRepaired) > 20);
  for (const Outcome outcome : reliable) CHECK(outcome < Outcome::kTold);
}

TEST_CASE("Unknown values of a network show where a register without reset leads to an output") {
  NetworkLanes sound(two_nodes(), 4, 10);
  CHECK(unknown(sound, 500, 1).empty());

  // The same RTL, but the lengths of packets, which have no reset, are seen in a counter.
  const TemporaryFolder folder;
  std::filesystem::copy(rtl_dir(), folder.path() / "rtl", std::filesystem::copy_options::recursive);
  const auto file = folder.path() / "rtl" / "nic" / "weft_recv_unit.sv";
  const std::string counter = "rx_refused_o = refused_q";
  std::string text = read_file(file);
  const std::size_t at = text.find(counter);
  REQUIRE(at != text.npos);
  write_file(file, text.insert(at + counter.size(), " | CountW'(len_q[0])"));
  const char* const before = std::getenv("WEFT_RTL_DIR");
  const std::string kept = before != nullptr ? before : "";
  setenv("WEFT_RTL_DIR", (folder.path() / "rtl").c_str(), 1);
  NetworkLanes unsound(two_nodes(), 4, 10);
  before != nullptr ? setenv("WEFT_RTL_DIR", kept.c_str(), 1) : unsetenv("WEFT_RTL_DIR");
  const std::vector<Unknown> found = unknown(unsound, 500, 1);
  REQUIRE(found.size() == 1);
  CHECK(found[0].port == "rx_refused_o");
  CHECK(found[0].first == 0);
}

}  // namespace
}  // namespace weft::grade
