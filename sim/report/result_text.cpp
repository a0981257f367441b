// The result of a run as the summary that `weft run` prints.
#include "sim/report/result_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/config/words.hpp"
#include "sim/report/result_fields.hpp"
#include "sim/report/text.hpp"
#include "sim/report/wrong_data.hpp"

namespace weft {
namespace {

// Lengths in words: "4", or "1 (weight 3) and 5 (weight 1)".
std::string lengths_in_words(const PacketLengths& lengths) {
  if (lengths.list.empty()) return std::to_string(lengths.one);
  std::string words;
  for (const PacketLength& length : lengths.list) {
    words +=
        fmt::format("{}{} (weight {})", words.empty() ? "" : " and ", length.flits, length.weight);
  }
  return words;
}

// Keys in words: ", share 0.05, node middle".
std::string keys_in_words(const nlohmann::json& parameters) {
  std::string words;
  for (const auto& [key, value] : parameters.items()) {
    words +=
        fmt::format(", {} {}", key, value.is_string() ? value.get<std::string>() : value.dump());
  }
  return words;
}

std::string traffic_in_words(const WorkloadConfig& work) {
  std::string words = work.traffic + " traffic" + keys_in_words(work.parameters.to_json());
  for (const PatternShare& share : work.patterns) {
    words += fmt::format(", {} (weight {}{})", share.traffic, share.weight,
                         keys_in_words(share.parameters.to_json()));
  }
  if (!work.is(kTimedTraffic)) {
    words += fmt::format(", {} flits a node and cycle, packets of {} flits", work.rate,
                         lengths_in_words(work.packet_flits));
  }
  if (work.reply_flits > 0) words += fmt::format(", replies of {} flits", work.reply_flits);
  return work.is(kTimedTraffic)
             ? words
             : words + fmt::format(", {} + {} cycles", work.warmup, work.measure);
}

std::string array_in_words(const ArrayConfig& array) {
  std::string words = fmt::format("arrays of {} bytes, {}", array.bytes, word_of(array.type));
  if (array.reduces) words += fmt::format(", {}", word_of(array.op));
  if (array.order != ArrayConfig{}.order) words += ", order " + word_of(array.order);
  if (array.transit != Transit::kCutThrough) words += ", stored on the way";
  if (array.chunks > 1) words += fmt::format(", {} chunks", array.chunks);
  return words;
}

// Settings of routers in words: "4 VCs of 8 flits, pipeline 1, routing auto", and other settings.
std::string routers_in_words(const RouterConfig& router, unsigned vcs) {
  std::string words =
      router.per_destination()
          ? fmt::format("a VC of {} flits for each destination", router.vc_depth)
          : fmt::format("{} VC{} of {} flits", vcs, vcs > 1 ? "s" : "", router.vc_depth);
  words += fmt::format(", pipeline {}, routing {}", router.pipeline, word_of(router.routing));
  const RouterConfig usual;
  if (router.switching != usual.switching) words += ", " + word_of(router.switching);
  if (router.arbiter != usual.arbiter) words += ", arbiter " + word_of(router.arbiter);
  if (router.own_after != usual.own_after) {
    words += fmt::format(", own packets after {}", router.own_after);
  }
  if (router.hold != usual.hold) words += ", hold " + word_of(router.hold);
  if (router.dateline != usual.dateline) words += ", dateline " + word_of(router.dateline);
  if (router.message_classes > 1) {
    words += fmt::format(", {} message classes", router.message_classes);
  }
  return words;
}

std::string work_in_words(const Config& config) {
  const WorkloadConfig& work = config.workload;
  if (work.is(kAnyTraffic)) return traffic_in_words(work);
  if (work.is(kTransfers)) return fmt::format("{} transfers", work.transfers.size());
  if (work.is(kArrays)) {
    return fmt::format("{}, {}, {} processors", work.collective, array_in_words(work.array),
                       word_of(config.processor));
  }
  if (work.is(kProgramWork)) {
    return fmt::format("program {}{}, {} processors", work.program,
                       work.own.arguments.empty()
                           ? ""
                           : fmt::format(", arguments {}", fmt::join(work.own.arguments, ", ")),
                       word_of(config.processor));
  }
  std::string words = work.collective;
  if (work.is(kTraceWork)) {
    words += " " + work.trace.file;
  } else if (work.is(kBarrierWork)) {
    words += fmt::format(", work of 0 to {} cycles before it", work.spread);
  } else {
    words += fmt::format(", blocks of {} flits, sync {}", work.message_flits, word_of(work.sync));
  }
  words += fmt::format(", {} processors", word_of(config.processor));
  if (config.nic.gap != 0) words += ", gap " + gap_in_words(config.nic.gap);
  if (work.areas != 0) words += fmt::format(", areas {}", work.areas);
  return words;
}

// A text that grows by lines.
class Summary {
 public:
  explicit Summary(const Result& result) : result_(result) {}

