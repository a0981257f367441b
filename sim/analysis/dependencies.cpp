// Channel dependencies and their cycles.
#include "sim/analysis/dependencies.hpp"

#include <fmt/format.h>

#include "sim/analysis/find_cycle.hpp"

namespace weft {
namespace {

std::vector<Channel> channels(const std::vector<std::uint64_t>& numbers, unsigned vcs) {
  std::vector<Channel> list;
  for (const std::uint64_t n : numbers) {
    list.push_back({static_cast<std::uint32_t>(n / vcs), static_cast<unsigned>(n % vcs)});
  }
  return list;
}

// Iterates over the VCs in `lists` sets of up to 64 each: `vcs_of(list)` returns the bits of a set,
// `found(list, vc)` the channel's number; `end` is returned after the last. The cursor is 64 times
// the set plus the first VC to consider.
template <class VcsOf, class Found>
std::uint64_t next_in_lists(std::uint64_t& cursor, std::uint64_t lists, std::uint64_t end,
                            VcsOf vcs_of, Found found) {
  while (cursor / 64 < lists) {
    const std::uint64_t list = cursor / 64, left = vcs_of(list) >> cursor % 64;
    if (left == 0) {
      cursor = (list + 1) * 64;
      continue;
    }
    cursor += static_cast<unsigned>(std::countr_zero(left)) + 1;
    return found(list, (cursor - 1) % 64);
  }
  return end;
}

}  // namespace

std::vector<std::uint64_t> vcs_of_sets(unsigned vcs) {
  std::vector<std::uint64_t> taken(kVcSets * vcs);
  for (unsigned i = 0; i < kVcSets * vcs * vcs; ++i) {
    const unsigned set = i / vcs / vcs, own = i / vcs % vcs, vc = i % vcs;
    if (may_request(static_cast<VcSet>(set), own, vc, vcs)) {
      taken[set * vcs + own] |= std::uint64_t{1} << vc;
    }
  }
  return taken;
}

ChannelDependencies::ChannelDependencies(const Graph& graph, unsigned vcs)
    : graph_(graph), vcs_(vcs), taken_(vcs_of_sets(vcs)) {
  std::uint64_t total = 0;
  for (const Link& link : graph.links) {
    first_.push_back(total);
    total += std::uint64_t{graph.blocks[link.dst_block].num_out} * vcs;
  }
  waits_.resize(total);
}

std::vector<Channel> ChannelDependencies::cycle() const {
  const std::uint64_t count = std::uint64_t{graph_.links.size()} * vcs_;
  const auto next = [&](std::uint64_t channel, std::uint64_t& cursor) {
    const Block& block = graph_.blocks[graph_.links[channel / vcs_].dst_block];
    const std::uint64_t* const waits = &waits_[first_[channel / vcs_] + channel % vcs_];
    return next_in_lists(
        cursor, block.num_out, count, [&](std::uint64_t port) { return waits[port * vcs_]; },
        [&](std::uint64_t port, std::uint64_t vc) {
          return std::uint64_t{graph_.out_link[block.first_out + port]} * vcs_ + vc;
        });
  };
  return channels(find_cycle(count, next), vcs_);
}

std::uint64_t SparseDependencies::add(std::uint32_t held, std::uint64_t held_vcs,
                                      std::uint32_t next, VcSet set) {
  auto& nexts = nexts_[held];
  auto found =
      std::find_if(nexts.begin(), nexts.end(), [next](const Next& n) { return n.link == next; });
  if (found == nexts.end()) {
    found = nexts.insert(found, {next, static_cast<std::uint32_t>(waits_.size())});
    waits_.resize(waits_.size() + vcs_);
  }
  std::uint64_t all = 0;
  for (std::uint64_t m = held_vcs; m != 0; m &= m - 1) {
    const auto vc = static_cast<unsigned>(std::countr_zero(m));
    const std::uint64_t taken = taken_[static_cast<unsigned>(set) * vcs_ + vc];
    waits_[found->first + vc] |= taken;
    all |= taken;
  }
  return all;
}

void SparseDependencies::clear() {
  for (auto& nexts : nexts_) nexts.clear();
  waits_.clear();
}

std::vector<Channel> SparseDependencies::cycle() const {
  const std::uint64_t count = std::uint64_t{nexts_.size()} * vcs_;
  const auto next = [&](std::uint64_t channel, std::uint64_t& cursor) {
    const auto& nexts = nexts_[channel / vcs_];
    return next_in_lists(
        cursor, nexts.size(), count,
        [&](std::uint64_t i) { return waits_[nexts[i].first + channel % vcs_]; },
        [&](std::uint64_t i, std::uint64_t vc) {
          return std::uint64_t{nexts[i].link} * vcs_ + vc;
        });
  };
  return channels(find_cycle(count, next), vcs_);
}

std::string cycle_in_words(const Graph& graph, const std::vector<Channel>& cycle) {
  constexpr std::size_t most = 8, first = 4, last = 3;
  const auto name = [&](const Channel& channel) {
    return graph.link_name(channel.link) +
           (graph.has_routers() ? fmt::format(" vc {}", channel.vc) : "");
  };
  std::string text;
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    if (cycle.size() > most && i == first) {
      i = cycle.size() - last;
      text += fmt::format("... ({} more) ..., ", i - first);
    }
    text += name(cycle[i]) + ", waits for ";
  }
  return text.empty() ? text : text + name(cycle.front());
}

}  // namespace weft
