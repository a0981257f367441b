// What a cycle engine asks of whatever stands at a node: processor, list of transfers or traffic.
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
/// before and may post one descriptor; the engine reads and writes its memory for the interface.
/// The engine leaves out an endpoint that rests, has no news and whose time to wake has not come.
template <class E>
concept Endpoint = requires(E e, const E& c, const NicStatus& status, const Flit& flit, Nic::In& in,
                            std::uint32_t n, std::uint64_t cycle, BarrierTimes& barriers,
                            RegionSums& sums) {
  /// It wakes by itself (`wake`) and sees the flits that enter its interface (`arrive`).
  { E::kTimed } -> std::convertible_to<bool>;
  /// The interface reads the flit at an address of the memory,
  { e.read_flit(n) } -> std::same_as<std::uint64_t>;
  /// or writes a word that came by its link `n`.
  e.write_flit(n, n, std::uint64_t{});
  /// A cycle with news: the status may have changed, or the time to wake has come.
  e.step(status, cycle, sums);
  /// A cycle without news of an endpoint that does not rest.
  e.step_on(status, cycle, sums);
  /// Cycle in which `step` is due though there is no news.
  { c.wake() } -> std::convertible_to<std::uint64_t>;
  /// A flit stands on link `n` into the interface. Returns whether `wake` is another one now.
  { e.arrive(n, flit, cycle, sums) } -> std::same_as<bool>;
  /// Whether the last step posted a descriptor, and which.
  { c.posted() } -> std::same_as<bool>;
  { c.descriptor() } -> std::same_as<const Descriptor&>;
  /// Whether it entered a hardware barrier.
  { c.entered() } -> std::same_as<bool>;
  /// Notes the barriers by messages of node `n`.
  c.note_barriers(n, cycle, barriers);
  /// Only the interface's news, or `wake`, gives it anything to do.
  { c.resting() } -> std::same_as<bool>;
  { c.done() } -> std::same_as<bool>;
  /// It has something to do in a later cycle that it knows, and nothing before.
  { c.pauses(cycle) } -> std::same_as<bool>;
  /// Throws CheckError where the program has failed.
  c.check();
  /// Drives the receive window, and what the interface does with messages to be reduced.
  c.drive(in);
  { c.view() } -> std::same_as<NodeView>;
  /// For messages: "running at pc 0x100".
  { c.describe() } -> std::convertible_to<std::string>;
};

/// What most endpoints do not have: barriers, a time to wake, faults of a program.
struct EndpointDefaults {
  static constexpr bool kTimed = false;
  std::uint64_t wake() const { return ~std::uint64_t{0}; }
  bool arrive(std::uint32_t, const Flit&, std::uint64_t, RegionSums&) { return false; }
  bool entered() const { return false; }
  bool pauses(std::uint64_t) const { return false; }
  void note_barriers(std::uint32_t, std::uint64_t, BarrierTimes&) const {}
  void check() const {}
};

}  // namespace weft
