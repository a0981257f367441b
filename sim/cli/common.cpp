// Shared by the subcommands: finding the configuration, checking the network, printing.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <filesystem>

#include "sim/base/error.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/output.hpp"
#include "sim/report/text.hpp"
#include "sim/workload/registry.hpp"

namespace weft::cli {
namespace fs = std::filesystem;

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

fs::path ConfigArguments::file() const {
  const fs::path given = config;
  if (fs::exists(given) && !(fs::is_directory(given) && !given.has_parent_path())) return given;
  const fs::path named = given.has_parent_path() ? fs::path() : named_config(config);
  if (!named.empty()) return named;
  const char* const why =
      fs::is_directory(given) ? "cannot be read: it is a folder" : "no such file";
  throw ConfigError(fmt::format("{}: {}: expected: a file, or one of {}", config, why,
                                fmt::join(config_names(), ", ")));
}

Config ConfigArguments::load() const {
  return load_config(file(), sets);
}

std::string expect_name(const std::string& given) {
  if (!given.empty() && given != "-") return "";
  return fmt::format("value \"{}\": expected: a name; ./- is one, - is for --json", given);
}

std::string expect_name_or_stdout(const std::string& given) {
  return given.empty() ? "value \"\": expected: a file name, or - for standard output" : "";
}

std::unique_ptr<Processes> join_processes() {
  try {
    return weft::join_processes();
  } catch (const ConfigError&) {
    if (started_process() != 0) throw ToldByFirst{};
    throw;
  }
}

void print_line(const std::string& label, const std::string& value) {
  fmt::print("{}", printable(summary_line(label, value)));
}

}  // namespace weft::cli
