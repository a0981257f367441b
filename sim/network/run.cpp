// Puts together nodes and blocks for an engine, runs them and checks the memories.
#include "sim/network/run.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>

#include "sim/core/error.hpp"
#include "sim/network/machine.hpp"
#include "sim/network/rtl_top.hpp"

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

std::vector<Nic> model_nics(const Config& config, const Graph& graph) {
  const NicParams p = nic_params(config);
  const Nic nic({.num_ctrl = p.num_ctrl,
                 .parity = p.parity != 0,
                 .packet_flits = p.packet_flits,
                 .queue_depth = p.queue_depth});
  return std::vector<Nic>(graph.nodes, nic);
}

Crossbar::Config placed_shape(const Graph& graph, std::uint32_t block) {
  Crossbar::Config shape = graph.shapes[graph.blocks[block].shape];
  shape.own = graph.blocks[block].own;
  return shape;
}

std::vector<Crossbar> model_crossbars(const Graph& graph) {
  std::vector<Crossbar> crossbars;
  for (std::uint32_t b = graph.nodes; b < graph.blocks.size(); ++b) {
    crossbars.emplace_back(placed_shape(graph, b));
  }
  return crossbars;
}

std::vector<RtlNic> rtl_nics(const Config& config, const Graph& graph, bool assertions) {
  const auto library = nic_library(nic_params(config), assertions);
  std::vector<RtlNic> nics;
  for (std::uint32_t n = 0; n < graph.nodes; ++n) nics.emplace_back(library, nic_params(config));
  return nics;
}

std::vector<RtlCrossbar> rtl_crossbars(const Config& config, const Graph& graph, bool assertions) {
  const unsigned flit_w = nic_params(config).flit_w();
  std::vector<std::shared_ptr<const RtlLibrary>> libraries;
  for (const auto& shape : graph.shapes) {
    libraries.push_back(crossbar_library(shape, flit_w, assertions));
  }
  std::vector<RtlCrossbar> crossbars;
  for (std::uint32_t b = graph.nodes; b < graph.blocks.size(); ++b) {
    crossbars.emplace_back(libraries[graph.blocks[b].shape], placed_shape(graph, b), flit_w);
  }
  return crossbars;
}

template <class Model, class Rtl, class Both>
std::vector<Both> pair_up(std::vector<Model> models, std::vector<Rtl> rtls) {
  std::vector<Both> both;
  for (std::size_t i = 0; i < models.size(); ++i) {
    both.emplace_back(std::move(models[i]), std::move(rtls[i]));
  }
  return both;
}

std::vector<Rv32Core> rv32_hosts(const Config& config, const Graph& graph, const Work& work) {
  const std::string path =
      config.workload.program.empty()
          ? fmt::format("{}/sw/{}.elf", WEFT_BINARY_DIR, config.workload.collective)
          : config.workload.program;
  const auto program = std::make_shared<const Rv32Program>(load_elf(path), path);
  std::vector<Rv32Core> hosts;
  for (std::uint32_t n = 0; n < graph.nodes; ++n) {
    Memory memory(work.memory_bytes());
    work.fill(n, memory);
    hosts.emplace_back(program, std::move(memory), work.job(n));
    open_window(hosts.back().port(), work);
  }
  return hosts;
}

