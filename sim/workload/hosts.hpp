// What a machine asks of whatever stands at a node: processor, list of transfers or traffic.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <type_traits>

#include "sim/base/error.hpp"
#include "sim/fabric/barrier_times.hpp"
#include "sim/nic/nic.hpp"
#include "sim/processor/native_host.hpp"
#include "sim/processor/rv32.hpp"
#include "sim/workload/node_view.hpp"
#include "sim/workload/traffic_host.hpp"
#include "sim/workload/work.hpp"

namespace weft {

// A processor may be left alone while it sleeps and its interface is idle.
template <Processor P>
bool posted(const P& p) {
  return p.port().posted();
}
template <Processor P>
const Descriptor& descriptor(const P& p) {
  return p.port().descriptor();
}
template <Processor P>
bool entered(const P& p) {
  return p.port().entered();
}
// Barriers by messages.
template <Processor P>
void note_barriers(const P& p, std::uint32_t node, std::uint64_t cycle, BarrierTimes& times) {
  const NicPort& port = p.port();
  // One that is over is known a little later; it may have begun and ended in this cycle.
  if (times.left(node) != port.barriers_ended()) {
    if (!times.inside(node)) times.enter(node, cycle);
    times.leave(node, port.barrier_end());
  }
  if (times.entered(node) != port.barriers_begun()) times.enter(node, cycle);
}
template <Processor P>
void step_on(P& p, const NicStatus&, std::uint64_t cycle) {
  p.step_on(cycle);
}
template <Processor P>
bool resting(const P& p) {
  return p.state() != ProcessorState::kRunning;
}
template <Processor P>
bool done(const P& p) {
  return p.state() == ProcessorState::kHalted;
}
template <Processor P>
void check_host(const P& p) {
  if (p.state() == ProcessorState::kFaulted) throw CheckError(p.fault());
  if (done(p) && p.port().exit_code() != 0) {
    throw CheckError(fmt::format("the program ended with code {}", p.port().exit_code()));
  }
}
inline NodeView view(const Rv32Core& p) {
  return {.state = static_cast<std::uint32_t>(p.state()), .pc = p.pc(), .status = {}};
}
inline NodeView view(const NativeHost& p) {
  return {.state = static_cast<std::uint32_t>(p.state()), .pc = 0, .status = {}};
}
inline std::string describe(const Rv32Core& p) {
  return fmt::format("{} at pc {:#x}",
                     p.state() == ProcessorState::kRunning ? "running" : "waiting", p.pc());
}
inline std::string describe(const NativeHost& p) {
  return p.state() == ProcessorState::kRunning ? "running" : "waiting";
}
template <Processor P>
void drive_window(const P& p, Nic::In& in) {
  in.reduction = p.port().reduction();
  in.rx_base = p.port().window_base();
  in.rx_size = p.port().window_flits();
}

inline bool entered(const TransferHost&) {
  return false;
}
inline void note_barriers(const TransferHost&, std::uint32_t, std::uint64_t, BarrierTimes&) {}
inline bool posted(const TransferHost& h) {
  return h.posted();
}
inline const Descriptor& descriptor(const TransferHost& h) {
  return h.descriptor();
}
inline bool resting(const TransferHost& h) {
  return h.waiting();
}
inline void step_on(TransferHost& h, const NicStatus& status, std::uint64_t cycle) {
  h.step(status, cycle);
}
inline bool done(const TransferHost& h) {
  return h.done();
}
inline void check_host(const TransferHost&) {}
inline NodeView view(const TransferHost& h) {
  return {.state = h.done() ? 2u : h.waiting() ? 1u : 0u, .pc = 0, .status = {}};
}
inline std::string describe(const TransferHost&) {
  return "waiting";
}
inline void drive_window(const TransferHost& h, Nic::In& in) {
  in.rx_base = h.window_base();
  in.rx_size = h.window_flits();
}

// The interface writes a word that came by one of its links.
template <class Host>
void write_flit(Host& h, std::uint32_t, std::uint32_t addr, std::uint64_t data) {
  h.memory().write_flit(addr, data);
}
inline void write_flit(TrafficHost& h, std::uint32_t link, std::uint32_t addr, std::uint64_t data) {
  h.memory().write_flit(link, addr, data, h.plan().graph().header);
}

// A source of traffic has nothing to do but when it wakes or the interface has news, and is never
// done.
inline bool entered(const TrafficHost&) {
  return false;
}
inline void note_barriers(const TrafficHost&, std::uint32_t, std::uint64_t, BarrierTimes&) {}
inline bool posted(const TrafficHost& h) {
  return h.posted();
}
inline const Descriptor& descriptor(const TrafficHost& h) {
  return h.descriptor();
}
inline bool resting(const TrafficHost&) {
  return true;
}
inline bool done(const TrafficHost&) {
  return false;
}
inline void check_host(const TrafficHost&) {}
inline NodeView view(const TrafficHost&) {
  return {};
}
inline std::string describe(const TrafficHost&) {
  return "traffic";
}
// Packets say when they were born by their place in the window.
inline void drive_window(const TrafficHost&, Nic::In& in) {
  in.rx_base = 0;
  in.rx_size = static_cast<std::uint32_t>(low_mask(kOffW) + low_mask(kLenW) + 1);
}

/// What the hosts of one thread count together; only traffic has anything to count.
struct NoSums {
  NoSums& operator+=(const NoSums&) { return *this; }
};
template <class Host>
using SumsOf = std::conditional_t<std::is_same_v<Host, TrafficHost>, RegionSums, NoSums>;

}  // namespace weft
