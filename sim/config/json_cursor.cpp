// Checked reading of a configuration document.
#include "sim/config/json_cursor.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace weft {
namespace {

// A key as a JSON pointer writes it (RFC 6901).
std::string escaped(std::string_view key) {
  std::string text;
  for (const char c : key) {
    if (c == '~') {
      text += "~0";
    } else if (c == '/') {
      text += "~1";
    } else {
      text += c;
    }
  }
  return text;
}

std::string shortened(std::string text) {
  constexpr std::size_t longest = 72;
  return text.size() > longest ? text.substr(0, longest) + "..." : text;
}

// The last note on a place, or on an object or list that contains it.
auto last_of(const auto& notes, const std::string& at) {
  return std::find_if(notes.rbegin(), notes.rend(), [&](const auto& note) {
    return at == note.pointer || at.starts_with(note.pointer + "/");
  });
}

}  // namespace

ShownValue::ShownValue(const nlohmann::json& value)
    : text_(shortened(value.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace))) {}
ShownValue::ShownValue(const std::string& text) : ShownValue(nlohmann::json(text)) {}
ShownValue::ShownValue(const std::vector<std::uint32_t>& numbers)
    : ShownValue(nlohmann::json(numbers)) {}
ShownValue::ShownValue(double number) : ShownValue(nlohmann::json(number)) {}

void Source::add_option(std::string pointer, std::string option) {
  options_.push_back({std::move(pointer), shortened(std::move(option))});
}

void Source::move_place(std::string pointer, std::string origin) {
  moved_.push_back({std::move(pointer), origin_of(origin)});
}

std::string Source::origin_of(const std::string& pointer) const {
  const auto moved = last_of(moved_, pointer);
  return moved == moved_.rend() ? pointer : moved->text + pointer.substr(moved->pointer.size());
}

ConfigError Source::error(const std::string& pointer, const ShownValue& value,
                          const std::string& expected, ConfigError::Fault fault) const {
  const std::string origin = origin_of(pointer);
  const auto option = last_of(options_, origin);
  return {option != options_.rend() ? option->text : file_, origin.empty() ? "/" : origin,
          fault == ConfigError::Fault::kMissing ? "" : value.text(), expected, fault};
}

ConfigError Source::missing(const std::string& pointer, const std::string& expected) const {
  return error(pointer, "", expected, ConfigError::Fault::kMissing);
}

void Source::refuse(const std::string& pointer, const ShownValue& value,
                    const std::string& expected) const {
  throw error(pointer, value, expected);
}

void JsonCursor::refuse(const std::string& expected) const {
  source_->refuse(pointer_, *value_, expected);
}

void JsonCursor::refuse_missing(std::string_view key, const std::string& expected) const {
  throw source_->missing(pointer_ + "/" + escaped(key), expected);
}

void JsonCursor::refuse_key(const std::string& key, std::span<const std::string_view> keys) const {
  throw source_->error(pointer_ + "/" + escaped(key), value_->at(key),
                       fmt::format("the keys {}", fmt::join(keys, ", ")),
                       ConfigError::Fault::kUnknownKey);
}

void JsonCursor::only_keys(std::initializer_list<std::string_view> keys) const {
  if (!value_->is_object()) {
    refuse(fmt::format("an object with the keys {}", fmt::join(keys, ", ")));
  }
  for (const auto& [key, value] : value_->items()) {
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) {
      refuse_key(key, std::span(keys.begin(), keys.size()));
    }
  }
}

bool JsonCursor::has(std::string_view key) const {
  return value_->contains(key);
}

JsonCursor JsonCursor::member(std::string_view key) const {
  return {value_->at(std::string(key)), *source_, pointer_ + "/" + escaped(key)};
}

JsonCursor JsonCursor::at(std::string_view key, const std::string& expected) const {
  if (!has(key)) refuse_missing(key, expected);
  return member(key);
}

std::vector<JsonCursor> JsonCursor::elements(std::size_t least, std::size_t most,
                                             const std::string& expected) const {
  if (!value_->is_array() || value_->size() < least || value_->size() > most) refuse(expected);
  std::vector<JsonCursor> list;
  list.reserve(value_->size());
  for (std::size_t i = 0; i < value_->size(); ++i) {
    list.emplace_back((*value_)[i], *source_, fmt::format("{}/{}", pointer_, i));
  }
  return list;
}

std::uint64_t JsonCursor::number(std::uint64_t least, std::uint64_t most,
                                 const std::string& expected) const {
  // The parser keeps whole numbers of up to 64 bits; larger ones and fractions are floating.
  if (!value_->is_number_integer() || *value_ < 0) refuse(expected);
  const auto number = value_->get<std::uint64_t>();
  if (number < least || number > most) refuse(expected);
  return number;
}

std::uint64_t JsonCursor::number(std::uint64_t least, std::uint64_t most) const {
  return number(least, most,
                least == most ? fmt::format("{}", least)
                              : fmt::format("a whole number from {} to {}", least, most));
}

double JsonCursor::fraction(double more, double most) const {
  const bool fits = value_->is_number() && *value_ > more && *value_ <= most;
  if (!fits) refuse(fmt::format("a number above {} and up to {}", more, most));
  return value_->get<double>();
}

bool JsonCursor::boolean() const {
  if (!value_->is_boolean()) refuse("true or false");
  return value_->get<bool>();
}

std::string JsonCursor::text(const std::string& expected) const {
  if (!value_->is_string()) refuse(expected);
  auto text = value_->get<std::string>();
  try {
    (void)value_->dump();  // Refuses what is not UTF-8.
  } catch (const nlohmann::json::exception&) {
    refuse(expected + ", in UTF-8");
  }
  if (text.empty()) refuse(expected);
  return text;
}

}  // namespace weft
