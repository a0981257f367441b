// Messages of an all-to-all by the symmetry of the network.
#include "sim/schedule/messages.hpp"

#include <fmt/format.h>

#include <map>
#include <numeric>

#include "sim/analysis/symmetry.hpp"
#include "sim/base/error.hpp"
#include "sim/schedule/message_builder.hpp"

namespace weft {
namespace {

using Way = MessageBuilder::Way;

// Ranks as digits.
class Digits {
 public:
  explicit Digits(const std::vector<std::uint32_t>& sizes) : sizes_(sizes) {}

  // The rank `to` - `from` + `start`, digit by digit.
  std::uint32_t moved(std::uint32_t to, std::uint32_t from, std::uint32_t start) const {
    std::uint32_t rank = 0, stride = 1;
    for (const std::uint32_t size : sizes_) {
      rank += (to % size + size - from % size + start % size) % size * stride;
      to /= size;
      from /= size;
      start /= size;
      stride *= size;
    }
    return rank;
  }

 private:
  const std::vector<std::uint32_t>& sizes_;
};

// A torus: all dimensions are rings, and do not depend on the other digits.
class TorusMessages {
 public:
  TorusMessages(const Graph& graph, SlotTime time, bool opposites)
      : graph_(graph), opposites_(opposites), digits_(graph.dims), builder_(make(time)) {}

  AllMessages messages() {
    std::vector<bool> done(graph_.nodes);
    for (std::uint32_t offset = 1; offset < graph_.nodes; ++offset) {
      if (done[offset]) continue;
      const std::uint32_t opposite = digits_.moved(0, offset, 0);
      done[offset] = done[opposite] = true;
      const std::uint32_t ties = ties_of(offset);
      if (ties == 0 || (ties == 1 && opposite != offset)) {
        add(offset, opposite, 0, true);
      } else {
        for (std::uint32_t lane = 0; lane < lanes_; ++lane) add(offset, opposite, lane, false);
      }
    }
    const std::string others = "for all nodes, by relative offset";
    return builder_.finish(lanes_ > 1 ? others + "; some by even and odd coordinates" : others,
                           std::move(names_));
  }

 private:
  MessageBuilder make(SlotTime time) {
    std::uint32_t even = 0;
    for (std::uint32_t d = 0; d < graph_.dims.size(); ++d) even += graph_.dims[d] % 2 == 0;
    lanes_ = 1u << even;
    std::vector<std::uint32_t> resource(graph_.links.size());
    std::vector<std::uint16_t> lane(graph_.links.size());
    std::uint32_t ports = 0;
    for (std::uint32_t b = graph_.nodes; b < graph_.blocks.size(); ++b) {
      ports = std::max(ports, graph_.blocks[b].num_out);
    }
    for (std::uint32_t link = 0; link < graph_.links.size(); ++link) {
      const Link& l = graph_.links[link];
      if (l.src_block == kOpen) continue;
      const bool from_router = l.src_block >= graph_.nodes;
      resource[link] = l.src_port + (from_router ? graph_.nic_links : 0);
      lane[link] = lane_of(from_router ? l.src_block - graph_.nodes : l.src_block);
    }
    for (std::uint32_t i = 0; i < graph_.nic_links; ++i) {
      names_.push_back(fmt::format("interface {}", i));
    }
    for (std::uint32_t port = 0; port < ports; ++port) {
      const std::uint32_t links = ports - graph_.nic_links;
      names_.push_back(port < links ? fmt::format("dimension {}, {}", ringed(port / 2),
                                                  port % 2 == 0 ? "up" : "down")
                                    : fmt::format("to interface {}", port - links));
    }
    return {graph_, time, std::move(resource), std::move(lane), graph_.nic_links + ports, lanes_};
  }

  // Dimension number `index` among those with more than one node; only these have ports.
  std::uint32_t ringed(std::uint32_t index) const {
    for (std::uint32_t d = 0; d < graph_.dims.size(); ++d) {
      if (graph_.dims[d] > 1 && index-- == 0) return d;
    }
    return 0;
  }

  // Lane of a node: even and odd digits of the dimensions of even size.
  std::uint16_t lane_of(std::uint32_t rank) const {
    std::uint32_t lane = 0, bit = 1;
    for (const std::uint32_t size : graph_.dims) {
      if (size % 2 == 0) {
        lane |= rank % 2 != 0 ? bit : 0;
        bit *= 2;
      }
      rank /= size;
    }
    return static_cast<std::uint16_t>(lane);
  }

