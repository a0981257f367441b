// A schedule of an all-to-all in slots as text, JSON and picture.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "sim/config/config.hpp"
#include "sim/schedule/schedule.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// The output of `weft schedule`.
struct ScheduleReport {
  const Config& config;
  const Graph& graph;
  SlotTime time;
  const Schedule& schedule;
  double seconds;  ///< That it took to compute.
};

/// Lines of a label and its value.
std::string schedule_text(const ScheduleReport& report);
/// The figures.
nlohmann::json to_json(const ScheduleReport& report);
/// The figures, and "nodes": of each rank its messages, [slot, receiver, other_way, controller].
nlohmann::json schedule_json(const ScheduleReport& report);
/// Links, or what stands for links that are loaded alike, over slots, as SVG: the colour is the
/// number of slots from a packet's start to its end. Throws ConfigError if it would be too large.
std::string schedule_svg(const ScheduleReport& report);

}  // namespace weft
