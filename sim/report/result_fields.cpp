// The fields of a run's result: one entry in a table for each.
#include "sim/report/result_fields.hpp"

#include <fmt/format.h>

#include <iterator>

#include "sim/report/fault_fields.hpp"
#include "sim/report/traffic_fields.hpp"
#include "sim/report/wrong_data.hpp"

namespace weft {
namespace {

// A name and its help text.
struct Words {
  const char* name;
  const char* help;
};

constexpr Words kCauses[] = {
    {"header", "moved a header"},
    {"body", "moved another flit"},
    {"credit", "a packet has a VC and a flit, but no credit"},
    {"vc", "a header waits for VC allocation: no VC that it may use is idle with a credit"},
    {"pipeline", "its packet is in a stage of the router's pipeline before the switch"},
    {"hol_blocked", "its packet is head-of-line blocked"},
    {"gap_upstream", "a packet has a VC, its next flit has not arrived"},
    {"nothing_backlog", "no packet for the link, the node's interface has some left to send"},
    {"nothing_barrier", "no packet for the link, the program waits in a barrier"},
    {"nothing_program", "no packet for the link, the program has not posted the next message"},
    {"nothing_end", "no packet for the link, the node has sent all"},
    {"nothing_source", "no packet for the link, none left to send in the node's interface"},
};
constexpr Words kTails[] = {
    {"interface", "waits for a free slot in the interface"},
    {"pipeline", "is in the pipeline of the last router"},
    {"hol_blocked", "is head-of-line blocked in the last router"},
    {"link", "waits upstream for a link that another packet uses"},
    {"credit", "waits upstream for a credit"},
    {"moving", "is on a link"},
    {"source", "has not left the source"},
};
constexpr Words kWaits[] = {
    {"link", "waited for a link"},
    {"vc", "waited for a VC"},
    {"credit", "waited for a credit"},
    {"hol_blocked", "was head-of-line blocked"},
};
static_assert(std::size(kCauses) == LossSums::kNumCauses);
static_assert(std::size(kTails) == LossSums::kNumTails);
static_assert(std::size(kWaits) == LossSums::kNumPacketWaits);

std::optional<double> quotient(std::uint64_t a, double b) {
  if (!(b > 0)) return {};
  return static_cast<double>(a) / b;
}

std::string hexadecimal(std::uint64_t digest) {
  return fmt::format("{:016x}", digest);
}

void add_waits(Fields<LossSums>& fields, const std::string& at, bool column,
               LossSums::PacketWaits (*waits)(const LossSums&)) {
  for (unsigned w = 0; w < LossSums::kNumPacketWaits; ++w) {
    Field<LossSums>& added = fields.emplace_back(
        fmt::format("{}/packet_waits/{}", at, kWaits[w].name), "packet-cycles", kWaits[w].help,
        [=](const LossSums& losses) { return waits(losses)[w]; });
    if (column) added.column.name = fmt::format("waits_{}", kWaits[w].name);
  }
}

const Fields<LossSums>& loss_fields() {
  static const Fields<LossSums> fields = [] {
    Fields<LossSums> all = {
        {"/links", "links", "between routers", &LossSums::links},
        {"/cycles", "cycles", "seen", &LossSums::cycles},
        {"/ejection/links", "links", "into interfaces",
         [](const LossSums& losses) { return losses.ejection.links; }},
    };
    for (const auto* part : {&link_cause_fields(), &ejection_fields(), &tail_fields()}) {
      all.insert(all.end(), part->begin(), part->end());
    }
    add_waits(all, "", true, [](const LossSums& losses) { return losses.packet_waits; });
    add_waits(all, "/ejection", false,
              [](const LossSums& losses) { return losses.ejection.packet_waits; });
    return all;
  }();
  return fields;
}

const Fields<BoardFlits>& board_flits_fields() {
  static const Fields<BoardFlits> fields = [] {
    Fields<BoardFlits> all = {{"/board",
                               "flits",
                               "over links between units of a board",
                               &BoardFlits::on_board,
                               {"link_flits_board"}}};
    for (unsigned d = 0; d < 4; ++d) {
      const char name = "WXYZ"[d];
      all.emplace_back(
          fmt::format("/{}", name), "flits",
          fmt::format("over links between boards along {}", name),
          [d](const BoardFlits& flits) { return flits.along[d]; },
          Column{fmt::format("link_flits_{}", name)});
    }
    return all;
  }();
  return fields;
}

const Fields<BarrierResult>& barrier_fields() {
  static const Fields<BarrierResult> fields = {
      {"/barrier_wait",
       "cycles",
       "from entering a barrier to going on, mean over nodes",
       &BarrierResult::mean_wait,
       {"barrier_wait"}},
      {"/barrier_latency", "cycles", "the same of the node that enters last",
       &BarrierResult::latency},
  };
  return fields;
}

template <class T>
const T* pointer(const std::optional<T>& part) {
  return part ? &*part : nullptr;
}

}  // namespace

const Fields<LossSums>& link_cause_fields() {
  static const Fields<LossSums> fields = [] {
    Fields<LossSums> all;
    for (unsigned c = 0; c < LossSums::kNumCauses; ++c) {
      const auto cycles = [c](const LossSums& losses) {
        const bool told = losses.tells(static_cast<LossSums::Cause>(c));
        return told ? std::optional(losses.causes[c]) : std::nullopt;
      };
      all.emplace_back(fmt::format("/link_cycles/{}", kCauses[c].name), "link-cycles",
                       kCauses[c].help, cycles, Column{}, Unknown::kLeftOut);
    }
    return all;
  }();
  return fields;
}

const Fields<LossSums>& ejection_fields() {
  static const Fields<LossSums> fields = {
      {"/ejection/header", "link-cycles", "moved a header",
       [](const LossSums& losses) { return losses.ejection.header; }},
      {"/ejection/body", "link-cycles", "moved another flit",
       [](const LossSums& losses) { return losses.ejection.body; }},
      {"/ejection/no_packet", "link-cycles", "no packet for it in its router",
       [](const LossSums& losses) { return losses.ejection.no_packet; }},
  };
  return fields;
}

const Fields<LossSums>& tail_fields() {
  static const Fields<LossSums> fields = [] {
    Fields<LossSums> all;
    for (unsigned t = 0; t < LossSums::kNumTails; ++t) {
      const auto cycles = [t](const LossSums& losses) {
        const bool told = t != LossSums::kTailPipeline || losses.pipelined;
        return told ? std::optional(losses.ejection.tails[t]) : std::nullopt;
      };
      all.emplace_back(fmt::format("/ejection/tail_stranded/{}", kTails[t].name), "link-cycles",
                       kTails[t].help, cycles, Column{}, Unknown::kLeftOut);
    }
    return all;
  }();
  return fields;
}

const Fields<TransferResult>& transfer_fields() {
  using T = TransferResult;
  static const Fields<T> fields = {
      {"/from", "", "rank of the source", &T::from},
      {"/to", "", "rank of the destination", &T::to},
      {"/start", "cycle", "in which the descriptor is posted", &T::start},
      {"/end", "cycle", "of the last flit on the wire into the destination", &T::end},
  };
  return fields;
}

const Fields<ProgramValue>& value_fields() {
  static const Fields<ProgramValue> fields = {
      {"/name", "", "as the program gave it", &ProgramValue::name},
      {"/node", "", "rank of the node", &ProgramValue::node},
      {"/cycle", "cycle", "in which its program gave the value", &ProgramValue::cycle},
      {"/value", "", "the value", &ProgramValue::value},
  };
  return fields;
}

const Fields<RegionResult>& region_fields() {
  static const Fields<RegionResult> fields = [] {
    Fields<RegionResult> all = {
        {"/nodes", "nodes", "of the region", &RegionResult::nodes},
        {"/digest", "", "of its links up to the end of the measuring phase",
         [](const RegionResult& region) { return hexadecimal(region.digest); }},
    };
    add_part(all, "", traffic_fields(), [](const RegionResult& region) { return &region.traffic; });
    return all;
  }();
  return fields;
}

const Fields<Result>& result_fields() {
  using R = Result;
  static const Fields<R> fields = [] {
    const auto ratio = [](const R& r) {
      // The cycles of a failed or interrupted run are not those of its workload.
      return r.verified() ? quotient(r.job_cycles(), static_cast<double>(r.bound_cycles))
                          : std::nullopt;
    };
    const auto bound_by = [](const R& r) {
      return r.bound_cycles > 0 ? std::optional(r.bound_by) : std::nullopt;
    };
    const auto injection = [](const R& r) {
      return r.injection_bound > 0 ? std::optional(r.injection_bound) : std::nullopt;
    };
    const auto barriers = [](const R& r) { return r.barriers ? r.barriers->count : 0; };
    const auto picked = [](const R& r) {
      return r.picked.empty() ? std::nullopt : std::optional(r.picked);
    };
    Fields<R> all = {
        {"/engine", "", "what simulated the network", &R::engine},
        {"/picked", "", "algorithm that a picker chose", picked, {"picked"}, Unknown::kLeftOut},
        {"/stepped", "", "why engine `model` stepped every flit; empty: packets moved as spans",
         &R::stepped},
        {"/verified", "", "no error was found and the work was done", &R::verified},
        {"/stopped", "", "ended by max_cycles or Ctrl-C before the work was done", &R::stopped},
        {"/cycles",
         "cycles",
         "until every processor had ended its program",
         &R::cycles,
         {"cycles", true, true}},
        {"/bound_cycles",
         "cycles",
         "no schedule on this network needs fewer",
         &R::bound_cycles,
         {"bound_cycles", true}},
        {"/bound_by",
         "",
         "whose time it is (sim/analysis/README.md)",
         bound_by,
         {"bound_by"},
         Unknown::kLeftOut},
        {"/injection_bound",
         "cycles",
         "the bound of the links between a node and the network with these send controllers",
         injection,
         {"injection_bound"},
         Unknown::kLeftOut},
        {"/ratio", "", "cycles without start-up / bound_cycles", ratio, {"ratio", true}},
        {"/startup_cycles",
         "cycles",
         "until the first node started its job",
         &R::startup_cycles,
         {"startup_cycles"}},
        {"/barriers", "barriers", "over for all nodes", barriers, {"barriers"}},
    };
    add_part(all, "", barrier_fields(), [](const R& r) { return pointer(r.barriers); });
    const Fields<R> traffic_of_links = {
        {"/messages", "messages", "received", &R::messages, {"messages", true}},
        {"/packets", "packets", "that entered the network", &R::packets, {"packets", true}},
        {"/flits",
         "flits",
         "that entered the network, headers included",
         &R::flits,
         {"flits", true}},
        {"/flit_hops", "flits", "counted on every link", &R::flit_hops, {"flit_hops", true}},
        {"/max_link_load",
         "flits",
         "on the busiest link",
         &R::max_link_load,
         {"max_link_load", true}},
        {"/full_rate_depth",
         "flits",
         "the least router.vc_depth with which one VC keeps any link busy",
         &R::full_rate_depth,
         {"full_rate_depth"},
         Unknown::kLeftOut},
    };
    all.insert(all.end(), traffic_of_links.begin(), traffic_of_links.end());
    add_part(all, "/link_flits", board_flits_fields(),
             [](const R& r) { return pointer(r.board_flits); });
    const Fields<R> checks = {
        {"/errors/data",
         "words",
         "that are not as they must be",
         &R::data_errors,
         {"data_errors", true}},
        {"/errors/order",
         "packets",
         "that a receiver refused",
         &R::order_errors,
         {"order_errors", true}},
        {"/errors/parity",
         "packets",
         "dropped for parity",
         &R::parity_errors,
         {"parity_errors", true}},
        {"/digest",
         "",
         "hash of every flit with its link and cycle",
         [](const R& r) { return hexadecimal(r.digest); },
         {"digest", true}},
    };
    all.insert(all.end(), checks.begin(), checks.end());
    add_part(all, "/wrong_data", wrong_data_fields(),
             [](const R& r) { return pointer(r.wrong_data); });
    add_part(all, "/links", link_fields(), [](const R& r) { return pointer(r.links); });
    add_part(all, "/faults", fault_fields(), [](const R& r) { return pointer(r.faults); });
    add_part(all, "/resends", resend_fields(), [](const R& r) { return pointer(r.resends); });
    add_part(all, "/losses", loss_fields(), [](const R& r) { return pointer(r.losses); });
    add_part(all, "", traffic_fields(), [](const R& r) { return pointer(r.traffic); });
    all.emplace_back("/wall_s", "s", "wall-clock time of the cycle loop", &R::wall_s,
                     Column{"wall_s", true});
    all.emplace_back("/flit_hops_per_s", "flits/s", "flit_hops, since a resume, / wall_s",
                     [](const R& r) { return quotient(r.flit_hops - r.hops_before, r.wall_s); });
    // The command enters these two: only it knows its build.
    const auto none = [](const R&) { return std::optional<std::string>(); };
    all.emplace_back("/version", "", "of weft", none, Column{"version"}, Unknown::kLeftOut);
    all.emplace_back("/commit", "", "of weft's sources; `+` and a hash: they were changed since",
                     none, Column{"commit"}, Unknown::kLeftOut);
    return all;
  }();
  return fields;
}

}  // namespace weft
