// Strongly connected components, by Tarjan's algorithm (1972) without recursion.
#include "sim/topology/components.hpp"

#include <algorithm>

namespace weft {

std::vector<std::uint32_t> components_of(const TableNetwork& network) {
  const auto links = network.links_from();
  const std::uint32_t routers = network.routers();
  std::vector<std::uint32_t> component(routers, kOpen), found(routers), low(routers);
  std::vector<std::uint32_t> open;  // Routers whose component is not known yet.
  struct Visit {
    std::uint32_t router;
    std::size_t next;  // Next link to follow.
  };
  std::vector<Visit> path;
  std::uint32_t order = 0, count = 0;
  const auto enter = [&](std::uint32_t router) {
    found[router] = low[router] = ++order;
    open.push_back(router);
    path.push_back({router, 0});
  };
  for (std::uint32_t root = 0; root < routers; ++root) {
    if (found[root] != 0) continue;
    enter(root);
    while (!path.empty()) {
      auto& [router, next] = path.back();
      if (next < links[router].size()) {
        const std::uint32_t to = network.links[links[router][next++]].to;
        if (found[to] == 0) {
          enter(to);
        } else if (component[to] == kOpen) {
          low[router] = std::min(low[router], found[to]);
        }
        continue;
      }
      const std::uint32_t done = router;
      path.pop_back();
      if (!path.empty()) low[path.back().router] = std::min(low[path.back().router], low[done]);
      if (low[done] != found[done]) continue;
      while (component[done] == kOpen) {
        component[open.back()] = count;
        open.pop_back();
      }
      ++count;
    }
  }
  return component;
}

}  // namespace weft
