// Synthetic traffic in a configuration: what its pattern alone knows, and regions of a partition.
#include "sim/config/traffic_config.hpp"

#include <array>

#include "sim/config/config_keys.hpp"
#include "sim/packet/packet.hpp"

namespace weft {
using nlohmann::json;
namespace {

constexpr std::array kPhases = {"warmup", "measure", "drain"};

const TrafficKind& pattern_of(const JsonPlace& workload, const Registry& registry) {
  return find_kind(registry.patterns, workload.member("traffic"));
}

// What a region has beside its changes: all of the workload, but of another pattern only what all
// patterns have.
json region_base(const json& workload, const JsonPlace& changes, const Registry& registry) {
  if (!changes.has("traffic")) return workload;
  const std::uint32_t facts = traffic_facts(pattern_of(changes, registry));
  json base = json::object();
  for (const auto& [key, value] : workload.items()) {
    if (find_key(workload_keys(), key, facts) != nullptr) base[key] = value;
  }
  return base;
}

WorkloadConfig read_region(const json& workload, const JsonPlace& changes,
                           const Situation& situation, const Registry& registry) {
  if (!changes.value().is_object()) changes.refuse("an object with what is different in a region");
  for (const char* key : kPhases) {
    if (changes.has(key)) changes.member(key).refuse("no such key: all regions have the same");
  }
  json merged = region_base(workload, changes, registry);
  merged.update(changes.value());
  const bool silent = merged.contains("rate") && merged["rate"].is_number() && merged["rate"] == 0;
  if (silent) merged.erase("rate");
  WorkloadConfig region;
  Situation own = situation;
  const JsonPlace place = changes.instead(merged);
  own.facts = (situation.facts & kOfNetwork) | traffic_facts(pattern_of(place, registry));
  read_traffic(place, own, registry, region);
  if (silent) region.rate = 0;
  return region;
}

}  // namespace

std::uint32_t traffic_facts(const TrafficKind& pattern) {
  return pattern.longest_packet ? kTimedTraffic : kTraffic;
}

void read_traffic(const JsonPlace& workload, const Situation& situation, const Registry& registry,
                  WorkloadConfig& target) {
  const TrafficKind& pattern = pattern_of(workload, registry);
  const Keys tables[] = {workload_keys(), pattern.keys.keys};
  check_names(tables, workload, situation);
  read_members(workload_keys(), workload, situation, &target);
  if (pattern.keys.resolve != nullptr) {
    target.parameters = pattern.keys.resolve(pattern.keys.keys, workload, situation);
  }
  target.timed = static_cast<bool>(pattern.longest_packet);
  if (target.timed) target.packet_flits = pattern.longest_packet(workload);
  if (!workload.has("drain")) target.drain = kDrainPhases * target.measure;
  if (!workload.has("regions")) return;
  const JsonPlace list = workload.member("regions");
  const Key& row = *find_key(workload_keys(), "regions", situation.facts);
  json whole = workload.value();
  whole.erase("regions");
  for (const auto& changes : list.elements(row.min_items, row.max_items, expected_of(row))) {
    if (changes.has("regions")) changes.member("regions").refuse("no regions within a region");
    target.regions.push_back(read_region(whole, changes, situation, registry));
  }
  target.region_changes = list.value();
}

}  // namespace weft
