// Schedules: tables of the nodes, and their check.
#include "sim/schedule/schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "sim/schedule/cache.hpp"

namespace weft {
namespace {

constexpr std::uint32_t kSmallTorus = 128;

}  // namespace

SlotTime slot_time(const Config& config, const Graph& graph) {
  return graph.has_routers() && config.router.switching == Switching::kStoreForward
             ? SlotTime::kStoreForward
             : SlotTime::kCutThrough;
}

Schedule make_schedule(const Graph& graph, SlotTime time, std::uint64_t effort,
                       const std::filesystem::path& cache) {
  Schedule schedule;
  schedule.messages = all_messages(graph, time);
  const AllMessages& all = schedule.messages;
  if (graph.nodes > 1) schedule.packing = cached_packing(all.problem, effort, cache);
  // In small tori, starting fewer messages together may fit where more do not.
  if (schedule.packing.slots > all.problem.least_slots() && graph.nodes <= kSmallTorus) {
    AllMessages apart = all_messages(graph, time, false);
    Packing packing = cached_packing(apart.problem, effort, cache);
    if (packing.slots < schedule.packing.slots) {
      schedule.messages = std::move(apart);
      schedule.packing = std::move(packing);
    }
  }
  SlotTables& tables = schedule.tables;
  tables.nodes = graph.nodes;
  tables.slots = schedule.packing.slots;
  for (const std::uint32_t load : all.problem.loads()) tables.load = std::max(tables.load, load);
  tables.rows.reserve(std::size_t{graph.nodes} * (graph.nodes - 1));
  for (std::uint32_t src = 0; src < graph.nodes; ++src) {
    const auto begin = static_cast<std::ptrdiff_t>(tables.rows.size());
    for (std::uint32_t dst = 0; dst < graph.nodes; ++dst) {
      if (dst == src) continue;
      const std::size_t pair = std::size_t{src} * graph.nodes + dst;
      tables.rows.push_back({schedule.packing.start[all.item[pair]], dst, all.tag[pair]});
    }
    std::sort(tables.rows.begin() + begin, tables.rows.end(),
              [](const SlotRow& a, const SlotRow& b) {
                return std::tie(a.slot, a.to) < std::tie(b.slot, b.to);
              });
  }
  return schedule;
}

std::string wrong_with(const Graph& graph, SlotTime time, const SlotTables& tables) {
  const std::uint32_t nodes = graph.nodes;
  if (tables.nodes != nodes || tables.rows.size() != std::size_t{nodes} * (nodes - 1)) {
    return "a table of another network";
  }
  // A packet's presence on a link in a slot: two that are equal are in conflict.
  struct There {
    std::uint32_t link, slot, src, dst;
  };
  std::vector<There> there;
  std::vector<std::uint32_t> links;
  std::vector<bool> seen;
  for (std::uint32_t src = 0; src < nodes; ++src) {
    seen.assign(nodes, false);
    seen[src] = true;
    std::uint32_t number = 0;
    for (const SlotRow& row : tables.of(src)) {
      if (row.to >= nodes || seen[row.to]) {
        return fmt::format("node {} sends to {} twice, or to itself", src, row.to);
      }
      seen[row.to] = true;
      const std::uint32_t controller = row.tag >> 4;
      const std::uint32_t via = (controller == 15 ? number : controller - 1) % graph.nic_links;
      ++number;
      links.clear();
      graph.walk(
          src, row.to, [&](std::uint32_t link) { links.push_back(link); }, via, (row.tag & 4) != 0);
      // Real slots: the first two links, then one slot later for each link.
      std::uint32_t slot = row.slot;
      for (std::size_t i = 0; i < links.size(); ++i) {
        if (time == SlotTime::kStoreForward && i > 1) ++slot;
        there.push_back({links[i], slot, src, row.to});
        const bool last = i + 1 == links.size() && !graph.shares_switches() && i > 1;
        if (slot >= tables.slots + (last && time == SlotTime::kStoreForward ? 1 : 0)) {
          return fmt::format("the message from {} to {} ends after slot {}", src, row.to,
                             tables.slots);
        }
      }
    }
  }
  std::sort(there.begin(), there.end(), [](const There& a, const There& b) {
    return std::tie(a.link, a.slot) < std::tie(b.link, b.slot);
  });
  const auto conflict = std::adjacent_find(
      there.begin(), there.end(),
      [](const There& a, const There& b) { return a.link == b.link && a.slot == b.slot; });
  if (conflict == there.end()) return "";
  return fmt::format("{}: the messages from {} to {} and from {} to {} are both in slot {}",
                     graph.link_name(conflict->link), conflict[0].src, conflict[0].dst,
                     conflict[1].src, conflict[1].dst, conflict->slot);
}

}  // namespace weft
