// Regions of a network.
#include "sim/analysis/partition.hpp"

#include <fmt/format.h>

#include <bit>

namespace weft {
namespace {

constexpr std::uint64_t kMostPairs = 1u << 28;  // Takes some seconds.

}  // namespace

Partition::Partition(const Config& config, const Graph& graph)
    : dims_(graph.dims), positions_(graph.nodes) {
  cut(config, graph);
  for (std::uint32_t rank = 0; rank < graph.nodes; ++rank) {
    auto& members = members_[positions_[rank].region];
    positions_[rank].rank = static_cast<std::uint32_t>(members.size());
    members.push_back(rank);
  }
  if (!config.partition.empty()) give_links(config, graph);
}

void Partition::cut(const Config& config, const Graph& graph) {
  const auto& cuts = config.partition;
  if (!cuts.empty() && !graph.has_one_way()) {
    config.source.refuse(
        "/partition", cuts,
        fmt::format("[] with router.routing \"{}\": packets may leave their region",
                    word_of(config.router.routing)));
  }
  if (!cuts.empty() && !graph.failures.component.empty()) {
    config.source.refuse("/partition", cuts,
                         "[] where pairs of nodes are cut off, as regions are networks of their "
                         "own: " +
                             cut_in_words(graph.failures));
  }
  if (cuts.size() > dims_.size()) {
    config.source.refuse(
        "/partition", cuts,
        fmt::format("up to {} numbers, one for each dimension of the network", dims_.size()));
  }
  std::uint32_t regions = 1, nodes = graph.nodes;
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    const auto most = static_cast<unsigned>(std::countr_zero(graph.dims[i]));
    if (cuts[i] > most) {
      config.source.refuse(fmt::format("/partition/{}", i), cuts[i],
                           fmt::format("0 to {}: 2^m equal parts of {}", most, graph.dims[i]));
    }
    dims_[i] >>= cuts[i];
    regions <<= cuts[i];
    nodes >>= cuts[i];
  }
  if (nodes < 2) config.source.refuse("/partition", cuts, "regions of 2 nodes or more");
  for (std::uint32_t rank = 0; rank < graph.nodes; ++rank) {
    std::uint32_t rest = rank, region = 0, stride = 1;
    for (std::size_t i = 0; i < cuts.size(); ++i) {
      region += rest % graph.dims[i] / dims_[i] * stride;
      stride <<= cuts[i];
      rest /= graph.dims[i];
    }
    positions_[rank].region = region;
  }
  members_.resize(regions);
}

void Partition::give_links(const Config& config, const Graph& graph) {
  const std::uint64_t pairs = std::uint64_t{graph.nodes} * members_.front().size();
  if (pairs > kMostPairs) {
    config.source.refuse("/partition", config.partition,
                         fmt::format("regions of up to {} nodes, whose routes can all be looked at",
                                     kMostPairs / graph.nodes));
  }
  region_of_link_.assign(graph.links.size(), kOpen);
  for (std::uint32_t src = 0; src < graph.nodes; ++src) {
    for (const std::uint32_t dst : members(region_of(src))) {
      for (std::uint32_t nic_link = 0; nic_link < graph.nic_links; ++nic_link) {
        graph.walk(
            src, dst, [&](std::uint32_t link) { give(link, region_of(src), config, graph); },
            nic_link);
      }
    }
  }
}

void Partition::give(std::uint32_t link, std::uint32_t region, const Config& config,
                     const Graph& graph) {
  auto& owner = region_of_link_[link];
  if (owner == kOpen) owner = region;
  if (owner == region) return;
  config.source.refuse("/partition", config.partition,
                       fmt::format("regions that share no link: link {} carries packets of regions "
                                   "{} and {}",
                                   graph.link_name(link), owner, region));
}

}  // namespace weft
