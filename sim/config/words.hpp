// Values of a configuration that are words: enums, and the text that stands for each value in JSON
// and in messages.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>

#include "sim/packet/packet.hpp"

namespace weft {

/// A word for a value of a number or of an enum. Its text must have static lifetime.
struct Word {
  const char* text = nullptr;
  std::uint64_t value = 0;

  constexpr Word() = default;
  template <class T>
  constexpr Word(const char* word, T stands_for)
      : text(word), value(static_cast<std::uint64_t>(stands_for)) {}
};

/// The words of an enum's values.
template <class E>
inline constexpr std::nullptr_t kWordsOf = nullptr;

/// The word for a value; the number itself if there is none.
std::string word_of(std::span<const Word> words, std::uint64_t value);
template <class E>
requires std::is_enum_v<E> std::string word_of(E value) {
  return word_of(kWordsOf<E>, static_cast<std::uint64_t>(value));
}

/// Some of the words of an enum.
template <class E, class... Es>
consteval std::array<Word, 1 + sizeof...(Es)> words_for(E first, Es... others) {
  const auto word = [](E value) {
    for (const Word& w : kWordsOf<E>) {
      if (w.value == static_cast<std::uint64_t>(value)) return w;
    }
    throw "a value without a word";
  };
  return {word(first), word(others)...};
}

/// `nic.gap`: a number of packet times, or a name.
std::string gap_in_words(unsigned gap);

/// Protection of links against errors on their wires (rtl/link, protected links).
enum class Protection : std::uint8_t {
  kNone,
  kParity,  ///< What an error destroys is detected, discarded and counted.
  kRetry,   ///< Every flit is sent again until it has arrived.
};
template <>
inline constexpr Word kWordsOf<Protection>[] = {
    {"none", Protection::kNone}, {"parity", Protection::kParity}, {"retry", Protection::kRetry}};

/// What the receiver of a link returns.
enum class FlowControl : std::uint8_t {
  kCredit,  ///< A credit for each VC (networks of routers).
  kFull,    ///< Buffer-Full of seed 002 (networks of crossbars).
};
template <>
inline constexpr Word kWordsOf<FlowControl>[] = {{"credit", FlowControl::kCredit},
                                                 {"full", FlowControl::kFull}};

/// Precedence of packets that request the same output of a router.
enum class Arbitration : std::uint8_t {
  kRoundRobin,
  kAge,  ///< The oldest (seed 004 [10]).
};
template <>
inline constexpr Word kWordsOf<Arbitration>[] = {{"round_robin", Arbitration::kRoundRobin},
                                                 {"age", Arbitration::kAge}};

/// Unit for which a router's output is allocated.
enum class OutputHold : std::uint8_t { kPacket, kFlit };
template <>
inline constexpr Word kWordsOf<OutputHold>[] = {{"packet", OutputHold::kPacket},
                                                {"flit", OutputHold::kFlit}};

/// When a router forwards a packet: flit by flit, when the next buffer has space for all of it, or
/// after its last flit.
enum class Switching : std::uint8_t { kWormhole, kCutThrough, kStoreForward };
template <>
inline constexpr Word kWordsOf<Switching>[] = {{"wormhole", Switching::kWormhole},
                                               {"cut_through", Switching::kCutThrough},
                                               {"store_forward", Switching::kStoreForward}};

template <>
inline constexpr Word kWordsOf<DatelineRule>[] = {{"fixed", DatelineRule::kFixed},
                                                  {"balanced", DatelineRule::kBalanced},
                                                  {"crossing", DatelineRule::kCrossing}};

/// Routes of packets. What a router itself does about it is its `Routing`
/// (sim/router/tile_config.hpp).
enum class RoutingChoice : std::uint8_t {
  kAuto,  ///< The kind's own routes.
  // For networks that route by tables: the routes in these.
  kShortest,
  kUpDown,
  kDimensionOrder,  ///< For meshes and tori the same as kAuto.
  kTable,           ///< The network's own tables.
  // Algorithms on top of the kind's own routes.
  kValiant,
  kUgal,
  kO1turn,  ///< For meshes and tori.
  kMinimalAdaptive,
};
template <>
inline constexpr Word kWordsOf<RoutingChoice>[] = {
    {"auto", RoutingChoice::kAuto},
    {"shortest", RoutingChoice::kShortest},
    {"up_down", RoutingChoice::kUpDown},
    {"dimension_order", RoutingChoice::kDimensionOrder},
    {"table", RoutingChoice::kTable},
    {"valiant", RoutingChoice::kValiant},
    {"ugal", RoutingChoice::kUgal},
    {"o1turn", RoutingChoice::kO1turn},
    {"minimal_adaptive", RoutingChoice::kMinimalAdaptive}};

/// What runs the driver of a node: a modelled core, or the host of the simulation.
enum class ProcessorKind : std::uint8_t { kRv32, kNative };
template <>
inline constexpr Word kWordsOf<ProcessorKind>[] = {{"rv32", ProcessorKind::kRv32},
                                                   {"native", ProcessorKind::kNative}};

/// How barriers are made: by messages, or by a tree of barrier units.
enum class BarrierKind : std::uint8_t { kSoftware, kHardware };
template <>
inline constexpr Word kWordsOf<BarrierKind>[] = {{"software", BarrierKind::kSoftware},
                                                 {"hardware", BarrierKind::kHardware}};

/// Whether nodes have a combining tree.
enum class Combining : std::uint8_t { kNone, kTree };
template <>
inline constexpr Word kWordsOf<Combining>[] = {{"none", Combining::kNone},
                                               {"tree", Combining::kTree}};

/// Where nodes find their jobs: in their memories, or in messages (seed 000 [0055]).
enum class JobStart : std::uint8_t { kLoaded, kNetwork };
template <>
inline constexpr Word kWordsOf<JobStart>[] = {{"loaded", JobStart::kLoaded},
                                              {"network", JobStart::kNetwork}};

/// Synchronisation of the nodes of an all-to-all.
enum class Sync : std::uint8_t { kNone, kLocal, kBarrier };
template <>
inline constexpr Word kWordsOf<Sync>[] = {
    {"none", Sync::kNone}, {"local", Sync::kLocal}, {"barrier", Sync::kBarrier}};

/// Phases of a trace in the result: one for each kind of operation, or for each operation.
enum class TracePhases : std::uint8_t { kNone, kKinds, kOperations };
template <>
inline constexpr Word kWordsOf<TracePhases>[] = {{"none", TracePhases::kNone},
                                                 {"kinds", TracePhases::kKinds},
                                                 {"operations", TracePhases::kOperations}};

/// Order of the dimensions of boards.
enum class BoardOrder : std::uint8_t {
  kAlphabetical,
  kBandwidth,  ///< The widest first.
};
template <>
inline constexpr Word kWordsOf<BoardOrder>[] = {{"alphabetical", BoardOrder::kAlphabetical},
                                                {"bandwidth", BoardOrder::kBandwidth}};

/// How data of aggregation units pass main units along X, Y and Z: through their routers, or by
/// their memories.
enum class Transit : std::uint8_t { kCutThrough, kStoreAndForward };
template <>
inline constexpr Word kWordsOf<Transit>[] = {{"cut_through", Transit::kCutThrough},
                                             {"store_and_forward", Transit::kStoreAndForward}};

/// Contents of arrays: random numbers, or the member's own number, from 1.
enum class ArrayData : std::uint8_t { kRandom, kMember };
template <>
inline constexpr Word kWordsOf<ArrayData>[] = {{"random", ArrayData::kRandom},
                                               {"member", ArrayData::kMember}};

template <>
inline constexpr Word kWordsOf<ReduceType>[] = {
    {"int32", ReduceType::kInt32}, {"int64", ReduceType::kInt64}, {"fp32", ReduceType::kFp32}};
template <>
inline constexpr Word kWordsOf<ReduceOp>[] = {{"sum", ReduceOp::kSum},
                                              {"prod", ReduceOp::kProd},
                                              {"max", ReduceOp::kMax},
                                              {"min", ReduceOp::kMin},
                                              {"mean", ReduceOp::kMean}};

/// Wires of a link that a fault is on.
enum class FaultField : std::uint8_t {
  kData,    ///< Data of a flit; the bit above them is its parity bit.
  kLast,    ///< Data-End of a flit.
  kVc,      ///< Number of a flit's VC.
  kStamp,   ///< Stamp of a flit.
  kCheck,   ///< Check code of a protected link.
  kValid,   ///< Data-Valid.
  kCredit,  ///< What the receiver returns: credits, Buffer-Full, or the word of a protected link.
  kAny,     ///< For random faults: any wire of the link.
};
template <>
inline constexpr Word kWordsOf<FaultField>[] = {
    {"data", FaultField::kData},     {"last", FaultField::kLast},   {"vc", FaultField::kVc},
    {"stamp", FaultField::kStamp},   {"check", FaultField::kCheck}, {"valid", FaultField::kValid},
    {"credit", FaultField::kCredit}, {"any", FaultField::kAny}};
inline constexpr unsigned kFaultFields = 8;

/// Effect of a fault on a wire.
enum class FaultEffect : std::uint8_t { kInvert, kClear, kSet };
template <>
inline constexpr Word kWordsOf<FaultEffect>[] = {
    {"invert", FaultEffect::kInvert}, {"clear", FaultEffect::kClear}, {"set", FaultEffect::kSet}};

}  // namespace weft
