// One run: checks, endpoints, probes and engine, and waves around a difference.
#include "sim/run/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "sim/base/error.hpp"
#include "sim/engine/checkpoint.hpp"
#include "sim/engine/gather.hpp"
#include "sim/engine/progress.hpp"
#include "sim/engine/recovery.hpp"
#include "sim/run/collect.hpp"
#include "sim/run/gdb_session.hpp"
#include "sim/run/prepare.hpp"
#include "sim/share/difference.hpp"
#include "sim/share/network_share.hpp"
#include "sim/share/together.hpp"
#include "sim/workload/word_watch.hpp"
#include "sim/workload/workload.hpp"

namespace weft {
namespace {

// Inputs of a run.
struct RunJob {
  const Config& config;
  const Graph& graph;
  const Workload& workload;
  const RunOptions& options;
  std::uint64_t waves_from = 0;
  WordWatch* watch = nullptr;   // Watch of the run, as in EngineInputs.
  bool repeats = false;         // The run repeats an earlier one: its programs print nothing.
  FailedRun* failed = nullptr;  // Filled in if the run fails.
};

// Calls `use` with the rank and port of each processor.
template <class Use>
void each_port(Endpoints& endpoints, const NodeSet& own, const Use& use) {
  std::visit(
      [&](auto& nodes) {
        if constexpr (requires { nodes[0].port(); }) {
          for (const std::uint32_t n : own) use(n, nodes[n].port());
        }
      },
      endpoints);
}

// Values that the programs of all nodes have reported, by node. Where processes share the network
// all of them call it together.
std::vector<ProgramValue> values_of(const RunJob& job, const NetworkShare& share,
                                    Endpoints& endpoints, const NodeSet& own) {
  NodeEnds ends = node_ends(job.workload, endpoints, own, 0, true);
  gather(share, ends);
  return reported_values(ends);
}

// Arrays in the memories of aggregation units.
std::vector<UnitArray> array_states(const Collective& collective, Endpoints& endpoints) {
  return std::visit(
      [&](auto& nodes) -> std::vector<UnitArray> {
        if constexpr (requires { nodes[0].port(); }) {
          return collective.arrays()->states(
              [&](std::uint32_t n) -> const Memory& { return nodes[n].memory(); });
        }
        return {};
      },
      endpoints);
}

Result run_job(const RunJob& job) {
  const auto engine = find_engine(job.options.engine).make();
  Result result;
  result.config = job.config;
  result.engine = job.options.engine;
  const Bound bound = bound_of(job.workload);
  result.bound_cycles = bound.cycles;
  result.bound_by = bound.by;
  result.injection_bound = bound.injection;

  std::optional<Checkpoint> checkpoint;
  if (!job.options.checkpoint.empty() || !job.options.resume.empty()) {
    checkpoint.emplace(job.config, job.options);
  }
  const NetworkShare share(job.graph, *job.options.processes,
                           checkpoint ? checkpoint->shares() : shares_of(job.options),
                           job.options.threads);
  check_same(
      share.processes(), [&] { return fmt::format("{:016x}", share.division().hash()); },
      "cuts of the network, by other libraries of METIS");
  const NodeSet& own = share.nodes();
  Endpoints endpoints;
  const auto make = [&] { endpoints = make_endpoints(job.config, job.graph, job.workload, own); };
  together(share.processes(), make);
  std::optional<GdbSession> gdb;
  if (job.options.gdb) {
    gdb.emplace(*job.options.gdb, std::get<Collective>(job.workload).program(), endpoints);
  }
  if (job.repeats) {
    each_port(endpoints, own, [](std::size_t, NicPort& port) { port.skip_prints(UINT64_MAX); });
  }
  const auto* const traffic = std::get_if<TrafficPlan>(&job.workload);
  const auto* const collective = std::get_if<Collective>(&job.workload);
  const bool partitioned = traffic != nullptr && !job.config.partition.empty();
  Probes probes(job.config, job.graph, job.options, job.waves_from,
                partitioned ? &traffic->partition() : nullptr, partitioned ? traffic->end() : 0);
  std::optional<TrafficPhases> phases;
  if (traffic != nullptr) phases = {traffic->begin(), traffic->end(), traffic->limit()};
  ProgressLine progress(job.options.progress, job.graph.nodes, result.bound_cycles, phases);
  EngineInputs parts = {.config = job.config,
                        .graph = job.graph,
                        .endpoints = endpoints,
                        .probes = probes,
                        .share = share,
                        .traffic = traffic,
                        .threads = job.options.threads,
                        .record_arrivals = std::holds_alternative<Transfers>(job.workload),
                        .startup_barrier = collective != nullptr && !collective->loaded(),
                        .stepped = gdb ? GdbSession::kStepped : "",
                        .progress =
                            [&](std::uint64_t cycle, std::uint32_t done) {
                              progress(cycle, done);
                              if (gdb) gdb->poll();
                            },
                        .say = [&](const std::string& note) { progress.say(note); },
                        .watchdog = job.config.watchdog +
                                    (job.config.nic.reliable ? job.config.nic.timeout +
                                                                   Recovery::quiet_cycles(job.graph)
                                                             : 0),
                        .watch = job.watch,
                        .checkpoint = checkpoint ? &*checkpoint : nullptr,
                        .gates = job.options.gates,
                        .liberty = job.options.liberty};
  probes.keep(parts.owns_block());
  Outcome outcome = [&] {
    try {
      try {
        return engine->run(parts);
      } catch (const NotBySpans& error) {
        std::vector<std::uint64_t> prints(job.graph.nodes);
        each_port(endpoints, own, [&](std::size_t n, NicPort& port) { prints[n] = port.prints(); });
        endpoints = make_endpoints(job.config, job.graph, job.workload, own);
        each_port(endpoints, own, [&](std::size_t n, NicPort& port) {
          port.skip_prints(job.repeats ? UINT64_MAX : prints[n]);
        });
        if (job.watch != nullptr) job.watch->restart();
        if (checkpoint) checkpoint->begin_anew();
        parts.stepped = error.what();
        return engine->run(parts);
      }
    } catch (const std::exception& error) {
      if (gdb) gdb->run_ended(error.what());
      // An error of one process ends the others without a report.
      if (job.failed != nullptr && share.processes().concluded()) {
        job.failed->values = values_of(job, parts.share, endpoints, own);
      }
      // The failure of the run takes precedence over a failure to write the observers' files.
      try {
        probes.finish();
      } catch (const ConfigError&) {
      }
      throw;
    }
  }();
  if (gdb) gdb->run_ended(outcome.stopped ? "max_cycles or Ctrl-C" : "packets were dropped");
  result.wall_s = outcome.wall_s;
  probes.finish();
  NodeEnds ends = node_ends(job.workload, endpoints, own, outcome.cycles, outcome.stopped);
  gather(share, job.graph, outcome);
  gather(share, ends);
  if (!share.leads()) return result;
  collect(job.config, job.graph, job.workload, ends, outcome, probes, result);
  if (job.options.states) {
    result.states = array_states(std::get<Collective>(job.workload), endpoints);
  }
  result.stepped = outcome.stepped;
  result.notes.insert(result.notes.end(), outcome.notes.begin(), outcome.notes.end());
  const std::string compared =
      engine->compared(job.config, job.graph, job.options.gates,
                       outcome.cycles - (checkpoint ? checkpoint->begin() : 0));
  if (!compared.empty()) result.notes.push_back(compared);
  if (checkpoint) std::ranges::move(checkpoint->notes(), std::back_inserter(result.notes));
  return result;
}

// Repeats a run up to a difference, with the model alone and with the RTL alone, from the same
// checkpoint if it was resumed, and writes waves around the difference. Returns the names of the
// files, or why there are none.
std::string draw_difference(const RunJob& job, std::uint64_t cycle) {
  constexpr std::uint64_t kBefore = 200, kAfter = 50;
  Config again = job.config;
  again.max_cycles = cycle + kAfter;
  for (const char* engine : {"model", "rtl"}) {
    RunOptions waves = job.options;
    // A run that moves packets as spans cannot continue from the state of blocks.
    waves.engine = find_engine(engine).spans && !waves.resume.empty() ? "flit" : engine;
    waves.trace = fmt::format("difference.{}.fst", engine);
    waves.losses = waves.gates = false;
    waves.processes = &single_process();
    waves.gdb.reset();
    waves.events.clear();
    waves.checkpoint.clear();
    try {
      run_job({again, job.graph, job.workload, waves, cycle > kBefore ? cycle - kBefore : 0,
               nullptr, true});
    } catch (const CheckError&) {
      // RTL alone may fail after the difference; the waves up to then are written.
    } catch (const ConfigError& error) {
      return fmt::format("none: {}", error.what());
    }
  }
  return "difference.model.fst, difference.rtl.fst";
}

// Repeats a run that left wrong data, and watches the first wrong element.
LastWriter last_writer(const RunJob& job, const WrongData& wrong) {
  WordWatch watch(job.config, job.graph, wrong);
  RunOptions options;
  // A run that was resumed in RTL is not repeated in RTL from cycle 0.
  const bool switched = !job.options.resume.empty() && find_engine(job.options.engine).rtl;
  options.engine = switched ? "flit" : job.options.engine;
  options.gates = job.options.gates && !switched;
  if (!switched) options.liberty = job.options.liberty;
  options.threads = job.options.threads;
  options.progress = job.options.progress;
  try {
    const Result again = run_job({job.config, job.graph, job.workload, options, 0, &watch, true});
    if (again.wrong_data && again.wrong_data->rank == wrong.rank &&
        again.wrong_data->memory_address == wrong.memory_address &&
        again.wrong_data->found == wrong.found) {
      return watch.last_writer();
    }
  } catch (const std::exception&) {
    // Fails also if this process has no memory for a network that many share.
  }
  return {.by = LastWriter::By::kUnknown};
}

// Runs a job. If it leaves wrong data, finds out what wrote them; if model and RTL differ, adds
// waves to the message. Where processes share the network the first one does that, alone.
Result run_workload(const RunJob& job) {
  if (job.config.workload.is(kAnyTraffic) && job.config.workload.warmup == kAutoWarmup) {
    throw std::invalid_argument("run: warmup \"auto\": expected: cycles, from prepare_run");
  }
  Processes& processes = *job.options.processes;
  try {
    Result result = run_job(job);
    if (auto& wrong = result.wrong_data) wrong->last_writer = last_writer(job, *wrong);
    return result;
  } catch (const DifferenceAt& difference) {
    if (!processes.leads()) throw;
    throw CheckError(fmt::format("{}\nwaves around it: {}", difference.what(),
                                 draw_difference(job, difference.cycle)));
  } catch (const NoProgressError&) {
    if (processes.alone()) throw;
    processes.conclude();  // All processes have found that nothing moves.
    if (!processes.leads()) throw;
    // Only a process with the whole network knows what waits for what.
    RunOptions options = job.options;
    options.processes = &single_process();
    options.checkpoint.clear();
    RunJob alone{job.config, job.graph, job.workload, options};
    alone.repeats = true;
    alone.failed = job.failed;
    run_job(alone);
    throw;
  }
}

}  // namespace

Result run(const Config& config, const Graph& graph, const RunOptions& options) {
  check_options(config, graph, options);
  const Workload workload = make_workload(config, graph);
  return run_workload({config, graph, workload, options});
}

Result run(const Config& config, const PreparedRun& prepared, const RunOptions& options,
           FailedRun* failed) {
  Result result = run_workload(
      {config, *prepared.graph, prepared.workload, options, 0, nullptr, false, failed});
  if (!prepared.warmup.empty()) result.notes.insert(result.notes.begin(), prepared.warmup);
  if (!prepared.routes.empty()) result.notes.insert(result.notes.begin(), prepared.routes);
  result.notes.insert(result.notes.begin(), prepared.verified);
  return result;
}

}  // namespace weft
