// The JSON Schema of configurations, from the tables of keys.
#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "sim/config/config_keys.hpp"
#include "sim/config/key_list.hpp"
#include "sim/config/traffic_config.hpp"

namespace weft {
using nlohmann::json;
namespace {

constexpr std::uint32_t kEverything = kOfWork | kOfNetwork;

json object_schema(Keys keys, std::uint32_t facts);

json number_schema(const Key& key) {
  if (key.least == key.most) return {{"const", key.least}};
  if (key.power_of_two) {
    json numbers = json::array();
    for (std::uint64_t number = key.least; number <= key.most; number *= 2) {
      numbers.push_back(number);
    }
    return {{"enum", numbers}};
  }
  return {{"type", "integer"}, {"minimum", key.least}, {"maximum", key.most}};
}

json words_schema(const Key& key) {
  json words = json::array();
  for (const Word& word : key.words) words.push_back(word.text);
  return {{"enum", words}};
}

// Values that a row accepts.
json value_schema(const Key& key) {
  const auto or_words = [&](json schema) {
    return key.words.empty() ? schema : json{{"anyOf", {words_schema(key), schema}}};
  };
  const auto list_of = [&](json items) {
    return json{{"type", "array"},
                {"items", std::move(items)},
                {"minItems", key.min_items},
                {"maxItems", key.max_items}};
  };
  switch (key.type) {
    case KeyType::kWhole:
      return or_words(number_schema(key));
    case KeyType::kFraction:
      return {{"type", "number"},
              {key.or_zero ? "minimum" : "exclusiveMinimum", 0},
              {"maximum", key.largest}};
    case KeyType::kBoolean:
      return or_words({{"type", "boolean"}});
    case KeyType::kWords:
      return words_schema(key);
    case KeyType::kText:
      return {{"type", "string"}, {"minLength", key.required ? 1 : 0}};
    case KeyType::kNumbers:
      if (key.or_one) {
        return or_words({{"anyOf", {number_schema(key), list_of(number_schema(key))}}});
      }
      return or_words(list_of(number_schema(key)));
    case KeyType::kTexts:
      return list_of({{"type", "string"}, {"minLength", 1}});
    case KeyType::kObject:
      return object_schema(key.fields, kEverything);
    case KeyType::kObjects:
      return list_of(object_schema(key.fields, kEverything));
    case KeyType::kTextOrObjects:
      return {
          {"anyOf", {json{{"type", "string"}}, list_of(object_schema(key.fields, kEverything))}}};
    case KeyType::kWholeOrObjects:
      return {{"anyOf", {number_schema(key), list_of(object_schema(key.fields, kEverything))}}};
    default:
      return list_of({{"type", "object"}});
  }
}

json described(const Key& key) {
  json schema = value_schema(key);
  std::string text = key.help;
  if (*key.unit != '\0') text += fmt::format(" ({})", key.unit);
  if (!text.empty()) schema["description"] = text;
  return schema;
}

// Rows of one name that exist for some of these facts, as one schema.
json any_row(Keys keys, const std::string& name, std::uint32_t facts) {
  std::vector<json> rows;
  for (const Key& key : keys) {
    if (key.name == name && (key.works & facts) != 0) rows.push_back(described(key));
  }
  return rows.size() == 1 ? rows.front() : json{{"anyOf", rows}};
}

// Members of an object, and which are required.
void add_members(json& schema, Keys keys, std::uint32_t facts) {
  for (const Key& key : keys) {
    if ((key.works & facts) == 0) continue;
    schema["properties"][key.name] = any_row(keys, key.name, facts);
    if (key.required) schema["required"].push_back(key.name);
  }
}

json object_schema(Keys keys, std::uint32_t facts) {
  json schema = {{"type", "object"}, {"properties", json::object()}};
  add_members(schema, keys, facts);
  schema["additionalProperties"] = false;
  return schema;
}

// Constraints on the keys of a table if these facts are known: a single row, the default only, or
// none. Only rows that depend on facts of `kind` (kOfWork or kOfNetwork) are constrained.
json constraints(Keys keys, std::uint32_t facts, std::uint32_t kind, const json& defaults) {
  const std::uint32_t known = facts | (kEverything & ~kind);
  json properties = json::object();
  for (const Key& key : keys) {
    if (key.type == KeyType::kObject) {
      const json inner = constraints(key.fields, facts, kind, defaults.at(key.name));
      if (!inner.empty()) properties[key.name] = {{"properties", inner}};
      continue;
    }
    const bool looks =
        ((key.only_if | key.needs) & kind) != 0 || (kind == kOfWork && key.works != kAnyWork);
    if (!looks || properties.contains(key.name)) continue;
    const Key* const row = find_key(keys, key.name, known);
    if (row == nullptr) {
      properties[key.name] = false;
    } else if (!row->applies(known)) {
      properties[key.name] = {{"const", defaults.at(key.name)}};
    } else {
      properties[key.name] = value_schema(*row);
    }
  }
  return properties;
}

json when(const char* section, const json& condition, const json& then) {
  return {{"if", {{"properties", {{section, condition}}}, {"required", {section}}}},
          {"then", {{"properties", then}}}};
}

// A choice between objects that differ in the value of a member.
json choice_of(const char* member, const json& value, json object) {
  object["properties"][member] = value;
  return object;
}

json topology_schema(const Registry& registry) {
  json choices = json::array();
  for (const TopologyKind& kind : registry.topologies) {
    json object = object_schema(topology_keys(), kEverything);
    add_members(object, kind.keys.keys, kEverything);
    choices.push_back(choice_of("kind", {{"const", kind.name}}, std::move(object)));
  }
  return {{"oneOf", choices}};
}

// A list of patterns whose packets are generated at a rate.
json patterns_schema(const Registry& registry) {
  json choices = json::array();
  for (const TrafficKind& kind : registry.patterns) {
    if (traffic_facts(kind) != kTraffic) continue;
    json object = object_schema(pattern_keys(), kEverything);
    add_members(object, kind.keys.keys, kEverything);
    choices.push_back(choice_of("traffic", {{"const", kind.name}}, std::move(object)));
  }
  json schema = value_schema(*find_key(workload_keys(), "traffic", kTraffic))["anyOf"][1];
  schema["items"] = {{"oneOf", choices}};
  return schema;
}

json region_schema(const Registry& registry, const json& patterns) {
  json region = object_schema(workload_keys(), kTraffic);
  for (const char* key : {"warmup", "measure", "drain", "regions"}) {
    region["properties"].erase(key);
  }
  region["properties"]["rate"] = {{"type", "number"}, {"minimum", 0}, {"maximum", 1}};
  json names = json::array();
  for (const TrafficKind& kind : registry.patterns) {
    names.push_back(kind.name);
    add_members(region, kind.keys.keys, kEverything);
  }
  region["properties"]["traffic"] = {{"anyOf", {json{{"enum", names}}, patterns}}};
  region.erase("required");
  return region;
}

// Names of collectives by their facts.
std::map<std::uint32_t, json> collectives_by_facts(const Registry& registry) {
  std::map<std::uint32_t, json> names;
  for (const CollectiveKind& kind : registry.collectives) names[kind.facts].push_back(kind.name);
  return names;
}

json workload_schema(const Registry& registry) {
  const WorkloadConfig none;
  const json defaults = write_object(workload_keys(), {}, &none);
  json choices = json::array();
  for (const auto& [facts, names] : collectives_by_facts(registry)) {
    json object = object_schema(workload_keys(), facts);
    object["properties"].update(constraints(workload_keys(), facts, kOfWork, defaults));
    for (auto member = object["properties"].begin(); member != object["properties"].end();) {
      member = *member == false ? object["properties"].erase(member) : std::next(member);
    }
    choices.push_back(choice_of("collective", {{"enum", names}}, std::move(object)));
  }
  const json patterns = patterns_schema(registry);
  const json region = region_schema(registry, patterns);
  const auto add_traffic = [&](const json& value, std::uint32_t facts, Keys own) {
    json object = object_schema(workload_keys(), facts);
    object["properties"]["regions"]["items"] = region;
    add_members(object, own, kEverything);
    choices.push_back(choice_of("traffic", value, std::move(object)));
  };
  for (const TrafficKind& kind : registry.patterns) {
    add_traffic({{"const", kind.name}}, traffic_facts(kind), kind.keys.keys);
  }
  add_traffic(patterns, kTraffic, {});
  choices.push_back(object_schema(workload_keys(), kTransfers));
  return {{"oneOf", choices}};
}

}  // namespace

json keys_schema(const Registry& registry) {
  const Config config;
  const json defaults = write_object(root_keys(), {}, &config);
  json schema = object_schema(root_keys(), kEverything);
  schema["$schema"] = "https://json-schema.org/draft/2020-12/schema";
  schema["title"] = "Weft configuration";
  schema["properties"]["topology"] = topology_schema(registry);
  schema["properties"]["workload"] = workload_schema(registry);
  json& rules = schema["allOf"];
  std::map<std::uint32_t, json> kinds;
  for (const TopologyKind& kind : registry.topologies) kinds[kind.facts].push_back(kind.name);
  for (const auto& [facts, names] : kinds) {
    rules.push_back(when("topology", {{"properties", {{"kind", {{"enum", names}}}}}},
                         constraints(root_keys(), facts, kOfNetwork, defaults)));
  }
  const auto add_rule = [&](const char* member, const json& names, std::uint32_t facts) {
    json condition = {{"required", {member}}};
    if (!names.is_null()) condition["properties"][member] = {{"enum", names}};
    rules.push_back(
        when("workload", condition, constraints(root_keys(), facts, kOfWork, defaults)));
  };
  for (const auto& [facts, names] : collectives_by_facts(registry)) {
    add_rule("collective", names, facts);
  }
  add_rule("traffic", nullptr, kTraffic);
  add_rule("transfers", nullptr, kTransfers);
  return schema;
}

}  // namespace weft
