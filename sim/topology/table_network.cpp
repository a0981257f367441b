// The description of a network of any graph.
#include "sim/topology/table_network.hpp"

#include <fmt/format.h>

#include <utility>

namespace weft {

std::uint32_t TableNetwork::add_router(std::string name, std::uint32_t link_ports) {
  names.push_back(std::move(name));
  ports.push_back(link_ports);
  return routers() - 1;
}

void TableNetwork::join(std::uint32_t a, std::uint32_t a_port, std::uint32_t b,
                        std::uint32_t b_port, std::uint32_t link_class) {
  links.push_back({a, a_port, b, b_port, link_class});
  links.push_back({b, b_port, a, a_port, link_class});
}

std::vector<std::vector<std::uint32_t>> TableNetwork::nodes_at() const {
  std::vector<std::vector<std::uint32_t>> at(routers());
  for (std::uint32_t rank = 0; rank < nodes(); ++rank) at[router_of[rank]].push_back(rank);
  return at;
}

std::vector<std::vector<std::uint32_t>> TableNetwork::links_from() const {
  std::vector<std::vector<std::uint32_t>> of(routers());
  for (std::uint32_t l = 0; l < links.size(); ++l) of[links[l].from].push_back(l);
  return of;
}

std::vector<std::vector<std::uint32_t>> TableNetwork::links_to() const {
  std::vector<std::vector<std::uint32_t>> of(routers());
  for (std::uint32_t l = 0; l < links.size(); ++l) of[links[l].to].push_back(l);
  return of;
}

void check_table_size(const Config& config, std::uint64_t routers, std::uint64_t nodes) {
  if (nodes <= (1u << kMaxAddrW) && routers * nodes <= kMostTableEntries) return;
  config.refuse_topology(
      fmt::format("up to {} nodes, and up to {} entries of the routers' tables, "
                  "one for each node (these are {} routers and {} nodes)",
                  1u << kMaxAddrW, kMostTableEntries, routers, nodes));
}

}  // namespace weft