  void add_network(const Graph& graph);
  void add_times();
  void add_counts();
  void add_transfers();
  void add_values();
  void add_traffic();
  void add_latency(const char* label, const LatencyResult& latency);
  void add_regions();
  void add_losses();
  void add_end();
  std::string text() && { return std::move(text_); }

 private:
  void line(const std::string& label, const std::string& value) {
    text_ += summary_line(label, value);
  }
  void add_region(std::size_t number, const RegionResult& region, const WorkloadConfig& workload);
  void add_shares(const Fields<LossSums>& causes, std::uint64_t all);
  void add_waits(const char* where, const LossSums::PacketWaits& waits);

  const Result& result_;
  std::string text_;
};

void Summary::add_network(const Graph& graph) {
  const Config& config = result_.config;
  line("network", fmt::format("{}: {} nodes, {} {}", to_json(config.topology).dump(), graph.nodes,
                              graph.blocks.size() - graph.nodes,
                              graph.has_routers() ? "routers" : "crossbars"));
  line("links", fmt::format("{}, flits of {} bits", links_in_words(graph), config.link.width_bits));
  if (graph.has_routers()) line("routers", routers_in_words(config.router, graph.num_vc));
  line("interfaces", fmt::format("{} send controller{} each", config.nic.controllers,
                                 config.nic.controllers > 1 ? "s" : ""));
  line("workload", work_in_words(config));
  line("engine", result_.stepped.empty()
                     ? result_.engine
                     : fmt::format("{}, every flit stepped ({})", result_.engine, result_.stepped));
}

void Summary::add_times() {
  line("cycles", fmt::format("{}", result_.cycles));
  if (result_.startup_cycles > 0) {
    line("start-up",
         result_.job_cycles() > 0
             ? fmt::format("{} cycles, the rest is set beside the bound", result_.startup_cycles)
             : "not over");
  }
  if (result_.bound_cycles == 0) return;
  line("bound",
       fmt::format("{} cycles of any schedule, by {}{}", result_.bound_cycles, result_.bound_by,
                   result_.injection_bound > 0
                       ? fmt::format("; {} by the nodes' links with these send controllers",
                                     result_.injection_bound)
                       : ""));
  if (!result_.verified()) {
    line("ratio", result_.stopped ? "none: the run was ended before its work was done"
                                  : "none: the run failed");
  } else if (result_.job_cycles() > 0) {
    line("ratio", fmt::format("{:.3f}", static_cast<double>(result_.job_cycles()) /
                                            static_cast<double>(result_.bound_cycles)));
  }
}

void Summary::add_counts() {
  line("messages", fmt::format("{} received", result_.messages));
  line("packets", fmt::format("{} sent", result_.packets));
  line("flits", fmt::format("{} sent ({} hops over all links, {} over the busiest)", result_.flits,
                            result_.flit_hops, result_.max_link_load));
  const unsigned depth = result_.config.router.vc_depth;
  if (result_.full_rate_depth && depth < *result_.full_rate_depth) {
    line("buffers", fmt::format("too shallow: with {0} flits a VC keeps the longest link busy in "
                                "{0} of {1} cycles; from router.vc_depth {1} on in all",
                                depth, *result_.full_rate_depth));
  }
  if (result_.barriers && result_.barriers->count > 0) {
    line("barriers",
         fmt::format("{} by {}, {} cycles from the last node's entering to its going on, {:.1f} in "
                     "each in the mean",
                     result_.barriers->count,
                     result_.config.derived.barrier_units ? "units" : "messages",
                     result_.barriers->latency, result_.barriers->mean_wait));
  }
}

// Most lines of a list in a summary; the JSON has all.
constexpr std::size_t kMostLines = 32;

void Summary::add_transfers() {
  const auto& transfers = result_.transfers;
  for (std::size_t i = 0; i < std::min(kMostLines, transfers.size()); ++i) {
    const auto& t = transfers[i];
    line(i == 0 ? "transfers" : "",
         t.end ? fmt::format("{} -> {}: cycle {}, last flit there {} ({} cycles)", t.from, t.to,
                             t.start, *t.end, *t.end - t.start)
               : fmt::format("{} -> {}: cycle {}, not received", t.from, t.to, t.start));
  }
  if (transfers.size() > kMostLines)
    line("", fmt::format("and {} more", transfers.size() - kMostLines));
}

void Summary::add_values() {
  const auto& values = result_.values;
  for (std::size_t i = 0; i < std::min(kMostLines, values.size()); ++i) {
    const ProgramValue& v = values[i];
    line(i == 0 ? "values" : "",
         fmt::format("{} {}: node {}, cycle {}", v.name, v.value, v.node, v.cycle));
  }
  if (values.size() > kMostLines) {
    line("", fmt::format("and {} more, in the JSON", values.size() - kMostLines));
  }
}

// State of the traffic, written after the accepted rate.
const char* state_of(const TrafficResult& traffic) {
  if (traffic.saturated) return ", saturated";
  return traffic.steady.value_or(true) ? "" : ", not steady";
}

void Summary::add_traffic() {
  if (!result_.traffic) return;
  const TrafficResult& t = *result_.traffic;
  const WorkloadConfig& work = result_.config.workload;
  const std::string of = work.is(kTimedTraffic) ? "" : fmt::format(" of {}", work.measure);
  line("measured",
       fmt::format("{} cycles{}", t.measured_cycles, t.cut ? of + ", the run was cut" : ""));
  if (t.measured_cycles > 0) {
    line("offered", fmt::format("{:.4f} flits a node and cycle", t.offered_rate));
    line("accepted", fmt::format("{:.4f} flits a node and cycle{}", t.accepted_rate, state_of(t)));
  }
  if (t.rounds) line("rounds", fmt::format("{} over at every node", *t.rounds));
  add_latency("latency", t.latency);
  if (t.round_trip) add_latency("round trip", *t.round_trip);
}

void Summary::add_latency(const char* label, const LatencyResult& latency) {
  if (latency.packets == 0) return;
  line(label, fmt::format("{:.2f} cycles on average, half within {}, 99 % within {}, at most {}, "
                          "of {} packets",
                          latency.mean, latency.p50, latency.p99, latency.max, latency.packets));
}

void Summary::add_regions() {
  const WorkloadConfig& workload = result_.config.workload;
  for (std::size_t r = 0; r < result_.regions.size(); ++r) {
    const auto& own = workload.regions;
    add_region(r, result_.regions[r], r < own.size() ? own[r] : workload);
  }
}

void Summary::add_region(std::size_t number, const RegionResult& region,
                         const WorkloadConfig& workload) {
  const TrafficResult& t = region.traffic;
  const std::string work =
      workload.rate > 0
          ? fmt::format("{}, accepted {:.4f} of {:.4f}{}, latency {}", workload.traffic,
                        t.accepted_rate, t.offered_rate, state_of(t),
                        t.latency.packets > 0 ? fmt::format("{:.2f}", t.latency.mean) : "-")
          : "no packets";
  line(fmt::format("region {}", number),
       fmt::format("{} nodes, {}{}, digest {:016x}", region.nodes, work,
                   t.rounds ? fmt::format(", {} rounds", *t.rounds) : "", region.digest));
}

// Adds a row for each cause that the run reports, with its share of `all`.
void Summary::add_shares(const Fields<LossSums>& causes, std::uint64_t all) {
  for (const Field<LossSums>& cause : causes) {
    const auto value = cause.get(*result_.losses);
    if (!value) continue;
    const auto cycles = std::get<std::uint64_t>(*value);
    const double share =
        all > 0 ? 100.0 * static_cast<double>(cycles) / static_cast<double>(all) : 0.0;
    line("", fmt::format("{:<16}{:>13} {:>6.2f} %  {}",
                         cause.path.substr(cause.path.rfind('/') + 1), cycles, share, cause.help));
  }
}

void Summary::add_waits(const char* where, const LossSums::PacketWaits& waits) {
  line("packets waited", fmt::format("{}, packet-cycles: {} for a link, {} for a VC, {} for a "
                                     "credit, {} head-of-line blocked",
                                     where, waits[LossSums::kForLink], waits[LossSums::kForVc],
                                     waits[LossSums::kForCredit], waits[LossSums::kForHolBlocked]));
}

void Summary::add_losses() {
  if (!result_.losses) return;
  const LossSums& losses = *result_.losses;
  line("losses", fmt::format("{} links between routers, {} cycles", losses.links, losses.cycles));
  add_shares(link_cause_fields(), losses.links * losses.cycles);
  add_waits("between routers", losses.packet_waits);
  const std::uint64_t all = losses.ejection.links * losses.cycles;
  line("ejection",
       fmt::format("{} links into interfaces, {} cycles", losses.ejection.links, losses.cycles));
  add_shares(ejection_fields(), all);
  add_waits("for interfaces", losses.ejection.packet_waits);
  line("tail stranded", "a header in the last router or beyond, the link idle, the rest");
  add_shares(tail_fields(), all);
}

// Errors in words: "1 data, 0 refused, 0 parity". If packets are sent again, only what is missing
// is an error.
std::string errors_in_words(const Result& result) {
  if (result.resends) {
    return fmt::format("{} data, {} missing", result.data_errors, result.resends->missing);
  }
  const std::string lost = result.links ? fmt::format(", {} lost", result.links->lost) : "";
  return fmt::format("{} data, {} refused, {} parity{}", result.data_errors, result.order_errors,
                     result.parity_errors, lost);
}

// A link that accepts a wrong number of packets as right counts packets that were not lost.
std::string doubt_in_words(const Result& result) {
  if (result.resends || !result.links || !result.faults || result.faults->passed == 0) return "";
  return fmt::format("; {} wrong words passed the checks of links: the number lost may be wrong",
                     result.faults->passed);
}

void Summary::add_end() {
  line("digest", fmt::format("{:016x}", result_.digest));
  const auto hops = static_cast<double>(result_.flit_hops - result_.hops_before);
  line("time", result_.wall_s > 0 ? fmt::format("{:.3f} s, {:.3g} flit hops/s", result_.wall_s,
                                                hops / result_.wall_s)
                                  : "below the clock's resolution");
  for (const auto& note : result_.notes) {
    line(&note == &result_.notes.front() ? "checked" : "", note);
  }
  line("errors", errors_in_words(result_));
}

}  // namespace

std::string failure_of(const Result& result) {
  if (result.errors() > 0) {
    return fmt::format("{} errors{}{}", errors_in_words(result), doubt_in_words(result),
                       result.wrong_data ? wrong_data_in_words(*result.wrong_data) : "");
  }
  if (!result.stopped) return "";
  const std::uint64_t most = result.config.max_cycles;
  const char* const how = most == 0 || result.cycles < most ? "interrupted at cycle {}"
                                                            : "ended at cycle {} by max_cycles";
  return fmt::format(fmt::runtime(how), result.cycles) + ", before the work was done";
}

std::string result_text(const Result& result, const Graph& graph) {
  Summary summary(result);
  summary.add_network(graph);
  summary.add_times();
  summary.add_counts();
  summary.add_transfers();
  summary.add_values();
  summary.add_traffic();
  summary.add_regions();
  summary.add_losses();
  summary.add_end();
  return std::move(summary).text();
}

}  // namespace weft
