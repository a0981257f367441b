// What the subcommands share: finding the configuration, checking the network, printing.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <future>
#include <map>
#include <mutex>

#include "sim/analysis/analysis.hpp"
#include "sim/base/error.hpp"
#include "sim/base/installation.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/output.hpp"

namespace weft::cli {
namespace fs = std::filesystem;

fs::path config_folder() {
  const fs::path folder = source_dir() / "sim" / "cli" / "configs";
  const fs::path near = fs::proximate(folder);
  return near.native().size() < folder.native().size() ? near : folder;
}

std::vector<std::string> config_names() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(config_folder())) {
    if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

void ConfigArguments::add_to(CLI::App& command) {
  command.add_option("CONFIG", config, "Configuration file, or a name of `weft list configs`")
      ->required();
  command
      .add_option("--set", sets,
                  "Change one value, as in router.vc_depth=4, null to take it out; may be "
                  "given repeatedly; keys: `weft list keys`")
      ->type_name("path=value")
      ->allow_extra_args(false);
}

Config ConfigArguments::load() const {
  const fs::path given = config;
  if (fs::exists(given) && !(fs::is_directory(given) && !given.has_parent_path())) {
    return load_config(given, sets);
  }
  const fs::path folder = config_folder();
  if (!given.has_parent_path() && fs::exists(folder / (config + ".json"))) {
    return load_config(folder / (config + ".json"), sets);
  }
  throw ConfigError(fmt::format("{}: no such file: accepted: a file, or one of {}", config,
                                fmt::join(config_names(), ", ")));
}

namespace {

// Many points of a sweep have the same network, and the pairs of a large one take half a minute.
const RouteCheck& routes_of(const Config& config, const Graph& graph) {
  static std::mutex mutex;
  static std::map<std::string, std::shared_future<RouteCheck>> known;
  const nlohmann::json all = to_json(config);
  const std::string key = nlohmann::json{all.at("topology"), all.at("link"),  all.at("router"),
                                         all.at("nic"),      graph.nic_links, graph.num_vc}
                              .dump();
  std::shared_future<RouteCheck> check;
  {
    const std::lock_guard lock(mutex);
    const auto [entry, is_new] = known.try_emplace(key);
    // Whoever asks first works it out, the others wait for that: this graph lives until then.
    const auto work = [&graph] { return check_routes(graph); };
    if (is_new) entry->second = std::async(std::launch::deferred, work).share();
    check = entry->second;
  }
  return check.get();  // Which is in `known`.
}

}  // namespace

CheckedNetwork checked_network(const Config& config) {
  CheckedNetwork network{build_graph(config), ""};
  const RouteCheck& routes = routes_of(config, network.graph);
  if (!routes.cycle.empty() && config.deadlock_check) {
    const std::string cycle =
        fmt::format("; with this {} channels wait in a cycle: {}", routes.cycle.size(),
                    cycle_in_words(network.graph, routes.cycle));
    const std::uint32_t vcs =
        network.graph.has_routers() ? least_vcs(network.graph, kMaxVcs, &routes) : 0;
    if (vcs == 0) {
      config.source.refuse(
          "/topology", config.topology,
          "a network without cyclic channel dependency, or deadlock_check false" + cycle);
    }
    config.source.refuse(
        "/router/vcs", config.router.vcs,
        fmt::format("router.vcs of at least {}, or deadlock_check false{}", vcs, cycle));
  }
  const char* const channels = config.deadlock_check
                                   ? "no cyclic channel dependency"
                                   : "channel dependencies not checked (deadlock_check is false)";
  network.verified = fmt::format("routes of {} pairs of nodes ({}) arrive, {}", routes.pairs,
                                 routes.sampled ? "sampled" : routes.exact_by, channels);
  return network;
}

std::string links_in_words(const Graph& graph) {
  const std::uint32_t all = graph.joined_links();
  if (!graph.has_routers()) return fmt::format("{}, those of the nodes included", all);
  const std::uint32_t own = 2 * graph.nodes * graph.nic_links;
  const char* const routers = graph.staged ? "switches" : "routers";
  return fmt::format("{0} between {2}, {1} between nodes and {2}", all - own, own, routers);
}

void print_line(const std::string& label, const std::string& value) {
  fmt::print("{:<16}{}\n", label, printable(value));
}

}  // namespace weft::cli
