// Observes a fabric of routers between two cycles, for runs with `--losses` or `--events`.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "sim/observe/activity.hpp"
#include "sim/observe/events.hpp"
#include "sim/observe/held_packets.hpp"
#include "sim/observe/losses.hpp"

namespace weft {

/// The observers behind `--losses` and `--events`.
class Observer {
 public:
  /// `events`: file to write; empty for none. Throws ConfigError as WaitEvents.
  Observer(const Graph& graph, RouterModels routers, bool losses,
           const std::filesystem::path& events)
      : graph_(graph), packets_({graph, graph, std::move(routers)}), sends_(graph.nodes) {
    if (losses) {
      losses_.emplace(graph);
      activity_.emplace(graph);
    }
    if (!events.empty()) events_.emplace(events, graph);
  }

  /// Restarts the observers: before the next sample the fabric is as after reset, with other
  /// routers. Packets are routed as in `ways`, whose routers and ports are numbered alike.
  void restart(const Graph& ways, RouterModels routers) {
    if (events_) events_->end_waits(*packets_, cycle_);
    packets_.emplace(graph_, ways, std::move(routers));
  }

  /// Sends by node; filled in before `sample`.
  std::vector<NodeSends>& sends() { return sends_; }

  /// Takes the values on the wires in a cycle; called for each cycle from 0 on.
  void sample(std::uint64_t cycle, const Wires& wires) {
    cycle_ = cycle;
    if (activity_) activity_->add(wires);
    packets_->update(wires, [&](HeldVc& vc) {
      // The packet's tail left at the clock edge before this cycle; it may have waited until then.
      if (events_) events_->gone(vc, *packets_, cycle - 1);
    });
    if (cycle == 0) return;
    if (losses_) losses_->add(wires, *packets_, sends_);
    if (events_) events_->add(*packets_, wires, cycle);
  }

  /// Called when the run is over or has failed. Throws ConfigError as WaitEvents::finish.
  void finish() {
    if (events_) events_->finish(*packets_, cycle_);
    events_.reset();
  }

  const std::optional<Losses>& losses() const { return losses_; }
  /// Activity, which is counted with the losses.
  const std::optional<ActivityCounter>& activity() const { return activity_; }

 private:
  const Graph& graph_;
  std::optional<HeldPackets> packets_;
  std::vector<NodeSends> sends_;
  std::optional<Losses> losses_;
  std::optional<ActivityCounter> activity_;
  std::optional<WaitEvents> events_;
  std::uint64_t cycle_ = 0;
};

}  // namespace weft
