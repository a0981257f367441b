// How a network is divided between threads and processes.
#include "sim/runs/division.hpp"

#include <algorithm>

namespace weft {

Division::Division(const Graph& graph, unsigned parts, unsigned first, unsigned end)
    : first_own(first),
      end_own(end),
      of_block(graph.blocks.size()),
      of_address(low_mask(graph.header.addr_w) + 1) {
  // The first and the last node to which a router has links.
  const auto blocks = static_cast<std::uint32_t>(graph.blocks.size());
  std::vector<std::uint32_t> least(blocks, kOpen), most(blocks, 0);
  const auto interfaces = graph.nodes * graph.nic_links;
  for (std::uint32_t l = 0; l < interfaces; ++l) {
    const Link& link = graph.links[l];
    least[link.src_block] = std::min(least[link.src_block], link.dst_block);
    most[link.src_block] = std::max(most[link.src_block], link.dst_block);
  }
  std::vector<std::uint32_t> next(graph.nodes + std::size_t{1});  // The next possible cut.
  for (std::uint32_t n = 0; n <= graph.nodes; ++n) next[n] = n;
  for (std::uint32_t b = graph.nodes; b < blocks; ++b) {
    if (least[b] == kOpen) continue;
    for (std::uint32_t n = least[b] + 1; n <= most[b]; ++n)
      next[n] = std::max(next[n], most[b] + 1);
  }
  first_node.push_back(0);
  for (unsigned i = 1; i <= parts; ++i) {
    auto cut = static_cast<std::uint32_t>(std::uint64_t{graph.nodes} * i / parts);
    while (next[cut] != cut) cut = next[cut];
    first_node.push_back(std::max(cut, first_node.back()));
  }
  for (unsigned part = 0; part < parts; ++part) {
    for (std::uint32_t n = first_node[part]; n < first_node[part + 1]; ++n) {
      of_block[n] = of_address[graph.address[n]] = static_cast<std::uint16_t>(part);
    }
  }
  // A router without nodes is where most packets come from.
  for (std::uint32_t b = graph.nodes; b < blocks; ++b) {
    const Block& block = graph.blocks[b];
    if (least[b] != kOpen) {
      of_block[b] = of_block[least[b]];
      continue;
    }
    const std::uint32_t from = graph.links[block.first_in].src_block;
    if (from != kOpen && from < b) of_block[b] = of_block[from];
  }
}

}  // namespace weft
