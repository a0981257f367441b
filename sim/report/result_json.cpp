// The result of a run as JSON.
#include "sim/report/result_json.hpp"

#include "sim/report/result_fields.hpp"
#include "sim/report/result_text.hpp"

namespace weft {
using nlohmann::json;
namespace {

// A member of a result that is not a figure, for writing and listing.
struct Member {
  const char *name, *type, *help;
  json (*get)(const Result&);                           // Null: omitted.
  void (*list_elements)(json&, const char*) = nullptr;  // Set for a list of objects.
};

template <class T>
json objects(const std::vector<T>& all, const Fields<T>& fields) {
  json list;
  for (const T& one : all) put(list.emplace_back(), fields, one);
  return list;
}

template <class T>
void list_fields(json& list, const std::string& prefix, const Fields<T>& fields) {
  for (const Field<T>& field : fields) {
    list.push_back({{"name", prefix + field.path.substr(1)},
                    {"type", field.type},
                    {"unit", field.unit},
                    {"help", field.help}});
  }
}

// The fields of each element of a list.
template <const auto& (*kFields)()>
void list_elements(json& list, const char* name) {
  list_fields(list, std::string(name) + "[]/", kFields());
}

constexpr Member kMembers[] = {
    {"config", "object", "the configuration as resolved: `weft list keys`",
     [](const Result& r) { return to_json(r.config); }},
    {"notes", "list of texts", "what was checked, and what was left out",
     [](const Result& r) { return json(r.notes); }},
    {"failure", "text",
     "why the run has failed; of one that an error ended the rest is `config`, `engine` and "
     "`values`",
     [](const Result& r) {
       const std::string why = failure_of(r);
       return why.empty() ? json() : json(why);
     }},
    {"transfers", "list of objects", "each transfer, in the order of the configuration",
     [](const Result& r) { return objects(r.transfers, transfer_fields()); },
     list_elements<transfer_fields>},
    {"values", "list of objects", "what programs have put into the result (weft_result), by node",
     [](const Result& r) { return objects(r.values, value_fields()); },
     list_elements<value_fields>},
    {"regions", "list of objects", "each region of a partitioned network",
     [](const Result& r) { return objects(r.regions, region_fields()); },
     list_elements<region_fields>},
};

}  // namespace

json to_json(const Result& result) {
  json object;
  for (const Member& member : kMembers) {
    json value = member.get(result);
    if (!value.is_null()) object[member.name] = std::move(value);
  }
  put(object, result_fields(), result);
  return object;
}

json to_json(const FailedRun& failed, const Config& config, const std::string& engine,
             const std::string& failure) {
  return {{"config", to_json(config)},
          {"engine", engine},
          {"failure", failure},
          {"values", objects(failed.values, value_fields())}};
}

json list_results() {
  json list = json::array();
  list_fields(list, "", result_fields());
  for (const Member& member : kMembers) {
    list.push_back(
        {{"name", member.name}, {"type", member.type}, {"unit", ""}, {"help", member.help}});
    if (member.list_elements != nullptr) member.list_elements(list, member.name);
  }
  return list;
}

}  // namespace weft
