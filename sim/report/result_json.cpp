// The result of a run as JSON.
#include "sim/report/result_json.hpp"

#include "sim/report/result_fields.hpp"

namespace weft {
using nlohmann::json;

json to_json(const Result& result) {
  json object = {{"config", to_json(result.config)}, {"notes", result.notes}};
  put(object, result_fields(), result);
  for (const TransferResult& transfer : result.transfers) {
    put(object["transfers"].emplace_back(), transfer_fields(), transfer);
  }
  for (const RegionResult& region : result.regions) {
    put(object["regions"].emplace_back(), region_fields(), region);
  }
  return object;
}

}  // namespace weft
