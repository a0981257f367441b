// Checked reading of a configuration document: every value has its JSON pointer, for error
// messages.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/config/words.hpp"

namespace weft {

/// Largest whole number in a configuration: the largest that a signed 64-bit reader of the JSON can
/// hold.
inline constexpr std::uint64_t kMaxNumber = (std::uint64_t{1} << 63) - 1;

/// A value as an error message shows it: JSON on one line, cut when long.
class ShownValue {
 public:
  ShownValue(const nlohmann::json& value);
  ShownValue(const std::string& text);
  ShownValue(const char* text) : ShownValue(std::string(text)) {}
  ShownValue(double number);
  ShownValue(const std::vector<std::uint32_t>& numbers);
  ShownValue(bool truth) : text_(truth ? "true" : "false") {}
  ShownValue(std::unsigned_integral auto number) : text_(std::to_string(number)) {}
  template <class E>
  requires std::is_enum_v<E> ShownValue(E value) : ShownValue(word_of(value)) {}

  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// Where a configuration came from, for messages: a file and the options that changed it.
class Source {
 public:
  Source(std::string file) : file_(std::move(file)) {}
  Source(const char* file) : file_(file) {}

  const std::string& file() const { return file_; }
  /// Notes that `option`, as it was typed, set the value at `pointer`.
  void add_option(std::string pointer, std::string option);
  /// Notes that the value at `pointer` of the document was written at `origin`, which itself may
  /// have been noted as moved.
  void move_place(std::string pointer, std::string origin);
  /// The error of a value. Its file is the last option that set the value, or else the file.
  ConfigError error(const std::string& pointer, const ShownValue& value,
                    const std::string& expected,
                    ConfigError::Fault fault = ConfigError::Fault::kValue) const;
  /// The error of a missing value.
  ConfigError missing(const std::string& pointer, const std::string& expected) const;
  /// Throws the error of a value.
  [[noreturn]] void refuse(const std::string& pointer, const ShownValue& value,
                           const std::string& expected) const;

 private:
  struct Note {
    std::string pointer, text;
  };
  /// Where the value at `pointer` was written.
  std::string origin_of(const std::string& pointer) const;

  std::string file_;
  std::vector<Note> options_, moved_;  // The last entry that matches a pointer applies.
};

/// A value of a document with its source and JSON pointer. Refers to document and source, which
/// must outlive it. All readers throw a ConfigError that names the pointer.
class JsonCursor {
 public:
  JsonCursor(const nlohmann::json& value, const Source& source, std::string pointer = "")
      : value_(&value), source_(&source), pointer_(std::move(pointer)) {}
  JsonCursor(const nlohmann::json& value, Source&& source, std::string pointer = "") = delete;

  const nlohmann::json& value() const { return *value_; }
  /// A cursor with the same pointer at another value, which must outlive the cursor, too.
  JsonCursor instead(const nlohmann::json& value) const { return {value, *source_, pointer_}; }

  /// Throws the error of this value; `expected` describes the accepted values.
  [[noreturn]] void refuse(const std::string& expected) const;
  /// Throws the error of a missing member.
  [[noreturn]] void refuse_missing(std::string_view key, const std::string& expected) const;
  /// Throws the error of a member that is none of the keys that the object may have.
  [[noreturn]] void refuse_key(const std::string& key,
                               std::span<const std::string_view> keys) const;

  /// Throws unless this is an object with no keys but these.
  void only_keys(std::initializer_list<std::string_view> keys) const;
  bool has(std::string_view key) const;
  /// A member of an object; throws, naming what is `expected`, if it is missing.
  JsonCursor at(std::string_view key, const std::string& expected) const;
  /// A member that is known to exist.
  JsonCursor member(std::string_view key) const;

  /// The elements of a list; throws if this is not a list or has fewer than `least` or more than
  /// `most`.
  std::vector<JsonCursor> elements(std::size_t least, std::size_t most,
                                   const std::string& expected) const;

  /// A whole number from `least` to `most`, which is at most kMaxNumber.
  std::uint64_t number(std::uint64_t least, std::uint64_t most) const;
  /// A whole number from `least` to `most`; `expected` replaces the plain range in the message.
  std::uint64_t number(std::uint64_t least, std::uint64_t most, const std::string& expected) const;
  /// Any number above `more` and up to `most`.
  double fraction(double more, double most) const;
  bool boolean() const;
  /// Any non-empty string of valid UTF-8; `expected` describes it.
  std::string text(const std::string& expected) const;

 private:
  const nlohmann::json* value_;
  const Source* source_;
  std::string pointer_;
};

inline std::string shown(const ShownValue& value) {
  return value.text();
}

}  // namespace weft
