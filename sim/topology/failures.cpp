// Failures in words.
#include "sim/topology/failures.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <span>

namespace weft {

std::string cut_in_words(const Failures& failures) {
  std::string text = fmt::format("{} ordered pairs of nodes: ", failures.cut_pairs);
  for (const auto& [src, dst] : failures.first_cut) text += fmt::format("{} -> {}, ", src, dst);
  if (failures.cut_pairs > failures.first_cut.size()) return text + "...";
  return text.substr(0, text.size() - 2);
}

std::string in_words(const Failures& failures) {
  if (!failures.any) return "";
  std::string text = fmt::format("failed: {} of {} links and {} of {} routers", failures.links,
                                 failures.of_links, failures.routers, failures.of_routers);
  if (!failures.routing.empty()) text += "; packets go by " + failures.routing;
  text +=
      failures.cut_pairs == 0 ? "; no node is cut off" : "; cut off are " + cut_in_words(failures);
  if (failures.left_out.empty()) return text;
  constexpr std::size_t kShown = 8;
  const std::span<const std::uint32_t> shown(failures.left_out.data(),
                                             std::min(kShown, failures.left_out.size()));
  return text + fmt::format("; without part in the collective, whose ranks count the others: {}{}",
                            fmt::join(shown, ", "),
                            failures.left_out.size() > kShown
                                ? fmt::format(", ... ({} nodes)", failures.left_out.size())
                                : "");
}

}  // namespace weft
