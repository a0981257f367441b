// weft run: simulate a configuration and report.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>

#include "sim/base/error.hpp"
#include "sim/base/file_writer.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/output.hpp"
#include "sim/engine/prepare.hpp"
#include "sim/report/result_json.hpp"

namespace weft::cli {
namespace {

struct Arguments {
  ConfigArguments config;
  RunOptions options;
  std::string json, trace, events, states;
};

std::string work_in_words(const Config& config) {
  const WorkloadConfig& work = config.workload;
  if (!work.traffic.empty()) {
    std::string words = work.traffic + " traffic";
    for (const auto& [key, value] : work.parameters.items()) {
      words +=
          fmt::format(", {} {}", key, value.is_string() ? value.get<std::string>() : value.dump());
    }
    const nlohmann::json resolved = to_json(config).at("workload");
    if (resolved.contains("rate")) {
      words += fmt::format(", {} flits a node and cycle, packets of {} flits", work.rate,
                           work.packet_flits);
    }
    return words + fmt::format(", {} + {} cycles", work.warmup, work.measure);
  }
  if (work.collective.empty()) return fmt::format("{} transfers", work.transfers.size());
  if (work.array.bytes != 0) {
    const nlohmann::json array = to_json(config).at("workload");
    std::string words = fmt::format("{}, arrays of {} bytes, {}", work.collective, work.array.bytes,
                                    array.at("type").get<std::string>());
    for (const char* key : {"op", "order"}) {
      if (array.contains(key)) words += ", " + array.at(key).get<std::string>();
    }
    if (work.array.transit != "cut_through") words += ", stored on the way";
    if (work.array.chunks > 1) words += fmt::format(", {} chunks", work.array.chunks);
    return words + fmt::format(", {} processors", config.processor);
  }
  std::string words = fmt::format("{}, blocks of {} flits, sync {}, {} processors", work.collective,
                                  work.message_flits, work.sync, config.processor);
  const nlohmann::json gap = to_json(config).at("nic").at("gap");
  if (gap != 0)
    words += fmt::format(", gap {}", gap.is_string() ? gap.get<std::string>() : gap.dump());
  if (work.areas != 0) words += fmt::format(", areas {}", work.areas);
  if (config.barrier == "software") words += ", barriers by messages";
  return words;
}

void print_transfers(const std::vector<TransferResult>& transfers) {
  constexpr std::size_t most = 32;
  for (std::size_t i = 0; i < std::min(most, transfers.size()); ++i) {
    const auto& t = transfers[i];
    print_line(i == 0 ? "transfers" : "",
               t.end ? fmt::format("{} -> {}: cycle {}, last flit there {} ({} cycles)", t.from,
                                   t.to, t.start, *t.end, *t.end - t.start)
                     : fmt::format("{} -> {}: cycle {}, not received", t.from, t.to, t.start));
  }
  if (transfers.size() > most) {
    print_line("", fmt::format("and {} more", transfers.size() - most));
  }
}

void print_traffic(const TrafficResult& t, std::uint64_t measure) {
  print_line("measured", fmt::format("{} cycles{}", t.measured_cycles,
                                     t.cut ? fmt::format(" of {}, the run was cut", measure) : ""));
  if (t.measured_cycles > 0) {
    print_line("offered", fmt::format("{:.4f} flits a node and cycle", t.offered_rate));
    print_line("accepted", fmt::format("{:.4f} flits a node and cycle{}", t.accepted_rate,
                                       t.saturated ? ", saturated" : ""));
  }
  if (t.rounds) print_line("rounds", fmt::format("{} over at every node", *t.rounds));
  if (t.arrived == 0) return;
  print_line("latency",
             fmt::format("{:.2f} cycles on average, half within {}, 99 % within {}, at "
                         "most {}, of {} packets",
                         t.latency_mean, t.latency_p50, t.latency_p99, t.latency_max, t.arrived));
}

void print_region(std::size_t number, const RegionResult& region, const WorkloadConfig& workload) {
  const TrafficResult& t = region.traffic;
  const std::string work =
      workload.rate > 0
          ? fmt::format("{}, accepted {:.4f} of {:.4f}{}, latency {}", workload.traffic,
                        t.accepted_rate, t.offered_rate, t.saturated ? ", saturated" : "",
                        t.arrived > 0 ? fmt::format("{:.2f}", t.latency_mean) : "-")
          : "no packets";
  print_line(fmt::format("region {}", number),
             fmt::format("{} nodes, {}{}, digest {:016x}", region.nodes, work,
                         t.rounds ? fmt::format(", {} rounds", *t.rounds) : "", region.digest));
}

// A row for each cause with its share.
void print_causes(const nlohmann::json& causes, std::uint64_t all,
                  std::initializer_list<std::pair<const char*, const char*>> rows) {
  for (const auto& [key, words] : rows) {
    if (!causes.contains(key)) continue;
    const auto cycles = causes.at(key).get<std::uint64_t>();
    print_line(
        "",
        fmt::format("{:<16}{:>13} {:>6.2f} %  {}", key, cycles,
                    all > 0 ? 100.0 * static_cast<double>(cycles) / static_cast<double>(all) : 0.0,
                    words));
  }
}

// Packet-cycles by what was waited for.
void print_waits(const char* name, const char* where, const nlohmann::json& waits) {
  const auto cycles = [&](const char* key) { return waits.at(key).get<std::uint64_t>(); };
  print_line(name,
             fmt::format("{}, packet-cycles: {} for a link, {} for a VC, {} for a place, {} "
                         "behind another packet",
                         where, cycles("link"), cycles("vc"), cycles("credit"), cycles("behind")));
}

void print_losses(const nlohmann::json& losses) {
  if (losses.is_null()) return;
  const auto cycles = losses.at("cycles").get<std::uint64_t>();
  const auto links = losses.at("links").get<std::uint64_t>();
  print_line("losses", fmt::format("{} links between routers, {} cycles", links, cycles));
  print_causes(losses.at("link_cycles"), links * cycles,
               {{"header", "moved a header"},
                {"body", "moved another flit"},
                {"credit", "a packet has a VC and a flit, no place at the far end"},
                {"vc", "a header may take no VC that is free with a place"},
                {"behind", "its packet stands behind another"},
                {"gap_upstream", "a packet has a VC, its flits have not come"},
                {"nothing_backlog", "no packet here, the node's interface has some left to send"},
                {"nothing_barrier", "no packet here, the program waits in a barrier"},
                {"nothing_program", "no packet here, the program has not posted the next message"},
                {"nothing_end", "no packet here, the node has sent all"},
                {"nothing_source", "no packet here, none left to send in the node's interface"}});
  print_waits("packets waited", "between routers", losses.at("packet_waits"));
  const auto& ejection = losses.at("ejection");
  const auto ports = ejection.at("links").get<std::uint64_t>();
  print_line("ejection", fmt::format("{} links into interfaces, {} cycles", ports, cycles));
  print_causes(ejection, ports * cycles,
               {{"header", "moved a header"},
                {"body", "moved another flit"},
                {"no_packet", "no packet for it in its router"}});
  print_waits("packets waited", "for interfaces", ejection.at("packet_waits"));
  print_line("tail stranded", "a header in the last router or beyond, the link idle, the rest");
  print_causes(ejection.at("tail_stranded"), ports * cycles,
               {{"interface", "has no place in the interface"},
                {"behind", "stands behind another packet in the last router"},
                {"link", "stands upstream before a link that another packet uses"},
                {"credit", "stands upstream without a place ahead"},
                {"moving", "is on a link"},
                {"source", "has not left the source"}});
}

void print_summary(const Config& config, const Graph& graph, const Result& result) {
  print_line("network", fmt::format("{}: {} nodes, {} {}", config.topology.dump(), graph.nodes,
                                    graph.blocks.size() - graph.nodes,
                                    graph.has_routers() ? "routers" : "crossbars"));
  print_line("links", links_in_words(graph));
  print_line("interfaces", fmt::format("{} send controller{} each", config.nic.controllers,
                                       config.nic.controllers > 1 ? "s" : ""));
  print_line("workload", work_in_words(config));
  print_line("engine", result.engine);
  print_line("cycles", fmt::format("{}", result.cycles));
  if (result.startup_cycles > 0) {
    print_line("start-up", result.job_cycles() > 0
                               ? fmt::format("{} cycles, the rest is set beside the bound",
                                             result.startup_cycles)
                               : "not over");
  }
  if (result.bound_cycles > 0) {
    print_line("bound", fmt::format("{} (flits on the busiest link of any schedule, with headers)",
                                    result.bound_cycles));
    if (result.job_cycles() > 0) {
      print_line("ratio", fmt::format("{:.3f}", static_cast<double>(result.job_cycles()) /
                                                    static_cast<double>(result.bound_cycles)));
    }
  }
  print_line("messages", fmt::format("{} received", result.messages));
  print_line("packets", fmt::format("{} sent", result.packets));
  print_line("flits", fmt::format("{} sent ({} hops over all links, {} over the busiest)",
                                  result.flits, result.flit_hops, result.max_link_load));
  if (result.barriers && result.barriers->count > 0) {
    print_line(
        "barriers",
        fmt::format("{}, {} cycles from the last node's entering to its going on, {:.1f} in "
                    "each in the mean",
                    result.barriers->count, result.barriers->latency, result.barriers->mean_wait));
  }
  print_transfers(result.transfers);
  if (result.traffic) print_traffic(*result.traffic, config.workload.measure);
  for (std::size_t r = 0; r < result.regions.size(); ++r) {
    const auto& own = config.workload.regions;
    print_region(r, result.regions[r], r < own.size() ? own[r] : config.workload);
  }
  print_losses(result.losses);
  print_line("digest", fmt::format("{:016x}", result.digest));
  print_line("time", result.wall_s > 0
                         ? fmt::format("{:.3f} s, {:.3g} flit hops/s", result.wall_s,
                                       static_cast<double>(result.flit_hops) / result.wall_s)
                         : "below the clock's resolution");
  for (const auto& note : result.notes) {
    print_line(&note == &result.notes.front() ? "checked" : "", note);
  }
  print_line("errors", fmt::format("{} data, {} order, {} parity", result.data_errors,
                                   result.order_errors, result.parity_errors));
}

void execute(const Arguments& arguments) {
  const Config config = arguments.config.load();
  check_has_work(config);
  RunOptions options = arguments.options;
  Outputs outputs(config);
  if (!arguments.trace.empty()) options.trace = outputs.add_waves("--trace", arguments.trace);
  if (!arguments.events.empty()) options.events = outputs.add("--events", arguments.events);
  if (!arguments.states.empty()) {
    outputs.add("--states", arguments.states);
    options.states = true;
  }
  outputs.add_json("--json", arguments.json);
  RouteChecks routes;
  const CheckedNetwork network = prepare_run(config, options, routes);

  Result result = run(config, network.graph, options);
  result.notes.insert(result.notes.begin(), network.verified);
  write_json(arguments.json, to_json(result));
  if (options.states) write_file(arguments.states, result.states);
  if (arguments.json != "-") print_summary(config, network.graph, result);
  finish_stdout();
  if (result.data_errors + result.order_errors + result.parity_errors > 0) {
    throw CheckError(fmt::format("{} data, {} order, {} parity errors", result.data_errors,
                                 result.order_errors, result.parity_errors));
  }
  if (result.stopped) {
    throw CheckError(
        fmt::format("ended at cycle {} by max_cycles, before the work was done", result.cycles));
  }
}

}  // namespace

void add_run(CLI::App& app) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("run", "Simulate a configuration and verify what it did");
  arguments->config.add_to(*command);
  std::vector<std::string> names;
  for (const EngineEntry& engine : engines()) names.emplace_back(engine.name);
  command->add_option("--engine", arguments->options.engine, "What the network is made of")
      ->check(CLI::IsMember(names))
      ->capture_default_str();
  command->add_option("--threads", arguments->options.threads, "Threads; the result is the same")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  command->add_option("--json", arguments->json, "Write the result as JSON; - is standard output")
      ->type_name("FILE");
  command
      ->add_option(
          "--trace", arguments->trace,
          "Write waves for GTKWave, and beside them FILE.gtkw (save file) and FILE.filters/")
      ->type_name("FILE.fst");
  command->add_flag("--losses", arguments->options.losses,
                    "Count why links between routers idle (engines model and cosim)");
  command
      ->add_option("--events", arguments->events,
                   "Write where packets waited, for Perfetto (engines model and cosim)")
      ->type_name("FILE.json");
  command
      ->add_option("--states", arguments->states,
                   "Write what aggregation units have in their arrays at the end, as CSV")
      ->type_name("FILE.csv");
  arguments->options.progress = isatty(STDERR_FILENO) != 0;
  command->add_flag("--progress", arguments->options.progress,
                    "Show progress although standard error is no terminal");
  command->footer(kExitStatus);
  command->callback([arguments] { execute(*arguments); });
}

}  // namespace weft::cli
