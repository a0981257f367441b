// weft schedule: an all-to-all in slots of one packet time, without a conflict on any link.
#include "sim/schedule/schedule.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <nlohmann/json.hpp>

#include "sim/base/error.hpp"
#include "sim/base/file_writer.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/output.hpp"
#include "sim/report/schedule_report.hpp"
#include "sim/topology/topology.hpp"

namespace weft::cli {
namespace {

struct ScheduleArguments {
  ConfigArguments config;
  std::string json, tables, picture;
};

void schedule(const ScheduleArguments& arguments) {
  const Config config = arguments.config.load();
  Outputs outputs(config);
  outputs.add_json("--json", arguments.json);
  if (!arguments.tables.empty()) outputs.add("-o", arguments.tables);
  if (!arguments.picture.empty()) outputs.add("--picture", arguments.picture);
  const Graph graph = build_graph(config);
  if (!graph.has_one_way()) {
    config.source.refuse("/router/routing", config.router.routing,
                         "\"auto\": slots are computed for one way of each pair of nodes");
  }
  if (!graph.failures.component.empty()) {
    config.refuse_topology(
        "a network without nodes that are cut off, or a configuration with a "
        "collective, which leaves them out: " +
            cut_in_words(graph.failures),
        "failed");
  }
  const SlotTime time = slot_time(config, graph);
  const auto begin = std::chrono::steady_clock::now();
  const Schedule made = make_schedule(graph, time);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  if (const std::string wrong = wrong_with(graph, time, made.tables); !wrong.empty()) {
    throw CheckError("the schedule is wrong: " + wrong);
  }
  const ScheduleReport report{config, graph, time, made, seconds.count()};
  if (!arguments.picture.empty()) write_file(arguments.picture, schedule_svg(report));
  if (!arguments.tables.empty()) {
    write_file(arguments.tables, schedule_json(report).dump() + "\n");
  }
  write_json(arguments.json, to_json(report));
  if (arguments.json != "-") {
    fmt::print("{}", printable(schedule_text(report)));
    if (!arguments.tables.empty()) print_line("schedule", arguments.tables);
    if (!arguments.picture.empty()) print_line("picture", arguments.picture);
  }
  finish_stdout();
}

}  // namespace

void add_schedule(CLI::App& app) {
  auto arguments = std::make_shared<ScheduleArguments>();
  CLI::App* command = app.add_subcommand(
      "schedule",
      "Compute an all-to-all in packet-time slots without a conflict on any link, for a "
      "configuration's topology, nic.controllers and router.switching");
  arguments->config.add_to(*command);
  command->add_option("-o", arguments->tables, "Write the messages of every node, with their slots")
      ->type_name("FILE.json")
      ->check(expect_name);
  command->add_option("--picture", arguments->picture, "Draw links over slots")
      ->type_name("FILE.svg")
      ->check(expect_name);
  command->add_option("--json", arguments->json, "Write the figures as JSON; - is standard output")
      ->type_name("FILE")
      ->check(expect_name_or_stdout);
  command->callback([arguments] { schedule(*arguments); });
}

}  // namespace weft::cli
