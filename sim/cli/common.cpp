// What the subcommands share: finding the configuration, checking the network, printing.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "sim/analysis/analysis.hpp"
#include "sim/cli/commands.hpp"
#include "sim/core/error.hpp"

namespace weft::cli {
namespace fs = std::filesystem;

void ConfigArguments::add_to(CLI::App& command) {
  command.add_option("CONFIG", config, "Configuration file, or the name of one in sim/cli/configs")
      ->required();
  command
      .add_option("--set", sets,
                  "Change one value, as in router.vc_depth=4; may be given repeatedly")
      ->type_name("path=value")
      ->allow_extra_args(false);
}

Config ConfigArguments::load() const {
  const fs::path given = config;
  if (fs::exists(given) && !(fs::is_directory(given) && !given.has_parent_path())) {
    return load_config(given, sets);
  }
  const fs::path folder = fs::path(WEFT_SOURCE_DIR) / "sim" / "cli" / "configs";
  if (!given.has_parent_path() && fs::exists(folder / (config + ".json"))) {
    return load_config(folder / (config + ".json"), sets);
  }
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  throw ConfigError(fmt::format("{}: no such file: accepted: a file, or one of {}", config,
                                fmt::join(names, ", ")));
}

CheckedNetwork checked_network(const Config& config) {
  CheckedNetwork network{build_graph(config), ""};
  const RouteCheck routes = check_routes(network.graph);
  if (!routes.cycle.empty() && config.deadlock_check) {
    throw ConfigError(fmt::format("{}: /topology: value {}: channels wait in a cycle: {}",
                                  config.source, config.topology.dump(),
                                  cycle_in_words(network.graph, routes.cycle)));
  }
  const char* const channels = config.deadlock_check
                                   ? "no cyclic channel dependency"
                                   : "channel dependencies not checked (deadlock_check is false)";
  network.verified = fmt::format("routes of {} pairs of nodes{} arrive, {}", routes.pairs,
                                 routes.sampled ? " (sampled)" : "", channels);
  return network;
}

void print_line(const std::string& label, const std::string& value) {
  fmt::print("{:<16}{}\n", label, value);
}

}  // namespace weft::cli
