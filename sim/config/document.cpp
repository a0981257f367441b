// JSON documents from files, and changes to them from the command line.
#include "sim/config/document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/config/json_place.hpp"

namespace weft {
using nlohmann::json;
namespace {

constexpr int kMaxNesting = 64;

// Text after the parser's own "[json.exception...] parse error at line 3, column 5: ".
std::string reason(const std::string& what) {
  const auto at = what.find(": ");
  return at == std::string::npos ? what : what.substr(at + 2);
}

// Place of a byte (1 is the first) as "line 3, column 5".
std::string line_and_column(const std::string& text, std::size_t byte) {
  const auto end =
      text.begin() + static_cast<std::ptrdiff_t>(std::min(byte - (byte > 0), text.size()));
  const auto line = std::count(text.begin(), end, '\n') + 1;
  const auto start = std::find(std::make_reverse_iterator(end), text.rend(), '\n').base();
  return fmt::format("line {}, column {}", line, end - start + 1);
}

}  // namespace

json parse_document(const std::string& text, const std::string& name) {
  // The parser would take the last of two equal keys, and any depth of nesting.
  std::vector<std::set<std::string>> keys;
  const auto check = [&](int depth, json::parse_event_t event, json& parsed) {
    if (depth > kMaxNesting) {
      throw ConfigError(fmt::format("{}: nesting of more than {} levels", name, kMaxNesting));
    }
    if (event == json::parse_event_t::object_start) keys.emplace_back();
    if (event == json::parse_event_t::object_end) keys.pop_back();
    if (event == json::parse_event_t::key &&
        !keys.back().insert(parsed.get<std::string>()).second) {
      throw ConfigError(fmt::format("{}: key {} stands twice in one object", name, shown(parsed)));
    }
    return true;
  };
  try {
    return json::parse(text, check);
  } catch (const json::parse_error& error) {
    throw ConfigError(
        fmt::format("{}: {}: {}", name, line_and_column(text, error.byte), reason(error.what())));
  } catch (const json::exception& error) {
    throw ConfigError(fmt::format("{}: {}", name, reason(error.what())));
  }
}

json read_document(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) {
    throw ConfigError(fmt::format("{}: cannot be opened: {}", file.string(), std::strerror(errno)));
  }
  std::ostringstream text;
  text << in.rdbuf();  // Sets the failure bit of `text` for an empty file too.
  if (in.bad() || std::filesystem::is_directory(file)) {
    throw ConfigError(fmt::format("{}: cannot be read", file.string()));
  }
  return parse_document(text.str(), file.string());
}

std::string apply_set(json& document, const std::string& set) {
  const auto bad = [&set](const std::string& why) {
    throw ConfigError(fmt::format("--set {}: {}", set, why));
  };
  const auto equals = set.find('=');
  if (equals == std::string::npos || equals == 0) {
    bad("accepted: path=value, for example router.vc_depth=4");
  }
  json *place = &document, *parent = nullptr;
  json::json_pointer pointer;
  for (std::size_t begin = 0; begin <= equals;) {
    const std::size_t end = std::min(set.find('.', begin), equals);
    const std::string key = set.substr(begin, end - begin);
    begin = end + 1;
    if (key.empty()) bad("the path has an empty part; accepted: keys joined by single dots");
    parent = place;
    if (place->is_object() || place->is_null()) {
      place = &(*place)[key];
    } else if (place->is_array()) {
      std::size_t index = 0;
      const auto [rest, error] = std::from_chars(key.data(), key.data() + key.size(), index);
      if (error != std::errc() || *rest != '\0' || index > place->size()) {
        bad(fmt::format("{}: a list of {}: accepted: an index from 0 to {}", pointer.to_string(),
                        place->size(), place->size()));
      }
      if (index == place->size()) place->push_back(nullptr);
      place = &(*place)[index];
    } else {
      bad(fmt::format("{}: value {} has no part \"{}\"",
                      pointer.empty() ? "/" : pointer.to_string(), shown(*place), key));
    }
    pointer /= key;
  }
  const std::string text = set.substr(equals + 1);
  try {
    *place = parse_document(text, "--set " + set);
  } catch (const ConfigError&) {
    *place = text;
  }
  if (place->is_null() && parent->is_object()) parent->erase(pointer.back());
  return pointer.to_string();
}

}  // namespace weft
