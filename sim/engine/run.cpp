// Puts together nodes and blocks for an engine, runs them and checks the memories.
#include "sim/engine/run.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>

#include "sim/base/error.hpp"
#include "sim/engine/machine.hpp"
#include "sim/engine/rtl_barrier.hpp"
#include "sim/engine/rtl_top.hpp"
#include "sim/engine/traffic_results.hpp"
#include "sim/fabric/blocks.hpp"
#include "sim/verilated/rtl_crossbar.hpp"
#include "sim/verilated/rtl_params.hpp"
#include "sim/verilated/rtl_router.hpp"

namespace weft {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// One line on standard error, rewritten about twice a second.
class ProgressLine {
 public:
  ProgressLine(bool shown, std::uint32_t nodes, std::uint64_t bound)
      : shown_(shown), nodes_(nodes), bound_(bound), start_(Clock::now()), last_(start_) {}
  ~ProgressLine() {
    if (written_) fmt::print(stderr, "\r\x1b[K");
  }
  void operator()(std::uint64_t cycle, std::uint32_t done) {
    if (!shown_ || seconds_since(last_) < 0.5) return;
    last_ = Clock::now();
    written_ = true;
    const double rate = static_cast<double>(cycle) / seconds_since(start_);
    // The bound is the least that can be left; what is really left is not known before the end.
    const double left =
        cycle < bound_ && rate > 0 ? static_cast<double>(bound_ - cycle) / rate : 0.0;
    fmt::print(stderr,
               "\r\x1b[Kcycle {}  {:.0f} cycles/s  {} of {} nodes done  at least {:.0f} s left",
               cycle, rate, done, nodes_, left);
  }

