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

/// Most classes of links between routers.
inline constexpr std::uint64_t kMostLinkClasses = 20;

/// `link`: the wires between blocks.
struct LinkConfig {
  unsigned width_bits = 64;  ///< Data bits of a flit.
  /// Registers in each link between routers, cycles: one number for all, or one for each class of
  /// links; empty: those that the network itself gives (`kOwnStages`).
  std::vector<std::uint32_t> stages = {0};
  bool stages_by_class = false;  ///< `stages` was given as a list.
  bool parity = false;           ///< One parity bit beside the data (seed 002 [0034]).
  Protection protection = Protection::kNone;
  FlowControl flow_control = FlowControl::kFull;  ///< Must suit the kind of network.
};

/// Most cycles that a router takes.
inline constexpr unsigned kMostPipeline = 3;

/// Largest `router.own_after`.
inline constexpr unsigned kMostOwnAfter = 255;

/// Most virtual channels of a link, unless there is one for each destination.
inline constexpr unsigned kMaxVcs = 64;

/// `router`: the switching blocks.
struct RouterConfig {
  /// Value of `vcs`: a VC for each destination (seed 004 4.3.1).
  static constexpr unsigned kPerDestination = 0xFFFFFFFF;

  unsigned vcs = 1;           ///< VCs of a link; crossbars have one.
  unsigned vc_depth = 8;      ///< Buffer of a VC (transfer buffer 41 of seed 002), flits.
  unsigned output_depth = 4;  ///< Output buffer of a crossbar (22 of seed 002), flits.
  Arbitration arbiter = Arbitration::kRoundRobin;
  /// Packets in transit that may go before a packet of the router's own node, 0 to kMostOwnAfter;
  /// 0: both are treated alike.
  unsigned own_after = 3;
  OutputHold hold = OutputHold::kPacket;
  Switching switching = Switching::kWormhole;
  unsigned pipeline = 1;  ///< Cycles from link to link, 1 to kMostPipeline.
  DatelineRule dateline = DatelineRule::kFixed;
  RoutingChoice routing = RoutingChoice::kAuto;
  /// With 2, packets whose tag is odd, like those of replies, have half of the VCs, and the others
  /// the rest.
  unsigned message_classes = 1;

  bool per_destination() const { return vcs == kPerDestination; }
  /// Whether `routing` is an algorithm on top of the kind's own routes, with VCs for each of two
  /// classes of packets.
  bool by_algorithm() const;
  /// Classes of packets that divide the VCs of a link, by `routing` or `message_classes`.
  unsigned vc_classes() const { return by_algorithm() ? 2 : message_classes; }
  /// VCs of a link for which the kind's own routes are computed.
  unsigned way_vcs() const { return vcs / vc_classes(); }
};

/// Gaps that depend on the message's route; only collectives that group by hops accept them.
/// kGapHops, "hops-1" (seed 000 [0043]); kGapSharers, "sharers-1": the nodes whose packets share a
/// link, minus one; on a line these are fewer than the hops of long routes.
inline constexpr unsigned kGapHops = 0xFFFFFFFF;
inline constexpr unsigned kGapSharers = 0xFFFFFFFE;

/// `nic`: the network interfaces.
struct NicConfig {
  unsigned controllers = 1;     ///< Send controllers; 0: "auto" until the configuration is read.
  unsigned gap = 0;             ///< Inter-packet gap in packet times, or kGapHops or kGapSharers.
  unsigned packet_flits = 128;  ///< Largest packet body, flits, 1 to 255.
  unsigned queue_depth = 8;     ///< Descriptor queue, descriptors.
  /// Whether packets of one link of an interface keep their order into the router. None: "auto", as
  /// the collective asks; on networks of routers that is resolved when the configuration is read.
  std::optional<bool> in_order;
  bool reliable = false;          ///< Packets are kept until they are acknowledged, and sent again
                                  ///< if need be.
  unsigned outstanding = 4;       ///< Unacknowledged packets per controller, with `reliable`: 2, 4,
                                  ///< 8 or 16.
  std::uint32_t timeout = 10000;  ///< Cycles until a packet is overdue, with `reliable`.
};

/// A message of `workload.transfers`, posted directly to a network interface without a driver.
struct Transfer {
  std::uint32_t from = 0, to = 0;  ///< Ranks.
  std::uint32_t flits = 0;         ///< Body length.
  std::uint64_t start = 0;         ///< First cycle in which the descriptor may be posted.
  std::uint32_t gap = 0;           ///< Inter-packet gap, packet times.
  /// Start time in the descriptor: first cycle in which the message may be offered; 0: none.
  std::uint32_t at = 0;
};

/// Most cycles of warm-up, and of measurement.
inline constexpr std::uint64_t kMaxTrafficPhase = 1 << 18;
/// Value of `WorkloadConfig::warmup`: as long as a run from an empty network takes to become
/// steady.
inline constexpr std::uint64_t kAutoWarmup = kMaxTrafficPhase + 1;
/// Length of the drain in measuring phases, by default and at most.
inline constexpr std::uint64_t kDrainPhases = 10;
/// Value of `WorkloadConfig::drain`: the default length, or none if the network is surely
/// saturated.
inline constexpr std::uint64_t kAutoDrain = kDrainPhases * kMaxTrafficPhase + 1;

