// A schedule of an all-to-all in slots as text and JSON.
#include "sim/report/schedule_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/report/text.hpp"

namespace weft {
namespace {

double ratio_of(const SlotTables& tables) {
  return tables.load == 0 ? 1.0 : static_cast<double>(tables.slots) / tables.load;
}

std::string words(SlotTime time) {
  return time == SlotTime::kStoreForward ? "one link a slot (store and forward)"
                                         : "all links in one slot (cut through)";
}

// The links with the most messages, as the schedule names them.
std::string busiest(const Schedule& schedule) {
  const std::vector<std::uint32_t> loads = schedule.messages.problem.loads();
  const std::uint32_t lanes = schedule.messages.problem.lanes;
  const auto most = std::max_element(loads.begin(), loads.end());
  if (most == loads.end()) return "";
  return schedule.messages.names[static_cast<std::size_t>(most - loads.begin()) / lanes];
}

}  // namespace

std::string schedule_text(const ScheduleReport& report) {
  const SlotTables& tables = report.schedule.tables;
  std::string text;
  const auto line = [&](const char* label, const std::string& value) {
    text += summary_line(label, value);
  };
  line("network", to_json(report.config.topology).dump());
  line("nodes", fmt::format("{}, {} link{} of an interface in each direction", tables.nodes,
                            report.graph.nic_links, report.graph.nic_links == 1 ? "" : "s"));
  line("packets", words(report.time));
  line("start together", report.schedule.messages.symmetry);
  line("slots", fmt::format("{}", tables.slots));
  line("busiest link", fmt::format("{} messages: {}", tables.load, busiest(report.schedule)));
  line("ratio", fmt::format("{:.3f}", ratio_of(tables)));
  line("verified", "every message once, no link with two packets in a slot");
  line("time", fmt::format("{:.2f} s", report.seconds));
  return text;
}

nlohmann::json to_json(const ScheduleReport& report) {
  const SlotTables& tables = report.schedule.tables;
  return {{"topology", to_json(report.config.topology)},
          {"controllers", report.config.nic.controllers},
          {"store_forward", report.time == SlotTime::kStoreForward},
          {"start_together", report.schedule.messages.symmetry},
          {"starts", report.schedule.packing.start.size()},
          {"slots", tables.slots},
          {"busiest_link", tables.load},
          {"ratio", ratio_of(tables)},
          {"seconds", report.seconds}};
}

nlohmann::json schedule_json(const ScheduleReport& report) {
  nlohmann::json object = to_json(report);
  object.erase("seconds");  // The same schedule gives the same file.
  nlohmann::json nodes = nlohmann::json::array();
  for (std::uint32_t rank = 0; rank < report.schedule.tables.nodes; ++rank) {
    nlohmann::json rows = nlohmann::json::array();
    for (const SlotRow& row : report.schedule.tables.of(rank)) {
      const std::uint32_t controller = row.tag >> 4;
      rows.push_back(
          {row.slot, row.to, (row.tag & 4) != 0,
           controller == 15 ? nlohmann::json("in turn") : nlohmann::json(controller - 1)});
    }
    nodes.push_back(std::move(rows));
  }
  object["nodes"] = std::move(nodes);
  return object;
}

}  // namespace weft
