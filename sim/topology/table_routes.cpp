// Shortest routes to each destination, evenly loaded.
#include "sim/topology/table_routes.hpp"

#include <algorithm>
#include <limits>

namespace weft {
namespace {

constexpr std::uint32_t kFar = std::numeric_limits<std::uint32_t>::max();

// Cycles from every state to the states of one router.
class Distances {
 public:
  Distances(const TableNetwork& network, const WayStates& states)
      : per_router_(states.per_router), back_(states.arcs.size()), far_(states.arcs.size()) {
    // A router takes a cycle, and so does each register of a link.
    for (const TableLink& link : network.links) cost_.push_back(1u + link.stages);
    for (std::uint32_t s = 0; s < states.arcs.size(); ++s) {
      for (const WayStates::Arc& arc : states.arcs[s]) back_[arc.to].push_back({s, arc.link});
    }
    reached_.resize(cost_.empty() ? 1 : 1 + std::ranges::max(cost_));
  }

  std::uint32_t cost(std::uint32_t link) const { return cost_[link]; }

  // Computes the distances, and the states in ascending order of them, and by number if they are
  // equal.
  void measure(std::uint32_t router) {
    std::fill(far_.begin(), far_.end(), kFar);
    order_.clear();
    for (unsigned i = 0; i < per_router_; ++i) {
      far_[router * per_router_ + i] = 0;
      reached_[0].push_back(router * per_router_ + i);
    }
    std::size_t waiting = per_router_;
    for (std::uint32_t far = 0; waiting != 0; ++far) {
      std::vector<std::uint32_t>& here = reached_[far % reached_.size()];
      std::ranges::sort(here);
      for (const std::uint32_t state : here) {
        if (far_[state] != far) continue;
        order_.push_back(state);
        for (const WayStates::Arc& arc : back_[state]) {
          const std::uint32_t more = far + cost_[arc.link];
          if (more >= far_[arc.to]) continue;
          far_[arc.to] = more;
          reached_[more % reached_.size()].push_back(arc.to);
          ++waiting;
        }
      }
      waiting -= here.size();
      here.clear();
    }
  }
  std::uint32_t far(std::uint32_t state) const { return far_[state]; }
  const std::vector<std::uint32_t>& order() const { return order_; }

 private:
  unsigned per_router_;
  std::vector<std::uint32_t> cost_;                // By link.
  std::vector<std::vector<WayStates::Arc>> back_;  // By state: the states that lead to it, and by
                                                   // which link.
  std::vector<std::uint32_t> far_, order_;
  // States that have been reached, by their distance modulo the number of lists, which is more than
  // any link costs; those that were first reached by a longer route are in two lists.
  std::vector<std::vector<std::uint32_t>> reached_;
};

}  // namespace

NextPorts::NextPorts(const TableNetwork& network, const WayStates& states, Tie tie)
    : nodes_(network.nodes()), ports_(states.arcs.size() * nodes_, kNone) {
  const auto nodes_at = network.nodes_at();
  Distances distances(network, states);
  std::vector<std::uint64_t> load(network.links.size()), pairs(states.arcs.size());
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    if (tie == Tie::kLeastLoaded) return load[a] < load[b];
    return network.links[a].from_port < network.links[b].from_port;
  };
  for (std::uint32_t router = 0; router < network.routers(); ++router) {
    if (nodes_at[router].empty()) continue;
    distances.measure(router);
    for (const std::uint32_t dst : nodes_at[router]) {
      std::fill(pairs.begin(), pairs.end(), 0);
      for (std::uint32_t r = 0; r < network.routers(); ++r) {
        pairs[r * states.per_router] = nodes_at[r].size();
      }
      // From the farthest state on, so that all pairs that pass a state are known.
      for (auto state = distances.order().rbegin(); state != distances.order().rend(); ++state) {
        const std::uint32_t far = distances.far(*state);
        if (far == 0) break;
        const WayStates::Arc* best = nullptr;
        for (const WayStates::Arc& arc : states.arcs[*state]) {
          const std::uint32_t rest = distances.far(arc.to);
          if (rest == kFar || rest + distances.cost(arc.link) != far) continue;
          if (best == nullptr || before(arc.link, best->link)) best = &arc;
        }
        load[best->link] += pairs[*state];
        pairs[best->to] += pairs[*state];
        ports_[std::size_t{*state} * nodes_ + dst] =
            static_cast<std::uint8_t>(network.links[best->link].from_port);
      }
    }
  }
}

}  // namespace weft
