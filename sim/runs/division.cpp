// How a network is divided between threads and processes.
#include "sim/runs/division.hpp"

#include "sim/runs/space_cut.hpp"

namespace weft {

Division::Division(const Graph& graph, unsigned processes, unsigned threads, unsigned first,
                   unsigned end)
    : first_own(first),
      end_own(end),
      nodes(std::size_t{processes} * threads),
      of_address(low_mask(graph.header.addr_w) + 1) {
  const NodeGroups groups(graph);
  const std::vector<std::uint16_t> process_of = cut_in_space(graph, groups, processes);
  constexpr std::uint16_t kOpenPart = ~std::uint16_t{0};
  of_block.assign(graph.blocks.size(), kOpenPart);
  std::vector<std::uint64_t> sizes(processes), begun(processes);
  for (std::uint32_t n = 0; n < graph.nodes; ++n) ++sizes[process_of[n]];
  for (std::uint32_t g = 0; g < groups.count(); ++g) {
    const unsigned process = process_of[groups.blocks(g)[0]];
    // Slice i begins with the first group before which there are size * i / threads nodes.
    const std::uint64_t size = sizes[process];
    unsigned slice = 0;
    while (slice + 1 < threads && begun[process] >= size * (slice + 1) / threads) ++slice;
    begun[process] += groups.nodes(g);
    const auto part = static_cast<std::uint16_t>(process * threads + slice);
    for (const std::uint32_t b : groups.blocks(g)) of_block[b] = part;
  }
  for (std::uint32_t n = 0; n < graph.nodes; ++n) {
    const std::uint16_t part = of_block[n];
    of_address[graph.address[n]] = part;
    nodes[part].add(n);
    if (owns(part)) own.add(n);
  }
  // Switches without nodes: where most packets come from.
  for (std::uint32_t b = graph.nodes; b < graph.blocks.size(); ++b) {
    if (of_block[b] != kOpenPart) continue;
    const std::uint32_t from = graph.links[graph.blocks[b].first_in].src_block;
    const unsigned first_part = process_of[b] * threads;
    const bool near = from != kOpen && from < b && of_block[from] / threads == process_of[b];
    of_block[b] = near ? of_block[from] : static_cast<std::uint16_t>(first_part);
  }
}

}  // namespace weft
