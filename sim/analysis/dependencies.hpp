// Channel dependencies: which virtual channel a packet holds while it waits for another.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/topology/graph.hpp"

namespace weft {

/// A virtual channel of a link.
struct Channel {
  std::uint32_t link = 0;
  unsigned vc = 0;

  bool operator==(const Channel&) const = default;
};

/// By set (of `vcs` VCs of the next link) and VC held: VCs that a packet may request, one bit each.
std::vector<std::uint64_t> vcs_of_sets(unsigned vcs);

/// Dependencies between the channels of all links of a network. A cycle of them can deadlock (Dally
/// and Seitz, 1987); without one the network cannot.
class ChannelDependencies {
 public:
  /// `vcs`: virtual channels of a link, 1 to 64.
  explicit ChannelDependencies(const Graph& graph, unsigned vcs = 1);

  /// A packet that holds one of the VCs `held_vcs` (one bit each) of link `held` may wait for each
  /// VC of `set` of link `next`, which leaves the block that `held` enters. Returns the VCs of
  /// `set`.
  std::uint64_t add(std::uint32_t held, std::uint64_t held_vcs, std::uint32_t next, VcSet set) {
    std::uint64_t* const waits = &waits_[first_[held] + graph_.links[next].src_port * vcs_];
    const std::uint64_t* const taken = &taken_[static_cast<unsigned>(set) * vcs_];
    std::uint64_t all = 0;
    for (std::uint64_t m = held_vcs; m != 0; m &= m - 1) {
      const auto vc = static_cast<unsigned>(std::countr_zero(m));
      waits[vc] |= taken[vc];
      all |= taken[vc];
    }
    return all;
  }
  /// Removes all dependencies.
  void clear() { std::fill(waits_.begin(), waits_.end(), 0); }
  /// All dependencies, one bit each: those of the same network are united bit by bit.
  std::span<std::uint64_t> waits() { return waits_; }
  /// The channels of a cycle, each waiting for the next one and the last for the first; empty if
  /// there is none.
  std::vector<Channel> cycle() const;

 private:
  const Graph& graph_;
  unsigned vcs_;
  std::vector<std::uint64_t> taken_;
  std::vector<std::uint64_t> first_;  // By link: index of its first dependency in `waits_`.
  std::vector<std::uint64_t> waits_;  // By link, out-port of the block that it enters, and VC: the
                                      // VCs waited for.
};

/// Channel dependencies of representatives of links, or of a few links of many: a link is any
/// number below `links`. Uses memory only for dependencies that are entered.
class SparseDependencies {
 public:
  SparseDependencies(std::uint32_t links, unsigned vcs)
      : vcs_(vcs), taken_(vcs_of_sets(vcs)), nexts_(links) {}

  /// As ChannelDependencies::add.
  std::uint64_t add(std::uint32_t held, std::uint64_t held_vcs, std::uint32_t next, VcSet set);
  void clear();
  std::vector<Channel> cycle() const;

 private:
  struct Next {
    std::uint32_t link;
    std::uint32_t first;  // Index of its waits: by VC held, the VCs waited for.
  };
  unsigned vcs_;
  std::vector<std::uint64_t> taken_;
  std::vector<std::vector<Next>> nexts_;
  std::vector<std::uint64_t> waits_;
};

/// A cycle of channels in words, with their VCs in networks of routers: "xxb_0 out 3 -> yxb_3 in 0,
/// waits for ...". For a long cycle the first and the last channels, and the number of those
/// between.
std::string cycle_in_words(const Graph& graph, const std::vector<Channel>& cycle);

}  // namespace weft
