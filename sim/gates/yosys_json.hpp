// Values in the JSON that Yosys writes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace weft::yosys {

using Json = nlohmann::json;

// A parameter: a number in binary digits.
inline std::uint64_t number(const Json& value) {
  if (value.is_number()) return value.get<std::uint64_t>();
  const std::string digits = value.get<std::string>();
  std::uint64_t sum = 0;
  for (const char c : digits) {
    if (c == ' ') break;  // Yosys marks texts that look like digits so.
    sum = sum << 1 | (c == '1' ? 1u : 0u);
  }
  return sum;
}

inline bool any_one(const Json& value) {
  const std::string digits = value.get<std::string>();
  return std::find(digits.begin(), digits.end(), '1') != digits.end();
}

// A connection's bit: net of Yosys, or a constant. An unknown value is 0, as in Verilated code.
struct Bit {
  bool constant = true, value = false;
  std::uint32_t net = 0;
  bool operator==(const Bit&) const = default;
};
inline Bit bit(const Json& value) {
  if (value.is_string()) return {true, value.get_ref<const std::string&>() == "1", 0};
  return {false, false, value.get<std::uint32_t>()};
}
inline std::vector<Bit> bits(const Json& value) {
  std::vector<Bit> all;
  for (const auto& one : value) all.push_back(bit(one));
  return all;
}
// The constant at a port, if it is one.
inline std::optional<bool> constant(const Json& connections, const char* port) {
  if (!connections.contains(port)) return {};
  const Bit at = bit(connections.at(port)[0]);
  return at.constant ? std::optional(at.value) : std::nullopt;
}
inline std::vector<Bit> part(const std::vector<Bit>& all, std::size_t index, std::size_t width) {
  const auto begin = all.begin() + static_cast<std::ptrdiff_t>(index * width);
  return {begin, begin + static_cast<std::ptrdiff_t>(width)};
}

}  // namespace weft::yosys