/// A length in a mixture of packets.
struct PacketLength {
  std::uint32_t flits = 0;  ///< With the header, 1 to 256.
  double weight = 1;        ///< Probability of this length, relative to the sum of all weights.
};

/// Lengths of packets of traffic in flits, headers included.
struct PacketLengths {
  std::uint32_t one = 4;           ///< Length of all packets if `list` is empty, 1 to 256.
  std::vector<PacketLength> list;  ///< A length is drawn from it for each packet.

  std::uint32_t longest() const;
  double mean() const;
};

/// Name of the pattern of traffic that is a list of several.
inline constexpr const char* kMixed = "mixed";

/// A pattern that packets of traffic are drawn from.
struct PatternShare {
  std::string traffic;    ///< Name of the pattern.
  double weight = 1;      ///< Probability of this pattern, relative to the sum of all weights.
  KindValues parameters;  ///< Keys of the pattern; as WorkloadConfig::parameters.
};

/// Needs of a user program.
struct OwnProgram {
  /// Sizes of its send and receive areas, multiples of a flit.
  std::uint32_t send_bytes = 65536, recv_bytes = 65536;
  /// Arguments as its nodes read them, up to 8.
  std::vector<std::uint32_t> arguments;
  std::string expect;     ///< File of words that it must leave in memory; empty: none.
  bool reduces = false;   ///< The interfaces reduce into memory.
  bool combines = false;  ///< There is a combining tree.
  bool timed = false;     ///< Messages may have starts.
  unsigned windows = 1;   ///< Receive windows of an interface.
  unsigned key_bits = 0;  ///< Width of the windows' keys, bits.
};

/// A dependency trace that collective goal replays.
struct TraceConfig {
  std::string file;           ///< File in the text form of GOAL.
  double compute_factor = 1;  ///< Cycles per unit of calc.
  TracePhases phases = TracePhases::kNone;
};

/// `workload`: a collective, a user program, a list of transfers, or synthetic traffic.
struct WorkloadConfig {
  std::uint32_t kind = 0;  ///< One of the workload bits of `Fact`, like the works of keys; 0: no
                           ///< workload.
  std::string collective;  ///< Name of a collective; empty for transfers and traffic.
  std::uint32_t message_flits = 16;  ///< Body length of a collective's messages, 1 or more.
  Sync sync = Sync::kNone;
  unsigned areas = 0;  ///< Parts of a block that take different routes (hop_group); 0: "auto".
  std::uint32_t spread = 100;  ///< Most cycles of work before a node enters a barrier, 1 or more.
  std::string program;         ///< User program that runs instead of the collective's own; empty:
                               ///< its own.
  OwnProgram own;              ///< Needs of the user program.
  TraceConfig trace;           ///< For collective goal; its file is empty for other workloads.
  ArrayConfig array;           ///< For a collective on arrays.
  std::vector<Transfer> transfers;

  std::string traffic;                 ///< Name of a pattern, or kMixed; empty for other workloads.
  std::vector<PatternShare> patterns;  ///< Patterns of mixed traffic.
  KindValues parameters;               ///< Keys of the pattern `traffic`.
  double rate = 0.1;                   ///< Flits per node and cycle, headers included.
  /// Mean cycles of a burst, in which packets are generated; pauses follow. 0: no bursts.
  std::uint32_t burst_cycles = 0;
  double burst_rate = 1;       ///< Like `rate`, within a burst.
  PacketLengths packet_flits;  ///< Lengths of packets of traffic.
  /// Flits, with the header, of a packet that the destination of each packet sends back; 0: none.
  std::uint32_t reply_flits = 0;
  std::uint64_t warmup = 1000;       ///< Cycles of traffic before the measurement; or kAutoWarmup.
  std::uint64_t measure = 10000;     ///< Cycles whose packets are measured, 1 or more.
  std::uint64_t drain = kAutoDrain;  ///< Most cycles after the measurement in which its packets may
                                     ///< arrive.
  /// For a partitioned network, by region: the workload with that region's changes (pattern, its
  /// keys, rate; 0: no packets). Regions after the last have the workload unchanged.
  std::vector<WorkloadConfig> regions = {};
  /// Changes of the regions as they are written.
  std::shared_ptr<const nlohmann::json> region_changes = {};

  /// Cycles of warm-up; 0 if they are still to be found.
  std::uint64_t known_warmup() const { return warmup == kAutoWarmup ? 0 : warmup; }
  /// Whether the workload is of one of these kinds.
  bool is(std::uint32_t facts) const { return (kind & facts) != 0; }
  /// Flits of the longest packet of traffic with its header, over all regions.
  std::uint32_t longest_packet() const;
};

