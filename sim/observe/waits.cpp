// Which channel waits for which other one in a fabric of routers in which nothing moves.
#include "sim/observe/waits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>

#include "sim/router/vc_router.hpp"

namespace weft {

std::uint32_t link_at(const Graph& graph, std::uint32_t block, std::uint32_t port) {
  const Block& b = graph.blocks[block];
  return port < b.num_out ? graph.out_link[b.first_out + port] : kOpen;
}

ChannelWaits::ChannelWaits(const Graph& graph, const RouterModels& routers)
    : graph_(graph), routers_(routers) {}

VcRouterSignals::InVcView ChannelWaits::front(const Channel& channel) const {
  const Link& link = graph_.links[channel.link];
  return router(link.dst_block).in_vc(link.dst_port, channel.vc);
}

// Adds the upstream channel of the packet that `channel` is allocated to.
void ChannelWaits::add_upstream(const Channel& channel, std::vector<Channel>& found) const {
  const Link& link = graph_.links[channel.link];
  if (link.src_block < graph_.nodes) return;
  const auto out = router(link.src_block).out_vc(link.src_port, channel.vc);
  if (!out.owned) return;
  found.push_back({graph_.blocks[link.src_block].first_in + out.owner.port, out.owner.vc});
}

void ChannelWaits::add_wanted(const Channel& channel, const VcRouterSignals::InVcView& front,
                              std::vector<Channel>& found) const {
  const std::uint32_t at = graph_.links[channel.link].dst_block;
  const Block& block = graph_.blocks[at];
  const VcRouter& here = router(at);
  const std::uint32_t next = link_at(graph_, at, front.port);
  if (next == kOpen) return;  // Errors have made it another header: it waits for no channel.
  const bool local = graph_.links[next].dst_block < graph_.nodes;
  const unsigned need = here.config().cut_through && !local
                            ? Header::unpack(front.front->data, graph_.header).len + 1
                            : 1;
  for (unsigned vc = 0; vc < (local ? 1 : graph_.num_vc); ++vc) {
    if (!local && !may_request(front.set, channel.vc, vc, graph_.num_vc)) continue;
    const auto out = here.out_vc(front.port, vc);
    if (out.owned) {
      found.push_back({block.first_in + out.owner.port, out.owner.vc});
    } else if (out.credits >= need) {
      add_upstream(channel, found);  // Store and forward: the header waits for the rest of its
                                     // packet.
    } else if (!local) {
      found.push_back({next, vc});
    }
  }
  add_further(channel, front, found);
}

// Adds the channels that a header waits for on its further routes.
void ChannelWaits::add_further(const Channel& channel, const VcRouterSignals::InVcView& front,
                               std::vector<Channel>& found) const {
  const Block& block = graph_.blocks[graph_.links[channel.link].dst_block];
  const VcRouter& here = router(graph_.links[channel.link].dst_block);
  const unsigned need = here.config().cut_through
                            ? Header::unpack(front.front->data, graph_.header).len + 1
                            : here.config().depth;
  for (std::uint64_t left = front.minimal; left != 0; left &= left - 1) {
    const auto port = static_cast<std::uint32_t>(std::countr_zero(left));
    for (unsigned vc = 0; vc < graph_.num_vc; ++vc) {
      if (!may_request(VcSet::kHigh, channel.vc, vc, graph_.num_vc)) continue;
      const auto out = here.out_vc(port, vc);
      if (out.owned) {
        found.push_back({block.first_in + out.owner.port, out.owner.vc});
      } else if (out.credits < need) {
        found.push_back({graph_.out_link[block.first_out + port], vc});
      }
    }
  }
}

std::vector<Channel> ChannelWaits::waits_for(const Channel& channel) const {
  std::vector<Channel> found;
  const auto view = front(channel);
  const std::uint32_t here = graph_.links[channel.link].dst_block;
  if (view.waiting) {
    add_wanted(channel, view, found);
  } else if (view.in_progress && view.occupancy == 0) {
    add_upstream(channel, found);
  } else if (view.in_progress) {
    const std::uint32_t next = link_at(graph_, here, view.port);
    if (next == kOpen) return found;
    const bool local = graph_.links[next].dst_block < graph_.nodes;
    const auto out = router(here).out_vc(view.port, view.vc);
    if (!local && out.credits == 0) found.push_back({next, view.vc});
  }
  return found;
}

std::vector<Channel> ChannelWaits::cycle() const {
  enum class State : std::uint8_t { kNew, kOnPath, kDone };
  struct Step {
    Channel at;
    std::vector<Channel> left;
  };
  const unsigned vcs = graph_.num_vc;
  std::vector<State> state(graph_.links.size() * vcs, State::kNew);
  std::vector<Step> path;
  const auto of = [&](const Channel& c) -> State& { return state[c.link * vcs + c.vc]; };
  const auto enter = [&](const Channel& c) {
    of(c) = State::kOnPath;
    path.push_back({c, waits_for(c)});
  };
  for (std::uint32_t link = 0; link < graph_.links.size(); ++link) {
    const Link& l = graph_.links[link];
    if (l.src_block == kOpen || l.dst_block < graph_.nodes) continue;
    for (unsigned vc = 0; vc < vcs; ++vc) {
      if (state[link * vcs + vc] == State::kNew) enter({link, vc});
      while (!path.empty()) {
        if (path.back().left.empty()) {
          of(path.back().at) = State::kDone;
          path.pop_back();
          continue;
        }
        const Channel next = path.back().left.back();
        path.back().left.pop_back();
        if (of(next) == State::kNew) {
          enter(next);
        } else if (of(next) == State::kOnPath) {
          std::vector<Channel> found;
          auto step =
              std::find_if(path.begin(), path.end(), [&](const Step& s) { return s.at == next; });
          for (; step != path.end(); ++step) found.push_back(step->at);
          return found;
        }
      }
    }
  }
  return {};
}

std::optional<Header> ChannelWaits::packet(const Channel& channel) const {
  const auto first = front(channel);
  if (first.waiting) return Header::unpack(first.front->data, graph_.header);
  Channel at = channel;
  // A header that has left is in a buffer downstream, where it is the newest header: a VC is
  // allocated to one packet at a time.
  for (std::size_t hop = 0; hop < graph_.links.size(); ++hop) {
    const auto view = front(at);
    if (!view.in_progress) break;
    at = {link_at(graph_, graph_.links[at.link].dst_block, view.port), view.vc};
    if (at.link == kOpen) break;
    const Link& link = graph_.links[at.link];
    if (link.dst_block < graph_.nodes) break;
    const VcRouter& there = router(link.dst_block);
    const auto ahead = there.in_vc(link.dst_port, at.vc);
    for (unsigned i = ahead.occupancy; i-- > 0;) {
      const bool head = i > 0 ? there.held(link.dst_port, at.vc, i - 1)->last : ahead.waiting;
      if (head) return Header::unpack(there.held(link.dst_port, at.vc, i)->data, graph_.header);
    }
  }
  return std::nullopt;
}

std::string ChannelWaits::in_words(const std::vector<Channel>& cycle) const {
  const std::vector<std::uint32_t> rank = ranks_by_address(graph_);
  const auto name = [&](const Channel& channel) {
    const auto header = packet(channel);
    return fmt::format("{} vc {} ({})", graph_.link_name(channel.link), channel.vc,
                       header ? fmt::format("packet {} -> {}", rank[header->src], rank[header->dst])
                              : "a packet whose header has arrived");
  };
  std::string text;
  for (const Channel& channel : cycle) text += name(channel) + ", waits for\n    ";
  return text.empty() ? text : text + name(cycle.front());
}

std::string waiting_cycle(const Graph& graph, const RouterModels& routers) {
  if (routers.empty()) return {};
  const ChannelWaits waits(graph, routers);
  return waits.in_words(waits.cycle());
}

std::vector<std::uint32_t> ranks_by_address(const Graph& graph) {
  std::vector<std::uint32_t> rank(low_mask(graph.header.addr_w) + 1);
  std::iota(rank.begin(), rank.end(), 0);
  for (std::uint32_t n = 0; n < graph.nodes; ++n) rank[graph.address[n]] = n;
  return rank;
}

}  // namespace weft
