// Routes of messages as resources in slots.
#include "sim/schedule/message_builder.hpp"

namespace weft {

std::uint32_t slots_after(const Graph& graph, SlotTime time, std::size_t index, std::size_t count) {
  if (time == SlotTime::kCutThrough || index == 0) return 0;
  // A router passes on a packet from an interface as it comes. The links into interfaces are a slot
  // behind all others, which does not matter among themselves.
  const bool behind = !graph.shares_switches() && index + 1 == count && count > 2;
  return static_cast<std::uint32_t>(index - (behind ? 2 : 1));
}

MessageBuilder::MessageBuilder(const Graph& graph, SlotTime time,
                               std::vector<std::uint32_t> resource_of,
                               std::vector<std::uint16_t> lane_of, std::uint32_t resources,
                               std::uint32_t lanes)
    : graph_(graph),
      time_(time),
      by_link_(graph.nic_links > 1 && (graph.staged || graph.ways_by_link())),
      resource_of_(std::move(resource_of)),
      lane_of_(std::move(lane_of)),
      load_(std::size_t{resources} * lanes) {
  all_.problem.resources = resources;
  all_.problem.lanes = lanes;
  all_.item.assign(std::size_t{graph.nodes} * graph.nodes, kOpen);
  all_.tag.assign(all_.item.size(), 0);
  if (graph.shares_switches() || !graph.has_routers()) return;
  for (std::uint32_t rank = 0; rank < graph.nodes; ++rank) {
    const std::uint32_t link = graph.out_link[graph.blocks[rank].first_out];
    ports_ = std::max(ports_, graph.blocks[graph.links[link].dst_block].num_out - graph.nic_links);
  }
  own_links_ = graph.nic_links >= ports_;
}

void MessageBuilder::fill(Way& way, std::uint32_t src, std::uint32_t dst, std::uint32_t via,
                          bool other_way, bool whole) const {
  way.uses.clear();
  graph_.walk(
      src, dst,
      [&](std::uint32_t link) {
        way.uses.push_back({resource_of_[link], 0, whole ? kAllLanes : lane_of_[link]});
      },
      via, other_way);
  way.length = 0;
  for (std::size_t i = 0; i < way.uses.size(); ++i) {
    const std::uint32_t after = slots_after(graph_, time_, i, way.uses.size());
    way.uses[i].after = static_cast<std::uint16_t>(after);
    way.length = std::max(way.length, after + 1);
  }
  if (own_links_) {
    way.uses.pop_back();
    if (!by_link_) way.uses.erase(way.uses.begin());
  }
  const std::uint8_t controller =
      by_link_ ? static_cast<std::uint8_t>((via + 1) << 4) : kRoundRobin;
  way.tag = static_cast<std::uint8_t>(controller | (other_way ? kOtherWay : 0));
}

void MessageBuilder::load(const Way& way, int sign) {
  const std::uint32_t lanes = all_.problem.lanes;
  for (const SlotUse& use : way.uses) {
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
      if (use.lane == kAllLanes || use.lane == lane) {
        load_[std::size_t{use.resource} * lanes + lane] += sign;
      }
    }
  }
}

std::uint64_t MessageBuilder::cost(const Way& way) const {
  const std::uint32_t lanes = all_.problem.lanes;
  std::uint64_t cost = 0;
  for (const SlotUse& use : way.uses) {
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
      if (use.lane != kAllLanes && use.lane != lane) continue;
      cost += static_cast<std::uint64_t>(2 * load_[std::size_t{use.resource} * lanes + lane] + 1);
    }
  }
  return cost;
}

MessageBuilder::Way MessageBuilder::choose(std::uint32_t src, std::uint32_t dst, bool whole) {
  Way best, way;
  std::uint64_t least = 0;
  const std::uint32_t ways = graph_.two_ways(src, dst) ? 2 : 1;
  const std::uint32_t links = own_links_ && !by_link_ ? 1 : graph_.nic_links;
  for (std::uint32_t via = 0; via < links; ++via) {
    for (std::uint32_t i = 0; i < ways; ++i) {
      fill(way, src, dst, via, i != 0, whole);
      const std::uint64_t sum = cost(way);
      if (!best.uses.empty() && sum >= least) continue;
      best = way;
      least = sum;
    }
  }
  load(best, 1);
  return best;
}

std::uint8_t MessageBuilder::tag_like(std::uint32_t src, std::uint32_t dst, const Way& way) const {
  if (!graph_.two_ways(src, dst)) return way.tag & static_cast<std::uint8_t>(~kOtherWay);
  std::vector<std::uint32_t> resources;
  graph_.walk(src, dst, [&](std::uint32_t link) { resources.push_back(resource_of_[link]); });
  // The interfaces' links are the same, or left out.
  const std::size_t left_out = own_links_ && !by_link_ ? 1 : 0;
  bool same = true;
  for (std::size_t i = 1; i + 1 < resources.size() && same; ++i) {
    same = resources[i] == way.uses[i - left_out].resource;
  }
  return static_cast<std::uint8_t>((way.tag & ~kOtherWay) | (same ? 0 : kOtherWay));
}

std::uint32_t MessageBuilder::add(std::span<const Way* const> ways) {
  std::vector<SlotUse> uses;
  std::uint32_t length = 0;
  for (const Way* way : ways) {
    uses.insert(uses.end(), way->uses.begin(), way->uses.end());
    length = std::max(length, way->length);
  }
  all_.problem.add(uses, length);
  return all_.problem.items() - 1;
}

void MessageBuilder::enter(std::uint32_t src, std::uint32_t dst, std::uint32_t item,
                           std::uint8_t tag) {
  const std::size_t pair = std::size_t{src} * graph_.nodes + dst;
  all_.item[pair] = item;
  all_.tag[pair] = tag;
}

AllMessages MessageBuilder::finish(std::string symmetry, std::vector<std::string> names) {
  all_.symmetry = std::move(symmetry);
  all_.names = std::move(names);
  return std::move(all_);
}

}  // namespace weft
