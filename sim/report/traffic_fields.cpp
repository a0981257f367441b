// The fields of traffic: rates, latencies, and what happened to the load.
#include "sim/report/traffic_fields.hpp"

#include <optional>
#include <string>

namespace weft {
namespace {

// Fields of latencies of packets, or of their round trips; `column`: prefix of column names.
Fields<LatencyResult> latency_fields(const std::string& column, const char* packets,
                                     const char* mean) {
  using L = LatencyResult;
  // If nothing arrived there is no such figure.
  const auto known = [](auto of) {
    return [of](const L& l) { return l.packets > 0 ? std::optional(l.*of) : std::nullopt; };
  };
  return {
      {"/packets", "packets", packets, &L::packets},
      {"/mean", "cycles", mean, known(&L::mean), {column + "_mean", false, true}},
      {"/p50", "cycles", "half of the packets take no longer", known(&L::p50), {column + "_p50"}},
      {"/p99",
       "cycles",
       "99 % of the packets take no longer",
       known(&L::p99),
       {column + "_p99", false, true}},
      {"/max", "cycles", "the longest of all packets", known(&L::max), {column + "_max"}},
  };
}

Fields<TrafficResult> all_traffic_fields() {
  using T = TrafficResult;
  // If nothing was measured there is no such figure.
  const auto rate = [](double T::*of) {
    return [of](const T& t) { return t.measured_cycles > 0 ? std::optional(t.*of) : std::nullopt; };
  };
  const char* const per_node = "flits a node and cycle";
  Fields<T> fields = {
      {"/offered_rate",
       per_node,
       "generated in the measuring phase",
       rate(&T::offered_rate),
       {"offered_rate"}},
      {"/accepted_rate",
       per_node,
       "delivered in the measuring phase",
       rate(&T::accepted_rate),
       {"accepted_rate", false, true}},
      {"/warmup",
       "cycles",
       "before the measuring phase, given or found; a trace has none",
       &T::warmup,
       {"warmup"},
       Unknown::kLeftOut},
      {"/measured_cycles", "cycles", "of the measuring phase, as far as it was run",
       &T::measured_cycles},
      {"/cut", "", "the run ended before its measuring phase did", &T::cut, {"cut"}},
      {"/saturated", "", "more was offered than the network takes", &T::saturated, {"saturated"}},
      {"/steady",
       "",
       "neither latency nor throughput would be another in a longer measuring phase",
       &T::steady,
       {"steady"},
       Unknown::kLeftOut},
      {"/rounds",
       "rounds",
       "of a closed loop, over at every node",
       &T::rounds,
       {"rounds"},
       Unknown::kLeftOut},
  };
  add_part(fields, "/latency",
           latency_fields("latency", "generated in the measuring phase and delivered, no replies",
                          "from generation to the last flit on the wire into the node"),
           [](const T& t) { return &t.latency; });
  add_part(fields, "/round_trip",
           latency_fields("round_trip", "whose replies were delivered",
                          "from generation to the last flit of the reply on the wire into the "
                          "source"),
           [](const T& t) { return t.round_trip ? &*t.round_trip : nullptr; });
  return fields;
}

}  // namespace

const Fields<TrafficResult>& traffic_fields() {
  static const Fields<TrafficResult> fields = all_traffic_fields();
  return fields;
}

}  // namespace weft
