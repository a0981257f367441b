// weft report: results as one page with charts, which can be viewed offline.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <set>

#include "sim/base/error.hpp"
#include "sim/base/file_reader.hpp"
#include "sim/base/file_writer.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/output.hpp"
#include "sim/cli/sweep_results.hpp"
#include "sim/config/document.hpp"
#include "sim/report/html.hpp"
#include "sim/report/page_data.hpp"

namespace weft::cli {
namespace fs = std::filesystem;
using nlohmann::json;
namespace {

struct ReportArguments {
  std::vector<std::string> results;
  std::string page, title;
};

// The name of a file or folder without its ending, also for ".".
std::string name_of_result(const fs::path& path) {
  std::error_code ignored;
  const fs::path whole = fs::weakly_canonical(fs::absolute(path), ignored);
  return fs::is_directory(whole) ? whole.filename().string() : whole.stem().string();
}

// The runs of a sweep. A last line without an end belongs to a run that was stopped while it was
// being written.
json sweep_of(const fs::path& folder) {
  const std::string file = sweep_runs(folder).string();
  if (!fs::is_regular_file(file)) {
    throw ConfigError(folder.string(), "", "",
                      "a folder with results.jsonl, as `weft sweep -o` or `weft merge` makes it");
  }
  const std::string text = read_file(file, {.memory_per_byte = 16});
  std::vector<SweepLine> lines;
  for (std::size_t begin = 0, end; (end = text.find('\n', begin)) != std::string::npos;
       begin = end + 1) {
    const std::string where = fmt::format("{}: line {}", file, lines.size() + 1);
    lines.push_back({parse_document(text.substr(begin, end - begin), where), where});
  }
  if (lines.empty()) throw ConfigError(file, "", "", "a line for each run of a sweep");
  const std::string table = try_read_file(sweep_table(folder)).text;
  const std::string header = table.substr(0, table.find('\n'));
  return page_sweep(lines, header, name_of_result(folder));
}

void report(const ReportArguments& arguments) {
  std::set<fs::path> inputs;
  for (const std::string& result : arguments.results) {
    if (fs::is_directory(result)) {
      for (const fs::path& file : {sweep_runs(result), sweep_table(result)}) {
        if (fs::exists(file)) inputs.insert(file);
      }
    } else {
      inputs.insert(result);
    }
  }
  Outputs(inputs).add("-o", arguments.page);
  json results = json::array();
  for (const std::string& result : arguments.results) {
    if (fs::is_directory(result)) {
      results.push_back(sweep_of(result));
    } else {
      const json document = read_document(result);
      const Source source(result);
      results.push_back(page_run(document, source, name_of_result(result)));
    }
  }
  std::string title = arguments.title;
  if (title.empty()) {
    title = results[0]["name"].get<std::string>();
    if (results.size() > 1) title += fmt::format(" and {} more", results.size() - 1);
  }
  write_file(arguments.page, report_html(title, results));
  print_line("report", arguments.page);
  finish_stdout();
}

}  // namespace

void add_report(CLI::App& app) {
  auto arguments = std::make_shared<ReportArguments>();
  CLI::App* command = app.add_subcommand(
      "report", "Make one page with charts of results, which opens in a browser without a network");
  command
      ->add_option("RESULT", arguments->results,
                   "Results of `weft run --json`, and folders of `weft sweep -o`")
      ->required();
  command->add_option("-o", arguments->page, "Page to write")
      ->type_name("FILE.html")
      ->required()
      ->check(expect_name);
  command->add_option("--title", arguments->title, "Its title (default: names of the results)")
      ->type_name("TEXT");
  command->footer(
      "`weft run --detail` adds the drawing of links, the histogram of latencies and what happens "
      "over time,\n`--losses` why links idle.");
  command->callback([arguments] { report(*arguments); });
}

}  // namespace weft::cli
