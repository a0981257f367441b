// The registry: all topologies, traffic patterns and collectives.
#include "sim/workload/registry.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>

#include "sim/topology/topology.hpp"
#include "sim/traffic/traffic.hpp"
#include "sim/workload/collective.hpp"
#include "sim/workload/pickers.hpp"
#include "sw/include/weft_collective.h"

namespace weft {
using nlohmann::json;
namespace {

// Facts that follow from what a collective leaves in the memories.
std::uint32_t facts_of(weft_kind kind) {
  switch (kind) {
    case WEFT_ALL_TO_ALL:
      return kAllToAll;
    case WEFT_ALLREDUCE:
    case WEFT_REDUCE_SCATTER:
      return kReductions;
    case WEFT_REDUCE:
      return kReductions | kRooted;
    case WEFT_ALLGATHER:
      return kMoves;
    case WEFT_BROADCAST:
      return kMoves | kRooted;
    case WEFT_BARRIER:
      return kBarrierWork;
    case WEFT_PROGRAM:
      return kProgramWork;
    case WEFT_TRACE:
      return kTraceWork;
  }
  return 0;
}

// A picker of all-to-alls accepts the settings of all of them.
CollectiveKind kind_of(const Picker& picker) {
  const std::uint32_t facts = facts_of(picker.kind);
  return {.name = picker.name,
          .facts = picker.kind == WEFT_ALL_TO_ALL ? facts | kByHops : facts,
          .pick = [&picker](Config& config, const Given& given) {
            return pick(picker, config, given);
          }};
}

CollectiveKind kind_of(const weft_collective& c) {
  std::uint32_t facts = facts_of(c.kind);
  if (c.by_hops != 0) facts |= kByHops;
  if (c.pipelines != 0) facts |= kPipelines;
  if (c.boards != 0 && c.halves != 0) facts |= kOrdered;
  return {.name = c.name,
          .facts = facts,
          .reduces = c.reduces != 0,
          .combines = c.combines != 0,
          .barriers = c.barriers != 0,
          .timed = c.timed != 0,
          .in_order = c.in_order != 0,
          .controllers = [&c](const Config& config) { return send_controllers(c, config); }};
}

}  // namespace

Registry full_registry() {
  Registry all;
  all.failed_vcs = failed_vcs;
  for (const Topology& t : topologies()) {
    all.topologies.push_back({.name = t.kind, .facts = t.facts, .keys = t.keys, .vcs = t.vcs});
  }
  for (const TrafficPattern& p : traffic_patterns()) {
    all.patterns.push_back({.name = p.name, .keys = p.keys, .longest_packet = p.longest_packet});
  }
  std::size_t count = 0;
  const weft_collective* const table = weft_collectives(&count);
  for (const weft_collective& c : std::span(table, count)) all.collectives.push_back(kind_of(c));
  all.collectives.push_back(kind_of(own_program()));
  for (const Picker& picker : pickers()) all.collectives.push_back(kind_of(picker));
  std::ranges::sort(all.collectives, {}, &CollectiveKind::name);
  return all;
}

Config parse_config(const json& document, const Source& source) {
  return parse_config(document, source, full_registry());
}

Config load_config(const std::filesystem::path& file, const std::vector<std::string>& sets) {
  return load_config(file, sets, full_registry());
}

}  // namespace weft
