// The configuration of a run: network, interfaces, processors and workload in one description.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sim/config/array_config.hpp"
#include "sim/config/json_cursor.hpp"
#include "sim/config/registry.hpp"
#include "sim/config/words.hpp"

namespace weft {

/// Most registers of a link, cycles.
inline constexpr std::uint64_t kMostStages = 255;

/// Classes of links between routers, at most.
inline constexpr std::uint64_t kMostLinkClasses = 20;

/// `link`: the wires between blocks.
struct LinkConfig {
  unsigned width_bits = 64;  ///< Data bits of a flit.
  /// Registers in each link between routers, cycles: of all, or of each class of links; empty:
  /// those that the network itself gives (`kOwnStages`).
  std::vector<std::uint32_t> stages = {0};
  bool stages_by_class = false;  ///< They were given as a list.
  bool parity = false;           ///< One parity bit beside the data (seed 002 [0034]).
  Protection protection = Protection::kNone;
  FlowControl flow_control = FlowControl::kFull;  ///< As the kind of network asks.
};

/// Most cycles that a router takes.
inline constexpr unsigned kMostPipeline = 3;

/// Largest `router.own_after`.
inline constexpr unsigned kMostOwnAfter = 255;

/// Most virtual channels of a link, unless there is one for each destination.
inline constexpr unsigned kMaxVcs = 64;

/// `router`: the switching blocks.
struct RouterConfig {
  /// As `vcs`: a VC for each destination (seed 004 4.3.1).
  static constexpr unsigned kPerDestination = 0xFFFFFFFF;

  unsigned vcs = 1;           ///< Virtual channels of a link; crossbars have one.
  unsigned vc_depth = 8;      ///< Buffer of a VC (transfer buffer 41 of seed 002), flits.
  unsigned output_depth = 4;  ///< Output buffer of a crossbar (22 of seed 002), flits.
  Arbitration arbiter = Arbitration::kRoundRobin;
  /// Packets in transit that may go before one of the router's own node, 0 to kMostOwnAfter; 0: no
  /// difference between the two.
  unsigned own_after = 3;
  OutputHold hold = OutputHold::kPacket;
  Switching switching = Switching::kWormhole;
  unsigned pipeline = 1;  ///< Cycles from link to link, 1 to kMostPipeline.
  DatelineRule dateline = DatelineRule::kFixed;
  RoutingChoice routing = RoutingChoice::kAuto;
  /// 2: packets whose tag is odd, as those of replies, have half of the VCs, the others the rest.
  unsigned message_classes = 1;

  bool per_destination() const { return vcs == kPerDestination; }
  /// Whether `routing` is an algorithm over the kind's own way, with VCs for each of two classes of
  /// packets.
  bool by_algorithm() const;
  /// Classes of packets that divide the VCs of a link, by `routing` or as `message_classes`.
  unsigned vc_classes() const { return by_algorithm() ? 2 : message_classes; }
  /// VCs of a link for which the kind's own way is computed.
  unsigned way_vcs() const { return vcs / vc_classes(); }
};

/// Gaps that depend on the message's route; only collectives that group by hops accept them.
/// "hops-1" (seed 000 [0043]), and "sharers-1": the nodes whose packets share a link, less one; on
/// a line these are fewer than the hops of long routes.
inline constexpr unsigned kGapHops = 0xFFFFFFFF;
inline constexpr unsigned kGapSharers = 0xFFFFFFFE;

/// `nic`: the network interfaces.
struct NicConfig {
  unsigned controllers = 1;     ///< Send controllers; "auto" is resolved when it is read.
  unsigned gap = 0;             ///< Inter-packet gap, packet times, or one of those above.
  unsigned packet_flits = 128;  ///< Largest packet body, flits, 1 to 255.
  unsigned queue_depth = 8;     ///< Descriptor queue, descriptors.
  /// Packets of one link of an interface keep their order into the router; none: "auto", as the
  /// collective asks, which on networks of routers is resolved when it is read.
  std::optional<bool> in_order;
  bool reliable = false;          ///< Packets are kept until they are acknowledged, and sent again.
  unsigned outstanding = 4;       ///< Of each controller, with `reliable`: 2, 4, 8 or 16.
  std::uint32_t timeout = 10000;  ///< Cycles until one is overdue, with `reliable`.
};

/// One message of `workload.transfers`, posted straight to a network interface without a driver.
struct Transfer {
  std::uint32_t from = 0, to = 0;  ///< Ranks.
  std::uint32_t flits = 0;         ///< Body length.
  std::uint64_t start = 0;         ///< Cycle in which the descriptor is posted, or later.
  std::uint32_t gap = 0;           ///< Inter-packet gap, packet times.
  /// Start in the descriptor: the message is offered in this cycle at the earliest; 0: none.
  std::uint32_t at = 0;
};

/// Most cycles of warm-up, and of measurement.
inline constexpr std::uint64_t kMaxTrafficPhase = 1 << 18;
/// `WorkloadConfig::warmup`: as long as a run from an empty network takes to become steady.
inline constexpr std::uint64_t kAutoWarmup = kMaxTrafficPhase + 1;
/// Measuring phases that the drain has by default, and at most.
inline constexpr std::uint64_t kDrainPhases = 10;
/// `WorkloadConfig::drain`: by default, and none where the network is surely saturated.
inline constexpr std::uint64_t kAutoDrain = kDrainPhases * kMaxTrafficPhase + 1;

/// One of the lengths in a mixture of packets.
struct PacketLength {
  std::uint32_t flits = 0;  ///< With the header, 1 to 256.
  double weight = 1;        ///< Chance of a packet to have it, over the sum of all weights.
};

/// Lengths of packets of traffic with their headers, flits.
struct PacketLengths {
  std::uint32_t one = 4;           ///< Of all packets, where `list` is empty, 1 to 256.
  std::vector<PacketLength> list;  ///< A length is drawn for each packet.

