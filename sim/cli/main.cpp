// The `weft` command. Exit status: 0 done and verified, 1 a check failed, 2 unusable arguments or
// configuration, 3 deadlock or no progress.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>

#include "sim/base/error.hpp"
#include "sim/cli/commands.hpp"

namespace {

int fail(const std::exception& error, int status) {
  fmt::print(stderr, "weft: {}\n", error.what());
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    CLI::App app("Weft: interconnects of parallel computers, as RTL and as cycle models", "weft");
    app.require_subcommand(1);
    app.footer(
        std::string(
            "`weft list configs` names the configurations that come with Weft, `weft list keys` "
            "the keys of one.\n") +
        weft::cli::kExitStatus);
    app.set_version_flag("--version", "weft " WEFT_VERSION);
    weft::cli::add_run(app);
    weft::cli::add_topo(app);
    weft::cli::add_emit(app);
    weft::cli::add_sweep(app);
    weft::cli::add_list(app);
    try {
      app.parse(argc, argv);
      return 0;
    } catch (const CLI::RequiredError& error) {
      const std::string word = argc > 1 ? argv[1] : "";
      const bool known =
          !app.get_subcommands([&](const CLI::App* command) { return command->get_name() == word; })
               .empty();
      if (word.empty() || known || word.starts_with("-")) return app.exit(error) == 0 ? 0 : 2;
      fmt::print(stderr, "weft: unknown subcommand {}: accepted: run, topo, emit, sweep, list\n",
                 word);
      return 2;
    } catch (const CLI::ParseError& error) {
      return app.exit(error) == 0 ? 0 : 2;
    }
  } catch (const weft::ConfigError& error) {
    return fail(error, 2);
  } catch (const weft::NoProgressError& error) {
    return fail(error, 3);
  } catch (const std::exception& error) {
    return fail(error, 1);
  }
}
