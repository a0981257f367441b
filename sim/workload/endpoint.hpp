// The interface between a cycle engine and an endpoint: processor, list of transfers or traffic.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>

#include "sim/fabric/barrier_times.hpp"
#include "sim/nic/nic.hpp"
#include "sim/packet/packet.hpp"
#include "sim/workload/node_view.hpp"
#include "sim/workload/traffic_sums.hpp"

namespace weft {

/// A node's endpoint. In each cycle it reads the status that the interface published in the cycle
/// before, and may post one descriptor; the engine reads and writes its memory for the interface.
/// The engine skips a resting endpoint while its status is unchanged and its wake time has not
/// come.
template <class E>
concept Endpoint = requires(E e, const E& c, const NicStatus& status, const Flit& flit, Nic::In& in,
                            std::uint32_t n, std::uint64_t cycle, BarrierTimes& barriers,
                            RegionSums& sums, std::uint64_t* words, const FlitData& data) {
  /// Whether the endpoint has a wake time (`wake`) and sees the flits that enter its interface
  /// (`arrive`).
  { E::kTimed } -> std::convertible_to<bool>;
  /// Reads flits for the interface, as many words as it has, from an address of the memory.
  e.read_flit(n, words);
  /// Writes flits that the interface received on link `n` to the memory.
  e.write_flit(n, n, data);
  /// The 64-bit word at a word address, for a watch.
  { e.read_word(n) } -> std::same_as<std::uint64_t>;
  /// Steps a cycle in which the status may have changed or the wake time has been reached.
  e.step(status, cycle, sums);
  /// Steps a cycle with unchanged status, if the endpoint does not rest.
  e.step_on(status, cycle, sums);
  /// Wake time: cycle in which `step` is due even if the status is unchanged.
  { c.wake() } -> std::convertible_to<std::uint64_t>;
  /// Shows a flit that is on link `n` into the interface. Returns whether the wake time has
  /// changed.
  { e.arrive(n, flit, cycle, sums) } -> std::same_as<bool>;
  /// Whether the last step posted a descriptor, and which.
  { c.posted() } -> std::same_as<bool>;
  { c.descriptor() } -> std::same_as<const Descriptor&>;
  /// Whether the last step entered a hardware barrier.
  { c.entered() } -> std::same_as<bool>;
  /// Whether the last step posted an order to the combining tree, and which.
  { c.combines() } -> std::same_as<bool>;
  { c.combine_order() } -> std::convertible_to<CombineOrder>;
  /// Notes the barriers by messages of node `n`.
  c.note_barriers(n, cycle, barriers);
  /// Whether it has nothing to do until the status changes or the wake time is reached.
  { c.resting() } -> std::same_as<bool>;
  { c.done() } -> std::same_as<bool>;
  /// Whether it acts after `cycle` although nothing moves: it computes, or pauses until a known
  /// cycle.
  { e.acts_later(cycle) } -> std::same_as<bool>;
  /// Number of cycles from `cycle` on in which it does nothing while its status is unchanged; 0 if
  /// it may act in `cycle`. For an endpoint that does not rest, after its step in the cycle before.
  { c.pauses(cycle) } -> std::convertible_to<std::uint64_t>;
  /// Replaces the steps of a number of cycles from `cycle` on, at most those of `pauses`.
  e.skip(cycle, n);
  /// Throws CheckError if the program has failed.
  c.check();
  /// Drives the interface's inputs for the receive window and the reduction.
  c.drive(in);
  { c.view() } -> std::same_as<NodeView>;
  /// Description for messages: "running at pc 0x100".
  { c.describe() } -> std::convertible_to<std::string>;
};

/// Defaults for features that most endpoints lack: barriers, combining, wake time, faults of a
/// program.
struct EndpointDefaults {
  std::uint64_t read_word(std::uint32_t) const { return 0; }
  static constexpr bool kTimed = false;
  std::uint64_t wake() const { return ~std::uint64_t{0}; }
  bool arrive(std::uint32_t, const Flit&, std::uint64_t, RegionSums&) { return false; }
  bool entered() const { return false; }
  bool combines() const { return false; }
  CombineOrder combine_order() const { return {}; }
  bool acts_later(std::uint64_t) const { return false; }
  std::uint64_t pauses(std::uint64_t) const { return 0; }
  void skip(std::uint64_t, std::uint32_t) {}
  void note_barriers(std::uint32_t, std::uint64_t, BarrierTimes&) const {}
  void check() const {}
};

}  // namespace weft
