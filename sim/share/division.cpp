// How a network is divided between threads and processes.
#include "sim/share/division.hpp"

#include <algorithm>

#include "sim/base/hash.hpp"
#include "sim/share/space_cut.hpp"

namespace weft {

Division::Division(const Graph& graph, Sharing divided, unsigned number, unsigned count)
    : processes(count),
      shares(divided),
      nodes(std::max(divided.parts(), count)),
      of_address(low_mask(graph.header.addr_w) + 1) {
  first_own = parts() * number / processes;
  end_own = parts() * (number + 1) / processes;
  const NodeGroups groups(graph);
  const std::vector<std::uint16_t> share_of = cut_in_space(graph, groups, shares.processes);
  of_block.assign(graph.blocks.size(), kOpenPart);
  std::vector<std::uint64_t> sizes(shares.processes), begun(shares.processes);
  for (std::uint32_t n = 0; n < graph.nodes; ++n) ++sizes[share_of[n]];
  for (std::uint32_t g = 0; g < groups.count(); ++g) {
    const unsigned share = share_of[groups.blocks(g)[0]];
    // Slice i begins with the first group before which there are size * i / shares.each nodes.
    const std::uint64_t size = sizes[share];
    unsigned slice = 0;
    while (slice + 1 < shares.each && begun[share] >= size * (slice + 1) / shares.each) ++slice;
    begun[share] += groups.nodes(g);
    const auto part = static_cast<std::uint16_t>(share * shares.each + slice);
    for (const std::uint32_t b : groups.blocks(g)) of_block[b] = part;
  }
  for (std::uint32_t n = 0; n < graph.nodes; ++n) {
    const std::uint16_t part = of_block[n];
    of_address[graph.address[n]] = part;
    nodes[part].add(n);
    if (owns(part)) own.add(n);
  }
  // Switches without nodes: the part where most packets come from.
  for (std::uint32_t b = graph.nodes; b < graph.blocks.size(); ++b) {
    if (of_block[b] != kOpenPart) continue;
    const std::uint32_t from = graph.links[graph.blocks[b].first_in].src_block;
    const bool open = share_of[b] == kOpenPart;
    if (from != kOpen && from < b && (open || of_block[from] / shares.each == share_of[b])) {
      of_block[b] = of_block[from];
    } else {
      of_block[b] = static_cast<std::uint16_t>(open ? 0 : share_of[b] * shares.each);
    }
  }
}

std::uint64_t Division::hash() const {
  return fnv1a(
      {reinterpret_cast<const char*>(of_block.data()), of_block.size() * sizeof of_block.front()});
}

}  // namespace weft
