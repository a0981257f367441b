// weft list: the existing topologies, patterns, collectives, blocks, keys and results.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "sim/base/error.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/output.hpp"
#include "sim/config/key_list.hpp"
#include "sim/engine/engine.hpp"
#include "sim/report/result_json.hpp"
#include "sim/topology/topology.hpp"
#include "sim/traffic/traffic.hpp"
#include "sim/verilated/verilate.hpp"
#include "sim/workload/collective.hpp"
#include "sim/workload/pickers.hpp"
#include "sim/workload/registry.hpp"
#include "sw/include/weft_collective.h"

namespace weft::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// One object for each topology: its members go to the JSON; in the text "name" comes first and the
// others follow.
json topologies_listed() {
  json list = json::array();
  for (const auto& t : topologies()) {
    list.push_back(
        {{"name", t.kind}, {"parameters", t.parameters}, {"description", t.description}});
  }
  return list;
}

// Name of what a collective leaves: that of the picker of the same kind.
const char* name_of(weft_kind kind) {
  const auto is_it = [&](const Picker& picker) { return picker.kind == kind; };
  const auto found = std::ranges::find_if(pickers(), is_it);
  return found != pickers().end() ? found->name : "replay";
}

json collectives_listed() {
  std::size_t count = 0;
  const weft_collective* table = weft_collectives(&count);
  json list = json::array();
  for (std::size_t i = 0; i < count; ++i) {
    list.push_back({{"name", table[i].name},
                    {"kind", name_of(table[i].kind)},
                    {"description", table[i].description}});
  }
  for (const Picker& picker : pickers()) {
    list.push_back(
        {{"name", picker.name}, {"kind", picker.name}, {"description", picker.description}});
  }
  const weft_collective& own = own_program();
  list.push_back({{"name", own.name}, {"kind", own.name}, {"description", own.description}});
  std::sort(list.begin(), list.end(),
            [](const json& a, const json& b) { return a.at("name") < b.at("name"); });
  return list;
}

json traffic_listed() {
  json list = json::array();
  for (const auto& t : traffic_patterns()) {
    json& entry = list.emplace_back();
    entry = {{"name", t.name}, {"description", t.description}};
    if (t.keys.initial != nullptr) {
      entry["parameters"] = t.keys.initial(t.keys.keys).to_json().dump();
    }
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

// The blocks of rtl/<group>/, whose modules have the prefix of rtl_module().
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
    list.push_back({{"name", file.stem().string().substr(rtl_module("").size())},
                    {"module", file.stem().string()},
                    {"group", file.parent_path().filename().string()}});
  }
  return list;
}

json configs_listed() {
  json list = json::array();
  for (const std::string& name : config_names()) {
    const Config config = load_config(config_folder() / (name + ".json"), {});
    const WorkloadConfig& work = config.workload;
    const std::string about = config_description(name);
    list.push_back({{"name", name},
                    {"description", fmt::format("{}{}{}, {}", about, about.empty() ? "" : ": ",
                                                to_json(config.topology).dump(),
                                                work.is(kAnyTraffic) ? work.traffic + " traffic"
                                                                     : work.collective)}});
  }
  return list;
}

json keys_listed() {
  return list_keys(full_registry());
}

// A key in words: "default 8; a whole number from 1 to 4096 (flits); networks of routers: input
// buffer of a VC".
std::string key_in_words(const json& key) {
  std::string line =
      key.contains("default") ? fmt::format("default {}; ", key["default"].dump()) : "required; ";
  line += key["expected"].get<std::string>();
  if (key.contains("unit")) line += fmt::format(" ({})", key["unit"].get<std::string>());
  if (key["applies"] != "") line += "; " + key["applies"].get<std::string>();
  return line + ": " + key["help"].get<std::string>();
}

// A field in words: "whole number (cycles): until every processor had ended its program".
std::string field_in_words(const json& field) {
  const auto text = [&](const char* name) { return field[name].get<std::string>(); };
  const std::string unit = field["unit"] == "" ? "" : fmt::format(" ({})", text("unit"));
  return text("type") + unit + ": " + text("help");
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
    {"results", list_results},
};

struct ListArguments {
  std::string kind;
  bool json = false, schema = false, markdown = false;
};

void list_all(const ListArguments& arguments) {
  if ((arguments.schema || arguments.markdown) && arguments.kind != "keys") {
    throw ConfigError(arguments.schema ? "--schema" : "--markdown", "", arguments.kind, "keys");
  }
  if (arguments.schema) {
    write_json("-", keys_schema(full_registry()));
    return;
  }
  if (arguments.markdown) {
    fmt::print("{}", keys_in_markdown(full_registry()));
    finish_stdout();
    return;
  }
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
    for (const char* member : {"group", "parameters", "description"}) {
      if (entry.contains(member)) line += "  " + entry[member].get<std::string>();
    }
    if (entry.contains("expected")) {
      line += "  " + key_in_words(entry);
    } else if (entry.contains("type")) {
      line += "  " + field_in_words(entry);
    }
    fmt::print("{}\n", line);
  }
  finish_stdout();
}

}  // namespace

void add_list(CLI::App& app) {
  auto arguments = std::make_shared<ListArguments>();
  CLI::App* command = app.add_subcommand("list", "What there is to choose from");
  std::vector<std::string> kinds;
  for (const Kind& k : kKinds) kinds.emplace_back(k.name);
  command->add_option("KIND", arguments->kind, "What to list")
      ->required()
      ->check(CLI::IsMember(kinds));
  command->add_flag("--json", arguments->json, "As a JSON list");
  command->add_flag("--schema", arguments->schema, "Of keys: a JSON Schema of configurations");
  command->add_flag("--markdown", arguments->markdown, "Of keys: a table in Markdown");
  command->callback([arguments] { list_all(*arguments); });
}

}  // namespace weft::cli