  std::uint32_t ties_of(std::uint32_t offset) const {
    std::uint32_t ties = 0;
    for (const std::uint32_t size : graph_.dims) {
      ties += 2 * (offset % size) == size;
      offset /= size;
    }
    return ties;
  }

  // Adds messages to an offset and to the opposite one, from all nodes or from those of a lane.
  void add(std::uint32_t offset, std::uint32_t opposite, std::uint32_t lane, bool whole) {
    std::uint32_t from = 0;
    while (!whole && lane_of(from) != lane) ++from;
    const Way way = builder_.choose(from, digits_.moved(offset, 0, from), whole);
    if (opposite == offset) {
      enter(offset, lane, whole, builder_.add(std::array{&way}), way);
      return;
    }
    const Way back = builder_.choose(from, digits_.moved(opposite, 0, from), whole);
    const bool apart =
        opposites_ && std::none_of(way.uses.begin(), way.uses.end(), [&](const SlotUse& use) {
          return std::any_of(back.uses.begin(), back.uses.end(), [&](const SlotUse& other) {
            return use.resource == other.resource && use.after == other.after;
          });
        });
    const std::uint32_t item =
        apart ? builder_.add(std::array{&way, &back}) : builder_.add(std::array{&way});
    enter(offset, lane, whole, item, way);
    enter(opposite, lane, whole, apart ? item : builder_.add(std::array{&back}), back);
  }

  void enter(std::uint32_t offset, std::uint32_t lane, bool whole, std::uint32_t item,
             const Way& way) {
    for (std::uint32_t src = 0; src < graph_.nodes; ++src) {
      if (!whole && lane_of(src) != lane) continue;
      const std::uint32_t dst = digits_.moved(offset, 0, src);
      builder_.enter(src, dst, item, builder_.tag_like(src, dst, way));
    }
  }