 private:
  bool shown_, written_ = false;
  std::uint32_t nodes_;
  std::uint64_t bound_;
  Clock::time_point start_, last_;
};

// All blocks of one sort, each made from its own configuration.
template <class NicT, class... More>
std::vector<NicT> make_nics(const Config& config, const Graph& graph, More... more) {
  const Nic::Config nic = nic_config(config, graph);
  std::vector<NicT> nics;
  for (std::uint32_t n = 0; n < graph.nodes; ++n) nics.emplace_back(nic, more...);
  return nics;
}

template <class SwitchT, class... More>
std::vector<SwitchT> make_switches(const Graph& graph, More... more) {
  std::vector<SwitchT> switches;
  for (std::uint32_t b = graph.nodes; b < graph.blocks.size(); ++b) {
    if constexpr (std::is_constructible_v<SwitchT, VcRouter::Config, More...>) {
      switches.emplace_back(graph.router_config(b), more...);
    } else {
      switches.emplace_back(graph.crossbar_config(b), more...);
    }
  }
  return switches;
}

std::vector<Rv32Core> rv32_hosts(const Config& config, const Graph& graph, const Work& work) {
  const std::string path =
      config.workload.program.empty() ? work.program() : config.workload.program;
  const auto program = std::make_shared<const Rv32Program>(load_elf(path), path);
  std::vector<Rv32Core> hosts;
  for (std::uint32_t n = 0; n < graph.nodes; ++n) {
    Memory memory(work.memory_bytes());
    work.fill(n, memory);
    hosts.emplace_back(program, std::move(memory), work.job(n));
    prepare_port(hosts.back().port(), work);
  }
  return hosts;
}

std::vector<NativeHost> native_hosts(const Graph& graph, const Work& work) {
  std::vector<NativeHost> hosts;
  for (std::uint32_t n = 0; n < graph.nodes; ++n) {
    Memory memory(work.memory_bytes());
    work.fill(n, memory);
    hosts.emplace_back(work.collective()->entry, std::move(memory), work.job(n));
    prepare_port(hosts.back().port(), work);
  }
  return hosts;
}

std::vector<TransferHost> transfer_hosts(const Graph& graph, const Work& work) {
  std::vector<TransferHost> hosts;
  for (std::uint32_t n = 0; n < graph.nodes; ++n) hosts.emplace_back(work, graph, n);
  return hosts;
}

// Everything that a run knows before the network is chosen.
struct Context {
  const Config& config;
  const Graph& graph;
  const Work& work;
  const RunOptions& options;
  std::uint64_t trace_from = 0;
};

template <class Net>
void add_transfers(const Context& c, const Net& network, Result& result) {
  std::vector<ArrivedMessages> arrived(network.arrivals().begin(), network.arrivals().end());
  for (const Work::Placed& p : c.work.transfers()) {
    const Transfer& t = p.transfer;
    TransferResult transfer{t.from, t.to, t.start, {}};
    // Where packets were dropped the wire does not tell which message is whole.
    const NicStatus& status = network.output(t.to).status;
    if (status.rx_parity + status.rx_refused == 0) {
      transfer.end = arrived[t.to].take(c.graph.address[t.from], p.recv_flit, t.flits);
    }
    result.transfers.push_back(transfer);
  }
  // Where packets overtake each other the interfaces count these, not messages.
  if (c.work.packets_overtake() && !result.transfers.empty()) {
    result.messages = static_cast<std::uint64_t>(
        std::count_if(result.transfers.begin(), result.transfers.end(),
                      [](const TransferResult& t) { return t.end.has_value(); }));
  }
}

// Words that are not as they must be: after the work in a node's memory, of traffic on the way.
template <class Host>
std::uint64_t data_errors(const Context& c, std::uint32_t node, Host& host) {
  return c.work.errors(node, host.memory());
}
std::uint64_t data_errors(const Context&, std::uint32_t, TrafficHost& host) {
  return host.memory().errors();
}

// Cycle in which the first node started its job; the end of a run that did not come to it.
template <class Machine>
std::uint64_t startup_cycles(const Context& c, Machine& machine, std::uint64_t end) {
  std::uint64_t first = end;
  for (std::uint32_t n = 0; n < c.graph.nodes; ++n) {
    first = std::min(first, machine.host(n).port().job_start().value_or(end));
  }
  return first;
}

// What is told of a collective on arrays.
template <class Machine>
void add_arrays(const Context& c, Machine& machine, Result& result) {
  const ArrayWork* const arrays = c.work.arrays();
  if (arrays == nullptr) return;
  const Wires& wires = machine.network().wires();
  std::vector<std::uint64_t> load;
  for (const std::uint32_t slot : wires.slot) load.push_back(wires.load[slot]);
  result.link_flits = arrays->link_flits(load);
  if (!arrays->picked().empty()) result.notes.push_back(arrays->picked());
  if (!c.options.states) return;
  result.states = ArrayWork::kStatesHead;
  for (std::uint32_t n = 0; n < c.graph.nodes; ++n) {
    result.states += arrays->state(n, machine.host(n).memory());
  }
}

template <class Net, class Host>
Result run_machine(const Context& c, Net net, std::vector<Host> hosts) {
  if (c.config.barrier_units) {
    net.add_barriers();
    net.barriers()->leave_out(c.work.loaded() ? 0 : 1);
  }
  Machine<Net, Host> machine(c.config, c.graph, std::move(net), std::move(hosts));
  std::optional<Trace> trace;
  if (!c.options.trace.empty()) {
    trace.emplace(c.options.trace, c.graph, c.config.barrier_units);
  }

  Result result;
  result.config = to_json(c.config);
  result.engine = c.options.engine;
  result.bound_cycles = c.work.bound_cycles();
  std::optional<Observer> observer;
  if (c.options.losses || !c.options.events.empty()) {
    observer.emplace(c.graph, router_models(c.graph, machine.network()), c.options.losses,
                     c.options.events);
  }
  std::optional<RegionDigests> regions;
  if constexpr (std::is_same_v<Host, TrafficHost>) {
    const TrafficPlan& plan = machine.host(0).plan();
    if (!c.config.partition.empty()) regions.emplace(plan.partition(), plan.end());
  }
  const Watchers watchers = {trace ? &*trace : nullptr, c.trace_from,
                             observer ? &*observer : nullptr, regions ? &*regions : nullptr};
  const auto start = Clock::now();
  const Outcome outcome = [&] {
    ProgressLine progress(c.options.progress, c.graph.nodes, result.bound_cycles);
    try {
      return machine.run(c.options.threads, watchers,
                         [&](std::uint64_t cycle, std::uint32_t done) { progress(cycle, done); });
    } catch (...) {
      // The events up to here are of use, above all then.
      if (observer) observer->finish();
      throw;
    }
  }();
  result.wall_s = seconds_since(start);
  if (observer) observer->finish();
  if (observer && observer->losses()) {
    result.losses = observer->losses()->to_json(std::is_same_v<Host, TrafficHost>);
  }
  const BarrierResult barriers = machine.barrier_times().result();
  if (c.config.barrier_units || barriers.count != 0) result.barriers = barriers;
  result.cycles = outcome.cycles;
  if constexpr (Processor<Host>) {
    if (!c.work.loaded()) {
      result.startup_cycles = startup_cycles(c, machine, outcome.cycles);
    }
  }
  result.stopped = outcome.stopped;
  result.packets = outcome.counters.packets;
  result.flits = outcome.counters.flits;
  result.flit_hops = outcome.counters.flit_hops;
  result.digest = outcome.counters.digest();
  const auto& load = machine.network().wires().load;
  result.max_link_load = *std::max_element(load.begin(), load.end());
  for (std::uint32_t n = 0; n < c.graph.nodes; ++n) {
    const NicStatus& status = machine.network().output(n).status;
    for (const std::uint32_t count : status.rx_count) result.messages += count;
    result.parity_errors += status.rx_parity;
    result.order_errors += status.rx_refused;
    if (status.rx_parity != 0) {
      result.notes.push_back(
          fmt::format("node {}: {} packets dropped for a parity error", n, status.rx_parity));
    }
    if (status.rx_refused != 0) {
      result.notes.push_back(
          fmt::format("node {}: {} packets refused: beyond its receive window of {} bytes, or of a "
                      "wrong length",
                      n, status.rx_refused, machine.network().input(n).rx_size * kFlitBytes));
    }
    // Traffic is checked as it arrives, memories only when the work is done.
    if (!outcome.stopped || std::is_same_v<Host, TrafficHost>) {
      result.data_errors += data_errors(c, n, machine.host(n));
    }
  }
  if (const std::uint64_t given = c.config.faults.size(); given != 0) {
    result.faults = {outcome.faults_put, given - outcome.faults_put};
    result.notes.push_back(
        fmt::format("{} of {} faults put; {} missed: no flit came on their wires from their cycles "
                    "on",
                    result.faults->put, given, result.faults->missed));
  }
  add_transfers(c, machine.network(), result);
  if constexpr (Processor<Host>) add_arrays(c, machine, result);
  if constexpr (std::is_same_v<Host, TrafficHost>) {
    add_traffic(machine, regions ? &*regions : nullptr, result);
  } else if (!outcome.stopped) {
    result.notes.push_back(fmt::format("{} words compared in the memories of {} nodes, {} differ",
                                       c.work.words(), c.graph.nodes, result.data_errors));
  }
  if (c.options.engine == "cosim") {
    result.notes.push_back(fmt::format(
        "RTL and model equal on every output of {} blocks in each of {} cycles",
        c.graph.blocks.size() + (c.config.barrier_units ? c.graph.nodes : 0), outcome.cycles));
  }
  return result;
}

// The engines that are networks of blocks.
template <class Xbar, class RtlXbar, class BothXbar, class Host>
Result run_network(const Context& c, std::vector<Host> hosts) {
  const bool arrivals = !c.work.transfers().empty(), parity = c.config.link.parity;
  if (c.options.engine == "model") {
    return run_machine(c,
                       Network<Nic, Xbar>(c.graph, make_nics<Nic>(c.config, c.graph),
                                          make_switches<Xbar>(c.graph), arrivals),
                       std::move(hosts));
  }
  if (c.options.engine == "rtl") {
    return run_machine(
        c,
        Network<RtlNic, RtlXbar>(c.graph, make_nics<RtlNic>(c.config, c.graph, false),
                                 make_switches<RtlXbar>(c.graph, parity, false), arrivals),
        std::move(hosts));
  }
  return run_machine(c,
                     Network<BothNic, BothXbar>(c.graph, make_nics<BothNic>(c.config, c.graph),
                                                make_switches<BothXbar>(c.graph, parity), arrivals),
                     std::move(hosts));
}

template <class Host>
Result run_hosts(const Context& c, std::vector<Host> hosts) {
  const std::string& engine = c.options.engine;
  if (engine == "model" || engine == "rtl" || engine == "cosim") {
    return c.graph.has_routers()
               ? run_network<VcRouter, RtlRouter, BothRouter>(c, std::move(hosts))
               : run_network<Crossbar, RtlCrossbar, BothCrossbar>(c, std::move(hosts));
  }
  if (engine == "rtl-top") {
    if (c.options.threads > 1) {
      throw ConfigError("--threads: engine rtl-top evaluates the network as one: accepted: 1");
    }
    if (!c.config.faults.empty()) {
      throw ConfigError(
          "/faults: engine rtl-top has no wires to put faults on: accepted: model, "
          "rtl, cosim");
    }
    return run_machine(c, RtlTop(c.config, c.graph, !c.work.transfers().empty()), std::move(hosts));
  }
  throw ConfigError(
      fmt::format("--engine: value \"{}\": accepted: model, rtl, cosim, rtl-top", engine));
}

Result run_context(const Context& c) {
  if (!c.config.workload.traffic.empty()) {
    const TrafficPlan plan(c.config, c.graph);
    std::vector<TrafficHost> hosts;
    for (std::uint32_t n = 0; n < c.graph.nodes; ++n) hosts.emplace_back(plan, n);
    return run_hosts(c, std::move(hosts));
  }
  if (c.work.collective() == nullptr) return run_hosts(c, transfer_hosts(c.graph, c.work));
  if (c.config.processor == "native") return run_hosts(c, native_hosts(c.graph, c.work));
  return run_hosts(c, rv32_hosts(c.config, c.graph, c.work));
}

// The run is the same again up to the difference: model and RTL, each alone, draw the waves around
// it.
void draw_difference(const Context& c, std::uint64_t cycle) {
  constexpr std::uint64_t kBefore = 200, kAfter = 50;
  Config again = c.config;
  again.max_cycles = cycle + kAfter;
  for (const char* engine : {"model", "rtl"}) {
    RunOptions waves = c.options;
    waves.engine = engine;
    waves.trace = fmt::format("difference.{}.fst", engine);
    waves.losses = false;
    waves.events.clear();
    try {
      run_context({again, c.graph, c.work, waves, cycle > kBefore ? cycle - kBefore : 0});
    } catch (const CheckError&) {
      // RTL alone may go astray after the difference; the waves hold what came before.
    }
  }
}

}  // namespace

