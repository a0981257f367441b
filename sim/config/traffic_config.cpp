// Synthetic traffic in a configuration.
#include "sim/config/traffic_config.hpp"

#include <fmt/format.h>

#include "sim/packet/packet.hpp"

namespace weft {
using nlohmann::json;
namespace {

constexpr std::uint64_t kDrainPhases = 10;  // Measuring phases that the drain has by default.

std::map<std::string, TrafficKeys>& traffic_keys() {
  static std::map<std::string, TrafficKeys> table;  // Filled before main by the patterns.
  return table;
}

const TrafficKeys& keys_of(const JsonPlace& object) {
  return find_entry(traffic_keys(), object.member("traffic"));
}

void read_pattern(const JsonPlace& object, WorkloadConfig& workload) {
  const TrafficKeys& pattern = keys_of(object);
  workload.traffic = object.member("traffic").text("a name of `weft list traffic`");
  std::vector<std::string_view> keys = {"traffic", "warmup", "measure", "drain"};
  if (!pattern.longest_packet) keys.insert(keys.end(), {"rate", "packet_flits"});
  for (const TrafficKey& key : pattern.keys) keys.emplace_back(key.name);
  object.only_keys(keys);
  for (const TrafficKey& key : pattern.keys) {
    if (key.required)
      (void)object.at(key.name, fmt::format("a value such as {}", key.value.dump()));
    if (object.has(key.name)) key.check(object.member(key.name));
    workload.parameters[key.name] = object.value().value(key.name, key.value);
  }
  if (object.has("rate")) workload.rate = object.member("rate").fraction(0, 1);
  object.number("packet_flits", workload.packet_flits, 1, 1u << kLenW);
  if (pattern.longest_packet) workload.packet_flits = pattern.longest_packet(object);
  object.number("warmup", workload.warmup, 0, kMaxTrafficPhase);
  object.number("measure", workload.measure, 1, kMaxTrafficPhase);
  workload.drain = kDrainPhases * workload.measure;
  object.number("drain", workload.drain, 0, kDrainPhases * kMaxTrafficPhase);
}

// What a region has beside its changes: all of the workload, but of another pattern only what all
// patterns have.
json region_base(const json& workload, const JsonPlace& changes) {
  json base = workload;
  if (changes.has("traffic")) {
    const bool own_times = static_cast<bool>(keys_of(changes).longest_packet);
    base = json::object();
    for (const auto& [key, value] : workload.items()) {
      const bool of_packets = key == "rate" || key == "packet_flits";
      const bool of_phases = key == "warmup" || key == "measure" || key == "drain";
      if (of_phases || (of_packets && !own_times)) base[key] = value;
    }
  }
  return base;
}

WorkloadConfig read_region(const json& workload, const JsonPlace& changes) {
  if (!changes.value().is_object()) changes.refuse("an object with what is different in a region");
  for (const char* key : {"warmup", "measure", "drain"}) {
    if (changes.has(key)) changes.member(key).refuse("no such key: all regions have the same");
  }
  json merged = region_base(workload, changes);
  merged.update(changes.value());
  const bool silent = merged.contains("rate") && merged["rate"].is_number() && merged["rate"] == 0;
  if (silent) merged.erase("rate");
  WorkloadConfig region;
  read_pattern(changes.instead(merged), region);
  if (silent) region.rate = 0;
  return region;
}

}  // namespace

void register_traffic_keys(const std::string& pattern, TrafficKeys keys) {
  traffic_keys()[pattern] = std::move(keys);
}

void read_traffic(const JsonPlace& object, WorkloadConfig& workload) {
  json whole = object.value();
  whole.erase("regions");
  read_pattern(object.instead(whole), workload);
  if (!object.has("regions")) return;
  const auto list = object.member("regions");
  for (const auto& changes :
       list.elements(1, 1u << kMaxAddrW, "a list of objects, what is different in each region")) {
    workload.regions.push_back(read_region(whole, changes));
  }
  workload.region_changes = list.value();
}

json traffic_json(const WorkloadConfig& workload) {
  json object = {{"traffic", workload.traffic},           {"rate", workload.rate},
                 {"packet_flits", workload.packet_flits}, {"warmup", workload.warmup},
                 {"measure", workload.measure},           {"drain", workload.drain}};
  if (traffic_keys().at(workload.traffic).longest_packet) {
    object.erase("rate");
    object.erase("packet_flits");
  }
  object.update(workload.parameters);
  if (!workload.region_changes.is_null()) object["regions"] = workload.region_changes;
  return object;
}

}  // namespace weft