  std::uint32_t longest() const;
  double mean() const;
};

/// Name of the pattern of traffic that is a list of several.
inline constexpr const char* kMixed = "mixed";

/// One of the patterns that packets of traffic are drawn from.
struct PatternShare {
  std::string traffic;    ///< Name.
  double weight = 1;      ///< Chance of a packet to be of it, over the sum of all weights.
  KindValues parameters;  ///< As WorkloadConfig::parameters.
};

/// What a program of the user's needs.
struct OwnProgram {
  std::uint32_t send_bytes = 65536, recv_bytes = 65536;  ///< Its areas, multiples of a flit.
  std::vector<std::uint32_t> arguments;                  ///< As its nodes read them, up to 8.
  std::string expect;     ///< File of words that it must leave in memory; empty: none.
  bool reduces = false;   ///< Interfaces reduce into memory.
  bool combines = false;  ///< There is a combining tree.
  bool timed = false;     ///< Messages may have starts.
  unsigned windows = 1;   ///< Receive windows of an interface.
  unsigned key_bits = 0;  ///< Width of their keys, bits.
};

/// A dependency trace that collective goal replays.
struct TraceConfig {
  std::string file;           ///< In the text form of GOAL.
  double compute_factor = 1;  ///< Cycles of a unit of calc.
  TracePhases phases = TracePhases::kNone;
};

/// `workload`: a collective, a program of the user's, a list of transfers, or synthetic traffic.
struct WorkloadConfig {
  std::uint32_t kind = 0;  ///< One of the workload bits of `Fact`, as the keys are; 0: no work.
  std::string collective;  ///< Name, empty for transfers and traffic.
  std::uint32_t message_flits = 16;  ///< Body length of a collective's messages, 1 or more.
  Sync sync = Sync::kNone;
  unsigned areas = 0;  ///< Parts of a block that take different routes (hop_group); 0: "auto".
  std::uint32_t spread = 100;  ///< Most cycles of work before a node enters a barrier, 1 or more.
  std::string program;         ///< Of the user's, instead of the collective's own; empty: own.
  OwnProgram own;              ///< Its needs.
  TraceConfig trace;           ///< Of collective goal; its file is empty for other work.
  ArrayConfig array;           ///< Of a collective on arrays.
  std::vector<Transfer> transfers;

  std::string traffic;                 ///< Name of a pattern, or kMixed; empty for other workloads.
  std::vector<PatternShare> patterns;  ///< Of mixed traffic.
  KindValues parameters;               ///< Of that pattern alone.
  double rate = 0.1;                   ///< Flits per node and cycle, headers included.
  /// Mean cycles of a burst, in which packets are generated, between pauses; 0: no bursts.
  std::uint32_t burst_cycles = 0;
  double burst_rate = 1;       ///< As `rate`, within a burst.
  PacketLengths packet_flits;  ///< Of packets of traffic.
  /// A packet that the destination of each packet sends back, with its header; 0: none.
  std::uint32_t reply_flits = 0;
  std::uint64_t warmup = 1000;       ///< Cycles of traffic before the measurement; or kAutoWarmup.
  std::uint64_t measure = 10000;     ///< Cycles whose packets are measured, 1 or more.
  std::uint64_t drain = kAutoDrain;  ///< Most cycles after that in which these may arrive.
  /// Of a partitioned network, by region: the workload with that region's changes (pattern, its
  /// keys, rate; 0: no packets). Regions beyond the last have the workload unchanged.
  std::vector<WorkloadConfig> regions = {};
  std::shared_ptr<const nlohmann::json> region_changes = {};  ///< The changes as they are written.

