// Texts that several summaries share.
#include "sim/report/text.hpp"

#include <fmt/format.h>

namespace weft {

std::string summary_line(const std::string& label, const std::string& value) {
  return fmt::format("{:<16}{}\n", label, value);
}

std::string links_in_words(const Graph& graph) {
  const std::uint32_t all = graph.connected_links();
  if (!graph.has_routers()) return fmt::format("{}, those of the nodes included", all);
  const std::uint32_t own = 2 * graph.nodes * graph.nic_links;
  const char* const routers = graph.staged ? "switches" : "routers";
  return fmt::format("{0} between {2}, {1} between nodes and {2}", all - own, own, routers);
}

}  // namespace weft
