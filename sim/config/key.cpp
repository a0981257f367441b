// Keys: reading and writing by tables.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <string_view>

#include "sim/config/key_row.hpp"

namespace weft {
using nlohmann::json;
namespace {

std::string words_of(const Key& key) {
  std::string text;
  for (const Word& word : key.words) {
    text += fmt::format("{}\"{}\"", text.empty() ? "" : ", ", word.text);
  }
  return text;
}

std::vector<std::string_view> names_of(std::span<const Keys> tables, std::uint32_t facts) {
  std::vector<std::string_view> names;
  for (const Keys keys : tables) {
    for (const Key& key : keys) {
      const bool listed = std::find(names.begin(), names.end(), key.name) != names.end();
      if (key.exists(facts) && !listed) names.emplace_back(key.name);
    }
  }
  return names;
}

// Why a key, or its value, is not allowed in this configuration.
std::string where(const Key& key, const Situation& situation) {
  const bool of_network = ((key.only_if | key.needs) & kOfNetwork & ~situation.facts) != 0;
  return of_network ? "on topology " + situation.topology : "with " + situation.work;
}

}  // namespace

const Key* find_key(Keys keys, std::string_view name, std::uint32_t facts) {
  for (const Key& key : keys) {
    if (key.name == name && key.exists(facts)) return &key;
  }
  return nullptr;
}

json only_value(const Key& key) {
  if (key.type == KeyType::kWhole && key.words.empty() && key.least == key.most) return key.least;
  if (key.type == KeyType::kWords && key.words.size() == 1) return key.words.front().text;
  return nullptr;
}

std::string expected_of(const Key& key) {
  if (key.expected != nullptr) return key.expected;
  const std::string range = key.least == key.most ? fmt::format("{}", key.least)
                                                  : fmt::format("{} to {}", key.least, key.most);
  const std::string items = key.min_items == key.max_items
                                ? fmt::format("{}", key.min_items)
                                : fmt::format("{} to {}", key.min_items, key.max_items);
  const std::string words = key.words.empty() ? "" : words_of(key) + ", ";
  const std::string word = key.words.empty() ? "" : words + "or ";
  switch (key.type) {
    case KeyType::kWhole:
      if (key.power_of_two) return "a power of two from " + range;
      if (!key.words.empty()) return word + range;
      return key.least == key.most ? range : "a whole number from " + range;
    case KeyType::kFraction:
      return fmt::format("a number {} and up to {}", key.or_zero ? "from 0" : "above 0",
                         key.largest);
    case KeyType::kBoolean:
      return key.words.empty() ? "true or false" : words_of(key) + ", true or false";
    case KeyType::kWords:
      return words_of(key);
    case KeyType::kNumbers:
      return fmt::format("{}a list of {} numbers, each {}",
                         key.or_one ? fmt::format("{}{}, or ", words, range) : word, items, range);
    case KeyType::kTexts:
      return fmt::format("a list of {} texts", items);
    case KeyType::kObject:
    case KeyType::kObjects:
    case KeyType::kWholeOrObjects: {
      const Keys tables[] = {key.fields};
      const std::string keys =
          fmt::format("the keys {}", fmt::join(names_of(tables, kOfWork | kOfNetwork), ", "));
      if (key.type == KeyType::kObject) return "an object with " + keys;
      const std::string whole =
          key.type == KeyType::kObjects ? "" : "a whole number from " + range + ", or ";
      return fmt::format("{}a list of {} objects with {}", whole, items, keys);
    }
    default:
      return "text";
  }
}

std::string applies_in_words(const Key& key) {
  struct Name {
    std::uint32_t facts;
    const char* text;
  };
  // Larger sets first: their name replaces those of their parts.
  constexpr Name kWorks[] = {{kCollectives, "collectives"},
                             {kArrays, "collectives on arrays"},
                             {kAllToAll, "all-to-alls"},
                             {kReductions, "reductions"},
                             {kMoves, "broadcast and the like"},
                             {kBarrierWork, "barriers"},
                             {kProgramWork, "programs of your own"},
                             {kTraceWork, "dependency traces"},
                             {kAnyTraffic, "traffic"},
                             {kTraffic, "traffic with a rate"},
                             {kTimedTraffic, "traffic with times of its own"},
                             {kTransfers, "transfers"}};
  constexpr Name kNeeds[] = {{kByHops, "collectives that group by hops"},
                             {kRooted, "collectives with a root"},
                             {kPipelines, "allreduces in stages"},
                             {kOrdered, "collectives along the dimensions of boards"},
                             {kAllToAll, "all-to-alls"},
                             {kCrossbars, "networks of crossbars"},
                             {kRouters, "networks of routers"},
                             {kDatelines, "tori"},
                             {kGrids, "meshes and tori"},
                             {kTables, "networks that route by tables"},
                             {kOwnStages, "graphs"}};
  std::string text;
  std::uint32_t left = key.works == kAnyWork ? 0 : key.works;
  for (const Name& name : kWorks) {
    if ((name.facts & ~left) != 0) continue;
    text += (text.empty() ? "" : ", ") + std::string(name.text);
    left &= ~name.facts;
  }
  for (const Name& name : kNeeds) {
    if ((name.facts & (key.only_if | key.needs)) == 0) continue;
    text += (text.empty() ? "" : "; ") + std::string(name.text);
  }
  return text;
}

void check_names(std::span<const Keys> tables, const JsonCursor& cursor,
                 const Situation& situation) {
  const auto names = names_of(tables, situation.facts);
  if (!cursor.value().is_object()) {
    cursor.refuse(fmt::format("an object with the keys {}", fmt::join(names, ", ")));
  }
  for (const auto& member : cursor.value().items()) {
    const std::string& name = member.key();
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    for (const Keys keys : tables) {
      const auto known =
          std::find_if(keys.begin(), keys.end(), [&](const Key& key) { return key.name == name; });
      if (known == keys.end()) continue;
      cursor.member(name).refuse(fmt::format("no such key {}; it is for {}",
                                             where(*known, situation), applies_in_words(*known)));
    }
    cursor.refuse_key(name, names);
  }
}

void read_members(Keys keys, const JsonCursor& cursor, const Situation& situation, void* target) {
  for (const Key& key : keys) {
    if (key.read == nullptr || find_key(keys, key.name, situation.facts) != &key) continue;
    if (!cursor.has(key.name)) {
      if (key.required) {
        cursor.refuse_missing(key.name, fmt::format("{} ({})", expected_of(key), key.help));
      }
      // A key with a single value has it in omitted sections too.
      const json only = key.type == KeyType::kObject ? json::object() : only_value(key);
      if (!only.is_null()) key.read(key, cursor.instead(only), situation, target);
      continue;
    }
    const JsonCursor value = cursor.member(key.name);
    if (!key.applies(situation.facts)) {
      const json initial = key.write(key, situation, target);
      if (value.value() == initial) continue;
      value.refuse(fmt::format("{} {}", shown(initial), where(key, situation)));
    }
    key.read(key, value, situation, target);
  }
}

void read_object(Keys keys, const JsonCursor& cursor, const Situation& situation, void* target) {
  check_names({&keys, 1}, cursor, situation);
  read_members(keys, cursor, situation, target);
}

json write_object(Keys keys, const Situation& situation, const void* source) {
  json object = json::object();
  for (const Key& key : keys) {
    if (key.write == nullptr || find_key(keys, key.name, situation.facts) != &key) continue;
    json value = key.write(key, situation, source);
    const bool is_empty = value.empty() || value == "" || value == 0;
    if (!key.omit_empty || !is_empty) object[key.name] = std::move(value);
  }
  return object;
}

bool KindValues::has(std::string_view key) const {
  return std::ranges::any_of(keys_, [&](const Key& own) { return own.name == key; });
}

json KindValues::to_json() const {
  return values_ == nullptr ? json::object() : write_object(keys_, {}, values_.get());
}

namespace detail {

std::uint64_t read_number(const Key& key, const JsonCursor& cursor) {
  for (const Word& word : key.words) {
    if (cursor.value() == word.text) return word.value;
  }
  if (key.type == KeyType::kWords) cursor.refuse(expected_of(key));
  const std::uint64_t number = cursor.number(key.least, key.most, expected_of(key));
  if (key.power_of_two && !std::has_single_bit(number)) cursor.refuse(expected_of(key));
  return number;
}

std::optional<bool> read_choice(const Key& key, const JsonCursor& cursor) {
  if (cursor.value() == key.words.front().text) return std::nullopt;
  if (!cursor.value().is_boolean()) cursor.refuse(expected_of(key));
  return cursor.boolean();
}

std::string read_text(const Key& key, const JsonCursor& cursor, bool may_be_empty) {
  if (may_be_empty && cursor.value() == "") return "";
  return cursor.text(expected_of(key));
}

std::vector<std::uint32_t> read_numbers(const Key& key, const JsonCursor& cursor) {
  if (!key.words.empty() && cursor.value() == key.words.front().text) return {};
  if (key.or_one && !cursor.value().is_array()) {
    return {static_cast<std::uint32_t>(cursor.number(key.least, key.most, expected_of(key)))};
  }
  std::vector<std::uint32_t> list;
  for (const JsonCursor& element :
       cursor.elements(key.min_items, key.max_items, expected_of(key))) {
    list.push_back(static_cast<std::uint32_t>(element.number(key.least, key.most)));
  }
  return list;
}

std::vector<std::string> read_texts(const Key& key, const JsonCursor& cursor) {
  std::vector<std::string> list;
  for (const JsonCursor& element :
       cursor.elements(key.min_items, key.max_items, expected_of(key))) {
    list.push_back(element.text(expected_of(key)));
  }
  return list;
}

double read_fraction(const Key& key, const JsonCursor& cursor) {
  if (!key.or_zero) return cursor.fraction(0, key.largest);
  const nlohmann::json& value = cursor.value();
  if (!value.is_number() || value < 0 || value > key.largest) cursor.refuse(expected_of(key));
  return value.get<double>();
}

json number_json(const Key& key, std::uint64_t value) {
  // A number in the range is written as a number, even if there is a word for it.
  const bool in_range = key.type == KeyType::kWhole && value >= key.least && value <= key.most;
  for (const Word& word : key.words) {
    if (!in_range && word.value == value) return word.text;
  }
  return value;
}

}  // namespace detail
}  // namespace weft
