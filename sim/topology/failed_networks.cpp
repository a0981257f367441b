// Networks without what has failed.
#include "sim/topology/failed_networks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <tuple>

#include "sim/base/random.hpp"
#include "sim/topology/components.hpp"
#include "sim/topology/table_routes.hpp"

namespace weft {
namespace {

constexpr const char* kPointer = "/topology/failed";

std::string link_name(const TableNetwork& network, const TableLink& link) {
  return fmt::format("{} out {} -> {} in {}", network.names[link.from], link.from_port,
                     network.names[link.to], link.to_port);
}

// The links of a network in connections: a link and the one back. Of parallel links, those between
// the same two ports form one, the others in the order of their ports. A link without one back is a
// connection by itself.
class Connections {
 public:
  explicit Connections(const TableNetwork& network) : links_(network.links) {
    std::map<Way, std::vector<std::uint32_t>> ways;
    for (std::uint32_t l = 0; l < links_.size(); ++l) {
      ways[{links_[l].from, links_[l].to, links_[l].link_class}].push_back(l);
    }
    for (auto& [way, list] : ways) {
      std::ranges::sort(list, {}, [&](std::uint32_t l) { return links_[l].from_port; });
    }
    of_.assign(links_.size(), kOpen);
    for (auto& [way, there] : ways) {
      const auto [from, to, link_class] = way;
      const auto back = ways.find({to, from, link_class});
      if (from == to || back == ways.end()) {
        for (const std::uint32_t l : there) add({l});
      } else if (from < to) {
        pair(there, back->second);
      }
    }
  }

  std::uint32_t count() const { return static_cast<std::uint32_t>(members_.size()); }
  std::uint32_t of(std::uint32_t link) const { return of_[link]; }
  const std::vector<std::uint32_t>& links(std::uint32_t connection) const {
    return members_[connection];
  }

 private:
  using Way = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;  // From, to, class.

  void add(std::vector<std::uint32_t> members) {
    for (const std::uint32_t l : members) of_[l] = count();
    members_.push_back(std::move(members));
  }

  void pair(std::vector<std::uint32_t> there, std::vector<std::uint32_t> back) {
    const auto takes_same_ports = [&](std::uint32_t a, std::uint32_t b) {
      return links_[a].from_port == links_[b].to_port && links_[a].to_port == links_[b].from_port;
    };
    std::erase_if(there, [&](std::uint32_t a) {
      const auto same =
          std::ranges::find_if(back, [&](std::uint32_t b) { return takes_same_ports(a, b); });
      if (same == back.end()) return false;
      add({a, *same});
      back.erase(same);
      return true;
    });
    for (std::size_t i = 0; i < std::max(there.size(), back.size()); ++i) {
      std::vector<std::uint32_t> members;
      if (i < there.size()) members.push_back(there[i]);
      if (i < back.size()) members.push_back(back[i]);
      add(std::move(members));
    }
  }

  const std::vector<TableLink>& links_;
  std::vector<std::uint32_t> of_;  // By link: its connection.
  std::vector<std::vector<std::uint32_t>> members_;
};

// What has failed.
class Dead {
 public:
  Dead(const Config& config, const TableNetwork& network)
      : config_(config),
        network_(network),
        connections_(network),
        routers_(network.routers()),
        dead_(connections_.count()) {
    name_links();
    name_routers();
    draw();
    for (std::uint32_t l = 0; l < network.links.size(); ++l) {
      if (router(network.links[l].from) || router(network.links[l].to)) {
        dead_[connections_.of(l)] = true;
      }
    }
  }

  bool router(std::uint32_t router) const { return routers_[router]; }
  bool link(std::uint32_t link) const { return dead_[connections_.of(link)]; }

