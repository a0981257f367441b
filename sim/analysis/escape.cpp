// Vertices are the escape channels, and for each router and destination the packets to it whose
// headers are there. Edges lead from a channel to the packets that it brings to a router; from
// packets to those at the next router of each further path; from packets to the escape channels
// that they request. Further paths come nearer to the destination, so every cycle passes a channel.
#include "sim/analysis/escape.hpp"

#include <algorithm>
#include <array>

#include "sim/analysis/find_cycle.hpp"
#include "sim/router/route/route_minimal.hpp"
#include "sim/router/routing.hpp"

namespace weft {
namespace {

class EscapeGraph {
 public:
  EscapeGraph(const Graph& graph, unsigned vcs, const std::vector<std::uint32_t>& destinations)
      : graph_(graph),
        vcs_(vcs),
        taken_(vcs_of_sets(vcs)),
        destinations_(destinations),
        minimal_(graph.router_shapes.front().route,
                 graph.router_shapes.front().route_kind == RouteUnit::kind_of<RouteTorus>()),
        channels_(std::uint64_t{graph.links.size()} * vcs) {
    const std::size_t routers = graph.blocks.size() - graph.nodes;
    ways_.reserve(routers * destinations.size());
    for (std::size_t r = 0; r < routers; ++r) {
      const auto block = static_cast<std::uint32_t>(graph.nodes + r);
      for (const std::uint32_t dst : destinations) {
        Ways ways;
        for (const bool other_way : {false, true}) {
          const RouteOut out = graph.route(block, 0, 0, graph.address[dst], other_way);
          ways[other_way] = {static_cast<std::uint8_t>(out.port), out.set};
        }
        ways_.push_back(ways);
      }
    }
  }

  std::uint64_t count() const { return channels_ + ways_.size(); }
  bool is_channel(std::uint64_t vertex) const { return vertex < channels_; }
  Channel channel(std::uint64_t vertex) const {
    return {static_cast<std::uint32_t>(vertex / vcs_), static_cast<unsigned>(vertex % vcs_)};
  }

  // Next edge of `vertex`, for find_cycle.
  std::uint64_t next(std::uint64_t vertex, std::uint64_t& cursor) const {
    return is_channel(vertex) ? next_of_channel(channel(vertex), cursor)
                              : next_of_packets(vertex - channels_, cursor);
  }

 private:
  struct Way {
    std::uint8_t port = 0;
    VcSet set = VcSet::kAny;
  };
  using Ways = std::array<Way, 2>;  // By the bit of the tag that selects a direction round a ring.

  std::uint64_t packets_at(std::uint32_t block, std::uint64_t index) const {
    return channels_ + std::uint64_t{block - graph_.nodes} * destinations_.size() + index;
  }
  bool allows(const Way& way, unsigned vc) const {
    // Sets of escape paths do not depend on the VC on which a packet has arrived.
    return (taken_[static_cast<unsigned>(way.set) * vcs_] >> vc & 1) != 0;
  }

  std::uint64_t next_of_channel(const Channel& channel, std::uint64_t& cursor) const {
    const Link& link = graph_.links[channel.link];
    if (link.src_block == kOpen || !graph_.between_switches(link)) return count();
    const Ways* const ways =
        &ways_[std::uint64_t{link.src_block - graph_.nodes} * destinations_.size()];
    for (; cursor < destinations_.size(); ++cursor) {
      const auto carries = [&](const Way& way) {
        return way.port == link.src_port && allows(way, channel.vc);
      };
      if (std::ranges::any_of(ways[cursor], carries)) {
        return packets_at(link.dst_block, cursor++);
      }
    }
    return count();
  }

  std::uint64_t next_of_packets(std::uint64_t packets, std::uint64_t& cursor) const {
    const auto block = static_cast<std::uint32_t>(graph_.nodes + packets / destinations_.size());
    const std::uint64_t index = packets % destinations_.size();
    const Block& router = graph_.blocks[block];
    const std::uint32_t mask =
        minimal_.eval({router.own, graph_.address[destinations_[index]]}).mask;
    if (mask == 0) return count();  // The packets are at their destination, which accepts them.
    const std::uint64_t ports = router.num_out;
    for (; cursor < ports + 2 * vcs_; ++cursor) {
      if (cursor < ports) {
        const std::uint32_t link = graph_.out_link[router.first_out + cursor];
        if (cursor >= 32 || (mask >> cursor & 1) == 0 || link == kOpen) continue;
        ++cursor;
        return packets_at(graph_.links[link].dst_block, index);
      }
      const std::uint64_t which = cursor - ports;
      const auto vc = static_cast<unsigned>(which % vcs_);
      const Way& way = ways_[packets][which / vcs_];
      if (!allows(way, vc)) continue;
      ++cursor;
      return std::uint64_t{graph_.out_link[router.first_out + way.port]} * vcs_ + vc;
    }
    return count();
  }

  const Graph& graph_;
  const unsigned vcs_;
  const std::vector<std::uint64_t> taken_;
  const std::vector<std::uint32_t>& destinations_;
  const RouteMinimal minimal_;
  const std::uint64_t channels_;
  std::vector<Ways> ways_;  // By router and destination: the escape paths.
};

}  // namespace

std::vector<Channel> escape_cycle(const Graph& graph, unsigned vcs,
                                  const std::vector<std::uint32_t>& destinations) {
  const EscapeGraph escape(graph, vcs, destinations);
  std::vector<Channel> cycle;
  for (const std::uint64_t vertex : find_cycle(
           escape.count(),
           [&](std::uint64_t at, std::uint64_t&cursor) { return escape.next(at, cursor); })) {
    if (escape.is_channel(vertex)) cycle.push_back(escape.channel(vertex));
  }
  return cycle;
}

}  // namespace weft
