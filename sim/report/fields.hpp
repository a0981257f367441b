// Tables of fields: one description of the fields of a result, for JSON, CSV and lists.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace weft {

/// The value of a field; monostate: unknown (null in JSON, empty in CSV).
using FieldValue = std::variant<std::monostate, bool, std::uint64_t, double, std::string>;

/// Column of a field in a table of runs.
struct Column {
  std::string name;       ///< Empty: none.
  bool always = false;    ///< If false, only if a run has the field.
  bool averaged = false;  ///< Averaged over runs that differ in their seed, with a confidence
                          ///< interval.
};

/// How an unknown value is written: as null, or omitted.
enum class Unknown : std::uint8_t { kNull, kLeftOut };

/// One field of a result of type `T`.
template <class T>
struct Field {
  std::string path;  ///< JSON pointer within the object.
  std::string type;  ///< "whole number", "number", "text", or "true or false".
  std::string unit;  ///< Empty: none.
  std::string help;  ///< Meaning, in half a line.
  std::function<std::optional<FieldValue>(const T&)> get;  ///< Value in a result; none: omitted.
  Column column = {};

  Field() = default;
  /// `of`: a member of T, or a function of it, that gives a value or an optional one.
  template <class Get>
  Field(std::string at, std::string its_unit, std::string words, Get of, Column its_column = {},
        Unknown unknown = Unknown::kNull)
      : path(std::move(at)),
        unit(std::move(its_unit)),
        help(std::move(words)),
        get([of, unknown](const T& whole) { return cell(std::invoke(of, whole), unknown); }),
        column(std::move(its_column)) {
    using Value = decltype(value(std::invoke(of, std::declval<const T&>())));
    type = std::is_same_v<Value, bool>            ? "true or false"
           : std::is_same_v<Value, std::uint64_t> ? "whole number"
           : std::is_same_v<Value, double>        ? "number"
                                                  : "text";
  }

 private:
  // The types of a FieldValue represent all others.
  template <class Given>
  static auto value(const Given& given) {
    if constexpr (requires { given.has_value(); }) {
      return value(*given);
    } else if constexpr (std::is_same_v<Given, bool> || std::is_same_v<Given, double>) {
      return given;
    } else if constexpr (std::unsigned_integral<Given>) {
      return std::uint64_t{given};
    } else {
      return std::string(given);
    }
  }
  template <class Given>
  static std::optional<FieldValue> cell(const Given& given, Unknown unknown) {
    if constexpr (requires { given.has_value(); }) {
      if (!given && unknown == Unknown::kLeftOut) return {};
      if (!given) return FieldValue();
    }
    return FieldValue(value(given));
  }
};

template <class T>
using Fields = std::vector<Field<T>>;

/// Adds the fields of a part below the JSON pointer `at`; `find` returns the part of a whole, or
/// null if it has none.
template <class Whole, class Part>
void add_part(Fields<Whole>& all, const std::string& at, const Fields<Part>& part,
              std::type_identity_t<std::function<const Part*(const Whole&)>> find) {
  for (const Field<Part>& field : part) {
    Field<Whole>& added = all.emplace_back();
    added.path = at + field.path;
    added.type = field.type;
    added.unit = field.unit;
    added.help = field.help;
    added.column = field.column;
    added.get = [find, get = field.get](const Whole& whole) {
      const Part* const its = find(whole);
      return its != nullptr ? get(*its) : std::nullopt;
    };
  }
}

inline nlohmann::json json_of(const FieldValue& value) {
  return std::visit(
      [](const auto& v) -> nlohmann::json {
        if constexpr (std::is_same_v<std::decay_t<decltype(v)>, std::monostate>) {
          return nullptr;
        } else {
          return v;
        }
      },
      value);
}

/// Enters the values of `fields` for `whole` into an object.
template <class T>
void put(nlohmann::json& object, const Fields<T>& fields, const T& whole) {
  for (const Field<T>& field : fields) {
    if (const auto value = field.get(whole)) {
      object[nlohmann::json::json_pointer(field.path)] = json_of(*value);
    }
  }
}

}  // namespace weft
