// weft plot: curves of a sweep, by the Python package that draws the figures of the studies.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>

#include "sim/base/error.hpp"
#include "sim/base/file_reader.hpp"
#include "sim/base/installation.hpp"
#include "sim/base/process.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/output.hpp"
#include "sim/cli/sweep_results.hpp"

namespace weft::cli {
namespace {

struct PlotArguments {
  std::string sweep, x, y, out;
  std::vector<std::string> series;
};

void plot(const PlotArguments& arguments) {
  namespace fs = std::filesystem;
  const fs::path table =
      fs::is_directory(arguments.sweep) ? sweep_table(arguments.sweep) : fs::path(arguments.sweep);
  if (fs::exists(table)) read_file(table);  // The script would wait for a pipe.
  if (!arguments.out.empty() && !fs::path(arguments.out).has_filename()) {
    throw ConfigError("-o", "", arguments.out,
                      "FILE.svg, .png or .pdf, or a name without such an ending; only a folder's "
                      "ends in /");
  }
  // Debian's own Python: another python3 may come first in PATH, without its packages.
  std::vector<std::string> command = {"/usr/bin/python3", "-B",
                                      source_dir() / "scripts/figures/plot.py"};
  const auto add = [&](const char* option, const std::string& value) {
    if (!value.empty()) command.push_back(fmt::format("{}={}", option, value));
  };
  add("--x", arguments.x);
  add("--y", arguments.y);
  for (const std::string& column : arguments.series) add("--series", column);
  if (!arguments.out.empty()) command.push_back("-o" + arguments.out);
  command.insert(command.end(), {"--", arguments.sweep});
  std::string output;
  const int status = run_process(command, &output, "package python3 has it");
  while (output.ends_with('\n')) output.pop_back();
  if (status != 0) throw ConfigError(output);
  fmt::print("{}\n", printable(output));
  finish_stdout();
}

}  // namespace

void add_plot(CLI::App& app) {
  auto arguments = std::make_shared<PlotArguments>();
  CLI::App* command = app.add_subcommand("plot", "Curves of a sweep as SVG, PNG and PDF");
  command->add_option("SWEEP", arguments->sweep, "Folder of `weft sweep`, or its results.csv")
      ->required()
      ->check(expect_name);
  command->add_option("-x,--x", arguments->x,
                      "Column along the curves: offered_rate by default, without traffic the first "
                      "axis of numbers");
  command->add_option("-y,--y", arguments->y,
                      "Column that they show: latency_mean, ratio or cycles by default, the first "
                      "that there is");
  command
      ->add_option("--series", arguments->series,
                   "Column with a curve for each of its values; may be repeated. By default all "
                   "that the axes set besides x")
      ->allow_extra_args(false);
  command
      ->add_option("-o", arguments->out,
                   "FILE.svg, .png or .pdf; without such an ending all three. Default: "
                   "SWEEP/plot")
      ->type_name("FILE")
      ->check(expect_name);
  command->footer(
      "A column may be named by its last part or its first, as rate for workload.rate and topology "
      "for\ntopology.kind and topology.dims. A curve is drawn through the means of its seeds; runs "
      "beyond\nsaturation have broken lines and open markers. Labels of a sweep's axes name the "
      "curves.");
  command->callback([arguments] { plot(*arguments); });
}

}  // namespace weft::cli
