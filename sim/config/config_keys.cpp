// The description of every key of a configuration but those of the workload: one row and one member
// for each.
#include "sim/config/config_keys.hpp"

#include "sim/config/config.hpp"
#include "sim/config/fault_keys.hpp"
#include "sim/config/key_row.hpp"
#include "sim/packet/packet.hpp"

namespace weft {
namespace {

constexpr std::uint64_t kMaxList = 1u << 20;  // Transfers or faults of one run.
constexpr std::uint64_t kMaxGap = (1u << kGapW) - 1;

using enum RoutingChoice;
constexpr auto kCreditOnly = words_for(FlowControl::kCredit);
constexpr auto kFullOnly = words_for(FlowControl::kFull);
constexpr auto kTableRoutings =
    words_for(kAuto, kShortest, kUpDown, kDimensionOrder, kTable, kValiant, kUgal);
constexpr auto kGridRoutings =
    words_for(kAuto, kDimensionOrder, kO1turn, kValiant, kUgal, kMinimalAdaptive);
constexpr auto kOnlyRouting = words_for(kAuto);
constexpr Word kOwnStagesWord[] = {{"file", 0}};
constexpr Word kPerDestination[] = {{"per_destination", RouterConfig::kPerDestination}};
constexpr Word kAutoWord[] = {{"auto", 0}};
constexpr Word kGaps[] = {{"none", 0}};
constexpr Word kHopGaps[] = {{"none", 0}, {"hops-1", kGapHops}, {"sharers-1", kGapSharers}};

constexpr Key kLinkKeys[] = {
    key<&LinkConfig::width_bits>({.name = "width_bits",
                                  .least = kHdrW,
                                  .most = kMaxFlitW,
                                  .power_of_two = true,
                                  .unit = "bits",
                                  .help = "data of a flit, and of a word of the memory ports; the "
                                          "least is that of a header"}),
    key<&LinkConfig::stages>(
        {.name = "stages",
         .most = kMostStages,
         .min_items = 1,
         .max_items = kMostLinkClasses,
         .words = kOwnStagesWord,
         .initial = "\"file\"",
         .or_one = true,
         .unit = "cycles",
         .only_if = kOwnStages,
         .help = "registers in the links between routers: as the file says, one number, or one for "
                 "each class of links"}),
    key<&LinkConfig::stages>(
        {.name = "stages",
         .most = kMostStages,
         .min_items = 1,
         .max_items = kMostLinkClasses,
         .or_one = true,
         .unit = "cycles",
         .help = "registers in the links between routers or crossbars: one number, or one for each "
                 "class of links (of meshes and tori: dimension)"}),
    key<&LinkConfig::flow_control>({.name = "flow_control",
                                    .words = kCreditOnly,
                                    .only_if = kRouters,
                                    .help = "a credit for each free slot of each VC"}),
    key<&LinkConfig::flow_control>({.name = "flow_control",
                                    .words = kFullOnly,
                                    .only_if = kCrossbars,
                                    .help = "Buffer-Full (seed 002)"}),
    key<&LinkConfig::parity>({.name = "parity",
                              .help = "a parity bit beside the data, which interfaces check; true "
                                      "with protection parity"}),
    key<&LinkConfig::protection>(
        {.name = "protection",
         .help = "against errors on the wires; parity: what is lost is noticed, discarded and "
                 "counted; retry: flits are sent again until they have arrived"}),
};

constexpr Key kRouterKeys[] = {
    key<&RouterConfig::vcs>({.name = "vcs",
                             .least = 1,
                             .most = kMaxVcs,
                             .words = kPerDestination,
                             .initial = "what the routing needs, or 2",
                             .unit = "VCs",
                             .only_if = kRouters,
                             .help = "virtual channels of a link"}),
    key<&RouterConfig::vcs>({.name = "vcs",
                             .least = 1,
                             .most = 1,
                             .unit = "VCs",
                             .only_if = kCrossbars,
                             .help = "virtual channels of a link"}),
    key<&RouterConfig::vc_depth>({.name = "vc_depth",
                                  .least = 1,
                                  .most = 4096,
                                  .unit = "flits",
                                  .only_if = kRouters,
                                  .help = "input buffer of a VC"}),
    key<&RouterConfig::vc_depth>({.name = "vc_depth",
                                  .least = 3,
                                  .most = 1000,
                                  .unit = "flits",
                                  .only_if = kCrossbars,
                                  .help = "transfer buffer of an input (seed 002, 41)"}),
    key<&RouterConfig::output_depth>({.name = "output_depth",
                                      .least = 1,
                                      .most = 1000,
                                      .unit = "flits",
                                      .needs = kCrossbars,
                                      .help = "output buffer (seed 002, 22)"}),
    key<&RouterConfig::arbiter>(
        {.name = "arbiter", .needs = kRouters, .help = "round robin, or the oldest packet first"}),
    key<&RouterConfig::own_after>(
        {.name = "own_after",
         .least = 0,
         .most = kMostOwnAfter,
         .unit = "packets",
         .needs = kRouters,
         .help = "in transit that may go before one of the router's own node that requests the "
                 "same; 0: no difference between the two"}),
    key<&RouterConfig::hold>(
        {.name = "hold",
         .needs = kRouters,
         .help = "an output is allocated for a whole packet, or for each flit"}),
    key<&RouterConfig::switching>(
        {.name = "switching",
         .needs = kRouters,
         .help = "a packet is forwarded flit by flit, when the next buffer has space for all of "
                 "it, or after its last flit"}),
    key<&RouterConfig::pipeline>(
        {.name = "pipeline",
         .least = 1,
         .most = kMostPipeline,
         .unit = "cycles",
         .needs = kRouters,
         .help = "of a router, from link to link; 2: route computation and buffer write in a cycle "
                 "of their own; 3: VC and switch allocation, too"}),
    key<&RouterConfig::dateline>({.name = "dateline",
                                  .needs = kDatelines,
                                  .help = "VCs round a ring: low up to its dateline and high "
                                          "behind it or without one; balanced: any where none is "
                                          "crossed; crossing: low all the way where one is"}),
    key<&RouterConfig::routing>(
        {.name = "routing",
         .words = kTableRoutings,
         .only_if = kTables,
         .help = "how the tables are computed: the kind's own way, shortest ways with VCs by "
                 "layers, up*/down*, dimension order; table: those of the graph's file; or by the "
                 "kind's own way to a random node and on, always or as loads are"}),
    key<&RouterConfig::routing>(
        {.name = "routing",
         .words = kGridRoutings,
         .only_if = kGrids,
         .help = "the route unit's own way, which is dimension order; both orders of dimensions; "
                 "by a random node, always or as loads are; all shortest ways"}),
    key<&RouterConfig::routing>(
        {.name = "routing",
         .words = kOnlyRouting,
         .expected = "\"auto\": routers of this kind know its own way alone; meshes, tori and "
                     "networks whose routes are tables have others",
         .help = "the route unit's own way"}),
    key<&RouterConfig::message_classes>(
        {.name = "message_classes",
         .least = 1,
         .most = 2,
         .needs = kRouters,
         .help = "2: replies, and of a program of your own messages with an odd tag, have half of "
                 "the VCs to themselves, all others the other half"}),
};

constexpr Key kNicKeys[] = {
    key<&NicConfig::controllers>({.name = "controllers",
                                  .least = 1,
                                  .most = 8,
                                  .words = kAutoWord,
                                  .initial = "\"auto\"",
                                  .only_if = kRouters,
                                  .help = "send controllers; auto: as the collective asks"}),
    key<&NicConfig::controllers>({.name = "controllers",
                                  .least = 1,
                                  .most = 4,
                                  .words = kAutoWord,
                                  .initial = "\"auto\"",
                                  .only_if = kCrossbars,
                                  .help = "send controllers; auto: as the collective asks"}),
    key<&NicConfig::in_order>(
        {.name = "in_order",
         .words = kAutoWord,
         .needs = kRouters,
         .help =
             "packets of an interface's link keep their order into the router: all are injected "
             "on VC 0; auto: as the collective asks"}),
    key<&NicConfig::gap>(
        {.name = "gap",
         .most = kMaxGap,
         .words = kHopGaps,
         .unit = "packet times",
         .only_if = kByHops,
         .help = "inter-packet gap; hops-1 and sharers-1: by the message's route"}),
    key<&NicConfig::gap>({.name = "gap",
                          .most = kMaxGap,
                          .words = kGaps,
                          .unit = "packet times",
                          .works = kAllToAll | kAnyTraffic,
                          .help = "inter-packet gap"}),
    key<&NicConfig::gap>({.name = "gap",
                          .most = 0,
                          .words = kGaps,
                          .unit = "packet times",
                          .help = "none: a transfer has its own gap"}),
    key<&NicConfig::packet_flits>({.name = "packet_flits",
                                   .least = 1,
                                   .most = (1u << kLenW) - 1,
                                   .unit = "flits",
                                   .works = kCollectives | kTransfers,
                                   .help = "largest body of a packet"}),
    key<&NicConfig::reliable>(
        {.name = "reliable",
         .works = kCollectives | kTransfers,
         .help = "packets are kept until they are acknowledged, and what is lost is sent again; "
                 "with link.protection retry also around links that die"}),
    key<&NicConfig::outstanding>({.name = "outstanding",
                                  .least = 2,
                                  .most = 16,
                                  .power_of_two = true,
                                  .unit = "packets",
                                  .works = kCollectives | kTransfers,
                                  .help = "of each controller that may wait to be acknowledged"}),
    key<&NicConfig::timeout>({.name = "timeout",
                              .least = 1,
                              .most = 1u << 20,
                              .unit = "cycles",
                              .works = kCollectives | kTransfers,
                              .help = "until a packet that is not acknowledged is sent again"}),
    key<&NicConfig::queue_depth>({.name = "queue_depth",
                                  .least = 1,
                                  .most = 15,
                                  .unit = "descriptors",
                                  .help = "descriptor queue"}),
};

// The rows without a member are read by parse_config.
constexpr Key kRootKeys[] = {
    {.name = "topology", .expected = "an object with the key kind", .required = true},
    key<&Config::link>({.name = "link", .fields = kLinkKeys}),
    key<&Config::router>({.name = "router", .fields = kRouterKeys}),
    key<&Config::nic>({.name = "nic", .fields = kNicKeys}),
    key<&Config::processor>({.name = "processor",
                             .works = kCollectives,
                             .help = "a modelled core, or the driver on the native host"}),
    key<&Config::barrier>({.name = "barrier",
                           .works = kCollectives,
                           .help = "messages, or a tree of barrier units beside the network; "
                                   "hardware not where the run could have no barrier"}),
    key<&Config::combining>({.name = "combining",
                             .works = kCollectives,
                             .help = "a combining tree of all nodes beside the network; not where "
                                     "the run could not use it"}),
    key<&Config::start>({.name = "start",
                         .works = kAllToAll | kBarrierWork | kProgramWork,
                         .help = "nodes find their jobs in memory, or get them by messages"}),
    key<&Config::start>({.name = "start",
                         .works = kArrays | kTraceWork,
                         .needs = kAllToAll,
                         .help = "nodes find their jobs in memory"}),
    {.name = "workload",
     .expected =
         "an object with either \"collective\" (a name of `weft list collectives`, or program), "
         "\"traffic\" (a name of `weft list traffic`) or \"transfers\" (a list)"},
    key<&Config::partition>({.name = "partition",
                             .most = kMaxAddrW,
                             .min_items = 1,
                             .max_items = 8,
                             .expected = "a list of numbers m, for 2^m parts of each dimension",
                             .initial = "[]",
                             .omit_empty = true,
                             .works = kAnyTraffic,
                             .help = "2^m equal parts of each dimension, within which traffic "
                                     "stays"}),
    key<&Config::faults>({.name = "faults",
                          .max_items = kMaxList,
                          .fields = kFaultKeys,
                          .help = "errors on the wires of links"}),
    key<&Config::seed>({.name = "seed", .help = "seed of every random stream"}),
    key<&Config::max_cycles>(
        {.name = "max_cycles", .unit = "cycles", .help = "end of the run; 0: none"}),
    key<&Config::deadlock_check>(
        {.name = "deadlock_check",
         .help = "refuse networks whose channels can wait for each other in a cycle"}),
    key<&Config::watchdog>(
        {.name = "watchdog",
         .least = 1,
         .unit = "cycles",
         .help = "cycles without any flit, exit or processor that computes, after which the run "
                 "fails; with faults, whose packets may circle for ever, without a flit of an "
                 "interface"}),
    key<&Config::max_messages>(
        {.name = "max_messages",
         .least = 1,
         .unit = "messages",
         .works = kCollectives,
         .help = "most that one node's program may post; with one more the run fails, as the "
                 "watchdog would not end a program that posts for ever"}),
};

constexpr std::uint64_t kMostFailed = 1u << 20;
constexpr Key kFailedKeys[] = {
    key<&FailedConfig::links>(
        {.name = "links",
         .max_items = kMostFailed,
         .expected = "a list of links between routers: \"r_0 out 0 -> r_1 in 0\", as results name "
                     "them, or \"r_0 -> r_1\", all links between two routers",
         .needs = kRouters,
         .help = "dead links, each in both directions"}),
    key<&FailedConfig::routers>({.name = "routers",
                                 .max_items = kMostFailed,
                                 .expected = "a list of names of routers, as \"r_0\"",
                                 .needs = kRouters,
                                 .help = "dead routers, with their links and nodes"}),
    key<&FailedConfig::share>(
        {.name = "share",
         .or_zero = true,
         .needs = kRouters,
         .help = "share of the links between routers that are drawn to be dead, each in both "
                 "directions"}),
    key<&FailedConfig::seed>(
        {.name = "seed", .needs = kRouters, .help = "seed of that draw alone"}),
};

constexpr Key kTopologyKeys[] = {
    key<&TopologyConfig::kind>({.name = "kind",
                                .expected = "a name of `weft list topologies`",
                                .required = true,
                                .help = "kind of network"}),
    key<&TopologyConfig::failed>(
        {.name = "failed", .fields = kFailedKeys, .help = "what is dead from cycle 0 on"}),
};

}  // namespace

Keys root_keys() {
  return kRootKeys;
}

Keys topology_keys() {
  return kTopologyKeys;
}

std::string word_of(std::span<const Word> words, std::uint64_t value) {
  for (const Word& word : words) {
    if (word.value == value) return word.text;
  }
  return std::to_string(value);
}

std::string gap_in_words(unsigned gap) {
  return word_of(kHopGaps, gap);
}

}  // namespace weft