 private:
  void name_links() {
    for (std::size_t i = 0; i < config_.topology.failed.links.size(); ++i) {
      const std::string& name = config_.topology.failed.links[i];
      bool known = false;
      for (std::uint32_t l = 0; l < network_.links.size(); ++l) {
        const TableLink& link = network_.links[l];
        const std::string both = network_.names[link.from] + " -> " + network_.names[link.to];
        if (name != both && name != link_name(network_, link)) continue;
        known = true;
        dead_[connections_.of(l)] = true;
      }
      if (known) continue;
      const std::string some =
          network_.links.empty()
              ? ": this network has none"
              : fmt::format(", as \"{}\", or all between two routers, as \"{} -> {}\"",
                            link_name(network_, network_.links.front()),
                            network_.names[network_.links.front().from],
                            network_.names[network_.links.front().to]);
      config_.source.refuse(fmt::format("{}/links/{}", kPointer, i), name,
                            "a link between routers of this network" + some);
    }
  }

  void name_routers() {
    for (std::size_t i = 0; i < config_.topology.failed.routers.size(); ++i) {
      const std::string& name = config_.topology.failed.routers[i];
      const auto found = std::ranges::find(network_.names, name);
      if (found == network_.names.end()) {
        config_.source.refuse(fmt::format("{}/routers/{}", kPointer, i), name,
                              fmt::format("a router of this network, \"{}\" to \"{}\"",
                                          network_.names.front(), network_.names.back()));
      }
      routers_[static_cast<std::size_t>(found - network_.names.begin())] = true;
    }
  }

  // Draws connections: as many as the share gives, rounded; each set of that size is equally
  // likely.
  void draw() {
    std::vector<std::uint32_t> order(connections_.count());
    for (std::uint32_t c = 0; c < order.size(); ++c) order[c] = c;
    const auto some = static_cast<std::size_t>(
        std::llround(config_.topology.failed.share * static_cast<double>(order.size())));
    RandomStream random(mix64(config_.topology.failed.seed));
    for (std::size_t i = 0; i < some; ++i) {
      std::swap(order[i], order[i + random.below(order.size() - i)]);
      dead_[order[i]] = true;
    }
  }

