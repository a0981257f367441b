// Routes in dimension order; a segment that several pairs share is followed once.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/analysis/dependencies.hpp"
#include "sim/router/route/route_unit.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// Routes through a network of routers in dimension order. The segment within a dimension depends
/// only on the link by which it is entered and on a few bits of source and destination
/// (`RouteUnit::way`), so each segment is followed hop by hop once, however many pairs share it.
class RouterWays {
 public:
  /// Enters the dependencies of links with `vcs` VCs.
  RouterWays(const Graph& graph, unsigned vcs, ChannelDependencies& dependencies)
      : graph_(graph),
        dims_(static_cast<std::uint32_t>(graph.dims.size())),
        all_(~std::uint64_t{0} >> (64 - vcs)),
        dependencies_(dependencies),
        table_(graph.links.size()) {
    for (const Link& link : graph.links) {
      const Block& block = graph.blocks[link.dst_block];
      const bool router = link.dst_block >= graph.nodes;
      ends_.push_back({router ? &graph.route_units[block.shape] : nullptr, block.own,
                       block.first_out, link.dst_block, link.dst_port});
    }
  }

  /// Links on the route from rank `src` to rank `dst`. Throws CheckError as Graph::walk does.
  std::uint32_t follow(std::uint32_t src, std::uint32_t dst, bool other_way) {
    const std::uint32_t from = graph_.address[src], to = graph_.address[dst];
    At at = {graph_.out_link[graph_.blocks[src].first_out], all_};
    std::uint32_t links = 1;
    for (const End* end = &ends_[at.link]; end->unit != nullptr; end = &ends_[at.link]) {
      const Way begun = end->unit->way(end->own, from, to, other_way);
      const std::uint32_t number = begun.number * (dims_ + 1) + begun.dimension;
      if (number >= kMostWays) {
        links += follow_way(at, src, dst, other_way);
        continue;
      }
      auto& ways = table_[at.link];
      if (ways.size() <= number) ways.resize(number + 1);
      Followed& way = ways[number];
      if (way.links == 0 || (at.vcs & ~way.entered) != 0) {
        way.entered |= at.vcs;
        way.links = follow_way(at, src, dst, other_way);
        way.last = at;
      } else {
        at = way.last;
      }
      links += way.links;
    }
    // A route that fails is followed again hop by hop, which throws the error.
    if (ends_[at.link].block != dst) graph_.walk(src, dst, [](std::uint32_t) {});
    return links;
  }

 private:
  // Segments beyond this are not cached: rings that long are rare, and the tables would be large.
  static constexpr std::uint32_t kMostWays = 1024;

  // A link, and the VCs that a packet may hold of it.
  struct At {
    std::uint32_t link = 0;
    std::uint64_t vcs = 0;
  };
  struct Followed {
    At last;
    std::uint64_t entered = 0;  // VCs of the link before it whose dependencies are known.
    std::uint32_t links = 0;    // 0: not followed yet.
  };

  // The end of a link.
  struct End {
    const RouteUnit* unit = nullptr;  // Null at an interface.
    std::uint32_t own = 0, first_out = 0, block = 0, port = 0;
  };

  // From the router that `at` enters to the one at which another dimension starts; returns the
  // number of links.
  std::uint32_t follow_way(At& at, std::uint32_t src, std::uint32_t dst, bool other_way) {
    const std::uint32_t from = graph_.address[src], to = graph_.address[dst];
    const End* end = &ends_[at.link];
    const std::uint32_t dimension = end->unit->dimension(end->own, to);
    std::uint32_t links = 0;
    do {
      const RouteOut next = end->unit->route(end->port, end->own, from, to, other_way);
      const std::uint32_t link = graph_.out_link[end->first_out + next.port];
      if (link == kOpen || ++links > graph_.blocks.size()) {
        graph_.walk(src, dst, [](std::uint32_t) {});  // Throws.
      }
      at = {link, dependencies_.add(at.link, at.vcs, link, next.set)};
      end = &ends_[link];
    } while (end->unit != nullptr && end->unit->dimension(end->own, to) == dimension);
    return links;
  }

  const Graph& graph_;
  const std::uint32_t dims_;
  const std::uint64_t all_;  // VCs of a link.
  ChannelDependencies& dependencies_;
  std::vector<End> ends_;  // By link.
  std::vector<std::vector<Followed>>
      table_;  // By link that enters a dimension, and number of the segment.
};

}  // namespace weft
