// The subcommands of `weft`: each adds itself to the command line and runs when it is selected.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "sim/config/config.hpp"
#include "sim/processes/processes.hpp"
#include "sim/topology/graph.hpp"

namespace CLI {
class App;
}

namespace weft::cli {

void add_run(CLI::App& app);
void add_topo(CLI::App& app);
void add_emit(CLI::App& app);
void add_schedule(CLI::App& app);
void add_sweep(CLI::App& app);
void add_merge(CLI::App& app);
void add_report(CLI::App& app);
void add_cc(CLI::App& app);
void add_plot(CLI::App& app);
void add_completion(CLI::App& app);
void add_list(CLI::App& app);

/// Exit statuses, for the help.
inline constexpr const char* kExitStatus =
    "Exit status: 0 done and verified; 1 a check failed (data, order, RTL against model), or the\n"
    "run was ended by max_cycles; 2 unusable arguments or configuration; 3 deadlock or no "
    "progress.\nCtrl-C ends a run, whose results so far are written; a second one ends it at once.";

/// The folder of the named configurations; the shorter of its absolute path and the path from the
/// current folder.
std::filesystem::path config_folder();
/// Names of the named configurations, sorted.
std::vector<std::string> config_names();
/// File of a named configuration; empty if there is none. A former name is accepted, too, with a
/// note on standard error.
std::filesystem::path named_config(const std::string& name);
/// What a named configuration is, and the paper that it comes from; empty if it has no description.
std::string config_description(const std::string& name);

/// CONFIG and --set, which several subcommands have.
struct ConfigArguments {
  std::string config;
  std::vector<std::string> sets;

  void add_to(CLI::App& command);
  /// Loads the configuration: a file, or the bare name of one in sim/cli/configs. Throws
  /// ConfigError.
  Config load() const;
  /// The file of the configuration.
  std::filesystem::path file() const;
};

/// Checks of an option's argument, for CLI11: they return what is expected, or an empty text. A
/// file or folder needs a name; "-" (standard output) is only for --json, which writes a single
/// document.
std::string expect_name(const std::string& given);
std::string expect_name_or_stdout(const std::string& given);

/// The command ends by an error that process 0 reports. The others end with status 0: as soon as a
/// process ends with another status, mpirun ends all others.
struct ToldByFirst {};
/// Joins the processes that this one was started among; null if it is alone. If this build has no
/// MPI, throws ConfigError in the first of them.
std::unique_ptr<Processes> join_processes();

/// Prints one line of a summary.
void print_line(const std::string& label, const std::string& value);

}  // namespace weft::cli
