// Configuration: reading, checking, and the resolved form.
#include "sim/config/config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "sim/base/error.hpp"
#include "sim/config/document.hpp"
#include "sim/config/json_place.hpp"
#include "sim/config/traffic_config.hpp"
#include "sim/packet/packet.hpp"

namespace weft {
using nlohmann::json;
namespace {

constexpr std::size_t kMaxList = 1u << 20;  // Transfers or faults of one run.
constexpr unsigned kMaxMessage = (1u << kMsgLenW) - 1;
constexpr unsigned kMaxVcDepth = 4096;
constexpr unsigned kMaxGap = (1u << kGapW) - 1;

struct Family {
  NetworkFamily family;
  NeededVcs vcs;
};

std::map<std::string, Family>& families() {
  static std::map<std::string, Family> table;  // Filled before main by the topologies.
  return table;
}

CalledFor& called_for() {
  static CalledFor function = [](const std::string&, const json&) { return CollectiveNeeds{}; };
  return function;
}

// Keys that a network knows with one value only.
void read_fixed(const JsonPlace& object, std::string_view key, const json& value,
                const std::string& kind) {
  if (object.has(key) && object.member(key).value() != value) {
    object.member(key).refuse(fmt::format("{} on topology {}", shown(value), kind));
  }
}

void read_link(const JsonPlace& object, const std::string& kind, LinkConfig& link) {
  object.only_keys({"width_bits", "stages", "flow_control", "parity"});
  read_fixed(object, "width_bits", link.width_bits, kind);
  read_fixed(object, "stages", 0, kind);
  read_fixed(object, "flow_control", link.flow_control, kind);
  object.boolean("parity", link.parity);
}

void read_crossbars(const JsonPlace& object, const std::string& kind, RouterConfig& router) {
  object.only_keys({"vcs", "vc_depth", "output_depth", "arbiter", "hold", "switching", "dateline"});
  read_fixed(object, "vcs", 1, kind);
  read_fixed(object, "arbiter", router.arbiter, kind);
  read_fixed(object, "hold", router.hold, kind);
  read_fixed(object, "switching", router.switching, kind);
  read_fixed(object, "dateline", router.dateline, kind);
  object.number("vc_depth", router.vc_depth, 3, 1000);
  object.number("output_depth", router.output_depth, 1, 1000);
}

void read_routers(const JsonPlace& object, const std::string& kind, RouterConfig& router) {
  object.only_keys({"vcs", "vc_depth", "output_depth", "arbiter", "hold", "switching", "dateline"});
  read_fixed(object, "output_depth", router.output_depth, kind);
  object.number("vc_depth", router.vc_depth, 1, kMaxVcDepth);
  if (object.has("vcs")) {
    const auto place = object.member("vcs");
    router.per_destination = place.value() == "per_destination";
    if (!router.per_destination) {
      router.vcs = static_cast<unsigned>(
          place.number(1, kMaxVcs, fmt::format("1 to {}, or \"per_destination\"", kMaxVcs)));
    }
  }
  object.choice("arbiter", router.arbiter, {"round_robin", "age"});
  object.choice("hold", router.hold, {"packet", "flit"});
  object.choice("switching", router.switching, {"wormhole", "cut_through", "store_forward"});
  object.choice("dateline", router.dateline, {"fixed", "balanced"});
}

// Buffers that a switching mode needs to hold whole packets.
void check_switching(const Config& config) {
  const unsigned packet = config.nic.packet_flits + 1;
  const std::string& mode = config.router.switching;
  // With the last flit in, a stored packet leaves while the next one arrives; two places more keep
  // the link busy between them.
  const unsigned least = mode == "cut_through" ? packet : mode == "store_forward" ? packet + 2 : 1;
  if (config.router.vc_depth >= least) return;
  config.source.refuse("/router/vc_depth", config.router.vc_depth,
                       fmt::format("{} or more with switching {} and packets of {} flits (header "
                                   "included)",
                                   least, mode, packet));
}

bool is_auto(const JsonPlace& nic) {
  return !nic.has("controllers") || nic.member("controllers").value() == "auto";
}

// As it is written.
json gap_json(unsigned gap) {
  return gap == kGapHops ? json("hops-1") : gap == kGapSharers ? json("sharers-1") : json(gap);
}

// `most`: send controllers.
void read_nic(const JsonPlace& object, unsigned most, NicConfig& nic) {
  object.only_keys({"controllers", "gap", "packet_flits", "queue_depth"});
  if (!is_auto(object)) {
    nic.controllers = static_cast<unsigned>(
        object.member("controllers")
            .number(1, most,
                    fmt::format("1 to {}, or \"auto\": what the collective calls for", most)));
  }
  if (object.has("gap")) {
    const auto place = object.member("gap");
    if (place.value() == "hops-1") {
      nic.gap = kGapHops;
    } else if (place.value() == "sharers-1") {
      nic.gap = kGapSharers;
    } else if (place.value() != "none") {
      nic.gap = static_cast<unsigned>(place.number(
          0, kMaxGap,
          fmt::format("\"none\", 0 to {} packet times, or \"hops-1\" or \"sharers-1\" with a "
                      "collective that groups by hops",
                      kMaxGap)));
    }
  }
  object.number("packet_flits", nic.packet_flits, 1, (1u << kLenW) - 1);
  object.number("queue_depth", nic.queue_depth, 1, 15);
}

// The interface sends a packet as one message, so that its buffers hold one; no processor takes
// part.
void apply_traffic(const JsonPlace& root, Config& config) {
  if (root.has("processor")) {
    root.member("processor").refuse("no such key with traffic, which needs no processors");
  }
  if (root.has("nic") && root.member("nic").has("packet_flits")) {
    root.member("nic")
        .member("packet_flits")
        .refuse("no such key with traffic, whose packets have workload.packet_flits");
  }
  std::uint32_t longest = config.workload.packet_flits;
  for (const auto& region : config.workload.regions) {
    longest = std::max(longest, region.packet_flits);
  }
  config.nic.packet_flits = std::max(1u, longest - 1);
}

// Parts of each dimension; only traffic keeps within regions.
void read_partition(const JsonPlace& list, Config& config) {
  if (config.has_work() && config.workload.traffic.empty()) {
    list.refuse("no such key but with traffic, which keeps within the regions");
  }
  for (const auto& place :
       list.elements(1, 8, "a list of numbers m, for 2^m parts of each dimension")) {
    config.partition.push_back(static_cast<unsigned>(place.number(0, kMaxAddrW)));
  }
}

void read_workload(const JsonPlace& object, const JsonPlace& root, Config& config) {
  WorkloadConfig& workload = config.workload;
  const bool collective = object.has("collective"), transfers = object.has("transfers");
  const bool traffic = object.has("traffic");
  if (!object.value().is_object() || collective + transfers + traffic != 1) {
    object.refuse(
        "an object with either \"collective\" (a name of `weft list collectives`), \"traffic\" (a "
        "name of `weft list traffic`) or \"transfers\" (a list)");
  }
  if (traffic) {
    read_traffic(object, workload);
    return apply_traffic(root, config);
  }
  if (collective) {
    workload.collective = object.member("collective").text("a name of `weft list collectives`");
    const CollectiveNeeds needs = called_for()(workload.collective, config.topology);
    if (object.has("program") && object.member("program").value() != "") {
      workload.program = object.member("program").text("the path of a RISC-V program");
    }
    if (!needs.known) return;  // The name is refused later, rather than keys that it has not.
    if (needs.on_arrays) {
      workload.array = read_array(object, needs.reduces);
      return;
    }
    object.only_keys({"collective", "message_flits", "areas", "sync", "program"});
    if (object.has("message_flits")) {
      workload.message_flits = static_cast<std::uint32_t>(
          object.member("message_flits")
              .number(1, kMaxMessage,
                      fmt::format("1 to {}; a collective sends at least one flit to each node",
                                  kMaxMessage)));
    }
    if (object.has("areas") && object.member("areas").value() != "auto") {
      workload.areas = static_cast<unsigned>(
          object.member("areas").number(1, 8, "\"auto\", 1, or the number of dimensions"));
    }
    object.choice("sync", workload.sync, {"none", "local", "barrier"});
    return;
  }
  object.only_keys({"transfers"});
  const auto list =
      object.member("transfers")
          .elements(1, kMaxList,
                    fmt::format(
                        R"(a list of 1 to {} transfers {{"from", "to", "flits", "start", "gap"}})",
                        kMaxList));
  for (const auto& place : list) {
    place.only_keys({"from", "to", "flits", "start", "gap"});
    Transfer& transfer = workload.transfers.emplace_back();
    const std::uint64_t last = (1u << kMaxAddrW) - 1;
    transfer.from = static_cast<std::uint32_t>(place.at("from", "a rank").number(0, last));
    transfer.to = static_cast<std::uint32_t>(place.at("to", "a rank").number(0, last));
    transfer.flits = static_cast<std::uint32_t>(
        place.at("flits", fmt::format("0 to {}", kMaxMessage)).number(0, kMaxMessage));
    place.number("start", transfer.start, 0, kMaxNumber);
    place.number("gap", transfer.gap, 0, kMaxGap);
  }
}

void read_faults(const JsonPlace& list, bool parity, std::vector<Fault>& faults) {
  for (const auto& place : list.elements(
           0, kMaxList,
           fmt::format(R"(a list of up to {} faults {{"node", "cycle", "bit"}})", kMaxList))) {
    place.only_keys({"node", "cycle", "bit"});
    Fault& fault = faults.emplace_back();
    fault.node =
        static_cast<std::uint32_t>(place.at("node", "a rank").number(0, (1u << kMaxAddrW) - 1));
    place.number("cycle", fault.cycle, 0, kMaxNumber);
    if (place.has("bit")) {
      fault.bit = static_cast<unsigned>(place.member("bit").number(
          0, parity ? 64 : 63, "0 to 63, or 64 (the parity bit) where link.parity is true"));
    }
  }
}

}  // namespace

void register_family(const std::string& kind, NetworkFamily family, NeededVcs vcs) {
  families()[kind] = {family, vcs};
}

void register_called_for(CalledFor function) {
  called_for() = function;
}

// What the collective asks of the rest, and what only some know.
void apply_needs(const JsonPlace& root, Config& config) {
  const WorkloadConfig& workload = config.workload;
  const CollectiveNeeds needs = workload.collective.empty()
                                    ? CollectiveNeeds{}
                                    : called_for()(workload.collective, config.topology);
  if (!workload.collective.empty() && (!root.has("nic") || is_auto(root.member("nic")))) {
    config.nic.controllers = needs.controllers;
  }
  config.nic.reduce = needs.reduces;
  const bool startup = config.start == "network" && !workload.collective.empty();
  if (startup && needs.on_arrays) {
    root.member("start").refuse("\"loaded\" with a collective on arrays");
  }
  const bool turns = workload.array.turns() > 1;  // With a barrier between them.
  if (turns && config.barrier != "hardware") {
    root.member("barrier").refuse("\"hardware\" with arrays of more than 4 MiB");
  }
  config.barrier_units = config.barrier == "hardware" &&
                         (needs.by_hops || workload.sync == "barrier" || startup || turns);
  if (needs.by_hops || !needs.known) return;  // A name that nobody knows is refused later.
  const char* const which = "with a collective that groups by hops (hop_group, hop_direct)";
  if (gap_json(config.nic.gap).is_string()) {
    root.member("nic").member("gap").refuse(
        fmt::format("\"none\" or 0 to {}; \"hops-1\" and \"sharers-1\" {}", kMaxGap, which));
  }
  if (workload.areas != 0) {
    root.member("workload").member("areas").refuse(fmt::format("a number {}", which));
  }
}

Config parse_config(const json& document, const Source& source) {
  const JsonPlace root(document, source);
  root.only_keys({"topology", "link", "router", "nic", "processor", "barrier", "start", "workload",
                  "partition", "faults", "seed", "max_cycles", "deadlock_check", "watchdog"});
  Config config;
  config.source = source;
  const auto topology = root.at("topology", "an object with the key kind");
  if (!topology.value().is_object()) topology.refuse("an object with the key kind");
  const std::string kinds = "a name of `weft list topologies`";
  const std::string kind = topology.at("kind", kinds).text(kinds);
  config.topology = topology.value();
  const Family& family = find_entry(families(), topology.member("kind"));
  const bool routers = family.family == NetworkFamily::kRouters;
  if (routers) {
    config.link.flow_control = "credit";
    config.router.vcs = 2;
    // What the routing needs may take a search, which nobody asks for who says it.
    const bool said = root.has("router") && root.member("router").has("vcs");
    if (family.vcs != nullptr && !said) config.router.vcs = family.vcs(topology);
  }
  if (root.has("link")) read_link(root.member("link"), kind, config.link);
  if (root.has("router")) {
    (routers ? read_routers : read_crossbars)(root.member("router"), kind, config.router);
  }
  if (root.has("nic")) read_nic(root.member("nic"), routers ? 8 : 4, config.nic);
  if (root.has("workload")) read_workload(root.member("workload"), root, config);
  if (root.has("partition")) read_partition(root.member("partition"), config);
  root.choice("barrier", config.barrier, {"hardware", "software"});
  root.choice("start", config.start, {"loaded", "network"});
  if (config.start == "network" && config.has_work() && config.workload.collective.empty()) {
    root.member("start").refuse("\"loaded\" with traffic or transfers, which no program starts");
  }
  apply_needs(root, config);
  check_switching(config);
  root.choice("processor", config.processor, {"rv32", "native"});
  if (!config.workload.program.empty() && config.processor != "rv32") {
    root.member("workload").member("program").refuse("a program only where processor is \"rv32\"");
  }
  if (root.has("faults")) read_faults(root.member("faults"), config.link.parity, config.faults);
  root.number("seed", config.seed, 0, kMaxNumber);
  root.number("max_cycles", config.max_cycles, 0, kMaxNumber);
  root.boolean("deadlock_check", config.deadlock_check);
  root.number("watchdog", config.watchdog, 1, kMaxNumber);
  return config;
}

Config load_config(const std::filesystem::path& file, const std::vector<std::string>& sets) {
  json document = read_document(file);
  Source source = file.string();
  for (const auto& set : sets) source.add_option(apply_set(document, set), "--set " + set);
  return parse_config(document, source);
}

json to_json(const Config& config) {
  json result = {
      {"topology", config.topology},
      {"link",
       {{"width_bits", config.link.width_bits},
        {"stages", 0},
        {"flow_control", config.link.flow_control},
        {"parity", config.link.parity}}},
      {"router",
       {{"vcs", config.router.per_destination ? json("per_destination") : json(config.router.vcs)},
        {"vc_depth", config.router.vc_depth},
        {"output_depth", config.router.output_depth},
        {"arbiter", config.router.arbiter},
        {"hold", config.router.hold},
        {"switching", config.router.switching},
        {"dateline", config.router.dateline}}},
      {"nic",
       {{"controllers", config.nic.controllers},
        {"gap", gap_json(config.nic.gap)},
        {"packet_flits", config.nic.packet_flits},
        {"queue_depth", config.nic.queue_depth}}},
      {"processor", config.processor},
      {"barrier", config.barrier},
      {"faults", json::array()},
      {"seed", config.seed},
      {"max_cycles", config.max_cycles},
      {"deadlock_check", config.deadlock_check},
      {"watchdog", config.watchdog},
  };
  for (const auto& fault : config.faults) {
    result["faults"].push_back({{"node", fault.node}, {"cycle", fault.cycle}, {"bit", fault.bit}});
  }
  if (!config.workload.collective.empty()) {
    result["start"] = config.start;
    json& workload = result["workload"];
    if (config.workload.array.bytes != 0) {
      workload = array_json(config.workload.array);
    } else {
      workload = {
          {"message_flits", config.workload.message_flits},
          {"areas", config.workload.areas == 0 ? json("auto") : json(config.workload.areas)},
          {"sync", config.workload.sync}};
    }
    workload["collective"] = config.workload.collective;
    workload["program"] = config.workload.program;
  } else if (!config.workload.traffic.empty()) {
    result.erase("processor");
    result.erase("barrier");
    result["nic"].erase("packet_flits");
    result["workload"] = traffic_json(config.workload);
    if (!config.partition.empty()) result["partition"] = config.partition;
  } else if (!config.workload.transfers.empty()) {
    auto& list = result["workload"]["transfers"] = json::array();
    for (const auto& t : config.workload.transfers) {
      list.push_back(
          {{"from", t.from}, {"to", t.to}, {"flits", t.flits}, {"start", t.start}, {"gap", t.gap}});
    }
  }
  return result;
}

}  // namespace weft
