// The picker of all-to-alls. Its limits are measured: scripts/figures/README.md.
#include "sim/workload/all_to_all_picker.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "sim/analysis/analysis.hpp"
#include "sim/analysis/collective_bound.hpp"
#include "sim/base/error.hpp"
#include "sim/topology/topology.hpp"
#include "sim/workload/all_to_all.hpp"
#include "sim/workload/boards.hpp"
#include "sim/workload/collective.hpp"

namespace weft {
namespace {

// Instructions of an RV32 processor: for a message of a2a_scheduled; before the first message; for
// a flit of the block that stays, which the processor copies (not in hop_group).
constexpr std::uint64_t kMessageCycles = 20, kStartCycles = 170, kCopyCycles = 8;

// An algorithm with its settings.
struct Way {
  const char* name;
  Sync sync = Sync::kNone;
  unsigned gap = 0;
};

// Inputs of the choice.
struct Work {
  bool rv32 = false;
  std::uint64_t packet = 0;  // Wire flits of a packet.
  std::uint64_t slots = 0;   // Packets of each part of a block that cross the busiest link.
  std::uint64_t network_cycles = 0, program_cycles = 0, copy_cycles = 0;

  // Whether the copy takes longer than all else.
  bool by_copy() const {
    return rv32 && copy_cycles > std::max(2 * network_cycles, 4 * program_cycles);
  }
  // Whether the time depends on the processors.
  bool by_program() const { return rv32 && network_cycles < program_cycles; }
};

Work work_of(const Config& config, const Graph& network) {
  const std::uint32_t most = config.nic.packet_flits, flits = config.workload.message_flits;
  const std::uint32_t parts = (flits + most - 1) / most;
  std::vector<std::uint32_t> members(network.nodes);
  std::iota(members.begin(), members.end(), 0);
  const Bound bound = collective_bound(
      network, {.words = most, .members = std::move(members), .packet_flits = most});
  Work work = {.rv32 = config.processor == ProcessorKind::kRv32,
               .packet = (flits + parts - 1) / parts + 1,
               .slots = bound.cycles / (most + 1)};
  work.network_cycles = work.slots * parts * work.packet;
  work.copy_cycles = kCopyCycles * flits * network.header.flit_words();
  work.program_cycles = kStartCycles + kMessageCycles * (network.nodes - 1);
  return work;
}

// Whether the nodes start in one cycle.
bool together(const Config& config) {
  return config.start == JobStart::kLoaded || config.barrier == BarrierKind::kHardware;
}

// Algorithms on rings. The slack of slots costs short packets most.
std::vector<Way> on_torus(const Config& config, const Graph& network, const Work& work) {
  const std::uint32_t slack = slot_slack(config, network);
  const std::uint32_t longest = *std::ranges::max_element(network.dims);
  std::vector<Way> ways;
  if (work.by_copy()) ways.push_back({"hop_group", Sync::kNone, kGapHops});
  if (!work.rv32 && work.packet <= (work.slots < 24 ? 5 : 3)) ways.push_back({"a2at_slots"});
  const bool long_enough = slack <= work.packet && (work.packet >= 5 || work.slots >= 24);
  if (work.by_program() || long_enough) ways.push_back({"a2a_scheduled"});
  const bool many = longest >= 6 || work.slots * work.packet >= 128;
  ways.push_back(many ? Way{"a2at", Sync::kLocal} : Way{"a2at"});
  return ways;
}

// Algorithms, the best first.
std::vector<Way> ways_of(const Config& config, const Graph& network) {
  const Work work = work_of(config, network);
  const Way in_turn = work.rv32 ? Way{"a2a"} : Way{"a2and"};
  if (!network.has_routers() || network.staged) {
    if (!work.rv32) return {in_turn};
    return {{"a2a_scheduled"}, in_turn};
  }
  if (!network.has_one_way()) return {in_turn};
  if (!network.in_dimension_order()) {
    const bool slots = Boards(network).aggregators != 0 || work.by_program() || work.packet >= 8;
    if (!slots) return {in_turn};
    return {{"a2a_scheduled"}, in_turn};
  }
  if (network.rings != 0) return on_torus(config, network, work);
  const bool few = !work.rv32 && work.packet <= 3 && work.network_cycles < 64;
  return {few ? Way{"a2at"} : Way{"a2a_scheduled"}};
}

// Whether settings are given that only collectives by hops accept.
bool asks_hops(const Config& config) {
  return config.nic.gap >= kGapSharers || config.workload.areas != 0;
}

bool accepts(const Config& config, const Way& way) {
  const weft_collective& collective = find_collective(way.name);
  if (asks_hops(config) && collective.by_hops == 0) return false;
  const bool in_slots = collective.scheduled != 0 || std::string(way.name) == "a2at_slots";
  if (in_slots && !together(config)) return false;
  const Config trial = with_algorithm(config, collective);
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
  // First try algorithms whose settings are as given, then all with the given settings.
  for (const bool exact : {true, false}) {
    for (const Way& way : ways) {
      config = asked;
      if (!given.sync) config.workload.sync = way.sync;
      if (!given.gap) config.nic.gap = way.gap;
      const bool same = config.workload.sync == way.sync && config.nic.gap == way.gap;
      if ((same || !exact) && accepts(config, way)) return way.name;
    }
  }
  // No algorithm accepts the settings: the returned one will say why.
  config = asked;
  return asks_hops(config) ? "hop_group" : "a2a";
}

}  // namespace weft
