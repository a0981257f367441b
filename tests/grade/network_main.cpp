// gate_network: single upsets in a whole network, or its unknown values (README.md).
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <map>
#include <nlohmann/json.hpp>

#include "sim/base/file_writer.hpp"
#include "sim/base/random.hpp"
#include "sim/workload/registry.hpp"
#include "tests/grade/network_upsets.hpp"

namespace weft::grade {
namespace {

using Json = nlohmann::ordered_json;

// Cycles that the repair of a lost packet takes at most.
std::uint32_t patience(const Config& config) {
  return 2000 + (config.nic.reliable ? 6 * config.nic.timeout : 0);
}

Json upset(NetworkLanes& network, std::uint32_t patience, std::uint64_t trials,
           std::uint64_t seed) {
  NetworkUpsets upsets(network, patience);
  RandomStream random(seed);
  std::vector<Upset> all(trials);
  for (Upset& one : all) {
    one.flop = static_cast<std::uint32_t>(random.below(upsets.flops()));
    one.cycle = static_cast<std::uint32_t>(random.below(upsets.cycles()));
  }
  const std::vector<Outcome> outcomes = upsets.run(all);
  struct Register {
    std::string name;
    std::uint64_t flops = 0, trials = 0, silent = 0, stalled = 0;
  };
  std::map<std::string, Register> registers;
  const auto& flops = network.library().netlist().flops;
  for (const Flop& flop : flops) ++registers[register_of(flop.name)].flops;
  std::array<std::uint64_t, kOutcomes> counts = {};
  for (std::size_t i = 0; i < trials; ++i) {
    ++counts[static_cast<std::size_t>(outcomes[i])];
    Register& one = registers[register_of(flops[all[i].flop].name)];
    ++one.trials;
    one.silent += outcomes[i] >= Outcome::kCounts ? 1 : 0;
    one.stalled += outcomes[i] == Outcome::kStalled ? 1 : 0;
  }
  Json json = {{"cycles", upsets.cycles()},
               {"flops", upsets.flops()},
               {"memory_bits", memory_bits(network.library().netlist())},  // Without upsets.
               {"trials", trials}};
  for (std::size_t i = 0; i < kOutcomes; ++i) json[name_of(static_cast<Outcome>(i))] = counts[i];
  const std::uint64_t silent = counts[static_cast<std::size_t>(Outcome::kCounts)] +
                               counts[static_cast<std::size_t>(Outcome::kWords)];
  json["silent"] = silent;
  json["interval"] = interval(silent, trials);
  std::vector<Register> order;
  for (auto& [name, one] : registers) {
    one.name = name;
    order.push_back(one);
  }
  std::ranges::stable_sort(order, std::greater(), &Register::silent);
  json["registers"] = Json::array();
  for (const Register& one : order) {
    if (one.silent + one.stalled == 0) continue;
    json["registers"].push_back({{"register", one.name},
                                 {"flops", one.flops},
                                 {"trials", one.trials},
                                 {"stalled", one.stalled},
                                 {"silent", one.silent}});
  }
  return json;
}

Json unknown_values(NetworkLanes& network, std::uint32_t patience, std::uint64_t seed) {
  const std::uint32_t cycles = NetworkUpsets(network, patience).cycles();
  const Netlist& netlist = network.library().netlist();
  std::size_t bits = memory_bits(netlist);
  for (const Flop& flop : netlist.flops) bits += flop.reset == Flop::Reset::kNone ? 1 : 0;
  return {{"cycles", cycles},
          {"bits", bits},
          {"states", network.lanes()},
          {"ports", to_json(unknown(network, cycles + patience, seed))}};
}

}  // namespace
}  // namespace weft::grade

int main(int argc, char** argv) {
  using namespace weft;
  using namespace weft::grade;
  CLI::App app{"Upsets and unknown values of a network as gates"};
  std::string config_path, json_path, what = "upset";
  std::vector<std::string> sets;
  std::uint32_t messages = 6, flits = 10;
  std::uint64_t trials = 5110, seed = 1;
  app.add_option("config", config_path, "configuration of the network")->required();
  app.add_option("--set", sets, "path=value, as of weft run");
  app.add_option("--what", what, "upset or x")
      ->check(CLI::IsMember({"upset", "x"}))
      ->capture_default_str();
  app.add_option("--json", json_path, "file for the result")->required();
  app.add_option("--trials", trials, "upsets")
      ->check(CLI::Range(1u, 1u << 24))
      ->capture_default_str();
  app.add_option("--messages", messages, "that each node sends")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  app.add_option("--flits", flits, "of a message")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  app.add_option("--seed", seed, "of flops, cycles and values")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    const Config config = load_config(config_path, sets);
    NetworkLanes network(config, messages, flits);
    Json json = what == "upset" ? upset(network, patience(config), trials, seed)
                                : unknown_values(network, patience(config), seed);
    json["settings"] = sets;
    write_file(json_path, json.dump(1) + "\n");
  } catch (const std::exception& error) {
    fmt::print(stderr, "FAILED {}\n", error.what());
    return 1;
  }
  return 0;
}
