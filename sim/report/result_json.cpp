// The result of a run as JSON.
#include "sim/report/result_json.hpp"

#include <fmt/format.h>

namespace weft {
using nlohmann::json;
namespace {

json to_json(const TrafficResult& t) {
  json object;
  const auto rate = [&](double r) { return t.measured_cycles > 0 ? json(r) : json(); };
  object["measured_cycles"] = t.measured_cycles;
  object["cut"] = t.cut;
  object["offered_rate"] = rate(t.offered_rate);
  object["accepted_rate"] = rate(t.accepted_rate);
  object["saturated"] = t.saturated;
  if (t.rounds) object["rounds"] = *t.rounds;
  const auto known = [&](auto value) { return t.arrived > 0 ? json(value) : json(); };
  object["latency"] = {{"packets", t.arrived},
                       {"mean", known(t.latency_mean)},
                       {"p50", known(t.latency_p50)},
                       {"p99", known(t.latency_p99)},
                       {"max", known(t.latency_max)}};
  return object;
}

}  // namespace

json to_json(const Result& result) {
  const auto quotient = [](std::uint64_t a, auto b) {
    return b > 0 ? json(static_cast<double>(a) / static_cast<double>(b)) : json();
  };
  json object = {
      {"config", result.config},
      {"engine", result.engine},
      {"verified", result.verified()},
      {"stopped", result.stopped},
      {"cycles", result.cycles},
      {"startup_cycles", result.startup_cycles},
      {"bound_cycles", result.bound_cycles},
      {"ratio",
       result.job_cycles() > 0 ? quotient(result.job_cycles(), result.bound_cycles) : json()},
      {"messages", result.messages},
      {"packets", result.packets},
      {"flits", result.flits},
      {"flit_hops", result.flit_hops},
      {"max_link_load", result.max_link_load},
      {"barriers", result.barriers ? result.barriers->count : 0},
      {"digest", fmt::format("{:016x}", result.digest)},
      {"errors",
       {{"data", result.data_errors},
        {"order", result.order_errors},
        {"parity", result.parity_errors}}},
      {"wall_s", result.wall_s},
      {"flit_hops_per_s", quotient(result.flit_hops, result.wall_s)},
      {"notes", result.notes},
  };
  if (result.faults) {
    object["faults"] = {{"put", result.faults->put}, {"missed", result.faults->missed}};
  }
  if (result.barriers) {
    object["barrier_wait"] = result.barriers->mean_wait;
    object["barrier_latency"] = result.barriers->latency;
  }
  if (!result.transfers.empty()) {
    auto& list = object["transfers"] = json::array();
    for (const auto& t : result.transfers) {
      list.push_back({{"from", t.from},
                      {"to", t.to},
                      {"start", t.start},
                      {"end", t.end ? json(*t.end) : json()}});
    }
  }
  if (result.traffic) object.update(to_json(*result.traffic));
  for (const RegionResult& region : result.regions) {
    json its = {{"nodes", region.nodes}, {"digest", fmt::format("{:016x}", region.digest)}};
    its.update(to_json(region.traffic));
    object["regions"].push_back(its);
  }
  if (!result.link_flits.is_null()) object["link_flits"] = result.link_flits;
  if (!result.losses.is_null()) object["losses"] = result.losses;
  return object;
}

}  // namespace weft
