// Nodes and network together, cycle by cycle.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <cstdint>
#include <exception>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/config/config.hpp"
#include "sim/fabric/network.hpp"
#include "sim/observe/observer.hpp"
#include "sim/observe/region_digests.hpp"
#include "sim/observe/trace.hpp"
#include "sim/observe/waits.hpp"
#include "sim/verilated/rtl_links.hpp"
#include "sim/workload/hosts.hpp"

namespace weft {

/// RTL and model differed: cycle, instance, port and both values are in the message.
struct DifferenceAt : CheckError {
  DifferenceAt(std::uint64_t at_cycle, const std::string& instance, const Difference& difference)
      : CheckError(fmt::format("RTL and model differ: cycle {}, instance {}, {}", at_cycle,
                               instance, difference.what())),
        cycle(at_cycle) {}
  std::uint64_t cycle;
};

/// What a run has come to.
struct Outcome {
  std::uint64_t cycles = 0;
  bool stopped = false;  ///< By `max_cycles`.
  bool stuck = false;    ///< Nothing moves any more, but packets were dropped before.
  std::uint64_t faults_put = 0;
  Counters counters;
};

/// Who looks on between two cycles; null: nobody.
struct Watchers {
  Trace* trace = nullptr;
  std::uint64_t trace_from = 0;
  Observer* observer = nullptr;
  RegionDigests* regions = nullptr;
};

/// A network (`Network<...>` or `RtlTop`) with a host at each node.
template <class Net, class Host>
class Machine {
 public:
  Machine(const Config& config, const Graph& graph, Net network, std::vector<Host> hosts)
      : config_(config),
        graph_(graph),
        net_(std::move(network)),
        hosts_(std::move(hosts)),
        barriers_(net_.barriers()),
        message_barriers_(graph.nodes),
        nodes_(graph.nodes),
        node_of_address_(low_mask(graph.header.addr_w) + 1) {
    for (std::uint32_t n = 0; n < graph.nodes; ++n) {
      drive_window(hosts_[n], net_.input(n));
      node_of_address_[graph.address[n]] = 1;
    }
  }

  /// Runs until all hosts are done, `max_cycles` is reached, or nothing moves any more.
  /// `progress` is called now and then with the cycle and the nodes that are done.
  /// Throws CheckError or NoProgressError.
  template <class Progress>
  Outcome run(unsigned threads, const Watchers& watchers, Progress progress);

  Net& network() { return net_; }
  Host& host(std::uint32_t node) { return hosts_[node]; }
  /// Barriers of the run so far, of the kind that it has.
  const BarrierTimes& barrier_times() const {
    return barriers_ != nullptr ? barriers_->times() : message_barriers_;
  }
  /// After a run.
  const SumsOf<Host>& sums() const { return sums_; }

 private:
  static constexpr bool kTraffic = std::is_same_v<Host, TrafficHost>;

  struct alignas(64) Thread {
    Part part;
    Counters counters;
    std::uint32_t running = 0;  ///< Nodes of the part that are not done.
    bool dropped = false;       ///< A packet was dropped at a node of the part.
    SumsOf<Host> sums;
    std::exception_ptr error;
  };

  struct NodeState {
    bool settled = false;  ///< The host rests and the interface idles: only a word changes that.
    bool news = true;      ///< What the host reads from its interface may have changed.
    bool done = false;
    std::uint32_t wake = 0;  ///< Traffic: cycle in which the host has something to do.
  };

  template <class Lone>
  void arrive(std::uint32_t n, std::uint64_t cycle, Thread& thread, Lone);
  bool traffic_over(const std::vector<Thread>& parts, std::uint64_t cycle,
                    std::uint64_t& last_move) const;
  template <class Lone>
  void step_node(std::uint32_t n, std::uint64_t cycle, Thread& thread, Lone lone);
  void look_at_host(std::uint32_t n, std::uint64_t cycle, Thread& thread);
  void publish(Thread& thread, std::uint64_t cycle);
  void step(Thread& thread, std::uint64_t cycle);
  void put_faults(std::uint64_t cycle);
  void show(const Watchers& watchers, std::uint64_t cycle);
  [[noreturn]] void no_progress(std::uint64_t cycle) const;

