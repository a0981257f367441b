// The endpoints on engine `model`; part of sim/spans/nodes.hpp.
#pragma once

#include "sim/spans/nodes.hpp"

namespace weft {

template <Endpoint E, class Net>
void SpanNodes<E, Net>::step_endpoint(std::uint32_t n, Cycle cycle, RegionSums& sums) {
  NodeState& node = nodes_[n];
  E& endpoint = endpoints_[n];
  if (node.news && barriers_ != nullptr) node.status.barriers = barriers_->count(n);
  if (node.news && combines_ != nullptr) node.status.combines = combines_->done(n);
  if constexpr (kTraffic) {
    endpoint.step(node.status, cycle, sums);
    plan_wake(n, cycle);
  } else {
    // An endpoint that has run ahead to `wake` is only told the new status.
    if (cycle < node.wake && !endpoint.resting()) {
      return endpoint.step_ahead(node.status, cycle, sums);
    }
    if (endpoint.uses_memory()) memories_[n].catch_up(endpoint, packets_, cycle + 1, cycle);
    const bool watched = n == watched_;
    const std::uint64_t before = watched ? endpoint.read_word(watch_->address()) : 0;
    if (node.news) {
      endpoint.step(node.status, cycle, sums);
    } else {
      endpoint.step_on(node.status, cycle, sums);
    }
    if (watched) watch_->step(before, endpoint.read_word(watch_->address()), cycle);
    node.wake = kNever;
    if (endpoint.resting()) return;
    node.wake = cycle + 1;
    if (node.wake < limit_) node.wake += endpoint.run_ahead(cycle, most_ahead(n, node.wake));
    wakes_.add(node.wake, n);
  }
}

template <Endpoint E, class Net>
std::uint32_t SpanNodes<E, Net>::most_ahead(std::uint32_t n, Cycle after) const {
  constexpr bool kStores = requires(E & endpoint) {
    endpoint.port();
  };
  if (kStores && n == watched_) return 0;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(
      limit_ - after, std::max<std::uint64_t>(kMostAhead, endpoints_[n].pauses(after))));
}

template <Endpoint E, class Net>
void SpanNodes<E, Net>::look_at_endpoint(std::uint32_t n, Cycle cycle) {
  NodeState& node = nodes_[n];
  const E& endpoint = endpoints_[n];
  node.posts = endpoint.posted();
  if (node.posts) {
    const std::uint32_t dst = endpoint.descriptor().dst;
    if (rank_of(dst) == kNone) {
      throw CheckError(fmt::format("posted a message to address {:#x}, which no node has", dst));
    }
    node.news = true;
    slot(n, node.queued) = endpoint.descriptor();
  }
  if constexpr (kTraffic) return;
  if (endpoint.entered()) {
    if (barriers_ == nullptr) {
      throw CheckError(
          "entered a hardware barrier, but there are no barrier units (barrier \"hardware\" has "
          "them)");
    }
    barriers_->enter(n, cycle);
  }
  if (endpoint.combines()) combines_->post(n, endpoint.combine_order());
  endpoint.note_barriers(n, cycle, message_barriers_);
  Nic::In in;
  endpoint.drive(in);
  if (in.windows.base[0] != node.window_base || in.windows.size[0] != node.window_flits ||
      in.reduction != node.reduction) {
    driven_.push_back({n, in.windows.base[0], in.windows.size[0], in.reduction});
  }
  if (endpoint.resting() && !node.done) {
    endpoint.check();
    if (endpoint.done()) {
      node.done = true;
      --running_;
    }
  }
}

}  // namespace weft
