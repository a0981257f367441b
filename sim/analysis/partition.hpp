// A network cut into regions that do not interfere (seed 001 3.4).
#pragma once

#include <cstdint>
#include <vector>

#include "sim/config/config.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// The regions that `config.partition` makes: dimension i is cut into 2^m_i equal parts, and a
/// region is one part of each. No link carries packets of two regions, so that traffic of one
/// region does not affect the others.
class Partition {
 public:
  /// Makes one region, the whole network, if `config.partition` is empty. Throws ConfigError if it
  /// does not divide the network, if a region would have one node, if routes of two regions share a
  /// link, or if there are too many routes to follow.
  Partition(const Config& config, const Graph& graph);

  std::uint32_t regions() const { return static_cast<std::uint32_t>(members_.size()); }
  /// Sizes of a region, fastest dimension first.
  const std::vector<std::uint32_t>& dims() const { return dims_; }
  /// Ranks of a region's nodes, in the order of the region's own ranks.
  const std::vector<std::uint32_t>& members(std::uint32_t region) const { return members_[region]; }
  std::uint32_t region_of(std::uint32_t rank) const { return positions_[rank].region; }
  /// The rank of a node within its region.
  std::uint32_t rank_within(std::uint32_t rank) const { return positions_[rank].rank; }
  /// By link: the region whose packets it carries; kOpen: none. Empty if there is only one region.
  const std::vector<std::uint32_t>& region_of_link() const { return region_of_link_; }

 private:
  struct Position {
    std::uint32_t region = 0, rank = 0;
  };

  void cut(const Config& config, const Graph& graph);
  void give_links(const Config& config, const Graph& graph);
  void give(std::uint32_t link, std::uint32_t region, const Config& config, const Graph& graph);

  std::vector<std::uint32_t> dims_;
  std::vector<std::vector<std::uint32_t>> members_;
  std::vector<Position> positions_;
  std::vector<std::uint32_t> region_of_link_;
};

}  // namespace weft