  const Graph& graph_;
  const bool opposites_;
  const Digits digits_;
  std::uint32_t lanes_ = 1;
  std::vector<std::string> names_;
  MessageBuilder builder_;
};

bool is_torus(const Graph& graph) {
  if (!graph.in_dimension_order() || graph.aggregators > 0) return false;
  std::uint32_t even = 0;
  for (std::uint32_t d = 0; d < graph.dims.size(); ++d) {
    if ((graph.rings >> d & 1) == 0) return false;
    even += graph.dims[d] % 2 == 0;
  }
  return even <= 5 && product_of(graph).has_value();
}

// Resources of a network with translations: links that these map to each other. None if their
// number differs from that of the nodes that are mapped to each other.
std::vector<std::uint32_t> classes_of_links(const Graph& graph, std::vector<std::string>& names) {
  const auto& classes = graph.translations.block_class;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> numbers;
  std::vector<std::uint32_t> resource(graph.links.size(), kOpen), count;
  for (std::uint32_t link = 0; link < graph.links.size(); ++link) {
    const Link& l = graph.links[link];
    if (l.src_block == kOpen) continue;
    const std::uint32_t end = graph.translations.keep_ports ? l.src_port : classes[l.dst_block];
    const auto [entry, added] = numbers.try_emplace({classes[l.src_block], end},
                                                    static_cast<std::uint32_t>(numbers.size()));
    if (added) {
      count.push_back(0);
      names.push_back(graph.link_name(link) + " and its like");
    }
    resource[link] = entry->second;
    ++count[entry->second];
  }
  const auto like = static_cast<std::uint32_t>(
      std::count(classes.begin(), classes.begin() + graph.nodes, classes[0]));
  const bool free =
      std::all_of(count.begin(), count.end(), [&](std::uint32_t links) { return links == like; });
  return free ? resource : std::vector<std::uint32_t>();
}

}  // namespace

AllMessages torus_messages(const Graph& graph, SlotTime time, bool opposites) {
  if (!is_torus(graph)) return {};
  return TorusMessages(graph, time, opposites).messages();
}

AllMessages translated_messages(const Graph& graph, SlotTime time) {
  if (graph.has_two_ways() || !has_translations(graph)) return {};
  std::vector<std::string> names;
  std::vector<std::uint32_t> resource = classes_of_links(graph, names);
  if (resource.empty()) return {};
  const auto resources = static_cast<std::uint32_t>(names.size());
  std::vector<std::uint16_t> lane(resource.size(), kAllLanes);
  MessageBuilder builder(graph, time, std::move(resource), std::move(lane), resources, 1);

  const Digits digits(graph.dims);
  std::map<std::uint32_t, std::uint32_t> rank_of;
  for (std::uint32_t rank = 0; rank < graph.nodes; ++rank) rank_of[graph.address[rank]] = rank;
  const auto moved = [&](std::uint32_t to, std::uint32_t from, std::uint32_t start) {
    if (!graph.has_routers()) return digits.moved(to, from, start);
    return rank_of.at(graph.address[to] ^ graph.address[from] ^ graph.address[start]);
  };
  const auto& classes = graph.translations.block_class;
  std::map<std::uint32_t, std::vector<std::uint32_t>> members;
  for (std::uint32_t rank = 0; rank < graph.nodes; ++rank) members[classes[rank]].push_back(rank);
  for (const auto& [number, ranks] : members) {
    for (std::uint32_t dst = 0; dst < graph.nodes; ++dst) {
      if (dst == ranks[0]) continue;
      const Way way = builder.choose(ranks[0], dst, true);
      const std::uint32_t item = builder.add(std::array{&way});
      for (const std::uint32_t src : ranks) {
        builder.enter(src, moved(dst, ranks[0], src), item, way.tag);
      }
    }
  }
  return builder.finish("for all nodes of a class, " + graph.translations.words, std::move(names));
}

AllMessages pair_messages(const Graph& graph, SlotTime time) {
  std::vector<std::uint32_t> resource(graph.links.size());
  std::iota(resource.begin(), resource.end(), 0u);
  std::vector<std::uint16_t> lane(resource.size(), kAllLanes);
  const auto links = static_cast<std::uint32_t>(graph.links.size());
  MessageBuilder builder(graph, time, std::move(resource), std::move(lane), links, 1);
  const std::size_t pairs = std::size_t{graph.nodes} * graph.nodes;
  std::vector<Way> ways(pairs);
  // Choosing again when the others are known makes the loads more even.
  for (std::uint32_t round = 0; round < 3; ++round) {
    for (std::size_t pair = 0; pair < pairs; ++pair) {
      const auto src = static_cast<std::uint32_t>(pair / graph.nodes);
      const auto dst = static_cast<std::uint32_t>(pair % graph.nodes);
      if (src == dst) continue;
      if (round > 0) builder.forget(ways[pair]);
      ways[pair] = builder.choose(src, dst, true);
    }
    if (!graph.has_two_ways() && graph.nic_links == 1) break;
  }
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    const auto src = static_cast<std::uint32_t>(pair / graph.nodes);
    const auto dst = static_cast<std::uint32_t>(pair % graph.nodes);
    if (src == dst) continue;
    builder.enter(src, dst, builder.add(std::array<const Way*, 1>{&ways[pair]}), ways[pair].tag);
  }
  std::vector<std::string> names;
  for (std::uint32_t link = 0; link < graph.links.size(); ++link) {
    names.push_back(graph.links[link].src_block == kOpen ? "" : graph.link_name(link));
  }
  return builder.finish("for each pair of nodes by itself", std::move(names));
}

// Whether no item needs a lane of a resource twice in a slot: in cut-through a packet does that
// continues in its direction.
static bool feasible(const SlotProblem& problem) {
  for (std::uint32_t item = 0; item < problem.items(); ++item) {
    const auto uses = problem.of(item);
    for (std::size_t i = 0; i < uses.size(); ++i) {
      for (std::size_t k = i + 1; k < uses.size() && uses[k].after == uses[i].after; ++k) {
        const bool lanes =
            uses[i].lane == uses[k].lane || uses[i].lane == kAllLanes || uses[k].lane == kAllLanes;
        if (uses[i].resource == uses[k].resource && lanes) return false;
      }
    }
  }
  return true;
}

AllMessages all_messages(const Graph& graph, SlotTime time, bool opposites) {
  const auto refuse = [&](std::uint32_t most, const char* why) {
    throw ConfigError(
        fmt::format("a schedule for {} nodes: expected: up to {}{}", graph.nodes, most, why));
  };
  if (graph.nodes > kMostNodes) refuse(kMostNodes, "");
  AllMessages all = torus_messages(graph, time, opposites);
  if (all.item.empty()) all = translated_messages(graph, time);
  if (!all.item.empty() && feasible(all.problem)) return all;
  if (graph.nodes > kMostNodesByPairs) {
    refuse(kMostNodesByPairs, " on a network without known translations");
  }
  return pair_messages(graph, time);
}

}  // namespace weft
