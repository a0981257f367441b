// The `weft` command. Exit status: 0 done and verified, 1 a check failed, 2 unusable arguments or
// configuration, 3 deadlock or no progress.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/file_writer.hpp"
#include "sim/base/host_memory.hpp"
#include "sim/base/interrupt.hpp"
#include "sim/cli/build.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/output.hpp"
#include "sim/processes/processes.hpp"

namespace {

using namespace std::string_literals;

int fail(const std::exception& error, int status) {
  fmt::print(stderr, "weft: {}\n", weft::cli::printable(error.what()));
  return status;
}

// Prints the message of the command-line parser: help, or the unusable argument.
int explain(const CLI::App& app, const CLI::ParseError& error) {
  // Of processes with the same arguments only one prints.
  if (weft::started_processes() > 1 && weft::started_process() != 0) return 0;
  std::ostringstream help, complaint;
  const int status = app.exit(error, help, complaint);
  fmt::print("{}", help.str());
  if (status != 0) fmt::print(stderr, "weft: {}", weft::cli::printable(complaint.str()));
  return status == 0 ? 0 : 2;
}

}  // namespace

int main(int argc, char** argv) {
  // A file that exceeds the limit of file sizes is an error of writing, not the end of the process.
  std::signal(SIGXFSZ, SIG_IGN);
  weft::remove_drafts_on_signals();
  try {
    CLI::App app("Weft: interconnects of parallel computers, as RTL and as cycle models", "weft");
    app.require_subcommand(1);
    app.footer(
        std::string(
            "`weft list configs` names the configurations that come with Weft, `weft list keys` "
            "the keys of one.\n") +
        weft::cli::kExitStatus);
    app.set_version_flag("--version", fmt::format("weft {}", weft::cli::build_version()));
    weft::cli::add_run(app);
    weft::cli::add_topo(app);
    weft::cli::add_emit(app);
    weft::cli::add_schedule(app);
    weft::cli::add_sweep(app);
    weft::cli::add_merge(app);
    weft::cli::add_plot(app);
    weft::cli::add_report(app);
    weft::cli::add_cc(app);
    weft::cli::add_list(app);
    weft::cli::add_completion(app);
    if (const unsigned processes = weft::started_processes();
        processes > 1 && argc > 1 && argv[1] != "sweep"s && argv[1] != "run"s) {
      if (weft::started_process() != 0) return 0;
      throw weft::ConfigError(fmt::format(
          "started as one of {} processes: expected: weft run, whose network they share, or weft "
          "sweep, whose points",
          processes));
    }
    try {
      app.parse(argc, argv);
      return 0;
    } catch (const CLI::RequiredError& error) {
      const std::string word = argc > 1 ? argv[1] : "";
      const bool known =
          !app.get_subcommands([&](const CLI::App* command) { return command->get_name() == word; })
               .empty();
      if (word.empty() || known || word.starts_with("-")) return explain(app, error);
      std::vector<std::string> names;
      for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
      fmt::print(stderr, "weft: unknown subcommand {}: expected: {}\n", weft::cli::printable(word),
                 fmt::join(names, ", "));
      return 2;
    } catch (const CLI::ParseError& error) {
      return explain(app, error);
    }
  } catch (const weft::cli::ToldByFirst&) {
    return 0;
  } catch (const weft::InterruptError& error) {
    fail(error, 0);
    weft::end_by_interrupt();
  } catch (const weft::ConfigError& error) {
    // Ctrl-C also ends the compiler of a Verilated block, which is no separate error.
    if (weft::interrupted()) weft::end_by_interrupt();
    return fail(error, 2);
  } catch (const weft::NoProgressError& error) {
    return fail(error, 3);
  } catch (const std::filesystem::filesystem_error& error) {
    // For example, a name that is longer than names can be.
    return fail(
        weft::ConfigError(fmt::format("{}: {}", error.path1().string(), error.code().message())),
        2);
  } catch (const std::exception& error) {
    if (const auto why = weft::shortage(error)) return fail(weft::ConfigError(*why), 2);
    return fail(error, 1);
  }
}
