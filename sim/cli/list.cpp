// weft list: what there is to choose from, as the registers and folders know it.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "sim/cli/commands.hpp"
#include "sim/cli/output.hpp"
#include "sim/network/verilate.hpp"
#include "sim/traffic/traffic.hpp"
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
    if (!t.parameters.empty()) entry["parameters"] = t.parameters;
  }
  return list;
}

json engines_listed() {
  json list = json::array();
  for (const Engine& e : kEngines) {
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

struct Kind {
  const char* name;
  json (*listed)();
};
constexpr Kind kKinds[] = {
    {"topologies", topologies_listed}, {"collectives", collectives_listed},
    {"traffic", traffic_listed},       {"blocks", blocks_listed},
    {"engines", engines_listed},
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
    JsonOutput("-").write(list);
    return;
  }
  if (list.empty()) fmt::print("no {} yet\n", arguments.kind);
  for (const auto& entry : list) {
    std::string line;
    for (const char* member : {"group", "parameters", "description"}) {
      if (entry.contains(member)) {
        line += fmt::format("{}{}", line.empty() ? "" : "  ", entry[member].get<std::string>());
      }
    }
    print_line(entry["name"].get<std::string>(), line);
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