  const Config& config_;
  const Graph& graph_;
  Net net_;
  std::vector<Host> hosts_;
  typename Net::Barriers* barriers_;  // null without barrier units
  BarrierTimes message_barriers_;
  std::vector<NodeState> nodes_;
  std::vector<std::uint8_t> node_of_address_;
  std::vector<std::uint8_t> faults_put_;
  SumsOf<Host> sums_;
  std::vector<NodeView> views_;
};

// Flits that stand on the links into a node.
template <class Net, class Host>
template <class Lone>
inline void Machine<Net, Host>::arrive(std::uint32_t n, std::uint64_t cycle, Thread& thread, Lone) {
  const Wires& wires = net_.wires();
  const std::uint32_t links = Lone::value ? 1 : graph_.nic_links;
  for (std::uint32_t l = 0; l < links; ++l) {
    const std::uint32_t link = n * links + l;
    if (wires.valid[link] == 0) continue;
    if (hosts_[n].arrive(l, wires.flit[link], cycle, thread.sums.of(hosts_[n].region()))) {
      nodes_[n].wake = static_cast<std::uint32_t>(hosts_[n].wake());
    }
  }
}

// All measured packets have arrived, or there is no more time for them. While no packet is under
// way a network that does not move is as it should be.
template <class Net, class Host>
bool Machine<Net, Host>::traffic_over(const std::vector<Thread>& parts, std::uint64_t cycle,
                                      std::uint64_t& last_move) const {
  std::uint64_t under_way = 0, measured_under_way = 0;
  for (const Thread& t : parts) {
    for (const TrafficSums& sums : t.sums.by_region()) {
      under_way += sums.born - sums.arrived;
      measured_under_way += sums.measured - sums.measured_arrived;
    }
  }
  if (under_way == 0) last_move = cycle;
  const TrafficPlan& plan = hosts_.front().plan();
  return (cycle >= plan.end() && measured_under_way == 0) || cycle >= plan.limit();
}

template <class Net, class Host>
template <class Lone>
[[gnu::always_inline]] inline void Machine<Net, Host>::step_node(std::uint32_t n,
                                                                 std::uint64_t cycle,
                                                                 Thread& thread, Lone lone) {
  NodeState& node = nodes_[n];
  const bool due = kTraffic && cycle >= node.wake;
  if (node.settled && !due) {
    if (net_.silent(n, lone)) return;
    if constexpr (Lone::value) {
      if (net_.only_credits(n)) return;
    }
  }
  const Nic::Out& out = net_.output(n);
  Host& host = hosts_[n];
  Nic::In& in = net_.input(n);
  // Memory answers with what it holds before this cycle's stores.
  const std::uint16_t lanes = out.mem_ren;
  std::array<std::uint64_t, Nic::kMaxLanes> words;
  for (unsigned m = lanes; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(m));
    words[lane] = host.memory().read_flit(out.mem_raddr[lane]);
  }
  const bool active = node.news || due || !resting(host);
  if (node.news) thread.dropped |= (out.status.rx_parity | out.status.rx_refused) != 0;
  if constexpr (kTraffic) {
    arrive(n, cycle, thread, lone);
    if (active) {
      host.step(out.status, cycle, thread.sums.of(host.region()));
      node.wake = static_cast<std::uint32_t>(host.wake());
    }
  } else if (node.news) {
    if (barriers_ != nullptr) {
      NicStatus status = out.status;
      status.barriers = barriers_->count(n);
      host.step(status, cycle);
    } else {
      host.step(out.status, cycle);
    }
  } else if (active) {
    step_on(host, out.status, cycle);
  }
  for (unsigned m = out.mem_wen; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(m));
    write_flit(host, lane, out.mem_waddr[lane], out.mem_wdata[lane]);
  }
  // A post changes what the host reads of the queue in both cycles after it.
  node.news = in.desc_valid;
  const bool idle = net_.nic_idle(n, cycle, lone);
  if (!idle) {
    net_.step_nic(n, cycle, thread.counters, lone);
    node.news |= net_.status_changed(n);
    for (unsigned m = lanes; m != 0; m &= m - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(m));
      in.mem_rdata[lane] = words[lane];
    }
  }
  if (active) look_at_host(n, cycle, thread);
  node.settled = idle && !node.news && resting(host);
}