/// A fault on the wires of a link, at the sender's end, or of what the receiver returns, at the
/// receiver's end. It lasts `cycles` cycles from the first one, at or after `cycle`, in which it
/// changes something (an inversion of a flit's field waits for a flit). Or, with a `rate`, random
/// inversions.
struct Fault {
  static constexpr std::uint32_t kNoNode = 0xFFFFFFFF;

  std::string link;              ///< Name of a link, of a class of links, or "all"; empty: the link
                                 ///< is given by node.
  std::uint32_t node = kNoNode;  ///< Rank of the node that the link leads to.
  std::uint32_t port = 0;        ///< Index of the link at the node's interface.
  std::uint64_t cycle = 0;
  /// Length in cycles; 0: one cycle for a single fault, to the end of the run for a rate.
  std::uint64_t cycles = 0;
  FaultField field = FaultField::kData;
  std::uint32_t bit = 0;  ///< Bit of the field; for data, their width means the parity bit.
  FaultEffect effect = FaultEffect::kInvert;
  /// Probability of a fault per link and cycle, in a random bit of `field`; 0: a single fault.
  double rate = 0;
  /// With a rate: wires of a burst, from the random bit on. Each after the first is wrong with
  /// probability 1/2; 0: only that bit.
  std::uint32_t burst = 0;
};

/// `topology.failed`: what is dead from cycle 0 on.
struct FailedConfig {
  std::vector<std::string> links;    ///< Names of links, as of Graph::link_name, or "r_0 -> r_1".
  std::vector<std::string> routers;  ///< Names of routers.
  double share = 0;                  ///< Share of the links between routers, drawn at random; 0 to
                                     ///< 1.
  std::uint64_t seed = 1;            ///< Seed of the draw of `share`.

  bool any() const { return !links.empty() || !routers.empty() || share != 0; }
};

/// `topology`: the network.
struct TopologyConfig {
  std::string kind;
  KindValues parameters;  ///< Keys of the kind.
  FailedConfig failed;
};

/// Values that follow from the keys, found when a configuration is read. No key sets them directly.
struct DerivedConfig {
  std::string algorithm;       ///< The collective that runs: the named one, or the one that it
                               ///< picks.
  bool timed = false;          ///< Messages may have a start time.
  bool reduces = false;        ///< Messages can be reduced into memory.
  unsigned windows = 1;        ///< Receive windows of an interface.
  unsigned key_bits = 0;       ///< Width of the windows' keys, bits.
  bool barrier_units = false;  ///< The run may have barriers, and they use barrier units.
  bool combine_units = false;  ///< The run uses the combining tree.
};

/// Everything that a run depends on.
struct Config {
  TopologyConfig topology;
  LinkConfig link;
  RouterConfig router;
  NicConfig nic;
  // Processor that runs the drivers of a collective.
  ProcessorKind processor = ProcessorKind::kRv32;
  BarrierKind barrier = BarrierKind::kSoftware;
  Combining combining = Combining::kNone;
  JobStart start = JobStart::kLoaded;
  WorkloadConfig workload;
  /// By dimension: m, for 2^m equal parts (seed 001 3.4); missing dimensions have m = 0.
  std::vector<std::uint32_t> partition;
  std::vector<Fault> faults;
  std::uint64_t seed = 1;        ///< Seed of every random stream of the run.
  std::uint64_t max_cycles = 0;  ///< The run ends at this cycle at the latest; 0: no limit.
  /// Refuse a network with a cyclic channel dependency.
  bool deadlock_check = true;
  std::uint64_t watchdog = 1000000;  ///< Cycles without any flit or exit after which a run fails.
  std::uint64_t max_messages = 4000000;  ///< Most messages that the program of one node may post.
  DerivedConfig derived;
  Source source = "configuration";  ///< Where the configuration came from, for messages; no part of
                                    ///< the run.

  /// Whether routes are computed anew during the run, around links that are found dead, if the
  /// network has detours (`has_detours`). Its routers then route by tables.
  bool reroutes() const { return nic.reliable && link.protection == Protection::kRetry; }
  /// Whether there is a workload; `weft topo` and `weft emit` need none.
  bool has_work() const { return workload.kind != 0; }
  /// Throws the ConfigError for `topology`, or for a key of it.
  [[noreturn]] void refuse_topology(const std::string& expected, const std::string& key = "") const;
};

/// Reads FILE, applies `sets` ("path=value": keys and list indices joined by dots; the value JSON,
/// or else a string), checks every key and value and fills in the defaults. Throws ConfigError
/// naming file or "--set path=value", JSON pointer, value and what is expected.
Config load_config(const std::filesystem::path& file, const std::vector<std::string>& sets,
                   const Registry& registry);

/// Reads a configuration from a document, as load_config from a file; `source` tells messages where
/// it came from.
Config parse_config(const nlohmann::json& document, const Source& source, const Registry& registry);

/// The resolved configuration: every key that the run uses with its value. Parsing it gives
/// `config` again.
nlohmann::json to_json(const Config& config);
/// The key `topology` of the resolved configuration, with `failed` if anything has.
nlohmann::json to_json(const TopologyConfig& topology);

}  // namespace weft