std::vector<NativeHost> native_hosts(const Graph& graph, const Work& work) {
  std::vector<NativeHost> hosts;
  for (std::uint32_t n = 0; n < graph.nodes; ++n) {
    Memory memory(work.memory_bytes());
    work.fill(n, memory);
    hosts.emplace_back(work.collective()->entry, std::move(memory), work.job(n));
    open_window(hosts.back().port(), work);
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
  // A message is known by its source and by where its body ends in the receive window.
  std::vector<std::vector<Arrival>> left = network.arrivals();
  for (const Work::Placed& p : c.work.transfers()) {
    const Transfer& t = p.transfer;
    auto& at = left[t.to];
    const auto found = std::find_if(at.begin(), at.end(), [&](const Arrival& a) {
      return a.src == c.graph.address[t.from] && a.end == p.recv_flit + t.flits;
    });
    TransferResult transfer{t.from, t.to, t.start, {}};
    if (found != at.end()) {
      // Where packets were dropped the wire does not tell which message is whole.
      const NicStatus& status = network.output(t.to).status;
      if (status.rx_parity + status.rx_refused == 0) transfer.end = found->cycle;
      at.erase(found);
    }
    result.transfers.push_back(transfer);
  }
}

template <class Net, class Host>
Result run_machine(const Context& c, Net net, std::vector<Host> hosts) {
  Machine<Net, Host> machine(c.config, c.graph, std::move(net), std::move(hosts));
  std::optional<Trace> trace;
  if (!c.options.trace.empty()) trace.emplace(c.options.trace, c.graph);

  Result result;
  result.config = to_json(c.config);
  result.engine = c.options.engine;
  result.bound_cycles = c.work.bound_cycles();
  const auto start = Clock::now();
  const Outcome outcome = [&] {
    ProgressLine progress(c.options.progress, c.graph.nodes, result.bound_cycles);
    return machine.run(c.options.threads, trace ? &*trace : nullptr, c.trace_from,
                       [&](std::uint64_t cycle, std::uint32_t done) { progress(cycle, done); });
  }();
  result.wall_s = seconds_since(start);
  result.cycles = outcome.cycles;
  result.stopped = outcome.stopped;
  result.packets = outcome.counters.packets;
  result.flits = outcome.counters.flits;
  result.flit_hops = outcome.counters.flit_hops;
  result.digest = outcome.counters.digest;
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
    if (!outcome.stopped) result.data_errors += c.work.errors(n, machine.host(n).memory());
  }
  add_transfers(c, machine.network(), result);
  if (!outcome.stopped) {
    result.notes.push_back(fmt::format("{} words compared in the memories of {} nodes, {} differ",
                                       c.work.words(), c.graph.nodes, result.data_errors));
  }
  if (c.options.engine == "cosim") {
    result.notes.push_back(
        fmt::format("RTL and model equal on every output of {} blocks in each of {} cycles",
                    c.graph.blocks.size(), outcome.cycles));
  }
  return result;
}

template <class Host>
Result run_hosts(const Context& c, std::vector<Host> hosts) {
  const std::string& engine = c.options.engine;
  const bool arrivals = c.work.collective() == nullptr;
  if (engine == "model") {
    return run_machine(c,
                       Network<Nic, Crossbar>(c.graph, model_nics(c.config, c.graph),
                                              model_crossbars(c.graph), arrivals),
                       std::move(hosts));
  }
  if (engine == "rtl") {
    return run_machine(
        c,
        Network<RtlNic, RtlCrossbar>(c.graph, rtl_nics(c.config, c.graph, false),
                                     rtl_crossbars(c.config, c.graph, false), arrivals),
        std::move(hosts));
  }
  if (engine == "cosim") {
    auto nics = pair_up<Nic, RtlNic, BothNic>(model_nics(c.config, c.graph),
                                              rtl_nics(c.config, c.graph, true));
    auto crossbars = pair_up<Crossbar, RtlCrossbar, BothCrossbar>(
        model_crossbars(c.graph), rtl_crossbars(c.config, c.graph, true));
    return run_machine(
        c, Network<BothNic, BothCrossbar>(c.graph, std::move(nics), std::move(crossbars), arrivals),
        std::move(hosts));
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
    return run_machine(c, RtlTop(c.config, c.graph, arrivals), std::move(hosts));
  }
  throw ConfigError(
      fmt::format("--engine: value \"{}\": accepted: model, rtl, cosim, rtl-top", engine));
}

Result run_context(const Context& c) {
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
    try {
      run_context({again, c.graph, c.work, waves, cycle > kBefore ? cycle - kBefore : 0});
    } catch (const CheckError&) {
      // RTL alone may go astray after the difference; the waves hold what came before.
    }
  }
}

}  // namespace

Result run(const Config& config, const Graph& graph, const RunOptions& options) {
  const std::uint32_t most = std::max(1u, std::min(graph.nodes, 64u));
  if (options.threads < 1 || options.threads > most) {
    throw ConfigError(fmt::format("--threads: value {}: accepted: 1 to {}", options.threads, most));
  }
  const Work work(config, graph);
  try {
    return run_context({config, graph, work, options});
  } catch (const DifferenceAt& difference) {
    draw_difference({config, graph, work, options}, difference.cycle);
    throw CheckError(fmt::format("{}\nwaves around it: difference.model.fst, difference.rtl.fst",
                                 difference.what()));
  }
}

}  // namespace weft
