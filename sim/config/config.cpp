// Configuration: reading by the tables of keys, constraints between keys, and the resolved form.
#include "sim/config/config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/config/config_checks.hpp"
#include "sim/config/config_keys.hpp"
#include "sim/config/document.hpp"
#include "sim/config/traffic_config.hpp"
#include "sim/config/words.hpp"
#include "sim/packet/packet.hpp"

namespace weft {
using nlohmann::json;
namespace {

// What is known before the keys are read one by one.
struct Named {
  Situation situation;
  const TopologyKind* topology = nullptr;
  TopologyConfig head;
  const CollectiveKind* collective = nullptr;  // Null for other workloads.
};

// Config::reroutes for a configuration that is not read yet.
bool asks_reroutes(const JsonCursor& root, std::uint32_t facts) {
  const auto is = [&](const char* object, const char* key, const json& value) {
    const json& all = root.value();
    return all.contains(object) && all[object].is_object() && all[object].contains(key) &&
           all[object][key] == value;
  };
  return has_detours(facts) && is("nic", "reliable", true) && is("link", "protection", "retry");
}

Named named(const JsonCursor& root, const Registry& registry) {
  Named all;
  const JsonCursor topology = root.member("topology");
  const Key& kind = topology_keys().front();
  if (!topology.value().is_object()) topology.refuse(expected_of(root_keys().front()));
  const JsonCursor name = topology.at(kind.name, expected_of(kind));
  (void)name.text(expected_of(kind));
  all.topology = &find_kind(registry.topologies, name);
  all.situation.topology = all.topology->name;
  all.situation.facts = kOfWork | all.topology->facts;
  read_members(topology_keys(), topology, all.situation, &all.head);
  std::uint32_t network = all.topology->facts;
  // The routes around a failure are tables, whatever the kind itself uses.
  if (all.head.failed.any() || asks_reroutes(root, network)) {
    network = (network & ~(kDatelines | kGrids)) | kTables;
  }
  all.situation.facts = kOfWork | network;
  if (!root.has("workload")) return all;

  const JsonCursor work = root.member("workload");
  const bool is_object = work.value().is_object();
  const bool collective = is_object && work.has("collective");
  const bool traffic = is_object && work.has("traffic");
  const bool transfers = is_object && work.has("transfers");
  if (collective + traffic + transfers != 1) {
    work.refuse(expected_of(*find_key(root_keys(), "workload", kAnyWork)));
  }
  std::uint32_t facts = kTransfers;
  all.situation.work = "transfers";
  if (collective) {
    all.collective = &find_kind(registry.collectives, work.member("collective"));
    facts = all.collective->facts;
    all.situation.work = all.collective->name;
  } else if (traffic) {
    const TrafficKind& pattern = traffic_kind(work, registry);
    facts = traffic_facts(pattern);
    all.situation.work = pattern.name + " traffic";
  }
  all.situation.facts = network | facts;
  return all;
}

TopologyConfig read_topology(const JsonCursor& cursor, const Named& names) {
  const KeyTable& own = names.topology->keys;
  const Keys tables[] = {topology_keys(), own.keys};
  check_names(tables, cursor, names.situation);
  TopologyConfig topology = names.head;
  if (own.read != nullptr) topology.parameters = own.read(own.keys, cursor, names.situation);
  return topology;
}

void read_workload(const JsonCursor& cursor, const Named& names, const Registry& registry,
                   Config& config) {
  WorkloadConfig& workload = config.workload;
  if ((names.situation.facts & kAnyTraffic) != 0) {
    read_traffic(cursor, names.situation, registry, workload);
    // The interface sends a packet of traffic as one message, so its buffers must hold one.
    config.nic.packet_flits = std::max(1u, workload.longest_packet() - 1);
    return;
  }
  read_object(workload_keys(), cursor, names.situation, &workload);
  workload.kind = names.situation.facts & kAnyWork;
  if (names.collective == nullptr) return;
  ArrayConfig& array = workload.array;
  array.reduces = (names.situation.facts & kReductions) != 0;
  array.flit_bytes = config.link.width_bits / 8;
  if (array.bytes % array.element_bytes() == 0) return;
  cursor.member("bytes").refuse(fmt::format("{0} to {1} bytes, a multiple of {0}, the size of {2}",
                                            array.element_bytes(), kMostArrayBytes,
                                            word_of(array.type)));
}

// Containment needs the parity bit, which marks a packet that has lost its tail.
void check_protection(const JsonCursor& root, Config& config) {
  if (config.link.protection != Protection::kParity) return;
  if (root.has("link") && root.member("link").has("parity") && !config.link.parity) {
    config.source.refuse("/link/parity", false, "true with protection \"parity\"");
  }
  config.link.parity = true;
}

// Sets the default of `router.vcs`: as many as the kind's own routes need, at least 2; with two
// classes of packets as many for each class.
void set_vcs(const Registry& registry, const TopologyKind& kind, Config& config) {
  const unsigned classes = config.router.vc_classes();
  if (config.topology.failed.any() || (config.reroutes() && has_detours(kind.facts))) {
    config.router.vcs = classes * registry.failed_vcs(config);
  } else if (kind.vcs != nullptr) {
    config.router.vcs = classes * kind.vcs(config);
  } else if (classes == 2) {
    config.router.vcs = (kind.facts & kDatelines) != 0 ? 4 : 2;
  }
}

// The collective that runs, or null: the named one, or the one that it picks.
const CollectiveKind* algorithm(const Named& names, const JsonCursor& root,
                                const Registry& registry, Config& config) {
  if (names.collective == nullptr) return nullptr;
  const CollectiveKind* runs = names.collective;
  if (runs->pick) {
    const Given given{.sync = root.member("workload").has("sync"),
                      .gap = root.has("nic") && root.member("nic").has("gap")};
    const std::string name = runs->pick(config, given);
    const auto is_it = [&](const CollectiveKind& kind) { return kind.name == name; };
    runs = &*std::ranges::find_if(registry.collectives, is_it);
  }
  config.derived.algorithm = runs->name;
  return runs;
}

// Whether the hardware that the run uses depends on a picker: of the collectives with some facts.
bool may_pick(const Named& names, std::uint32_t facts) {
  return names.collective->pick && (names.situation.facts & facts) != 0;
}

// Words on when a named collective has no barriers.
std::string no_barriers(const Named& names, const Config& config) {
  const std::uint32_t facts = names.situation.facts;
  if ((facts & kArrays) != 0) {
    return fmt::format("which has no barriers with arrays of up to {} bytes",
                       ArrayConfig::kSegmentFlits * config.link.width_bits / 8);
  }
  return (facts & kBarrierWork) != 0
             ? "which is a barrier by messages and has no other without start \"network\""
             : "which has no barriers without sync \"barrier\" or start \"network\"";
}

// Finds whether the run has barriers, and whether in hardware.
void check_barriers(const Named& names, const CollectiveKind* runs, Config& config) {
  if (names.collective == nullptr) return;
  const bool hardware = config.barrier == BarrierKind::kHardware;
  const std::string& work = names.situation.work;
  if (!hardware && runs->barriers && (runs->facts & kBarrierWork) != 0) {
    config.source.refuse("/barrier", config.barrier,
                         fmt::format("\"hardware\" with {}, which uses barrier units", work));
  }
  // Between turns there is a barrier; the combining tree needs no turns. A user program may enter
  // barriers whatever its collective does.
  const bool turns = config.workload.array.segments() > 1 && !runs->combines;
  const bool any = config.workload.sync == Sync::kBarrier || turns || runs->barriers ||
                   !config.workload.program.empty() || (runs->facts & kByHops) != 0 ||
                   config.start == JobStart::kNetwork;
  config.derived.barrier_units = any && hardware;
  // A broadcast and a reduction to a root have no barriers, whatever is picked.
  const bool rooted = (names.situation.facts & kRooted) != 0;
  if (!hardware || any || (!rooted && may_pick(names, kAnyWork))) return;
  config.source.refuse("/barrier", config.barrier,
                       fmt::format("\"software\" with {}, {}", work, no_barriers(names, config)));
}

// Finds whether the run has a combining tree.
void check_combining(const Named& names, const CollectiveKind* runs, Config& config) {
  if (names.collective == nullptr) return;
  const std::string& work = names.situation.work;
  const auto refuse = [&](const std::string& expected) {
    config.source.refuse("/combining", config.combining, expected);
  };
  const bool tree = config.combining == Combining::kTree;
  config.derived.combine_units = config.workload.own.combines || runs->combines;
  if (!tree && runs->combines) {
    refuse(fmt::format("\"tree\" with {}, which uses the combining tree", work));
  }
  if (!tree && config.derived.combine_units) refuse("\"tree\" with workload.combines");
  if (tree && !config.derived.combine_units && !may_pick(names, kArrays)) {
    refuse(fmt::format("\"none\" with {}, which does not use the combining tree", work));
  }
}

}  // namespace

bool RouterConfig::by_algorithm() const {
  using enum RoutingChoice;
  return routing == kO1turn || routing == kValiant || routing == kUgal ||
         routing == kMinimalAdaptive;
}

Config parse_config(const json& document, const Source& source, const Registry& registry) {
  const JsonCursor root(document, source);
  const Keys all = root_keys();
  if (root.has("routers") && root.has("links") && !root.has("topology")) {
    throw source.missing("/topology",
                         "a configuration, which names a file of routers and links like this one: "
                         "{\"topology\": {\"kind\": \"graph\", \"file\": ...}, ...}");
  }
  // Unknown keys are reported before keys that this run cannot use.
  check_names({&all, 1}, root, {});
  if (!root.has("topology")) root.refuse_missing("topology", expected_of(all.front()));
  const Named names = named(root, registry);
  check_names({&all, 1}, root, names.situation);
  Config config;
  config.source = source;
  config.topology = read_topology(root.member("topology"), names);
  config.nic.controllers = 0;  // 0: "auto".
  const bool says_vcs = root.has("router") && root.member("router").has("vcs");
  if ((names.topology->facts & kRouters) != 0) config.router.vcs = 2;
  if ((names.topology->facts & kOwnStages) != 0) config.link.stages.clear();
  read_members(all, root, names.situation, &config);
  config.link.stages_by_class = root.has("link") && root.member("link").has("stages") &&
                                root.member("link").member("stages").value().is_array();
  check_protection(root, config);
  // Finding the VCs that the routing needs may take a search, which is skipped if `vcs` is given.
  if (!says_vcs) set_vcs(registry, *names.topology, config);
  if (root.has("workload")) {
    read_workload(root.member("workload"), names, registry, config);
  }
  const CollectiveKind* const runs = algorithm(names, root, registry, config);
  if (config.nic.controllers == 0) {
    const bool asks = runs != nullptr && runs->controllers;
    config.nic.controllers = asks ? runs->controllers(config) : 1;
  }
  if ((names.topology->facts & kRouters) != 0 && !config.nic.in_order) {
    config.nic.in_order = runs != nullptr && runs->in_order && !config.router.by_algorithm();
  }
  const OwnProgram& own = config.workload.own;
  config.derived.windows = own.windows;
  config.derived.key_bits = own.key_bits;
  config.derived.reduces = own.reduces || (runs != nullptr && runs->reduces);
  const auto& transfers = config.workload.transfers;
  config.derived.timed =
      own.timed || (runs != nullptr && runs->timed) ||
      std::any_of(transfers.begin(), transfers.end(), [](const Transfer& t) { return t.at != 0; });
  check_barriers(names, runs, config);
  check_combining(names, runs, config);
  check_settings(config);
  return config;
}

Config load_config(const std::filesystem::path& file, const std::vector<std::string>& sets,
                   const Registry& registry) {
  json document = read_document(file);
  Source source = file.string();
  for (const auto& set : sets) source.add_option(apply_set(document, set), "--set " + set);
  return parse_config(document, source, registry);
}

json to_json(const TopologyConfig& topology) {
  json result = write_object(topology_keys(), {}, &topology);
  if (!topology.failed.any()) result.erase("failed");
  result.update(topology.parameters.to_json());
  return result;
}

void Config::refuse_topology(const std::string& expected, const std::string& key) const {
  const json all = to_json(topology);
  if (key.empty()) source.refuse("/topology", all, expected);
  source.refuse("/topology/" + key, all.at(key), expected);
}

json to_json(const Config& config) {
  const std::uint32_t work = config.workload.kind;
  const Situation situation{.facts = (work == 0 ? kAnyWork : work) | kAnyFeature | kOfNetwork};
  json result = write_object(root_keys(), situation, &config);
  result["topology"] = to_json(config.topology);
  if (work == 0) return result;
  json& workload = result["workload"] = write_object(workload_keys(), situation, &config.workload);
  if ((work & kAnyTraffic) != 0) {
    const WorkloadConfig& traffic = config.workload;
    workload["traffic"] =
        traffic.patterns.empty() ? json(traffic.traffic) : to_json(traffic.patterns);
    workload.update(traffic.parameters.to_json());
  }
  if (config.workload.region_changes != nullptr) {
    workload["regions"] = *config.workload.region_changes;
  }
  return result;
}

}  // namespace weft
