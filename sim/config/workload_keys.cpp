// The description of every key of a workload, but those of a single pattern of traffic: one row and
// one member for each.
#include "sim/config/config.hpp"
#include "sim/config/config_keys.hpp"
#include "sim/config/key_row.hpp"
#include "sim/packet/packet.hpp"

namespace weft {
namespace {

constexpr std::uint64_t kMaxList = 1u << 20;  // Transfers or faults of one run.
constexpr std::uint64_t kMaxMessage = (1u << kMsgLenW) - 1;
constexpr std::uint64_t kMaxGap = (1u << kGapW) - 1;
constexpr std::uint64_t kLastRank = (1u << kMaxAddrW) - 1;

constexpr Word kAuto[] = {{"auto", 0}};
constexpr Word kWarmupWords[] = {{"auto", kAutoWarmup}};
constexpr Word kDrainWords[] = {{"auto", kAutoDrain}};
constexpr Word kAllSteps[] = {{"all", ArrayConfig::kAllSteps}};

constexpr Key kTransferKeys[] = {
    key<&Transfer::from>(
        {.name = "from", .most = kLastRank, .required = true, .help = "rank of the source"}),
    key<&Transfer::to>(
        {.name = "to", .most = kLastRank, .required = true, .help = "rank of the destination"}),
    key<&Transfer::flits>({.name = "flits",
                           .most = kMaxMessage,
                           .required = true,
                           .unit = "flits",
                           .help = "body of the message"}),
    key<&Transfer::start>(
        {.name = "start", .unit = "cycles", .help = "first cycle in which it may be posted"}),
    key<&Transfer::gap>(
        {.name = "gap", .most = kMaxGap, .unit = "packet times", .help = "inter-packet gap"}),
    key<&Transfer::at>({.name = "at",
                        .most = (1ull << (kStartW - 1)) - 1,
                        .unit = "cycles",
                        .help = "start in the descriptor: first cycle in which it may be sent"}),
};

constexpr Key kLengthKeys[] = {
    key<&PacketLength::flits>({.name = "flits",
                               .least = 1,
                               .most = 1u << kLenW,
                               .required = true,
                               .unit = "flits",
                               .help = "a packet with its header"}),
    key<&PacketLength::weight>(
        {.name = "weight",
         .largest = kMaxWeight,
         .help = "chance of a packet to have this length, over the sum of all weights"}),
};

constexpr Key kPatternKeys[] = {
    key<&PatternShare::traffic>({.name = "traffic",
                                 .expected = "a name of `weft list traffic`",
                                 .required = true,
                                 .help = "pattern of destinations; its keys stand beside it"}),
    key<&PatternShare::weight>(
        {.name = "weight",
         .largest = kMaxWeight,
         .help = "chance of a packet to be of this pattern, over the sum of all weights"}),
};

constexpr Key kWorkloadKeys[] = {
    key<&WorkloadConfig::collective>({.name = "collective",
                                      .expected = "a name of `weft list collectives`, or program",
                                      .required = true,
                                      .works = kCollectives,
                                      .help = "the collective operation"}),
    key<&WorkloadConfig::message_flits>(
        {.name = "message_flits",
         .least = 1,
         .most = kMaxMessage,
         .unit = "flits",
         .works = kAllToAll,
         .help = "length of each node's message to each other node"}),
    key<&WorkloadConfig::areas>({.name = "areas",
                                 .least = 1,
                                 .most = 8,
                                 .words = kAuto,
                                 .works = kAllToAll,
                                 .needs = kByHops,
                                 .help =
                                     "parts of a block that take different routes; auto: one for "
                                     "each dimension of 2 nodes or more"}),
    key<&WorkloadConfig::sync>(
        {.name = "sync", .works = kAllToAll, .help = "synchronisation of the nodes"}),
    key<&WorkloadConfig::spread>({.name = "spread",
                                  .least = 1,
                                  .most = 1u << 20,
                                  .unit = "cycles",
                                  .works = kBarrierWork,
                                  .help = "a node works for 0 to so many cycles before it enters "
                                          "the barrier, drawn from the seed; one node for all"}),
    key<&WorkloadConfig::array, &ArrayConfig::bytes>(
        {.name = "bytes",
         .least = 4,
         .most = kMostArrayBytes,
         .expected = "4 to 67108864 bytes, a multiple of the size of an element",
         .required = true,
         .unit = "bytes",
         .works = kArrays,
         .help = "array of each member"}),
    key<&WorkloadConfig::array, &ArrayConfig::type>(
        {.name = "type", .works = kArrays, .help = "elements of an array"}),
    key<&WorkloadConfig::array, &ArrayConfig::op>(
        {.name = "op", .works = kReductions, .help = "the operation"}),
    key<&WorkloadConfig::array, &ArrayConfig::order>(
        {.name = "order",
         .works = kArrays,
         .needs = kOrdered,
         .help = "order of the dimensions of boards; bandwidth: the widest first"}),
    key<&WorkloadConfig::array, &ArrayConfig::root>({.name = "root",
                                                     .most = kLastRank,
                                                     .works = kArrays,
                                                     .needs = kRooted,
                                                     .help = "member that sends, or gets, all"}),
    key<&WorkloadConfig::array, &ArrayConfig::chunks>(
        {.name = "chunks",
         .least = 1,
         .most = 1024,
         .works = kArrays,
         .needs = kPipelines,
         .help = "pieces that are pipelined through the stages"}),
    key<&WorkloadConfig::array, &ArrayConfig::transit>(
        {.name = "transit",
         .works = kArrays,
         .needs = kPipelines,
         .help = "how data of aggregation units passes main units"}),
    key<&WorkloadConfig::array, &ArrayConfig::steps>(
        {.name = "steps",
         .most = 1000,
         .words = kAllSteps,
         .works = kArrays,
         .needs = kPipelines,
         .help = "steps between boards after which the run ends"}),
    key<&WorkloadConfig::array, &ArrayConfig::data>(
        {.name = "data",
         .works = kArrays,
         .help = "random numbers, or each member's own number from 1"}),
    key<&WorkloadConfig::trace, &TraceConfig::file>(
        {.name = "file",
         .expected = "the path of a dependency trace in GOAL",
         .required = true,
         .works = kTraceWork,
         .help = "path, from where weft runs"}),
    key<&WorkloadConfig::trace, &TraceConfig::compute_factor>(
        {.name = "compute_factor",
         .largest = 1e6,
         .unit = "cycles",
         .works = kTraceWork,
         .help = "of a unit of calc in the trace, as a nanosecond"}),
    key<&WorkloadConfig::trace, &TraceConfig::phases>(
        {.name = "phases",
         .works = kTraceWork,
         .help = "phases of each node in the result: of the kinds of operation, or one for each; "
                 "they take rv32 processors time"}),
    key<&WorkloadConfig::program>({.name = "program",
                                   .expected = "the path of a program that `weft cc` has made",
                                   .required = true,
                                   .works = kProgramWork,
                                   .help = "of your own; on processor native one of `weft cc "
                                           "--native`"}),
    key<&WorkloadConfig::own, &OwnProgram::arguments>(
        {.name = "arguments",
         .most = 0xFFFFFFFF,
         .max_items = 8,
         .or_one = true,
         .works = kProgramWork,
         .help = "numbers that every node's program reads (weft_argument)"}),
    key<&WorkloadConfig::own, &OwnProgram::expect>(
        {.name = "expect",
         .expected = "the path of a file with lines node,address,value",
         .works = kProgramWork,
         .help = "words that must be in memory at the end; an address is a byte of memory, "
                 "send+BYTE or recv+BYTE"}),
    key<&WorkloadConfig::own, &OwnProgram::send_bytes>(
        {.name = "send_bytes",
         .least = 64,
         .most = kMostArrayBytes,
         .unit = "bytes",
         .works = kProgramWork,
         .help = "area at job->send_base, a multiple of a flit"}),
    key<&WorkloadConfig::own, &OwnProgram::recv_bytes>(
        {.name = "recv_bytes",
         .least = 64,
         .most = kMostArrayBytes,
         .unit = "bytes",
         .works = kProgramWork,
         .help = "receive window at job->recv_base, a multiple of a flit"}),
    key<&WorkloadConfig::own, &OwnProgram::reduces>(
        {.name = "reduces",
         .works = kProgramWork,
         .help = "interfaces reduce into memory (weft_reduce)"}),
    key<&WorkloadConfig::own, &OwnProgram::combines>(
        {.name = "combines",
         .works = kProgramWork,
         .help = "there is a combining tree (weft_combine)"}),
    key<&WorkloadConfig::own, &OwnProgram::timed>(
        {.name = "timed",
         .works = kProgramWork,
         .help = "messages may have starts (weft_start_at)"}),
    key<&WorkloadConfig::own, &OwnProgram::windows>(
        {.name = "windows",
         .least = 1,
         .most = kMaxWindows,
         .unit = "windows",
         .works = kProgramWork,
         .help = "receive windows of an interface (weft_window_for), at most 2^key_bits"}),
    key<&WorkloadConfig::own, &OwnProgram::key_bits>(
        {.name = "key_bits",
         .most = kMaxKeyW,
         .unit = "bits",
         .works = kProgramWork,
         .help = "width of their keys: a message is stored in a window with its key or nowhere "
                 "(weft_key); each bit halves the largest window"}),
    key<&WorkloadConfig::program>({.name = "program",
                                   .expected = "the path of a program that `weft cc` has made",
                                   .works = kAllToAll | kArrays | kBarrierWork,
                                   .help = "in place of the collective's own; on processor native "
                                           "one of `weft cc --native`"}),
    {.name = "traffic",
     .min_items = 1,
     .max_items = 64,
     .fields = kPatternKeys,
     .expected = "a name of `weft list traffic`, or a list of 1 to 64 objects with the keys "
                 "traffic, weight and those of that pattern",
     .required = true,
     .works = kAnyTraffic,
     .help = "pattern of destinations; a list: a pattern is drawn for each packet",
     .type = KeyType::kTextOrObjects,
     .new_element = detail::new_element<PatternShare>},
    key<&WorkloadConfig::rate>({.name = "rate",
                                .unit = "flits a node and cycle",
                                .works = kTraffic,
                                .help = "generation rate, headers included"}),
    key<&WorkloadConfig::burst_cycles>(
        {.name = "burst_cycles",
         .most = 1u << 16,
         .unit = "cycles",
         .works = kTraffic,
         .help =
             "mean length of bursts, in which packets are generated at burst_rate, none between "
             "them; 0: every cycle alike"}),
    key<&WorkloadConfig::burst_rate>({.name = "burst_rate",
                                      .unit = "flits a node and cycle",
                                      .works = kTraffic,
                                      .help = "generation rate within a burst"}),
    key<&WorkloadConfig::packet_flits>({.name = "packet_flits",
                                        .least = 1,
                                        .most = 1u << kLenW,
                                        .min_items = 1,
                                        .max_items = 1u << kLenW,
                                        .fields = kLengthKeys,
                                        .unit = "flits",
                                        .works = kTraffic,
                                        .help = "a packet with its header; a list: a length is "
                                                "drawn for each packet"}),
    key<&WorkloadConfig::reply_flits>(
        {.name = "reply_flits",
         .most = 1u << kLenW,
         .unit = "flits",
         .works = kAnyTraffic,
         .help = "a packet, with its header, that the destination of each packet sends back to its "
                 "source; 0: none"}),
    key<&WorkloadConfig::warmup>({.name = "warmup",
                                  .most = kMaxTrafficPhase,
                                  .words = kWarmupWords,
                                  .unit = "cycles",
                                  .works = kTraffic,
                                  .help = "warm-up before the measurement; auto: found by runs "
                                          "from an empty network, before the run itself"}),
    key<&WorkloadConfig::measure>(
        {.name = "measure",
         .least = 1,
         .most = kMaxTrafficPhase,
         .unit = "cycles",
         .works = kTraffic,
         .help = "measuring phase; packets generated in it are measured"}),
    key<&WorkloadConfig::drain>(
        {.name = "drain",
         .most = kDrainPhases * kMaxTrafficPhase,
         .words = kDrainWords,
         .unit = "cycles",
         .works = kTraffic,
         .help = "most cycles after it in which measured packets may be delivered; auto: 10 times "
                 "measure, and none where traffic with a rate has saturated the network by then"}),
    {.name = "regions",
     .min_items = 1,
     .max_items = 1u << kMaxAddrW,
     .expected = "a list of objects, what is different in each region",
     .initial = "all alike",
     .works = kAnyTraffic,
     .help = "of a partition: keys of traffic that differ there, except the phases"},
    key<&WorkloadConfig::transfers>({.name = "transfers",
                                     .min_items = 1,
                                     .max_items = kMaxList,
                                     .fields = kTransferKeys,
                                     .required = true,
                                     .works = kTransfers,
                                     .help = "messages posted straight to the interfaces"}),
};

}  // namespace

Keys workload_keys() {
  return kWorkloadKeys;
}

Keys pattern_keys() {
  return kPatternKeys;
}

}  // namespace weft