  /// Cycles of warm-up; 0 where they are still to be found.
  std::uint64_t known_warmup() const { return warmup == kAutoWarmup ? 0 : warmup; }
  /// Whether the work is of one of these kinds.
  bool is(std::uint32_t facts) const { return (kind & facts) != 0; }
  /// Flits of the longest packet of traffic with its header, of all regions.
  std::uint32_t longest_packet() const;
};

/// A fault on the wires of a link, at the sender's end, or of what the receiver returns at the
/// receiver's: `cycles` cycles long from the first one on, at or after `cycle`, in which it changes
/// something (an inversion of a flit's field waits for a flit). Or, with a `rate`, random
/// inversions.
struct Fault {
  static constexpr std::uint32_t kNoNode = 0xFFFFFFFF;

  std::string link;              ///< Name of a link, of a class of links, or "all"; empty: by node.
  std::uint32_t node = kNoNode;  ///< Rank; the link into this node
  std::uint32_t port = 0;        ///< by this link of its interface.
  std::uint64_t cycle = 0;
  /// Length, cycles; 0: of a single fault one, with a rate to the end.
  std::uint64_t cycles = 0;
  FaultField field = FaultField::kData;
  std::uint32_t bit = 0;  ///< Of the field; of the data their width: the parity bit.
  FaultEffect effect = FaultEffect::kInvert;
  /// Chance of a fault in a cycle of a link, in a random bit of `field`; 0: a single fault.
  double rate = 0;
  /// With a rate: wires from the random bit on, of which each further one is wrong with chance 1/2;
  /// 0: that bit alone.
  std::uint32_t burst = 0;
};

/// `topology.failed`: what is dead from cycle 0 on.
struct FailedConfig {
  std::vector<std::string> links;    ///< By name, as Graph::link_name, or "r_0 -> r_1".
  std::vector<std::string> routers;  ///< By name.
  double share = 0;                  ///< Of the links between routers, drawn; 0 to 1.
  std::uint64_t seed = 1;            ///< Of that draw.

  bool any() const { return !links.empty() || !routers.empty() || share != 0; }
};

/// `topology`: the network.
struct TopologyConfig {
  std::string kind;
  KindValues parameters;  ///< Of that kind alone.
  FailedConfig failed;
};

/// What follows from the keys, found when a configuration is read. No key sets it directly.
struct DerivedConfig {
  std::string algorithm;       ///< The collective that runs: the named one, or what that picks.
  bool timed = false;          ///< Messages may have a start.
  bool reduces = false;        ///< Messages can be reduced into memory.
  unsigned windows = 1;        ///< Receive windows of an interface.
  unsigned key_bits = 0;       ///< Width of their keys, bits.
  bool barrier_units = false;  ///< The run may have barriers, and they are hardware.
  bool combine_units = false;  ///< The run uses the combining tree.
};

/// Everything that a run depends on.
struct Config {
  TopologyConfig topology;
  LinkConfig link;
  RouterConfig router;
  NicConfig nic;
  // Of a collective.
  ProcessorKind processor = ProcessorKind::kRv32;
  BarrierKind barrier = BarrierKind::kSoftware;
  Combining combining = Combining::kNone;
  JobStart start = JobStart::kLoaded;
  WorkloadConfig workload;
  /// By dimension: m, for 2^m equal parts (seed 001 3.4); fewer than dimensions: 0 for the others.
  std::vector<std::uint32_t> partition;
  std::vector<Fault> faults;
  std::uint64_t seed = 1;        ///< Of every random stream of the run.
  std::uint64_t max_cycles = 0;  ///< End of the run at this cycle; 0: no such end.
  /// Refuses a network with a cyclic channel dependency.
  bool deadlock_check = true;
  std::uint64_t watchdog = 1000000;  ///< Cycles without any flit or exit after which a run fails.
  std::uint64_t max_messages = 4000000;  ///< Most that the program of one node may post.
  DerivedConfig derived;
  Source source = "configuration";  ///< Where it came from, for messages; no part of the run.

  /// Whether, where the network has detours (`has_detours`), ways are computed anew in mid-run,
  /// around links that are found dead. Its routers then route by tables.
  bool reroutes() const { return nic.reliable && link.protection == Protection::kRetry; }
  /// Whether there is a workload; `weft topo` and `weft emit` need none.
  bool has_work() const { return workload.kind != 0; }
  /// Throws the ConfigError of `topology`, or of a key of it.
  [[noreturn]] void refuse_topology(const std::string& expected, const std::string& key = "") const;
};

/// Reads FILE, applies `sets` ("path=value": keys and list indices joined by dots; the value JSON,
/// or else a string), checks every key and value and fills in the defaults. Throws ConfigError
/// naming file or "--set path=value", JSON pointer, value and what is expected.
Config load_config(const std::filesystem::path& file, const std::vector<std::string>& sets,
                   const Registry& registry);

/// The same from a document already in memory; `source` tells messages where it came from.
Config parse_config(const nlohmann::json& document, const Source& source, const Registry& registry);

/// The resolved configuration, every key that the run uses with its value; parsing it gives
/// `config` again.
nlohmann::json to_json(const Config& config);
/// Its `topology`, with `failed` if anything has.
nlohmann::json to_json(const TopologyConfig& topology);

}  // namespace weft
