// What to do where nothing moves in a fabric, or something is lost; part of
// sim/engine/flit_loop.hpp.
#pragma once

#include "sim/engine/flit_loop.hpp"

namespace weft {

// Flits on the links into the interfaces of this process, so far.
template <class Net, Endpoint E>
std::uint64_t FlitLoop<Net, E>::delivered() const {
  std::uint64_t flits = 0;
  const Wires& wires = net_.wires();
  for (const std::uint32_t n : nodes_.own()) {
    const Block& node = graph_.blocks[n];
    for (std::uint32_t i = 0; i < node.num_in; ++i) flits += wires.load[node.first_in + i];
  }
  return flits;
}

// Flits that are in the fabric, or were discarded at a restart.
template <class Net, Endpoint E>
std::uint64_t FlitLoop<Net, E>::not_delivered() const {
  std::uint64_t flits = 0;
  for (const Thread& t : threads_) flits += t.counts.counters.flits;
  return run_.share.sum(std::array{flits - delivered()})[0];
}

// Whether no flit is in the fabric and an endpoint computes or pauses.
template <class Net, Endpoint E>
bool FlitLoop<Net, E>::waits_for_endpoint() {
  if (not_delivered() != discarded_) return false;
  const std::uint64_t acts = nodes_.any_acts_later(cycle());
  return run_.share.sum(std::array{acts})[0] != 0;
}

template <class Net, Endpoint E>
Recovery::Trouble FlitLoop<Net, E>::trouble() const {
  Recovery::Trouble trouble;
  if (net_.links() != nullptr) trouble.stuck = net_.links()->stuck();
  net_.refresh();
  for (const std::uint32_t n : nodes_.own()) {
    trouble.overdue |= net_.output(n).overdue;
    const NicStatus& status = net_.output(n).status;
    trouble.done += status.tx_count;
    for (const std::uint32_t count : status.rx_arrived) trouble.done += count;
  }
  if (shared_) trouble.share(run_.share.processes(), graph_);
  return trouble;
}

template <class Net, Endpoint E>
void FlitLoop<Net, E>::recover(bool moved) {
  switch (recovery_.next(cycle(), moved, [this] { return trouble(); })) {
    case Recovery::Order::kNone:
      break;
    case Recovery::Order::kHold:
      nodes_.restart(true, false);
      break;
    case Recovery::Order::kRestart:
      nodes_.restart(true, true);
      break;
    case Recovery::Order::kRewire:
      nodes_.restart(true, false);
      discarded_ = not_delivered();
      rewire_(net_, recovery_.network(), cycle());
      if (!shared_) {
        run_.probes.attach(recovery_.network(), router_models(graph_, net_));
      }
      break;
    case Recovery::Order::kRelease:
      nodes_.restart(false, false);
      break;
  }
}

template <class Net, Endpoint E>
void FlitLoop<Net, E>::no_progress(std::uint64_t still) {
  // Where processes share the network, the first one repeats the run alone.
  if (shared_) throw NoProgressError("no progress");
  net_.refresh();
  std::string text = fmt::format(
      "no progress: no flit {} and no program ended in the {} cycles before cycle {}",
      circles_ ? "entered or left an interface, though some move between routers," : "moved", still,
      cycle());
  const std::string waits = waiting_cycle(graph_, router_models(graph_, net_));
  if (!waits.empty()) text += "\n  deadlock, channels wait in a cycle:\n    " + waits;
  if (const auto* const links = net_.links()) {
    for (const std::uint32_t link : links->stuck()) {
      text += fmt::format("\n  dead: link {}: what its sender repeats is not acknowledged",
                          graph_.link_name(link));
    }
  }
  if (net_.barriers() != nullptr) text += net_.barriers()->missing();
  if (net_.combines() != nullptr) text += net_.combines()->missing();
  unsigned named = 0;
  for (std::uint32_t n = 0; n < graph_.nodes; ++n) {
    if (nodes_.done(n)) continue;
    if (++named > 8) {
      text += "\n  ...";
      break;
    }
    text += nodes_.describe(n);
  }
  throw NoProgressError(text);
}

}  // namespace weft
