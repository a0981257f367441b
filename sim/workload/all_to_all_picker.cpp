// The picker of all-to-alls. Its limits are measured: scripts/figures/README.md.
#include "sim/workload/all_to_all_picker.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "sim/analysis/analysis.hpp"
#include "sim/analysis/collective_bound.hpp"
#include "sim/base/error.hpp"
#include "sim/workload/boards.hpp"
#include "sim/workload/collective.hpp"

namespace weft {
namespace {

// Instructions of an RV32 processor for a message of a2a, and before the first one.
constexpr std::uint64_t kMessageCycles = 28, kStartCycles = 170;
// The same for a flit of the block that stays, which the processor copies, but not in hop_group.
constexpr std::uint64_t kCopyCycles = 8;

// An algorithm with its settings.
struct Way {
  const char* name;
  const char* sync = "none";
  unsigned gap = 0;
};

// What the choice depends on.
struct Work {
  bool rv32 = false;
  std::uint64_t packet = 0;  // Wire flits of a packet of it,
  std::uint64_t slots = 0;   // and packets that the busiest link carries of each part of a block.
  std::uint64_t network_cycles = 0, program_cycles = 0, copy_cycles = 0;

  // The copy takes longer than all else.
  bool by_copy() const {
    return rv32 && copy_cycles > std::max(2 * network_cycles, 4 * program_cycles);
  }
  // The processors are what the time depends on, or nearly.
  bool by_program() const { return rv32 && 28 * network_cycles < 15 * program_cycles; }
};

Work work_of(const Config& config, const Graph& network) {
  const std::uint32_t most = config.nic.packet_flits, flits = config.workload.message_flits;
  const std::uint32_t parts = (flits + most - 1) / most;
  std::vector<std::uint32_t> members(network.nodes);
  std::iota(members.begin(), members.end(), 0);
  const Bound bound = collective_bound(
      network, {.words = most, .members = std::move(members), .packet_flits = most});
  Work work = {.rv32 = config.processor == "rv32",
               .packet = (flits + parts - 1) / parts + 1,
               .slots = bound.cycles / (most + 1)};
  work.network_cycles = work.slots * parts * work.packet;
  work.copy_cycles = kCopyCycles * flits;
  work.program_cycles = kStartCycles + kMessageCycles * (network.nodes - 1);
  return work;
}

// Whether packets follow each other in the slots of a schedule to its end. A wormhole packet is on
// a link a cycle later for each hop before it; the shorter packets are, and the more slots there
// are, the sooner packets of different slots meet and delay all others. Fitted to runs on tori.
bool keeps_slots(const Config& config, const Work& work) {
  const double least = std::pow(static_cast<double>(work.slots), 1.2) / (work.rv32 ? 2 : 4);
  return config.router.switching == "store_forward" || static_cast<double>(work.packet) >= least;
}

// The nodes start in one cycle.
bool together(const Config& config) {
  return config.start == "loaded" || config.barrier == "hardware";
}

// On rings.
std::vector<Way> on_torus(const Config& config, const Graph& network, const Work& work) {
  const std::uint32_t longest = *std::ranges::max_element(network.dims);
  const auto dims = std::ranges::count_if(network.dims, [](std::uint32_t k) { return k > 1; });
  const bool equal =
      std::ranges::all_of(network.dims, [&](std::uint32_t k) { return k == longest; });
  std::vector<Way> ways;
  if (work.packet <= 6 || work.by_program()) ways.push_back({"a2at_slots"});
  if (work.by_program()) ways.push_back({"a2a"});
  if (work.by_copy()) ways.push_back({"hop_group", "none", kGapHops});
  if (work.packet >= 8 && keeps_slots(config, work)) {
    if (work.rv32 && dims > 2 && work.slots > 16) ways.push_back({"a2and"});
    ways.push_back({"a2a_scheduled"});
  }
  if (!work.rv32 && dims > 1 && work.packet > (equal ? 8 : 32)) {
    ways.push_back({"hop_group", "none", kGapHops});
  }
  const bool many = longest >= 6 || work.slots * work.packet >= 128;
  ways.push_back(many ? Way{"a2at", "local"} : Way{"a2at"});
  return ways;
}

// The best first.
std::vector<Way> ways_of(const Config& config, const Graph& network) {
  const Work work = work_of(config, network);
  if (!network.has_routers() || network.staged) {
    return {work.rv32 ? Way{"a2a"} : Way{"a2and"}};
  }
  if (!network.in_dimension_order()) {
    const bool boards = Boards(network).aggregators != 0;
    const bool slots = boards || (work.packet > (work.rv32 ? 8 : 16) && keeps_slots(config, work));
    return {slots ? Way{"a2a_scheduled"} : work.rv32 ? Way{"a2a"} : Way{"a2and"}};
  }
  if (network.rings != 0) return on_torus(config, network, work);
  if (work.by_program()) return {{"a2a"}};
  return {work.network_cycles < 64 ? Way{"a2at"} : Way{"a2a_scheduled"}};
}

// Settings are given that only collectives by hops take.
bool asks_hops(const Config& config) {
  return config.nic.gap >= kGapSharers || config.workload.areas != 0;
}

bool accepts(const Config& config, const Way& way) {
  const weft_collective& collective = find_collective(way.name);
  if (asks_hops(config) && collective.by_hops == 0) return false;
  if (collective.scheduled != 0 && !together(config)) return false;
  Config trial = config;
  trial.workload.algorithm = way.name;
  if (trial.nic.controllers == 0) {
    trial.nic.controllers = send_controllers(collective, config.topology);
  }
  try {
    const Graph graph = build_graph(trial);
    const Collective built(trial, graph);
  } catch (const ConfigError&) {
    return false;
  }
  return true;
}

}  // namespace

const char* pick_all_to_all(Config& config, const Graph& network, const Given& given) {
  std::vector<Way> ways = ways_of(config, network);
  for (const char* name : {"a2at", "a2and", "a2a", "hop_group"}) ways.push_back({name});
  const Config asked = config;
  // First those whose settings are as given, then with the given ones.
  for (const bool exact : {true, false}) {
    for (const Way& way : ways) {
      config = asked;
      if (!given.sync) config.workload.sync = way.sync;
      if (!given.gap) config.nic.gap = way.gap;
      const bool same = config.workload.sync == way.sync && config.nic.gap == way.gap;
      if ((same || !exact) && accepts(config, way)) return way.name;
    }
  }
  // None takes them: it says why.
  config = asked;
  return asks_hops(config) ? "hop_group" : "a2a";
}

}  // namespace weft