template <class Net, class Host>
void Machine<Net, Host>::look_at_host(std::uint32_t n, std::uint64_t cycle, Thread& thread) {
  const Host& host = hosts_[n];
  Nic::In& in = net_.input(n);
  in.desc_valid = posted(host);
  if (in.desc_valid) {
    in.desc = descriptor(host);
    if (node_of_address_[in.desc.dst] == 0) {
      throw CheckError(
          fmt::format("posted a message to address {:#x}, which no node has", in.desc.dst));
    }
    nodes_[n].news = true;
  }
  if (entered(host)) {
    if (barriers_ == nullptr) {
      throw CheckError("entered a hardware barrier, but there are no barrier units");
    }
    barriers_->enter(n, cycle);
  }
  note_barriers(host, n, cycle, message_barriers_);
  drive_window(host, in);
  if (resting(host) && !nodes_[n].done) {
    check_host(host);
    if (done(host)) {
      nodes_[n].done = true;
      --thread.running;
    }
  }
}

template <class Net, class Host>
void Machine<Net, Host>::step(Thread& thread, std::uint64_t cycle) {
  std::uint32_t at = thread.part.first_node;
  try {
    if (barriers_ != nullptr) {
      barriers_->step(thread.part.first_node, thread.part.end_node, at);
      at = thread.part.first_node;
    }
    const auto step_nodes = [&](auto lone) {
      for (; at < thread.part.end_node; ++at) step_node(at, cycle, thread, lone);
    };
    if constexpr (Net::kModels) {
      net_.lone() ? step_nodes(std::true_type{}) : step_nodes(std::false_type{});
    } else {
      step_nodes(std::false_type{});
    }
    net_.step_switches(thread.part, cycle, at, thread.counters);
  } catch (const Difference& difference) {
    thread.error = std::make_exception_ptr(DifferenceAt(cycle, graph_.blocks[at].name, difference));
  } catch (const CheckError& error) {
    const std::string where =
        at < graph_.nodes ? fmt::format("node {}", at) : graph_.blocks[at].name;
    thread.error = std::make_exception_ptr(
        CheckError(fmt::format("{}, cycle {}: {}", where, cycle, error.what())));
  } catch (...) {
    thread.error = std::current_exception();
  }
}

template <class Net, class Host>
void Machine<Net, Host>::publish(Thread& thread, std::uint64_t cycle) {
  net_.publish(thread.part, cycle, thread.counters);
  if (barriers_ == nullptr) return;
  barriers_->publish(thread.part.first_node, thread.part.end_node, cycle, thread.counters,
                     [&](std::uint32_t node) {
                       nodes_[node].news = true;
                       nodes_[node].settled = false;
                     });
}

template <class Net, class Host>
void Machine<Net, Host>::put_faults(std::uint64_t cycle) {
  for (std::size_t i = 0; i < config_.faults.size(); ++i) {
    const Fault& fault = config_.faults[i];
    const std::uint32_t link = graph_.blocks[fault.node].first_in;
    if (faults_put_[i] != 0 || cycle < fault.cycle || !net_.wires().stands(link)) continue;
    Flit& flit = net_.wires().on(link);
    if (fault.bit < 64) {
      flit.data ^= std::uint64_t{1} << fault.bit;
    } else {
      flit.parity = !flit.parity;
    }
    faults_put_[i] = 1;
  }
}

template <class Net, class Host>
void Machine<Net, Host>::show(const Watchers& watchers, std::uint64_t cycle) {
  if (watchers.trace != nullptr && cycle >= watchers.trace_from) {
    views_.resize(graph_.nodes);
    for (std::uint32_t n = 0; n < graph_.nodes; ++n) {
      views_[n] = view(hosts_[n]);
      views_[n].status = net_.output(n).status;
      if (barriers_ != nullptr) views_[n].barrier = barriers_->view(n);
    }
    watchers.trace->sample(cycle, net_.wires(), views_);
  }
  if (watchers.regions != nullptr) watchers.regions->sample(cycle, net_.wires());
  if (watchers.observer != nullptr) {
    for (std::uint32_t n = 0; n < graph_.nodes; ++n) {
      const NicStatus& status = net_.output(n).status;
      watchers.observer->sends()[n] = {net_.input(n).desc_valid && status.desc_free != 0,
                                       status.tx_count, barrier_times().inside(n)};
    }
    watchers.observer->sample(cycle, net_.wires());
  }
}

