// All keys as lists.
#include "sim/config/key_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/config/config.hpp"
#include "sim/config/config_keys.hpp"

namespace weft {
using nlohmann::json;
namespace {

const char* type_name(KeyType type) {
  switch (type) {
    case KeyType::kWhole:
      return "whole number";
    case KeyType::kFraction:
      return "number";
    case KeyType::kBoolean:
      return "boolean";
    case KeyType::kWords:
      return "word";
    case KeyType::kText:
      return "text";
    case KeyType::kNumbers:
      return "list of numbers";
    case KeyType::kTexts:
      return "list of texts";
    case KeyType::kObject:
      return "object";
    case KeyType::kWholeOrObjects:
      return "whole number or list of objects";
    case KeyType::kTextOrObjects:
      return "text or list of objects";
    default:
      return "list of objects";
  }
}

// Adds tables one after the other to one list.
class Lister {
 public:
  /// Adds the rows of a table; `defaults` is the object of its struct. `owner`: the only kind that
  /// has them.
  void add(Keys keys, const std::string& prefix, const json& defaults,
           const std::string& owner = "") {
    for (const Key& key : keys) {
      const std::string name = prefix + key.name;
      if (name == "topology" || name == "workload") {
        name == "topology" ? add_topologies() : add_workloads();
        continue;
      }
      const json initial = defaults.value(key.name, json());
      if (key.type == KeyType::kObject) {
        add(key.fields, name + ".", initial);
        continue;
      }
      add_row(key, name, initial, owner);
      if (key.new_element != nullptr) add(key.fields, name + "[].", key.new_element(key));
    }
  }

  explicit Lister(const Registry& registry) : registry_(registry) {}
  json take() { return std::move(list_); }

 private:
  void add_row(const Key& key, const std::string& name, const json& initial,
               const std::string& owner) {
    json row = {{"name", name},
                {"type", type_name(key.type)},
                {"expected", expected_of(key)},
                {"applies", owner.empty() ? applies_in_words(key) : owner},
                {"help", key.help}};
    if (*key.unit != '\0') row["unit"] = key.unit;
    const json only = only_value(key);
    if (key.required) {
      row["required"] = true;
    } else if (key.initial != nullptr) {
      row["default"] = json::parse(key.initial, nullptr, false).is_discarded()
                           ? json(key.initial)
                           : json::parse(key.initial);
    } else {
      row["default"] = only.is_null() ? initial : only;
    }
    // Equal rows of several owners are listed once.
    for (json& other : list_) {
      json same = other;
      same["applies"] = row["applies"];
      if (owner.empty() || same != row) continue;
      other["applies"] = other["applies"].get<std::string>() + ", " + owner;
      return;
    }
    list_.push_back(std::move(row));
  }

  void add_topologies() {
    const TopologyConfig head;
    add(topology_keys(), "topology.", write_object(topology_keys(), {}, &head));
    for (const TopologyKind& kind : registry_.topologies) {
      add(kind.keys.keys, "topology.", kind.keys.initial(kind.keys.keys).to_json(), kind.name);
    }
  }

  void add_workloads() {
    const WorkloadConfig workload;
    add(workload_keys(), "workload.", write_object(workload_keys(), {}, &workload));
    for (const TrafficKind& kind : registry_.patterns) {
      if (kind.keys.initial == nullptr) continue;
      add(kind.keys.keys, "workload.", kind.keys.initial(kind.keys.keys).to_json(), kind.name);
    }
  }

  const Registry& registry_;
  json list_ = json::array();
};

// A cell of a table: bars and Markdown's special characters are escaped.
std::string cell(const json& row, const char* member) {
  const auto found = row.find(member);
  if (found == row.end()) return "";
  std::string text;
  for (const char c : found->is_string() ? found->get<std::string>() : found->dump()) {
    if (c == '|' || c == '[' || c == ']' || c == '<' || c == '*') text += '\\';
    text += c;
  }
  return text;
}

}  // namespace

json list_keys(const Registry& registry) {
  Lister lister(registry);
  const Config config;
  lister.add(root_keys(), "", write_object(root_keys(), {}, &config));
  return lister.take();
}

std::string keys_in_markdown(const Registry& registry) {
  std::string text =
      "| key | default | expected | unit | for | what it is |\n|---|---|---|---|---|---|\n";
  for (const json& row : list_keys(registry)) {
    text += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", row["name"].get<std::string>(),
                        row.contains("required") ? "required" : cell(row, "default"),
                        cell(row, "expected"), cell(row, "unit"), cell(row, "applies"),
                        cell(row, "help"));
  }
  return text;
}

}  // namespace weft