void check_observed(const Config& config, const Graph& graph, const RunOptions& options) {
  if (!options.losses && options.events.empty()) return;
  const char* const option = options.losses ? "--losses" : "--events";
  if (!graph.has_routers()) {
    throw ConfigError(fmt::format("{}: topology {}: accepted: a network of routers", option,
                                  config.topology.at("kind").dump()));
  }
  if (options.engine != "model" && options.engine != "cosim") {
    throw ConfigError(
        fmt::format("{}: engine \"{}\": accepted: model, cosim", option, options.engine));
  }
}

// A limit of the model of routers; who simulates RTL alone does not have it.
void check_classes(const Config& config, const Graph& graph) {
  for (const VcRouter::Config& shape : graph.router_shapes) {
    if (!VcRouter::too_many_classes(shape)) continue;
    config.source.refuse("/router/vcs", shape.num_vc,
                         fmt::format("up to {} on routers of {} ports with engine model or cosim, "
                                     "or \"per_destination\"",
                                     VcRouter::kMostClassed / shape.num_ports, shape.num_ports));
  }
}

Result run(const Config& config, const Graph& graph, const RunOptions& options) {
  const std::uint32_t most = std::max(1u, std::min(graph.nodes, 64u));
  if (options.threads < 1 || options.threads > most) {
    throw ConfigError(fmt::format("--threads: value {}: accepted: 1 to {}", options.threads, most));
  }
  check_observed(config, graph, options);
  if (options.engine == "model" || options.engine == "cosim") check_classes(config, graph);
  const Work work(config, graph);
  if (options.states && (work.arrays() == nullptr || !work.arrays()->has_states())) {
    throw ConfigError(fmt::format("--states: {}: accepted: a collective on arrays of boards",
                                  config.source.at("/workload")));
  }
  try {
    return run_context({config, graph, work, options});
  } catch (const DifferenceAt& difference) {
    draw_difference({config, graph, work, options}, difference.cycle);
    throw CheckError(fmt::format("{}\nwaves around it: difference.model.fst, difference.rtl.fst",
                                 difference.what()));
  }
}

}  // namespace weft
