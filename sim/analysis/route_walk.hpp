// Routes followed hop by hop, to one destination after the other.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "sim/analysis/dependencies.hpp"
#include "sim/router/route/route_unit.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// Enters the channel dependencies of routes. What several routes to one destination share, from an
/// in-port on and in one phase of their route unit, is followed once.
///
/// `Number` maps a link to a link of `dependencies`, and numbers the links whose states are
/// remembered.
template <class Dependencies, class Number>
class RouteWalk {
 public:
  /// `remembered`: number of links that `Number::index` numbers; 0, or too many: nothing is
  /// remembered. `reverse`: as of Graph::walk.
  RouteWalk(const Graph& graph, unsigned vcs, Dependencies& dependencies, Number& number,
            std::size_t remembered, bool reverse)
      : graph_(graph),
        reverse_(reverse),
        all_(~std::uint64_t{0} >> (64 - vcs)),
        dependencies_(dependencies),
        number_(number) {
    for (const RouterTileConfig& shape : graph.router_shapes) {
      const unsigned phases = shape.traits().phases;
      if (phases == 0) remembered = 0;
      phases_ = std::max(phases_, phases);
    }
    if (remembered > kMostRemembered) remembered = 0;
    states_.resize(remembered * phases_);
    if (!states_.empty()) enter_ports();
  }

  /// Number of links from rank `src` to rank `dst`. Follows both routes if there are two, and from
  /// each link of the interface if routes depend on it. Throws CheckError as Graph::walk does.
  std::uint32_t follow(std::uint32_t src, std::uint32_t dst) {
    if (dst != dst_) {
      dst_ = dst;
      ++round_;
    }
    const bool both = two_ways_ && graph_.two_ways(src, dst);
    const std::uint32_t links = follow_way(src, 0, false);
    if (both) follow_way(src, 0, true);
    for (std::uint32_t i = 1; i < ways_; ++i) {
      follow_way(src, i, false);
      if (both) follow_way(src, i, true);
    }
    return links;
  }

 private:
  static constexpr std::size_t kMostRemembered = 1u << 22;  // 40 bytes each, and more with phases.

  // An in-port, and a phase, of routes to the present destination.
  struct State {
    std::uint32_t round = 0;  // Round of the last destination with a route through this state.
    std::uint32_t links = 0;  // Links from here on, this one included; 0: on the path that is being
                              // followed.
    std::uint64_t vcs = 0;    // VCs with which it was entered.
  };

  // The end of a link: what a route unit needs, side by side.
  struct InPort {
    std::uint32_t block = 0, port = 0, own = 0, first_out = 0;
    const RouteUnit* unit = nullptr;  // Null at an interface or crossbar.
  };

  void enter_ports() {
    in_ports_.reserve(graph_.links.size());
    for (const Link& link : graph_.links) {
      const Block& block = graph_.blocks[link.dst_block];
      const bool router = block.kind == Block::Kind::kRouter;
      in_ports_.push_back({link.dst_block, link.dst_port, block.own, block.first_out,
                           router ? graph_.route_units[block.shape].get() : nullptr});
    }
  }

  std::uint32_t follow_way(std::uint32_t src, std::uint32_t nic_link, bool other_way) {
    if (states_.empty()) return follow_alone(src, nic_link, other_way);
    const std::uint32_t from = graph_.address[src], to = graph_.address[dst_];
    std::uint32_t link = graph_.out_link[graph_.blocks[src].first_out + nic_link], links = 1;
    std::uint64_t vcs = all_;
    path_.clear();
    for (;;) {
      const InPort& at = in_ports_[link];
      if (at.block < graph_.nodes) {
        if (at.block != dst_) fail(src, nic_link, other_way);
        break;
      }
      const std::uint32_t source = one_way_ ? from : at.own;
      const unsigned phase = phases_ == 1 ? 0 : at.unit->phase(at.own, source, to, other_way);
      State& state = states_[number_.index(link) * std::size_t{phases_} + phase];
      if (state.round != round_) {
        state = {round_, 0, 0};
      } else if (state.links == 0) {
        fail(src, nic_link, other_way);
      } else if ((vcs & ~state.vcs) == 0) {
        links = state.links;
        break;
      }
      state.vcs |= vcs;
      path_.push_back(&state);
      const RouteOut next = at.unit != nullptr
                                ? at.unit->route(at.port, at.own, source, to, other_way, reverse_)
                                : graph_.route(at.block, at.port, from, to, other_way);
      const std::uint32_t out = graph_.out_link[at.first_out + next.port];
      if (out == kOpen) fail(src, nic_link, other_way);
      vcs = dependencies_.add(number_(link), vcs, number_(out), next.set);
      link = out;
    }
    for (std::size_t i = path_.size(); i-- > 0;) path_[i]->links = ++links;
    return links;
  }

  std::uint32_t follow_alone(std::uint32_t src, std::uint32_t nic_link, bool other_way) {
    std::uint32_t links = 0, held = 0;
    std::uint64_t vcs = all_;
    const auto enter = [&](std::uint32_t link, VcSet set) {
      const std::uint32_t next = number_(link);
      if (links++ > 0) vcs = dependencies_.add(held, vcs, next, set);
      held = next;
    };
    graph_.walk(src, dst_, enter, nic_link, other_way, reverse_);
    return links;
  }

  // A route that fails is followed again from its source, which throws the error.
  [[noreturn]] void fail(std::uint32_t src, std::uint32_t nic_link, bool other_way) const {
    graph_.walk(
        src, dst_, [](std::uint32_t) {}, nic_link, other_way, reverse_);
    throw std::logic_error("a route that does not fail when it is followed again");
  }

  const Graph& graph_;
  const bool reverse_;
  const bool one_way_ = graph_.has_one_way();
  const std::uint64_t all_;  // VCs of a link.
  const bool two_ways_ = graph_.has_two_ways();
  const std::uint32_t ways_ = graph_.ways_by_link() ? graph_.nic_links : 1;
  Dependencies& dependencies_;
  Number& number_;
  unsigned phases_ = 1;
  std::uint32_t dst_ = kOpen, round_ = 0;
  std::vector<InPort> in_ports_;  // By link.
  std::vector<State> states_;     // By number of the entering link, and by phase.
  std::vector<State*> path_;
};

}  // namespace weft
