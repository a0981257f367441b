// A schedule of an all-to-all in slots as text, JSON and picture.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "sim/config/config.hpp"
#include "sim/schedule/schedule.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// Input of the reports of `weft schedule`.
struct ScheduleReport {
  const Config& config;
  const Graph& graph;
  SlotTime time;
  const Schedule& schedule;
  double seconds;  ///< Seconds that it took to compute.
};

/// The report as lines of a label and its value.
std::string schedule_text(const ScheduleReport& report);
/// The figures as JSON.
nlohmann::json to_json(const ScheduleReport& report);
/// The figures as JSON, and "nodes": for each rank its messages, [slot, receiver, other_way,
/// controller].
nlohmann::json schedule_json(const ScheduleReport& report);
/// Picture as SVG: links over slots, or representatives of links that are loaded alike; the colour
/// is the number of slots from a packet's start to its end. Throws ConfigError if it would be too
/// large.
std::string schedule_svg(const ScheduleReport& report);

}  // namespace weft
