// One run: checks, then endpoints, probes and engine together, and the waves of a difference.
#include "sim/engine/run.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/error.hpp"
#include "sim/engine/collect.hpp"
#include "sim/engine/difference.hpp"
#include "sim/engine/prepare.hpp"
#include "sim/engine/progress.hpp"

namespace weft {
namespace {

// A run but for its engine.
struct RunJob {
  const Config& config;
  const Graph& graph;
  const Workload& workload;
  const RunOptions& options;
  std::uint64_t waves_from = 0;
};

Result run_job(const RunJob& job) {
  const auto engine = find_engine(job.options.engine).make();
  Result result;
  result.config = job.config;
  result.engine = job.options.engine;
  result.bound_cycles = bound_cycles(job.workload);

  Endpoints endpoints = make_endpoints(job.config, job.graph, job.workload);
  const auto* const traffic = std::get_if<TrafficPlan>(&job.workload);
  const auto* const collective = std::get_if<Collective>(&job.workload);
  const bool partitioned = traffic != nullptr && !job.config.partition.empty();
  Probes probes(job.config, job.graph, job.options, job.waves_from,
                partitioned ? &traffic->partition() : nullptr, partitioned ? traffic->end() : 0);
  std::optional<TrafficPhases> phases;
  if (traffic != nullptr) phases = {traffic->begin(), traffic->end(), traffic->limit()};
  ProgressLine progress(job.options.progress, job.graph.nodes, result.bound_cycles, phases);
  const auto start = Clock::now();
  const Outcome outcome = [&] {
    try {
      return engine->run(
          {.config = job.config,
           .graph = job.graph,
           .endpoints = endpoints,
           .probes = probes,
           .traffic = traffic,
           .threads = job.options.threads,
           .record_arrivals = std::holds_alternative<Transfers>(job.workload),
           .startup_barrier = collective != nullptr && !collective->loaded(),
           .progress = [&](std::uint64_t cycle, std::uint32_t done) { progress(cycle, done); }});
    } catch (...) {
      // Why the run failed counts, also where what was seen until then cannot be written.
      try {
        probes.finish();
      } catch (const ConfigError&) {
      }
      throw;
    }
  }();
  result.wall_s = seconds_since(start);
  probes.finish();
  collect(job.config, job.graph, job.workload, endpoints, outcome, probes, job.options.states,
          result);
  const std::string compared = engine->compared(job.config, job.graph, outcome.cycles);
  if (!compared.empty()) result.notes.push_back(compared);
  return result;
}

// The run is the same again up to the difference: model and RTL, each alone, draw the waves around
// it. Returns their names, or why there are none.
std::string draw_difference(const RunJob& job, std::uint64_t cycle) {
  constexpr std::uint64_t kBefore = 200, kAfter = 50;
  Config again = job.config;
  again.max_cycles = cycle + kAfter;
  for (const char* engine : {"model", "rtl"}) {
    RunOptions waves = job.options;
    waves.engine = engine;
    waves.trace = fmt::format("difference.{}.fst", engine);
    waves.losses = false;
    waves.events.clear();
    try {
      run_job({again, job.graph, job.workload, waves, cycle > kBefore ? cycle - kBefore : 0});
    } catch (const CheckError&) {
      // RTL alone may go astray after the difference; the waves hold what came before.
    } catch (const ConfigError& error) {
      return fmt::format("none: {}", error.what());
    }
  }
  return "difference.model.fst, difference.rtl.fst";
}

// A difference between model and RTL is drawn.
Result run_workload(const RunJob& job) {
  try {
    return run_job(job);
  } catch (const DifferenceAt& difference) {
    throw CheckError(fmt::format("{}\nwaves around it: {}", difference.what(),
                                 draw_difference(job, difference.cycle)));
  }
}

}  // namespace

Result run(const Config& config, const Graph& graph, const RunOptions& options) {
  check_options(config, graph, options);
  const Workload workload = make_workload(config, graph);
  return run_workload({config, graph, workload, options});
}

Result run(const Config& config, const PreparedRun& prepared, const RunOptions& options) {
  Result result = run_workload({config, *prepared.graph, prepared.workload, options});
  result.notes.insert(result.notes.begin(), prepared.verified);
  return result;
}

}  // namespace weft
