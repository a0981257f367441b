// weft run: simulate a configuration and report.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "sim/base/error.hpp"
#include "sim/base/file_writer.hpp"
#include "sim/base/interrupt.hpp"
#include "sim/cli/build.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/output.hpp"
#include "sim/cli/saturation.hpp"
#include "sim/config/document.hpp"
#include "sim/engine/checkpoint.hpp"
#include "sim/processes/processes.hpp"
#include "sim/report/csv.hpp"
#include "sim/report/detail_json.hpp"
#include "sim/report/result_json.hpp"
#include "sim/report/result_text.hpp"
#include "sim/report/text.hpp"
#include "sim/run/prepare.hpp"
#include "sim/share/network_share.hpp"
#include "sim/share/together.hpp"
#include "sim/workload/collective.hpp"

namespace weft::cli {
namespace {

struct RunArguments {
  ConfigArguments config;
  RunOptions options;
  std::string gdb;  // NODE:PORT.
  std::string program, json, trace, events, states, links, latencies;
  bool detail = false;
  double width = 0;  // Width of the interval of the saturation rate; 0: the default.
};

// A line for each file of a run, and how to open it.
std::string files_written(const RunArguments& arguments) {
  std::string text;
  const auto add = [&](const char* label, const std::string& file, const std::string& how) {
    if (!file.empty() && file != "-") text += printable(summary_line(label, file + how));
  };
  add("waves", arguments.trace,
      ": gtkwave " + std::filesystem::path(arguments.trace).replace_extension(".gtkw").string());
  add("events", arguments.events, ": open in ui.perfetto.dev");
  add("states", arguments.states, "");
  add("links", arguments.links, "");
  add("latencies", arguments.latencies, "");
  add("result", arguments.json, "");
  return text;
}

GdbOptions gdb_options(const std::string& text) {
  unsigned node = 0, port = 0;
  const char* const end = text.data() + text.size();
  const auto [colon, bad_node] = std::from_chars(text.data(), end, node);
  if (bad_node == std::errc{} && colon != end && *colon == ':') {
    const auto [last, bad_port] = std::from_chars(colon + 1, end, port);
    if (bad_port == std::errc{} && last == end && port <= UINT16_MAX) {
      return {node, static_cast<std::uint16_t>(port)};
    }
  }
  throw ConfigError("--gdb", "", nlohmann::json(text).dump(),
                    "NODE:PORT, as 3:0; port 0 to 65535, 0 for any that is free");
}

// The configuration; --program replaces its workload, unless that is already a program.
Config load(const RunArguments& arguments) {
  if (arguments.program.empty()) return arguments.config.load();
  ConfigArguments changed = arguments.config;
  for (const std::string& set : changed.sets) {
    if (set.starts_with("workload=") || set.starts_with("workload.program=") ||
        set.starts_with("workload.collective=")) {
      throw ConfigError("--set " + set, "", "", "no other workload or program beside --program");
    }
  }
  const nlohmann::json document = read_document(changed.file());
  const auto key = nlohmann::json::json_pointer("/workload/collective");
  const std::string name = own_program().name;
  const bool own = document.is_object() && document.contains(key) && document.at(key) == name;
  const nlohmann::json workload = {{"collective", name}, {"program", arguments.program}};
  changed.sets.insert(
      changed.sets.begin(),
      own ? "workload.program=" + workload.at("program").dump() : "workload=" + workload.dump());
  return changed.load();
}

// How a run was shared between processes; process 0 has sent `bytes` bytes in its cycles.
std::string processes_line(const Processes& processes, std::uint64_t bytes, const Result& result) {
  return summary_line(
      "processes", fmt::format("{}, {:.0f} bytes a cycle from the first one", processes.count(),
                               static_cast<double>(bytes) /
                                   static_cast<double>(std::max<std::uint64_t>(result.cycles, 1))));
}

// A run before cycle 0: the configuration, checked, and its files.
struct ReadyRun {
  Config config;
  RunOptions options;
  std::optional<PreparedRun> prepared = {};
};

// Checks the files that a run will write.
void add_outputs(const RunArguments& arguments, const Config& config, RunOptions& options) {
  Outputs outputs(config);
  if (!arguments.trace.empty()) options.trace = outputs.add_waves("--trace", arguments.trace);
  if (!arguments.events.empty()) options.events = outputs.add("--events", arguments.events);
  if (!arguments.states.empty()) outputs.add("--states", arguments.states);
  if (!arguments.links.empty()) outputs.add("--links", arguments.links);
  if (!arguments.latencies.empty()) {
    outputs.add("--latencies", arguments.latencies);
    if (!config.workload.is(kAnyTraffic)) {
      throw ConfigError("--latencies", "", "with " + to_json(config)["workload"].dump(),
                        "a workload of traffic");
    }
  }
  outputs.add_json("--json", arguments.json);
  if (!options.checkpoint.empty()) {
    options.checkpoint = outputs.add_regular("--checkpoint", options.checkpoint);
  }
}

// Checks the arguments and loads the configuration. `writes`: this process writes the files.
void make_ready(const RunArguments& arguments, bool writes, std::optional<ReadyRun>& ready) {
  if (arguments.detail && arguments.json.empty()) {
    throw ConfigError("--detail", "", "without --json", "--json FILE, where the details go");
  }
  ready.emplace(ReadyRun{load(arguments), arguments.options});
  const Config& config = ready->config;
  RunOptions& options = ready->options;
  check_has_work(config);
  if (!arguments.gdb.empty()) options.gdb = gdb_options(arguments.gdb);
  options.states = !arguments.states.empty();
  options.trace = arguments.trace;
  options.events = arguments.events;
  options.inputs = inputs_of(config);
  if (writes) add_outputs(arguments, config, options);
}

// Does all other checks. All processes call it together.
void prepare(ReadyRun& ready) {
  RouteChecks routes;
  ready.prepared.emplace(prepare_run(ready.config, ready.options, routes));
}

// Runs it in this process, or together with other processes with the same arguments, each of which
// has a share of the network; process 0 has the result.
void run_ready(const RunArguments& arguments, const ReadyRun& ready) {
  const Config& config = ready.config;
  const RunOptions& options = ready.options;
  const PreparedRun& prepared = *ready.prepared;
  Processes& processes = *options.processes;
  const std::uint64_t sent_before = processes.bytes_sent();
  FailedRun failed;
  const Result result = [&] {
    const InterruptScope scope;
    try {
      return run(config, prepared, options, &failed);
    } catch (const ConfigError&) {
      throw;
    } catch (const std::runtime_error& error) {
      // After a failed check or without progress: what programs have reported may say why.
      if (processes.leads()) {
        nlohmann::json document = to_json(failed, config, options.engine, error.what());
        enter_build(document);
        write_json(arguments.json, document);
      }
      throw;
    }
  }();
  processes.conclude();
  if (!processes.leads()) return;
  nlohmann::json document = to_json(result);
  enter_build(document);
  if (arguments.detail) document["detail"] = detail_json(result, *prepared.graph);
  write_json(arguments.json, document);
  if (options.states) write_file(arguments.states, states_csv(result.states));
  if (!arguments.links.empty()) write_file(arguments.links, links_csv(result, *prepared.graph));
  if (result.traffic && !arguments.latencies.empty()) {
    write_file(arguments.latencies, latencies_csv(*result.traffic));
  }
  if (arguments.json != "-") {
    fmt::print("{}{}{}", printable(result_text(result, *prepared.graph)),
               processes.alone()
                   ? ""
                   : processes_line(processes, processes.bytes_sent() - sent_before, result),
               files_written(arguments));
  }
  finish_stdout();
  // True also if another process was interrupted.
  const bool by_hand =
      result.stopped && (config.max_cycles == 0 || result.cycles < config.max_cycles);
  if (by_hand) {
    throw InterruptError(
        fmt::format("interrupted at cycle {0}, before the work was done; all results are of the "
                    "cycles until then, as with --set max_cycles={0}",
                    result.cycles));
  }
  if (const std::string why = failure_of(result); !why.empty()) throw CheckError(why);
}

void run_once(const RunArguments& arguments) {
  const std::unique_ptr<Processes> processes = join_processes();
  std::optional<ReadyRun> ready;
  const bool leads = processes->leads();
  RunArguments of_process = arguments;
  of_process.options.processes = processes.get();
  of_process.options.progress = arguments.options.progress && leads;
  try {
    together(*processes, [&] { make_ready(of_process, leads, ready); });
    const RunOptions& options = arguments.options;
    const auto about = [&] {
      return fmt::format("{} {} {} {} {} {} {} {} {}", build_version(), build_commit(),
                         to_json(ready->config).dump(), hashes_of_inputs(ready->options).dump(),
                         options.engine, options.threads, options.checkpoint.string(),
                         options.every, options.resume.string());
    };
    check_same(*processes, about,
               "versions of weft, configurations, files that these name, options or checkpoints");
    together(*processes, [&] { prepare(*ready); });
    run_ready(of_process, *ready);
  } catch (const std::exception& error) {
    if (leads) throw;
    if (processes->concluded()) throw ToldByFirst{};
    throw std::runtime_error(fmt::format("process {} of {}: {}", processes->number() + 1,
                                         processes->count(), error.what()));
  }
}

void run_saturation(const RunArguments& arguments) {
  if (const std::unique_ptr<Processes> processes = join_processes(); !processes->alone()) {
    processes->conclude();
    if (!processes->leads()) throw ToldByFirst{};
    throw ConfigError("--saturation", "", fmt::format("in {} processes", processes->count()),
                      "one process, whose runs decide what is run next; `weft sweep` shares runs");
  }
  constexpr double kWidth = 0.01;
  const double width = arguments.width > 0 ? arguments.width : kWidth;
  const Config config = arguments.config.load();
  check_has_work(config);
  Outputs(config).add_json("--json", arguments.json);
  const Saturation found = search_saturation(config, arguments.options, width);
  write_json(arguments.json, to_json(found, config, arguments.options));
  if (arguments.json != "-") {
    fmt::print("{}{}", printable(saturation_text(found, config)), files_written(arguments));
  }
  finish_stdout();
}

}  // namespace

void add_run(CLI::App& app) {
  auto arguments = std::make_shared<RunArguments>();
  CLI::App* command = app.add_subcommand("run", "Simulate a configuration and verify what it did");
  arguments->config.add_to(*command);
  std::vector<std::string> names;
  for (const EngineEntry& engine : engines()) names.emplace_back(engine.name);
  command->add_option("--engine", arguments->options.engine, "What simulates the network")
      ->check(CLI::IsMember(names))
      ->capture_default_str();
  command
      ->add_option(
          "--threads", arguments->options.threads,
          "Threads; the result is the same. They pay on large networks, on cores that are free")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  command
      ->add_option("--program", arguments->program,
                   "Run a program of `weft cc` in place of the configuration's workload; checked "
                   "are the code that it returns and workload.expect")
      ->type_name("FILE")
      ->check(expect_name);
  command
      ->add_option("--gdb", arguments->gdb,
                   "Wait for gdb, which then debugs the program of node NODE (rv32) while "
                   "everything else stands still; port 0: any that is free")
      ->type_name("NODE:PORT")
      ->check(expect_name);
  command->add_option("--json", arguments->json, "Write the result as JSON; - is standard output")
      ->type_name("FILE")
      ->check(expect_name_or_stdout);
  command->add_flag("--detail", arguments->detail,
                    "Add to the JSON each link and node, the latency histogram and what was done "
                    "when; with --losses also why each link idled");
  command
      ->add_option(
          "--trace", arguments->trace,
          "Write waves for GTKWave, and beside them FILE.gtkw (save file) and FILE.filters/")
      ->type_name("FILE.fst")
      ->check(expect_name);
  command->add_flag("--losses", arguments->options.losses,
                    "Count why links between routers idle (engines model, flit and cosim)");
  command->add_flag("--gates", arguments->options.gates,
                    "Compare three: each block also as the gates that Yosys makes of its RTL "
                    "(engine cosim); builds what is not in the cache, half a minute for a block");
  command
      ->add_option("--liberty", arguments->options.liberty,
                   "Map these gates, or those of engine gates, to the cells of a liberty file, and "
                   "simulate what it says that they compute")
      ->type_name("FILE.lib")
      ->check(expect_name);
  command
      ->add_option("--events", arguments->events,
                   "Write where packets waited, for Perfetto (engines model, flit and cosim)")
      ->type_name("FILE.json")
      ->check(expect_name);
  command
      ->add_option("--states", arguments->states,
                   "Write what aggregation units have in their arrays at the end, as CSV")
      ->type_name("FILE.csv")
      ->check(expect_name);
  command
      ->add_option("--links", arguments->links,
                   "Write each link, with its flits and registers, as CSV")
      ->type_name("FILE.csv")
      ->check(expect_name);
  command
      ->add_option("--latencies", arguments->latencies,
                   "Write how many packets of traffic had which latency, as CSV")
      ->type_name("FILE.csv")
      ->check(expect_name);
  command
      ->add_option("--checkpoint", arguments->options.checkpoint,
                   "Save the state of the run to FILE, which --resume reads: where max_cycles or "
                   "Ctrl-C stops it, and with --every N every N cycles, the newest only")
      ->type_name("FILE")
      ->check(expect_name);
  command
      ->add_option("--every", arguments->options.every, "Cycles between two states in --checkpoint")
      ->type_name("N")
      ->check(CLI::Range(std::uint64_t{1}, UINT64_MAX));
  command
      ->add_option("--resume", arguments->options.resume,
                   "Go on with the run whose state --checkpoint saved in FILE: the same "
                   "configuration but for max_cycles, on any number of threads and processes; "
                   "engines rtl and cosim go on, in hardware, with what engine flit has saved")
      ->type_name("FILE")
      ->check(expect_name);
  CLI::Option* const saturation =
      command
          ->add_option(
              "--saturation", arguments->width,
              "Find the rate at which the traffic saturates the network, to an interval of "
              "WIDTH (default 0.01), by runs with several seeds at rates in place of "
              "workload.rate")
          ->type_name("WIDTH")
          ->expected(0, 1)
          ->check(CLI::Range(1e-6, 1.0));
  for (const char* one_run :
       {"--program", "--gdb", "--detail", "--trace", "--losses", "--events", "--states", "--links",
        "--latencies", "--checkpoint", "--every", "--resume"}) {
    saturation->excludes(one_run);
  }
  arguments->options.progress = isatty(STDERR_FILENO) != 0;
  command->add_flag("--progress", arguments->options.progress,
                    "Show progress although standard error is no terminal");
  command->footer(kExitStatus);
  command->callback([arguments, saturation] {
    saturation->count() > 0 ? run_saturation(*arguments) : run_once(*arguments);
  });
}

}  // namespace weft::cli
