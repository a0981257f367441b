// weft list: what there is to choose from, as the registers and folders know it.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "sim/base/error.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/output.hpp"
#include "sim/engine/engine.hpp"
#include "sim/traffic/traffic.hpp"
#include "sim/verilated/verilate.hpp"
#include "sw/include/weft_hal.h"

namespace weft::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// One thing: its members go to the JSON; in the text "name" comes first and the others follow.
json topologies_listed() {
  json list = json::array();
  for (const auto& t : topologies()) {
    list.push_back(
        {{"name", t.kind}, {"parameters", t.parameters}, {"description", t.description}});
  }
  return list;
}

json collectives_listed() {
  std::size_t count = 0;
  const weft_collective* table = weft_collectives(&count);
  json list = json::array();
  for (std::size_t i = 0; i < count; ++i) {
    list.push_back({{"name", table[i].name}, {"description", table[i].description}});
  }
  return list;
}

json traffic_listed() {
  json list = json::array();
  for (const auto& t : traffic_patterns()) {
    json& entry = list.emplace_back();
    entry = {{"name", t.name}, {"description", t.description}};
    json parameters;
    for (const TrafficKey& key : t.keys.keys) parameters[key.name] = key.value;
    if (!parameters.is_null()) entry["parameters"] = parameters.dump();
  }
  return list;
}

json engines_listed() {
  json list = json::array();
  for (const EngineEntry& e : engines()) {
    list.push_back({{"name", e.name}, {"description", e.description}});
  }
  return list;
}

// The modules of rtl/<group>/.
json blocks_listed() {
  std::vector<fs::path> files;
  for (const auto& group : fs::directory_iterator(rtl_dir())) {
    const auto name = group.path().filename();
    if (!group.is_directory() || name == "include" || name == "lint") continue;
    for (const auto& file : fs::directory_iterator(group.path())) {
      if (file.path().extension() == ".sv") files.push_back(file.path());
    }
  }
  std::sort(files.begin(), files.end());
  json list = json::array();
  for (const auto& file : files) {
    list.push_back(
        {{"name", file.stem().string()}, {"group", file.parent_path().filename().string()}});
  }
  return list;
}

json configs_listed() {
  json list = json::array();
  for (const std::string& name : config_names()) {
    const Config config = load_config(config_folder() / (name + ".json"), {});
    const WorkloadConfig& work = config.workload;
    list.push_back(
        {{"name", name},
         {"description",
          fmt::format("{}, {}", config.topology.dump(),
                      work.traffic.empty() ? work.collective : work.traffic + " traffic")}});
  }
  return list;
}

// What the reader of configurations says is accepted in the place of a value that never is.
std::string accepted_for(json document, const json::json_pointer& key) {
  document[key] = nullptr;
  try {
    parse_config(document, "");
  } catch (const ConfigError& error) {
    const std::string what = error.what(), mark = "accepted: ";
    return what.substr(what.find(mark) + mark.size());
  }
  return "";
}

// Of a collective that reduces arrays; it has the keys of all that are on arrays.
const char* reduction_name() {
  std::size_t count = 0;
  const weft_collective* const table = weft_collectives(&count);
  return std::find_if(table, table + count, [](const auto& c) { return c.reduces != 0; })->name;
}

// A configuration for each sort of work on the first topology of a family, with the least keys.
std::vector<json> least_documents(const Topology& topology) {
  json network = json::parse(topology.parameters);
  network["kind"] = topology.kind;
  std::vector<json> documents;
  for (const json& work : {json{{"collective", collectives_listed()[0]["name"]}},
                           json{{"collective", reduction_name()}, {"bytes", 64}},
                           json{{"traffic", traffic_listed()[0]["name"]}},
                           json{{"transfers", {{{"from", 0}, {"to", 1}, {"flits", 1}}}}}}) {
    documents.push_back({{"topology", network}, {"workload", work}});
  }
  return documents;
}

// Every key, with default and accepted values as the reader of configurations has them: nothing is
// written down here.
json keys_of(const char* networks, const Topology& topology) {
  json list = json::array();
  std::set<std::string> known;
  for (const json& document : least_documents(topology)) {
    const json resolved = to_json(parse_config(document, ""));
    const auto add = [&](const json::json_pointer& key) {
      std::string name = key.to_string().substr(1);
      std::replace(name.begin(), name.end(), '/', '.');
      if (!known.insert(name).second) return;
      std::string accepted = accepted_for(document, key);
      const std::string one_kind = " on topology " + topology.kind;
      if (accepted.ends_with(one_kind)) accepted.resize(accepted.size() - one_kind.size());
      json& entry = list.emplace_back();
      entry = {{"name", name}, {"networks", networks}, {"accepted", accepted}};
      if (!document.contains(key)) {
        const bool automatic = accepted.find("\"auto\"") != std::string::npos;
        entry["default"] = automatic ? json("auto") : resolved.at(key);
      }
    };
    add("/topology/kind"_json_pointer);
    for (const auto& [section, value] : resolved.items()) {
      const json::json_pointer at = json::json_pointer() / section;
      if (section == "topology") continue;
      if (!value.is_object()) add(at);
      if (value.is_object()) {
        for (const auto& [key, part] : value.items()) add(at / key);
      }
    }
  }
  return list;
}

