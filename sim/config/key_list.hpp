// All keys as lists: for people, for programs and for editors.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "sim/config/registry.hpp"

namespace weft {

/// One object for each row of a table: "name" (joined by dots; [] after the name of a list),
/// "type", "expected", "default" or "required", "unit", "applies" (empty: always), "help".
nlohmann::json list_keys(const Registry& registry);

/// A table of all keys in Markdown.
std::string keys_in_markdown(const Registry& registry);

/// A JSON Schema (draft 2020-12) of configurations. It covers each key with type, range and the
/// networks and workloads that have it, but no constraints between values.
nlohmann::json keys_schema(const Registry& registry);

}  // namespace weft
