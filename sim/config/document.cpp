// JSON documents from files, and changes to them from the command line.
#include "sim/config/document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/file_reader.hpp"
#include "sim/config/json_cursor.hpp"

namespace weft {
using nlohmann::json;
namespace {

constexpr std::size_t kMaxNesting = 64;
constexpr std::size_t kMaxItems = 1u << 20;    // Most elements of a list: those of every key are
                                               // fewer.
constexpr std::size_t kMaxBytes = 256u << 20;  // Far more than a million transfers need.
constexpr unsigned kMemoryPerByte = 16;        // For a document that is a list of short numbers.
constexpr std::size_t kShownBytes = 16;        // Bytes shown of a text that is not JSON, from the
                                               // first wrong one.

// Position of a byte (the first one is 1) as "line 3, column 5".
std::string line_and_column(const std::string& text, std::size_t byte) {
  const auto end =
      text.begin() + static_cast<std::ptrdiff_t>(std::min(byte - (byte > 0), text.size()));
  const auto line = std::count(text.begin(), end, '\n') + 1;
  const auto start = std::find(std::make_reverse_iterator(end), text.rend(), '\n').base();
  return fmt::format("line {}, column {}", line, end - start + 1);
}

// Builds a document as it is parsed. The parser's own builder keeps the last of two equal keys,
// accepts any depth of nesting, and with a callback takes time quadratic in the length of a list.
class DocumentReader : public json::json_sax_t {
 public:
  DocumentReader(const std::string& text, const std::string& name) : text_(text), name_(name) {}

  json take() { return std::move(document_); }

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t&) override { return add(value); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t& value) override { return add(std::move(value)); }
  bool start_object(std::size_t) override { return open(json::object()); }
  bool start_array(std::size_t) override { return open(json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& key) override {
    keys_.back() = key;
    if (open_.back()->contains(key)) {
      throw ConfigError(name_, next().to_string(), "", "each key of an object once");
    }
    member_ = &(*open_.back())[key];
    return true;
  }

  bool parse_error(std::size_t byte, const std::string&, const json::exception& error) override {
    const std::string where = fmt::format("{}: {}", name_, line_and_column(text_, byte));
    if (dynamic_cast<const json::parse_error*>(&error) == nullptr) {
      throw ConfigError(where, "", "", "JSON whose numbers a computer has");
    }
    const std::size_t at = std::min(byte - (byte > 0), text_.size());
    const std::string rest = text_.substr(at, kShownBytes);
    throw ConfigError(where, "", rest.empty() ? "" : shown(rest),
                      rest.empty() ? "more JSON" : "JSON");
  }

 private:
  // JSON pointer of the next value.
  json::json_pointer next() const {
    json::json_pointer pointer;
    for (std::size_t i = 0; i < open_.size(); ++i) {
      if (open_[i]->is_object()) {
        pointer /= keys_[i];
      } else {
        // A list already counts what is open within it.
        pointer /= open_[i]->size() - (i + 1 < open_.size() ? 1 : 0);
      }
    }
    return pointer;
  }
  // The place of the next value.
  json& target() {
    if (open_.empty()) return document_;
    if (!open_.back()->is_array()) return *member_;
    if (open_.back()->size() == kMaxItems) {
      json::json_pointer list = next();
      list.pop_back();
      throw ConfigError(name_, list.to_string(), "",
                        fmt::format("a list of up to {} elements", kMaxItems));
    }
    return open_.back()->emplace_back();
  }
  bool add(json value) {
    target() = std::move(value);
    return true;
  }
  bool open(json empty) {
    if (open_.size() == kMaxNesting) {
      throw ConfigError(name_, next().to_string(), "",
                        fmt::format("up to {} levels of nesting", kMaxNesting));
    }
    json& value = target();
    value = std::move(empty);
    open_.push_back(&value);
    keys_.emplace_back();
    return true;
  }
  bool close() {
    open_.pop_back();
    keys_.pop_back();
    return true;
  }

  const std::string &text_, &name_;
  json document_;
  std::vector<json*> open_;  // Objects and lists around the next value; only the last one grows.
  std::vector<std::string> keys_;  // For each of them the present key; empty in a list.
  json* member_ = nullptr;
};

}  // namespace

json parse_document(const std::string& text, const std::string& name) {
  DocumentReader reader(text, name);
  json::sax_parse(text, &reader);
  return reader.take();
}

json read_document(const std::filesystem::path& file) {
  const std::string text = read_file(file, {.memory_per_byte = kMemoryPerByte, .pipe = true});
  if (text.size() > kMaxBytes) {
    throw ConfigError(fmt::format("{}: expected: up to {} bytes", file.string(), kMaxBytes));
  }
  return parse_document(text, file.string());
}

std::string apply_set(json& document, const std::string& set) {
  const auto bad = [&set](const std::string& expected) {
    throw ConfigError("--set " + set, "", "", expected);
  };
  const auto equals = set.find('=');
  if (equals == std::string::npos || equals == 0) {
    bad("path=value, for example router.vc_depth=4");
  }
  if (std::count(set.begin(), set.begin() + static_cast<std::ptrdiff_t>(equals), '.') >=
      static_cast<std::ptrdiff_t>(kMaxNesting)) {
    bad(fmt::format("a path of up to {} parts", kMaxNesting));
  }
  json *target = &document, *parent = nullptr;
  json::json_pointer pointer;
  for (std::size_t begin = 0; begin <= equals;) {
    const std::size_t end = std::min(set.find('.', begin), equals);
    const std::string key = set.substr(begin, end - begin);
    begin = end + 1;
    if (key.empty()) bad("keys joined by single dots, none of them empty");
    if (key.ends_with("[]")) {
      const std::string list = key.substr(0, key.size() - 2);
      bad(
          fmt::format("the number of an element of the list in place of [], as {0}.0, or the whole "
                      "list, as {0}=[{{...}}]",
                      list));
    }
    parent = target;
    if (target->is_object() || target->is_null()) {
      target = &(*target)[key];
    } else if (target->is_array()) {
      std::size_t index = 0;
      const auto [rest, error] = std::from_chars(key.data(), key.data() + key.size(), index);
      if (error != std::errc() || *rest != '\0' || index > target->size()) {
        bad(fmt::format("an index from 0 to {} into the list at {}", target->size(),
                        pointer.to_string()));
      }
      if (index == target->size()) target->push_back(nullptr);
      target = &(*target)[index];
    } else {
      bad(fmt::format("the end of the path at {}, whose value {} has no part \"{}\"",
                      pointer.empty() ? "/" : pointer.to_string(), shown(*target), key));
    }
    pointer /= key;
  }
  const std::string text = set.substr(equals + 1);
  try {
    *target = parse_document(text, "--set " + set);
  } catch (const ConfigError&) {
    *target = text;
  }
  if (target->is_null() && parent->is_object()) parent->erase(pointer.back());
  return pointer.to_string();
}

}  // namespace weft