// Keys that only one traffic pattern knows, on a network that all know.
void add_traffic_keys(const Topology& topology, json& list) {
  json document = least_documents(topology)[0];
  for (const TrafficPattern& pattern : traffic_patterns()) {
    document["workload"] = {{"traffic", pattern.name}};
    for (const TrafficKey& key : pattern.keys.keys) {
      json& entry = list.emplace_back();
      entry = {{"name", "workload." + key.name},
               {"traffic", pattern.name},
               {"accepted", accepted_for(document, json::json_pointer("/workload/" + key.name))}};
      if (!key.required) entry["default"] = key.value;
    }
  }
}

// Defaults that topologies of a family have each their own.
void mark_by_topology(json& list, const Topology& topology) {
  for (const json& document : least_documents(topology)) {
    const json resolved = to_json(parse_config(document, ""));
    for (json& entry : list) {
      std::string pointer = "/" + entry["name"].get<std::string>();
      std::replace(pointer.begin(), pointer.end(), '.', '/');
      const json::json_pointer key(pointer);
      if (!entry.contains("default") || entry["default"] == "auto") continue;
      if (!resolved.contains(key) || document.contains(key)) continue;
      if (resolved.at(key) != entry["default"]) entry["default"] = "by topology";
    }
  }
}

// Both families; what is the same for both once.
json keys_listed() {
  const auto keys_of_family = [](const char* networks, NetworkFamily family) {
    json list;
    for (const Topology& topology : topologies()) {
      if (topology.family != family) continue;
      if (list.empty()) {
        list = keys_of(networks, topology);
      } else {
        mark_by_topology(list, topology);
      }
    }
    return list;
  };
  json list = json::array();
  json routers = keys_of_family("routers", NetworkFamily::kRouters);
  for (json& entry : keys_of_family("crossbars", NetworkFamily::kCrossbars)) {
    const auto other = std::find_if(routers.begin(), routers.end(),
                                    [&](const json& r) { return r["name"] == entry["name"]; });
    if (other != routers.end()) {
      const bool same = other->at("accepted") == entry["accepted"] &&
                        other->value("default", json()) == entry.value("default", json());
      if (same) entry.erase("networks");
      if (!same) list.push_back(*other);
      routers.erase(other);
    }
    list.push_back(entry);
  }
  list.insert(list.end(), routers.begin(), routers.end());
  add_traffic_keys(
      *std::find_if(topologies().begin(), topologies().end(),
                    [](const Topology& t) { return t.family == NetworkFamily::kRouters; }),
      list);
  std::stable_sort(list.begin(), list.end(),
                   [](const json& a, const json& b) { return a["name"] < b["name"]; });
  return list;
}

struct Kind {
  const char* name;
  json (*listed)();
};
constexpr Kind kKinds[] = {
    {"topologies", topologies_listed},
    {"collectives", collectives_listed},
    {"traffic", traffic_listed},
    {"blocks", blocks_listed},
    {"engines", engines_listed},
    {"configs", configs_listed},
    {"keys", keys_listed},
};

struct Arguments {
  std::string kind;
  bool json = false;
};

void execute(const Arguments& arguments) {
  const auto kind = std::find_if(std::begin(kKinds), std::end(kKinds),
                                 [&](const Kind& k) { return k.name == arguments.kind; });
  const json list = kind->listed();
  if (arguments.json) {
    write_json("-", list);
    return;
  }
  if (list.empty()) fmt::print("no {} yet\n", arguments.kind);
  std::size_t width = 14;
  for (const auto& entry : list) {
    width = std::max(width, entry["name"].get_ref<const std::string&>().size());
  }
  for (const auto& entry : list) {
    std::string line = fmt::format("{:<{}}", entry["name"].get<std::string>(), width);
    for (const char* member : {"group", "networks", "traffic", "parameters", "description"}) {
      if (entry.contains(member)) line += "  " + entry[member].get<std::string>();
    }
    if (entry.contains("default")) line += fmt::format("  default {};", entry["default"].dump());
    if (entry.contains("accepted")) line += "  " + entry["accepted"].get<std::string>();
    fmt::print("{}\n", line);
  }
  finish_stdout();
}

}  // namespace

void add_list(CLI::App& app) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("list", "What there is to choose from");
  std::vector<std::string> kinds;
  for (const Kind& k : kKinds) kinds.emplace_back(k.name);
  command->add_option("KIND", arguments->kind, "What to list")
      ->required()
      ->check(CLI::IsMember(kinds));
  command->add_flag("--json", arguments->json, "As a JSON list");
  command->callback([arguments] { execute(*arguments); });
}

}  // namespace weft::cli
