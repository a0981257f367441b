// Channel dependencies without a cycle, to which those of routes are added one after the other.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

#include "sim/topology/table_networks.hpp"

namespace weft {

/// The links at the ports of a network's routers. A link on which another one depends leaves the
/// router that the other one enters, so its out-port there identifies it.
class LinkPorts {
 public:
  explicit LinkPorts(const TableNetwork& network) : first_(network.routers()) {
    std::uint32_t count = 0;
    for (std::uint32_t r = 0; r < network.routers(); ++r) {
      first_[r] = count;
      count += network.ports[r];
    }
    out_.assign(count, kNoLink);
    in_.assign(count, kNoLink);
    for (std::uint32_t l = 0; l < network.links.size(); ++l) {
      const TableLink& link = network.links[l];
      out_[first_[link.from] + link.from_port] = l;
      in_[first_[link.to] + link.to_port] = l;
      ends_.push_back({first_[link.from], first_[link.to], link.from_port, link.to_port});
    }
  }

  std::uint32_t links() const { return static_cast<std::uint32_t>(ends_.size()); }
  /// The ports of a link's ends.
  std::uint32_t from_port(std::uint32_t link) const { return ends_[link].from_port; }
  std::uint32_t to_port(std::uint32_t link) const { return ends_[link].to_port; }
  /// The link that leaves a router by a port.
  std::uint32_t leaving(std::uint32_t router, std::uint32_t port) const {
    return out_[first_[router] + port];
  }
  /// `after`: the link that leaves, by `port`, the router that `link` enters; `before`: the link
  /// that enters, by `port`, the router that `link` leaves.
  std::uint32_t after(std::uint32_t link, unsigned port) const {
    return out_[ends_[link].to_ports + port];
  }
  std::uint32_t before(std::uint32_t link, unsigned port) const {
    return in_[ends_[link].from_ports + port];
  }

 private:
  static constexpr std::uint32_t kNoLink = 0xFFFFFFFF;
  struct Ends {
    std::uint32_t from_ports, to_ports;  // First ports of the routers.
    std::uint32_t from_port, to_port;
  };
  std::vector<std::uint32_t> first_;     // By router: numbers of its first ports.
  std::vector<std::uint32_t> out_, in_;  // By port, numbered over all routers: the link.
  std::vector<Ends> ends_;
};

/// Calls `visit` with the number of each bit of `set`.
template <class Visit>
void for_each_bit(std::uint64_t set, Visit visit) {
  for (; set != 0; set &= set - 1) visit(static_cast<unsigned>(std::countr_zero(set)));
}

/// A layer: its channel dependencies, which have no cycle, and an order of links in which each link
/// comes before those on which it depends. The order is updated as dependencies are added (Pearce
/// and Kelly 2006). Routers have up to 64 ports.
class DependencyLayer {
 public:
  /// `steps` counts the links that searches for cycles visit.
  DependencyLayer(const LinkPorts& ports, std::uint64_t& steps)
      : ports_(ports), steps_(steps), links_(ports.links()) {
    for (std::uint32_t l = 0; l < links_.size(); ++l) links_[l].place = l;
  }

  /// Adds all dependencies of a route, or none if they would close a cycle; returns whether they
  /// are added.
  bool add(const std::vector<std::uint32_t>& way) {
    for (std::size_t i = 0; i + 1 < way.size(); ++i) {
      if ((links_[way[i]].never & bit_of(way[i + 1])) != 0) return false;
    }
    fresh_.clear();
    for (std::size_t i = 0; i + 1 < way.size(); ++i) {
      const std::uint32_t held = way[i], next = way[i + 1];
      if ((links_[held].after & bit_of(next)) != 0) continue;
      if (order(held, next)) {
        flip(held, next);
        fresh_.emplace_back(held, next);
        continue;
      }
      for (const auto& [of, added] : fresh_) flip(of, added);
      // If it closes a cycle with what the layer has, it always will: a layer only grows.
      if (fresh_.empty() || !order(held, next)) links_[held].never |= bit_of(next);
      return false;
    }
    return true;
  }

 private:
  struct LinkState {
    std::uint64_t after = 0;   // Out-ports of the links on which the link depends.
    std::uint64_t before = 0;  // In-ports of the links that depend on the link.
    std::uint64_t never = 0;   // Out-ports of links on which the link cannot depend without a
                               // cycle.
    std::uint32_t place = 0;
    std::uint32_t seen = 0;  // Round of the last search that found the link.
  };

  std::uint64_t bit_of(std::uint32_t next) const {
    return std::uint64_t{1} << ports_.from_port(next);
  }

  // Adds a dependency, or removes it.
  void flip(std::uint32_t held, std::uint32_t next) {
    links_[held].after ^= bit_of(next);
    links_[next].before ^= std::uint64_t{1} << ports_.to_port(held);
  }

  // Puts `held` before `next`; returns false if `next` leads to `held`. Searches from both of them
  // at once, which finds a cycle after few links.
  bool order(std::uint32_t held, std::uint32_t next) {
    const std::uint32_t first = links_[next].place, last = links_[held].place;
    if (last < first) return true;
    round_ += 2;
    const std::uint32_t is_after = round_, is_before = round_ + 1;
    after_.assign(1, next);
    before_.assign(1, held);
    links_[next].seen = is_after;
    links_[held].seen = is_before;
    bool cycle = false;
    const auto look_after = [&](std::uint32_t link) {
      for_each_bit(links_[link].after, [&](unsigned port) {
        const std::uint32_t to = ports_.after(link, port);
        LinkState& state = links_[to];
        cycle |= state.seen == is_before;
        if (state.seen >= is_after || state.place > last) return;
        state.seen = is_after;
        after_.push_back(to);
      });
    };
    const auto look_before = [&](std::uint32_t link) {
      for_each_bit(links_[link].before, [&](unsigned port) {
        const std::uint32_t from = ports_.before(link, port);
        LinkState& state = links_[from];
        cycle |= state.seen == is_after;
        if (state.seen >= is_after || state.place < first) return;
        state.seen = is_before;
        before_.push_back(from);
      });
    };
    std::size_t a = 0, b = 0;
    while (!cycle && a < after_.size() && b < before_.size()) {
      look_after(after_[a++]);
      if (!cycle) look_before(before_[b++]);
    }
    // Once all on one side are known and none of them is on the other, there is no cycle.
    while (!cycle && a < after_.size()) look_after(after_[a++]);
    while (!cycle && b < before_.size()) look_before(before_[b++]);
    steps_ += a + b;
    if (cycle) return false;
    // Links before keep their order, and so do links after; together they take the same places.
    const auto place = [&](std::uint32_t link) { return links_[link].place; };
    std::ranges::sort(before_, {}, place);
    std::ranges::sort(after_, {}, place);
    places_.clear();
    std::ranges::merge(before_, after_, std::back_inserter(places_), {}, place, place);
    std::ranges::transform(places_, places_.begin(), place);
    before_.insert(before_.end(), after_.begin(), after_.end());
    for (std::size_t i = 0; i < places_.size(); ++i) links_[before_[i]].place = places_[i];
    return true;
  }

  const LinkPorts& ports_;
  std::uint64_t& steps_;
  std::vector<LinkState> links_;
  std::uint32_t round_ = 0;
  std::vector<std::uint32_t> after_, before_, places_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> fresh_;
};

}  // namespace weft
