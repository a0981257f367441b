// The result of a run.
#include "sim/run/collect.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <variant>

#include "sim/run/collect_traffic.hpp"

namespace weft {
namespace {

void add_interfaces(const RunEnd& s, Result& result) {
  for (std::uint32_t n = 0; n < s.graph.nodes; ++n) {
    const NicStatus& status = s.outcome.status[n];
    for (const std::uint32_t count : status.rx_count) result.messages += count;
    result.parity_errors += status.rx_parity;
    result.order_errors += status.rx_refused;
    if (status.rx_parity != 0) {
      result.notes.push_back(
          fmt::format("node {}: {} packets dropped for a parity error", n, status.rx_parity));
    }
    if (status.rx_refused != 0) {
      const std::string window =
          s.graph.header.key_w != 0
              ? "with a key that no receive window has, beyond its window"
              : fmt::format("beyond its receive window of {} bytes",
                            s.outcome.window_flits[n] * s.graph.header.flit_bytes());
      result.notes.push_back(fmt::format("node {}: {} packets refused: {}, or of a wrong length", n,
                                         status.rx_refused, window));
    }
  }
}

void add_faults(const Config& config, const Outcome& outcome, Result& result) {
  const std::uint64_t given = config.faults.size();
  if (given == 0) return;
  const std::uint64_t struck =
      outcome.faults.struck + static_cast<std::uint64_t>(std::count(
                                  outcome.faults.random.begin(), outcome.faults.random.end(), 1));
  FaultResult faults{.put = struck, .missed = given - struck, .hits = outcome.faults.put};
  // A protected link detects a wrong word; an interface detects a packet with a wrong flit.
  const std::uint64_t found =
      result.links ? result.links->errors : result.parity_errors + result.order_errors;
  faults.seen = std::min(found, faults.hits);
  if (config.link.protection == Protection::kRetry) faults.repaired = faults.seen;
  // Words that no check reads have not passed one: those before the first good word and after the
  // last that is read.
  faults.passed = result.links ? outcome.faults.passed : faults.hits - faults.seen;
  result.faults = faults;
  result.notes.push_back(
      fmt::format("{} of {} faults put; {} missed: they changed nothing from their cycles on",
                  faults.put, given, faults.missed));
  if (result.links) {
    result.notes.push_back(
        fmt::format("links found {} wrong words, went back {} times and lost {} packets",
                    result.links->errors, result.links->retries, result.links->lost));
  }
  if (result.links && faults.passed != 0) {
    result.notes.push_back(
        fmt::format("{} wrong words passed the checks of links: data, credits and counts of lost "
                    "packets may be wrong",
                    faults.passed));
  }
}

// Adds what was sent again, and why.
void add_resends(const RunEnd& s, Result& result) {
  Resends& resends = result.resends.emplace();
  for (const NicStatus& status : s.outcome.status) {
    resends.resent += status.tx_resent;
    resends.repeated += status.rx_repeated;
  }
  for (const Restart& restart : s.outcome.restarts) {
    ++resends.restarts;
    resends.cycles += restart.end - restart.begin;
    for (const std::string& link : restart.dead) {
      resends.dead += (resends.dead.empty() ? "" : "; ") + link;
    }
  }
  if (resends.restarts == 0) return;
  result.notes.push_back(fmt::format(
      "restarts of the network: {}, in {} cycles without new packets; packets sent again: {}, of "
      "which {} had come before",
      resends.restarts, resends.cycles, resends.resent, resends.repeated));
}

// Adds errors of the memories, which are compared only if the workload completed.
void add_errors(const RunEnd& s, Result& result) {
  for (const NodeEnds::Wrong& wrong : s.ends.wrong) {
    if (!result.wrong_data) result.wrong_data.emplace(s.graph, wrong.node, wrong.first);
    result.data_errors += wrong.words;
    ++result.wrong_data->nodes;
  }
}

void note_errors(const RunEnd& s, const Contents& contents, Result& result) {
  if (s.outcome.stopped) return;
  result.notes.push_back(fmt::format("{} words compared in the memories of {} nodes, {} differ",
                                     contents.words(), s.graph.nodes, result.data_errors));
}

void add_transfers(const RunEnd& s, const Transfers& transfers, Result& result) {
  std::vector<ArrivedMessages> arrived(s.outcome.arrivals.begin(), s.outcome.arrivals.end());
  for (const Transfers::Placed& p : transfers.placed()) {
    const Transfer& t = p.transfer;
    TransferResult transfer{t.from, t.to, t.start, {}};
    // If packets were dropped for good, the flits on the wire do not tell which message is
    // complete.
    const NicStatus& status = s.outcome.status[t.to];
    const bool known = result.resends || status.rx_parity + status.rx_refused == 0;
    if (known && s.graph.connected(t.from, t.to)) {
      transfer.end = arrived[t.to].take(s.graph.address[t.from], p.recv_flit, t.flits);
    }
    result.transfers.push_back(transfer);
  }
  // If packets may overtake each other, the interfaces count packets, not messages.
  const unsigned longest = result.config.nic.packet_flits;
  const bool packets_are_messages =
      std::all_of(transfers.placed().begin(), transfers.placed().end(),
                  [&](const auto& p) { return p.transfer.flits <= longest; });
  if (transfers.packets_overtake() && !packets_are_messages) {
    result.messages = static_cast<std::uint64_t>(
        std::count_if(result.transfers.begin(), result.transfers.end(),
                      [](const TransferResult& t) { return t.end.has_value(); }));
  }
}

// Adds what the programs have reported, and when they worked.
void add_programs(const RunEnd& s, Result& result) {
  result.values = reported_values(s.ends);
  for (std::uint32_t n = 0; n < s.ends.programs.size(); ++n) {
    const NodeEnds::Program& program = s.ends.programs[n];
    result.jobs.push_back({program.job_start, program.exit});
    for (const ReportedPhase& phase : program.phases) {
      result.phases.push_back({n, phase.name, phase.begin, phase.end});
    }
  }
}

// Checks a barrier by what the ports have seen.
void add_barrier(const RunEnd& s, const BarrierWork& barrier, Result& result) {
  if (s.outcome.stopped) return;
  std::vector<BarrierNode> nodes;
  for (const NodeEnds::Program& program : s.ends.programs) {
    nodes.push_back({program.job_start.value_or(0), program.first_act, program.exit.value_or(0)});
  }
  const std::vector<std::string> wrong = barrier.wrong_with(nodes);
  result.data_errors += wrong.size();
  if (!wrong.empty()) result.notes.push_back(wrong.front());
  result.notes.push_back(
      fmt::format("{}, {} of them wrongly", barrier.times_of(nodes), wrong.size()));
}

// Cycle in which the first node started its job; if none did, the end of the run.
std::uint64_t startup_cycles(const RunEnd& s) {
  std::uint64_t first = s.outcome.cycles;
  for (const NodeEnds::Program& program : s.ends.programs) {
    first = std::min(first, program.job_start.value_or(s.outcome.cycles));
  }
  return first;
}

// On how many nodes the program has returned, and on which it has not: a run in which a packet was
// dropped ends while programs still wait for it.
std::string returned_in_words(const NodeEnds& ends) {
  constexpr std::size_t kMostNamed = 8;
  std::vector<std::string> waiting;
  for (std::uint32_t n = 0; n < ends.programs.size(); ++n) {
    if (!ends.programs[n].exit) waiting.push_back(fmt::format("{}", n));
  }
  const std::size_t nodes = ends.programs.size(), count = waiting.size();
  if (count == 0) return fmt::format("the program returned 0 on {} nodes", nodes);
  waiting.resize(std::min(count, kMostNamed));
  return fmt::format("the program returned 0 on {} of {} nodes; still waiting: {} {}{}",
                     nodes - count, nodes, count == 1 ? "node" : "nodes", fmt::join(waiting, ", "),
                     count > kMostNamed ? fmt::format(" and {} more", count - kMostNamed) : "");
}

// Adds notes on a user program that has ended.
void note_program(const RunEnd& s, const Contents& contents, Result& result) {
  if (s.outcome.stopped) return;
  const std::string ended = returned_in_words(s.ends);
  if (contents.words() == 0) {
    result.notes.push_back(ended + "; what it left in memory is not compared");
  } else {
    result.notes.push_back(ended);
    note_errors(s, contents, result);
  }
  std::uint64_t posted = 0;
  for (const NodeEnds::Program& program : s.ends.programs) posted += program.posted_messages;
  const bool dropped = result.parity_errors + result.order_errors != 0;
  if (result.resends && dropped && posted > result.messages) {
    result.resends->missing = posted - result.messages;
  }
  // If packets were dropped for good, the notes say so already.
  if ((result.resends || !dropped) && posted > result.messages) {
    result.notes.push_back(fmt::format(
        "{} of {} messages (packets, where links have several VCs) were not stored when the last "
        "program returned, and are lost: a program must wait for what was sent",
        posted - result.messages, posted));
  }
}

void add_collective(const RunEnd& s, const Collective& collective, Result& result) {
  if (!collective.loaded()) result.startup_cycles = startup_cycles(s);
  add_errors(s, result);
  if (collective.arrays() != nullptr) {
    result.board_flits = collective.arrays()->board_flits(s.outcome.link_load);
  }
  add_programs(s, result);
  result.picked = collective.picked();
  if (!collective.chosen().empty()) result.notes.push_back(collective.chosen());
  if (collective.own()) {
    note_program(s, collective.contents(), result);
  } else if (collective.barrier() != nullptr) {
    add_barrier(s, *collective.barrier(), result);
  } else {
    note_errors(s, collective.contents(), result);
  }
}

}  // namespace

std::vector<ProgramValue> reported_values(const NodeEnds& ends) {
  std::vector<ProgramValue> values;
  for (std::uint32_t n = 0; n < ends.programs.size(); ++n) {
    for (const ReportedValue& value : ends.programs[n].values) {
      values.push_back({value.name, n, value.cycle, value.value});
    }
  }
  return values;
}

void collect(const Config& config, const Graph& graph, const Workload& workload,
             const NodeEnds& ends, const Outcome& outcome, const Probes& probes, Result& result) {
  const RunEnd end = {graph, outcome, ends};
  result.cycles = outcome.cycles;
  result.stopped = outcome.stopped;
  result.packets = outcome.counters.packets;
  result.flits = outcome.counters.flits;
  result.flit_hops = outcome.counters.flit_hops;
  result.hops_before = outcome.hops_before;
  result.digest = outcome.counters.digest.value();
  result.link_load = outcome.link_load;
  result.max_link_load = *std::max_element(result.link_load.begin(), result.link_load.end());
  if (graph.has_routers()) result.full_rate_depth = graph.full_rate_depth();
  const BarrierResult barriers = outcome.barrier_sums.result();
  if (config.derived.barrier_units || barriers.count != 0) result.barriers = barriers;
  if (const Losses* const losses = probes.losses()) {
    const bool traffic = std::holds_alternative<TrafficPlan>(workload);
    result.losses = losses->sums(traffic);
    result.link_losses = losses->links(traffic);
    result.activity = probes.activity()->activity();
  }
  add_interfaces(end, result);
  if (graph.protection != Protection::kNone) result.links = outcome.links;
  if (config.nic.reliable) add_resends(end, result);
  add_faults(config, outcome, result);
  if (const auto* const plan = std::get_if<TrafficPlan>(&workload)) {
    add_traffic(end, *plan, result);
  } else if (const auto* const transfers = std::get_if<Transfers>(&workload)) {
    add_errors(end, result);
    add_transfers(end, *transfers, result);
    note_errors(end, *transfers, result);
  } else {
    add_collective(end, std::get<Collective>(workload), result);
  }
}

}  // namespace weft
