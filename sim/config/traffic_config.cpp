// Synthetic traffic in a configuration: keys of its pattern, and regions of a partition.
#include "sim/config/traffic_config.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "sim/config/config_keys.hpp"
#include "sim/packet/packet.hpp"

namespace weft {
using nlohmann::json;
namespace {

// Keys that only the workload sets, for all regions.
constexpr std::array<std::string_view, 4> kOfAllRegions = {"warmup", "measure", "drain", "regions"};

Situation situation_of(const TrafficKind& pattern, Situation situation) {
  situation.facts = (situation.facts & kOfNetwork) | traffic_facts(pattern);
  situation.work = pattern.name + " traffic";
  return situation;
}

// The pattern of an element of a list. Throws unless the destinations of its packets are drawn.
PatternShare read_share(const JsonCursor& element, const Situation& situation,
                        const Registry& registry) {
  const Key& traffic = pattern_keys().front();
  if (!element.value().is_object()) {
    element.refuse("an object with the keys traffic, weight and those of that pattern");
  }
  const JsonCursor name = element.at(traffic.name, expected_of(traffic));
  const TrafficKind& pattern = find_kind(registry.patterns, name);
  if (pattern.longest_packet) {
    name.refuse("a pattern whose packets are generated at a rate, in a list of patterns");
  }
  const Situation own = situation_of(pattern, situation);
  const Keys tables[] = {pattern_keys(), pattern.keys.keys};
  check_names(tables, element, own);
  PatternShare share;
  read_members(pattern_keys(), element, own, &share);
  if (pattern.keys.read != nullptr) {
    share.parameters = pattern.keys.read(pattern.keys.keys, element, own);
  }
  return share;
}

// Reads the name, or the list instead.
void read_patterns(const JsonCursor& workload, const Situation& situation, const Registry& registry,
                   WorkloadConfig& target) {
  target.traffic = traffic_kind(workload, registry).name;
  const JsonCursor list = workload.member("traffic");
  if (!list.value().is_array()) return;
  const Key& row = *find_key(workload_keys(), "traffic", situation.facts);
  for (const auto& element : list.elements(row.min_items, row.max_items, expected_of(row))) {
    target.patterns.push_back(read_share(element, situation, registry));
  }
}

// Throws if a region has a key that its pattern does not have, or one that is for all regions.
void check_region_names(const TrafficKind& pattern, const JsonCursor& changes,
                        const Situation& situation) {
  const auto is_shared = [](const Key& key) {
    return std::find(kOfAllRegions.begin(), kOfAllRegions.end(), key.name) != kOfAllRegions.end();
  };
  for (const auto key : kOfAllRegions) {
    if (!changes.has(key)) continue;
    changes.member(key).refuse(key == "regions" ? "no regions within a region"
                                                : "no such key: all regions have the same");
  }
  std::vector<Key> rows;
  for (const Key& key : workload_keys()) {
    if (!is_shared(key)) rows.push_back(key);
  }
  const Keys tables[] = {rows, pattern.keys.keys};
  check_names(tables, changes, situation);
}

// Base of a region's changes: all keys of the workload, or, with another pattern, only those that
// all patterns have.
json region_base(const json& workload, const JsonCursor& changes, const Registry& registry) {
  if (!changes.has("traffic")) return workload;
  const std::uint32_t facts = traffic_facts(traffic_kind(changes, registry));
  json base = json::object();
  for (const auto& [key, value] : workload.items()) {
    if (find_key(workload_keys(), key, facts) != nullptr) base[key] = value;
  }
  return base;
}

WorkloadConfig read_region(const json& workload, const JsonCursor& changes,
                           const Situation& situation, const Registry& registry) {
  if (!changes.value().is_object()) changes.refuse("an object with what is different in a region");
  json merged = region_base(workload, changes, registry);
  merged.update(changes.value());
  const bool silent = merged.contains("rate") && merged["rate"].is_number() && merged["rate"] == 0;
  if (silent) merged.erase("rate");
  WorkloadConfig region;
  const JsonCursor cursor = changes.instead(merged);
  const TrafficKind& pattern = traffic_kind(cursor, registry);
  const Situation own = situation_of(pattern, situation);
  check_region_names(pattern, changes, own);
  read_traffic(cursor, own, registry, region);
  if (silent) region.rate = 0;
  return region;
}

}  // namespace

std::uint32_t PacketLengths::longest() const {
  std::uint32_t most = list.empty() ? one : 0;
  for (const PacketLength& length : list) most = std::max(most, length.flits);
  return most;
}

double PacketLengths::mean() const {
  if (list.size() < 2) return longest();
  double flits = 0, weights = 0;
  for (const PacketLength& length : list) {
    flits += length.weight * length.flits;
    weights += length.weight;
  }
  return flits / weights;
}

const TrafficKind& traffic_kind(const JsonCursor& workload, const Registry& registry) {
  static const TrafficKind mixed{.name = kMixed};
  const JsonCursor traffic = workload.member("traffic");
  return traffic.value().is_array() ? mixed : find_kind(registry.patterns, traffic);
}

std::uint32_t WorkloadConfig::longest_packet() const {
  std::uint32_t longest = std::max(packet_flits.longest(), reply_flits);
  for (const auto& region : regions) longest = std::max(longest, region.longest_packet());
  return longest;
}

std::uint32_t traffic_facts(const TrafficKind& pattern) {
  return pattern.longest_packet ? kTimedTraffic : kTraffic;
}

void read_traffic(const JsonCursor& workload, const Situation& situation, const Registry& registry,
                  WorkloadConfig& target) {
  const TrafficKind& pattern = traffic_kind(workload, registry);
  const Keys tables[] = {workload_keys(), pattern.keys.keys};
  check_names(tables, workload, situation);
  read_members(workload_keys(), workload, situation, &target);
  read_patterns(workload, situation, registry, target);
  if (pattern.keys.read != nullptr) {
    target.parameters = pattern.keys.read(pattern.keys.keys, workload, situation);
  }
  target.kind = traffic_facts(pattern);
  if (pattern.longest_packet)
    target.packet_flits = {.one = pattern.longest_packet(workload), .list = {}};
  if (!workload.has("regions")) return;
  const JsonCursor list = workload.member("regions");
  const Key& row = *find_key(workload_keys(), "regions", situation.facts);
  json whole = workload.value();
  whole.erase("regions");
  for (const auto& changes : list.elements(row.min_items, row.max_items, expected_of(row))) {
    target.regions.push_back(read_region(whole, changes, situation, registry));
  }
  target.region_changes = std::make_shared<const json>(list.value());
}

json to_json(const std::vector<PatternShare>& patterns) {
  json list = json::array();
  for (const PatternShare& share : patterns) {
    list.push_back(write_object(pattern_keys(), {}, &share));
    list.back().update(share.parameters.to_json());
  }
  return list;
}

}  // namespace weft