template <class Net, class Host>
void Machine<Net, Host>::no_progress(std::uint64_t cycle) const {
  std::string text = fmt::format(
      "no progress: no flit moved and no program ended in the {} cycles before cycle {}",
      config_.watchdog, cycle);
  const std::string waits = waiting_cycle(graph_, router_models(graph_, net_));
  if (!waits.empty()) text += "\n  deadlock, channels wait in a cycle:\n    " + waits;
  if (barriers_ != nullptr) text += barriers_->missing();
  unsigned named = 0;
  for (std::uint32_t n = 0; n < graph_.nodes; ++n) {
    if (nodes_[n].done) continue;
    if (++named > 8) {
      text += "\n  ...";
      break;
    }
    const NicStatus& status = net_.output(n).status;
    text += fmt::format("\n  node {}: {}; {} messages sent, {} received", n, describe(hosts_[n]),
                        status.tx_count, status.rx_count[0]);
  }
  throw NoProgressError(text);
}

template <class Net, class Host>
template <class Progress>
Outcome Machine<Net, Host>::run(unsigned threads, const Watchers& watchers, Progress progress) {
  // After a dropped packet the work cannot be completed; what still moves may end first.
  constexpr std::uint64_t kAfterDrop = 10'000;
  faults_put_.assign(config_.faults.size(), 0);
  std::vector<Thread> parts(threads);
  const std::vector<Part> cuts = cut(graph_, threads);
  for (unsigned i = 0; i < threads; ++i) {
    parts[i].part = cuts[i];
    parts[i].running = cuts[i].end_node - cuts[i].first_node;
  }

  std::uint64_t cycle = 0;
  std::atomic<bool> stop = false;
  std::barrier sync(static_cast<std::ptrdiff_t>(threads));
  std::vector<std::jthread> workers;
  for (unsigned i = 1; i < threads; ++i) {
    workers.emplace_back([&, i] {
      for (;;) {
        sync.arrive_and_wait();  // `cycle` and `stop` are set
        if (stop) return;
        step(parts[i], cycle);
        sync.arrive_and_wait();  // all have read the wires
        publish(parts[i], cycle + 1);
        sync.arrive_and_wait();  // the wires are set
      }
    });
  }
  struct StopWorkers {
    std::atomic<bool>& stop;
    std::barrier<>& sync;
    ~StopWorkers() {
      stop = true;
      sync.arrive_and_wait();
    }
  } stop_workers{stop, sync};

  Outcome outcome;
  const bool watched =
      watchers.trace != nullptr || watchers.observer != nullptr || watchers.regions != nullptr;
  std::uint64_t moved = 0, last_move = 0;
  std::uint32_t running = graph_.nodes;
  for (;; ++cycle) {
    std::uint64_t now_moved = 0;
    std::uint32_t now_running = 0;
    bool dropped = false;
    for (const Thread& t : parts) {
      if (t.error) std::rethrow_exception(t.error);
      now_moved += t.counters.flit_hops;
      now_running += t.running;
      dropped |= t.dropped;
    }
    if (now_moved != moved || now_running != running) last_move = cycle;
    moved = now_moved;
    running = now_running;
    if (!config_.faults.empty()) put_faults(cycle);
    if (watched) show(watchers, cycle);
    if (running == 0) break;
    if constexpr (kTraffic) {
      if (traffic_over(parts, cycle, last_move)) break;
    }
    if (config_.max_cycles != 0 && cycle >= config_.max_cycles) {
      outcome.stopped = true;
      break;
    }
    if (dropped && cycle - last_move >= kAfterDrop) {
      outcome.stuck = true;
      break;
    }
    if (cycle - last_move >= config_.watchdog) no_progress(cycle);
    if ((cycle & 0xff) == 0) progress(cycle, graph_.nodes - running);

    if (threads > 1) sync.arrive_and_wait();
    step(parts[0], cycle);
    if (threads > 1) sync.arrive_and_wait();
    publish(parts[0], cycle + 1);
    if (threads > 1) sync.arrive_and_wait();
    net_.flip();
  }
  outcome.cycles = cycle;
  outcome.faults_put =
      static_cast<std::uint64_t>(std::count(faults_put_.begin(), faults_put_.end(), 1));
  for (const Thread& t : parts) {
    outcome.counters += t.counters;
    sums_ += t.sums;
  }
  return outcome;
}

}  // namespace weft
