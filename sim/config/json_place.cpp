// Checked reading of a configuration document.
#include "sim/config/json_place.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "sim/base/error.hpp"

namespace weft {
namespace {

std::string quoted(std::initializer_list<std::string_view> words) {
  std::string text;
  for (const auto word : words) {
    text += fmt::format("{}\"{}\"", text.empty() ? "" : ", ", word);
  }
  return text;
}

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

}  // namespace

std::string shown(const nlohmann::json& value) {
  return shortened(value.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace));
}

void Source::add_option(std::string pointer, std::string option) {
  options_.push_back({std::move(pointer), shortened(std::move(option))});
}

std::string Source::at(const std::string& pointer) const {
  const auto put = std::find_if(options_.rbegin(), options_.rend(), [&](const Option& option) {
    return pointer == option.pointer || pointer.starts_with(option.pointer + "/");
  });
  return fmt::format("{}: {}", put != options_.rend() ? put->text : file_,
                     pointer.empty() ? "/" : pointer);
}

void Source::refuse(const std::string& pointer, const nlohmann::json& value,
                    const std::string& accepted) const {
  throw ConfigError(fmt::format("{}: value {}: accepted: {}", at(pointer), shown(value), accepted));
}

void JsonPlace::refuse(const std::string& accepted) const {
  source_->refuse(pointer_, *value_, accepted);
}

void JsonPlace::only_keys(std::span<const std::string_view> keys) const {
  if (!value_->is_object()) {
    refuse(fmt::format("an object with the keys {}", fmt::join(keys, ", ")));
  }
  for (const auto& [key, value] : value_->items()) {
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) {
      throw ConfigError(fmt::format("{}: unknown key, value {}: accepted: the keys {}",
                                    source_->at(pointer_ + "/" + escaped(key)), shown(value),
                                    fmt::join(keys, ", ")));
    }
  }
}

JsonPlace JsonPlace::member(std::string_view key) const {
  return {value_->at(std::string(key)), *source_, pointer_ + "/" + escaped(key)};
}

JsonPlace JsonPlace::at(std::string_view key, const std::string& accepted) const {
  if (!has(key)) {
    throw ConfigError(fmt::format("{}: missing: accepted: {}",
                                  source_->at(pointer_ + "/" + escaped(key)), accepted));
  }
  return member(key);
}

std::vector<JsonPlace> JsonPlace::elements(std::size_t least, std::size_t most,
                                           const std::string& accepted) const {
  if (!value_->is_array() || value_->size() < least || value_->size() > most) refuse(accepted);
  std::vector<JsonPlace> list;
  list.reserve(value_->size());
  for (std::size_t i = 0; i < value_->size(); ++i) {
    list.emplace_back((*value_)[i], *source_, fmt::format("{}/{}", pointer_, i));
  }
  return list;
}

std::uint64_t JsonPlace::number(std::uint64_t least, std::uint64_t most,
                                const std::string& accepted) const {
  // The parser keeps whole numbers of up to 64 bits; larger ones and fractions are floating.
  if (!value_->is_number_integer() || *value_ < 0) refuse(accepted);
  const auto number = value_->get<std::uint64_t>();
  if (number < least || number > most) refuse(accepted);
  return number;
}

std::uint64_t JsonPlace::number(std::uint64_t least, std::uint64_t most) const {
  return number(least, most,
                least == most ? fmt::format("{}", least)
                              : fmt::format("a whole number from {} to {}", least, most));
}

double JsonPlace::fraction(double more, double most) const {
  const bool fits = value_->is_number() && *value_ > more && *value_ <= most;
  if (!fits) refuse(fmt::format("a number above {} and up to {}", more, most));
  return value_->get<double>();
}

bool JsonPlace::boolean() const {
  if (!value_->is_boolean()) refuse("true or false");
  return value_->get<bool>();
}

std::string JsonPlace::choice(std::initializer_list<std::string_view> choices) const {
  if (value_->is_string()) {
    const auto text = value_->get<std::string>();
    if (std::find(choices.begin(), choices.end(), text) != choices.end()) return text;
  }
  refuse(quoted(choices));
}

std::string JsonPlace::text(const std::string& accepted) const {
  if (!value_->is_string()) refuse(accepted);
  auto text = value_->get<std::string>();
  try {
    (void)value_->dump();  // Refuses what is not UTF-8.
  } catch (const nlohmann::json::exception&) {
    refuse(accepted + ", in UTF-8");
  }
  if (text.empty()) refuse(accepted);
  return text;
}

}  // namespace weft