  const Config& config_;
  const TableNetwork& network_;
  Connections connections_;
  std::vector<bool> routers_, dead_;  // By router; by connection.
};

// Counts the pairs of nodes that are not connected, and notes the first ones.
void count_pairs(Failures& failures) {
  const std::vector<std::uint32_t>& of = failures.component;
  const auto nodes = static_cast<std::uint32_t>(of.size());
  std::map<std::uint32_t, std::uint64_t> sizes;
  for (const std::uint32_t c : of) ++sizes[c];
  failures.cut_pairs = std::uint64_t{nodes} * (nodes - 1);
  failures.dead_nodes = static_cast<std::uint32_t>(sizes[kOpen]);
  sizes.erase(kOpen);
  for (const auto& [c, size] : sizes) failures.cut_pairs -= size * (size - 1);
  for (std::uint32_t src = 0; src < nodes && failures.cut_pairs != 0; ++src) {
    for (std::uint32_t dst = 0; dst < nodes; ++dst) {
      if (src == dst || (of[src] == of[dst] && of[src] != kOpen)) continue;
      if (failures.first_cut.size() == Failures::kShownPairs) return;
      failures.first_cut.emplace_back(src, dst);
    }
  }
}

// A collective continues with the nodes of the largest component, the first of several, like the
// group of processes that ULFM's shrink leaves (Bland et al. 2013).
void leave_largest(const Config& config, TableNetwork& network, Failures& failures) {
  std::map<std::uint32_t, std::uint32_t> sizes;
  for (const std::uint32_t c : failures.component) sizes[c] += c != kOpen;
  const auto largest =
      std::ranges::max_element(sizes, {}, [](const auto& entry) { return entry.second; });
  if (largest->second < 2) {
    config.refuse_topology(fmt::format("two nodes or more that are connected, for a collective: {}",
                                       cut_in_words(failures)),
                           "failed");
  }
  std::vector<std::uint32_t> router_of;
  for (std::uint32_t rank = 0; rank < network.nodes(); ++rank) {
    if (failures.component[rank] == largest->first) {
      router_of.push_back(network.router_of[rank]);
    } else {
      failures.left_out.push_back(rank);
    }
  }
  network.router_of = std::move(router_of);
  // A router in hardware has at least 2 ports.
  const auto nodes_at = network.nodes_at();
  for (std::uint32_t r = 0; r < network.routers(); ++r) {
    const auto least = static_cast<std::uint32_t>(2 - std::min<std::size_t>(2, nodes_at[r].size()));
    network.ports[r] = std::max(network.ports[r], least);
  }
  network.dims = {network.nodes()};
  network.mains = 1;
  network.aggregators = 0;
  failures.component.clear();
}

}  // namespace

Config without_failed(const Config& config) {
  Config whole = config;
  whole.topology.failed = {};
  whole.router = {};
  whole.router.vcs = kNumberedVcs;
  whole.nic.controllers = std::max(1u, config.nic.controllers);  // 0: not known yet.
  return whole;
}

TableNetwork as_table_network(const Config& config, const Graph& graph) {
  TableNetwork network;
  network.dims = graph.dims;
  network.link_classes = graph.link_classes;
  network.mains = graph.mains;
  network.aggregators = graph.aggregators;
  for (std::uint32_t b = graph.nodes; b < graph.blocks.size(); ++b) {
    const Block& block = graph.blocks[b];
    network.add_router(block.name, block.num_out - graph.router_shapes[block.shape].num_local);
  }
  for (std::uint32_t rank = 0; rank < graph.nodes; ++rank) {
    const Block& nic = graph.blocks[rank];
    const std::uint32_t router = graph.links[graph.out_link[nic.first_out]].dst_block;
    for (std::uint32_t i = 0; i < graph.nic_links; ++i) {
      const std::uint32_t to = graph.links[graph.out_link[nic.first_out + i]].dst_block;
      const std::uint32_t from = graph.links[nic.first_in + i].src_block;
      if (to == router && from == router) continue;
      const bool failed = config.topology.failed.any();
      config.source.refuse(
          failed ? kPointer : "/nic/reliable",
          failed ? ShownValue(to_json(config.topology).at("failed")) : ShownValue(true),
          fmt::format("{} where links of a node lead to and from several routers: {} sends to {} "
                      "and receives from {}",
                      failed ? "{}" : "false with link.protection \"retry\"", nic.name,
                      graph.blocks[to == router ? router : to].name, graph.blocks[from].name));
    }
    network.router_of.push_back(router - graph.nodes);
  }
  for (const Link& link : graph.links) {
    if (!graph.between_switches(link)) continue;
    network.links.push_back({link.src_block - graph.nodes, link.src_port,
                             link.dst_block - graph.nodes, link.dst_port, link.link_class,
                             link.stages});
  }
  return network;
}

Failures remove_failed(const Config& config, TableNetwork& network) {
  Failures failures;
  if (!config.topology.failed.any()) return failures;
  failures.any = true;
  const Dead dead(config, network);
  std::vector<TableLink> left;
  for (std::uint32_t l = 0; l < network.links.size(); ++l) {
    if (!dead.link(l)) left.push_back(network.links[l]);
  }
  failures.of_links = static_cast<std::uint32_t>(network.links.size());
  failures.links = failures.of_links - static_cast<std::uint32_t>(left.size());
  network.links = std::move(left);
  failures.of_routers = network.routers();
  for (std::uint32_t r = 0; r < network.routers(); ++r) failures.routers += dead.router(r);
  const std::vector<std::uint32_t> of_router = components_of(network);
  for (const std::uint32_t r : network.router_of) {
    failures.component.push_back(dead.router(r) ? kOpen : of_router[r]);
  }
  count_pairs(failures);
  if (failures.cut_pairs == 0) {
    failures.component.clear();
  } else if (config.workload.is(kCollectives)) {
    leave_largest(config, network, failures);
  }
  return failures;
}

TableRouting failed_routes(const Config& config, const TableNetwork& network, unsigned vcs) {
  if (vcs != 0) {
    if (auto shortest = shortest_if_free(network, vcs)) return *shortest;
  }
  if (auto up_down = up_down_if_connected(network)) return *up_down;
  return shortest_routes(config, network, vcs);
}

std::uint32_t failed_sets(unsigned vcs) {
  std::uint32_t sets = set_mask(VcSet::kAny);
  if (vcs == 1 || vcs > kNumberedVcs) return sets;
  sets |= set_mask(VcSet::kSame);
  for (unsigned vc = 0; vc < vcs; ++vc) sets |= set_mask(only_vc(vc));
  return sets;
}

}  // namespace weft
