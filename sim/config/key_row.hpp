// Rows of tables of keys, made from members of structs. Only files with tables include this.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "sim/config/key.hpp"

namespace weft {
namespace detail {

std::uint64_t read_number(const Key& key, const JsonCursor& cursor);
std::optional<bool> read_choice(const Key& key, const JsonCursor& cursor);
std::string read_text(const Key& key, const JsonCursor& cursor, bool may_be_empty);
std::vector<std::uint32_t> read_numbers(const Key& key, const JsonCursor& cursor);
std::vector<std::string> read_texts(const Key& key, const JsonCursor& cursor);
double read_fraction(const Key& key, const JsonCursor& cursor);
nlohmann::json number_json(const Key& key, std::uint64_t value);

/// A truth value, or none, which the first word stands for.
template <class T>
inline constexpr bool is_choice = std::is_same_v<T, std::optional<bool>>;
/// A number, or a list of objects instead; the list is empty if there is a number.
template <class T>
inline constexpr bool is_one_or_list = requires(T value) {
  value.one;
  value.list;
};
template <class T>
inline constexpr bool is_list = false;
template <class T>
inline constexpr bool is_list<std::vector<T>> = true;

template <class T>
constexpr KeyType type_of() {
  if constexpr (std::is_same_v<T, bool> || is_choice<T>) {
    return KeyType::kBoolean;
  } else if constexpr (std::is_floating_point_v<T>) {
    return KeyType::kFraction;
  } else if constexpr (std::is_same_v<T, std::string>) {
    return KeyType::kText;
  } else if constexpr (std::is_enum_v<T>) {
    return KeyType::kWords;
  } else if constexpr (std::is_integral_v<T>) {
    return KeyType::kWhole;
  } else if constexpr (is_one_or_list<T>) {
    return KeyType::kWholeOrObjects;
  } else if constexpr (is_list<T>) {
    if (std::is_same_v<typename T::value_type, std::string>) return KeyType::kTexts;
    return std::is_integral_v<typename T::value_type> ? KeyType::kNumbers : KeyType::kObjects;
  } else {
    return KeyType::kObject;
  }
}

template <class T>
void read_value(const Key& key, const JsonCursor& cursor, const Situation& situation, T& target) {
  constexpr bool number = std::is_integral_v<T> || std::is_enum_v<T>;
  if constexpr (std::is_same_v<T, bool>) {
    target = cursor.boolean();
  } else if constexpr (is_choice<T>) {
    target = read_choice(key, cursor);
  } else if constexpr (std::is_floating_point_v<T>) {
    target = read_fraction(key, cursor);
  } else if constexpr (std::is_same_v<T, std::string>) {
    target = read_text(key, cursor, !key.required && target.empty());
  } else if constexpr (number) {
    target = static_cast<T>(read_number(key, cursor));
  } else if constexpr (is_one_or_list<T>) {
    if (cursor.value().is_array()) {
      read_value(key, cursor, situation, target.list);
    } else {
      target.list.clear();
      target.one = static_cast<decltype(target.one)>(read_number(key, cursor));
    }
  } else if constexpr (!is_list<T>) {
    read_object(key.fields, cursor, situation, &target);
  } else if constexpr (std::is_integral_v<typename T::value_type>) {
    target = read_numbers(key, cursor);
  } else if constexpr (std::is_same_v<typename T::value_type, std::string>) {
    target = read_texts(key, cursor);
  } else {
    target.clear();
    for (const JsonCursor& element :
         cursor.elements(key.min_items, key.max_items, expected_of(key))) {
      read_object(key.fields, element, situation, &target.emplace_back());
    }
  }
}

template <class T>
nlohmann::json write_value(const Key& key, const Situation& situation, const T& value) {
  if constexpr (std::is_same_v<T, bool> || std::is_floating_point_v<T> ||
                std::is_same_v<T, std::string>) {
    return value;
  } else if constexpr (is_choice<T>) {
    return value ? nlohmann::json(*value) : nlohmann::json(key.words.front().text);
  } else if constexpr (std::is_enum_v<T>) {
    return word_of(value);  // Not all words of the enum are in every row.
  } else if constexpr (std::is_integral_v<T>) {
    return number_json(key, static_cast<std::uint64_t>(value));
  } else if constexpr (is_one_or_list<T>) {
    return value.list.empty() ? number_json(key, value.one)
                              : write_value(key, situation, value.list);
  } else if constexpr (!is_list<T>) {
    return write_object(key.fields, situation, &value);
  } else if constexpr (std::is_integral_v<typename T::value_type>) {
    if (value.empty() && !key.words.empty()) return key.words.front().text;
    if (key.or_one && value.size() == 1) return value.front();
    return value;
  } else if constexpr (std::is_same_v<typename T::value_type, std::string>) {
    return value;
  } else {
    nlohmann::json list = nlohmann::json::array();
    for (const auto& element : value) {
      list.push_back(write_object(key.fields, situation, &element));
    }
    return list;
  }
}

template <class T>
nlohmann::json new_element(const Key& key) {
  const T element;
  return write_object(key.fields, {}, &element);
}

template <class Member>
struct OwnerOf;
template <class Owner, class T>
struct OwnerOf<T Owner::*> {
  using type = Owner;
};

}  // namespace detail

/// The row of a table for a struct; the pointers to members lead from the struct to the value.
template <auto First, auto... Rest>
constexpr Key key(Key row) {
  using Struct = typename detail::OwnerOf<decltype(First)>::type;
  using T = std::remove_cvref_t<decltype(((std::declval<Struct&>().*First).*....*Rest))>;
  row.type = detail::type_of<T>();
  if constexpr (std::is_enum_v<T>) {
    if (row.words.empty()) row.words = kWordsOf<T>;
  }
  row.read = [](const Key& k, const JsonCursor& cursor, const Situation& situation, void* target) {
    detail::read_value(k, cursor, situation, ((static_cast<Struct*>(target)->*First).*....*Rest));
  };
  row.write = [](const Key& k, const Situation& situation, const void* source) {
    return detail::write_value(k, situation,
                               ((static_cast<const Struct*>(source)->*First).*....*Rest));
  };
  if constexpr (detail::type_of<T>() == KeyType::kObjects) {
    row.new_element = detail::new_element<typename T::value_type>;
  } else if constexpr (detail::is_one_or_list<T>) {
    row.new_element = detail::new_element<typename decltype(T::list)::value_type>;
  }
  return row;
}

/// The functions of a table.
template <class Struct>
constexpr KeyTable table_of(Keys keys) {
  return {keys,
          [](Keys rows, const JsonCursor& cursor, const Situation& situation) {
            Struct all;
            read_members(rows, cursor, situation, &all);
            return KindValues(rows, all);
          },
          [](Keys rows) { return KindValues(rows, Struct()); }};
}

}  // namespace weft
