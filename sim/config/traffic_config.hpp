// The part of a configuration that is synthetic traffic, with the keys that only one pattern knows.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "sim/config/config.hpp"

namespace weft {

/// A key of `workload` that one pattern of synthetic traffic knows.
struct TrafficKey {
  std::string name;
  nlohmann::json value;  ///< Its default; of a key that must be there an example.
  /// Throws ConfigError where the value there is none for it.
  std::function<void(const JsonPlace&)> check;
  bool required = false;
};
/// What a pattern of synthetic traffic asks of a configuration.
struct TrafficKeys {
  std::vector<TrafficKey> keys = {};
  /// Of a pattern that says itself when packets are born and how long they are, so that it has no
  /// `rate` and no `packet_flits`: flits of the longest packet with its header, 1 to 256, for a
  /// workload whose keys are checked. Throws ConfigError.
  std::function<std::uint32_t(const JsonPlace& workload)> longest_packet = {};
};
/// Of all patterns; defined where they are.
std::map<std::string, TrafficKeys> traffic_keys();

/// The entry of a register that is named there. Throws ConfigError naming all of them.
template <class Entry>
const Entry& find_entry(const std::map<std::string, Entry>& table, const JsonPlace& name) {
  const auto found = table.find(name.text("a name"));
  if (found != table.end()) return found->second;
  std::string known;
  for (const auto& entry : table) known += (known.empty() ? "" : ", ") + entry.first;
  name.refuse(known);
}

/// Reads a workload with the key "traffic". Throws ConfigError.
void read_traffic(const JsonPlace& object, WorkloadConfig& workload);
/// Every key of it that the run uses.
nlohmann::json traffic_json(const WorkloadConfig& workload);

}  // namespace weft
