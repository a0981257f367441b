// Rates and latencies of traffic as fields of a result, of a run or a region.
#pragma once

#include "sim/report/fields.hpp"
#include "sim/workload/traffic_result.hpp"

namespace weft {

const Fields<TrafficResult>& traffic_fields();

}  // namespace weft
