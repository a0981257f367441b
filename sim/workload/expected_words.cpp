// The file of words that a user program must leave in memory.
#include "sim/workload/expected_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <tuple>

#include "sim/base/error.hpp"
#include "sim/base/file_reader.hpp"
#include "sim/config/table_lines.hpp"

namespace weft {
namespace {

// Memory per byte of the file, for the shortest lines and sorting.
constexpr unsigned kMemoryPerByte = 8;

// Reads a decimal or hexadecimal 32-bit number.
std::optional<std::uint32_t> number_of(std::string_view text) {
  const bool hex = text.starts_with("0x");
  if (hex) text.remove_prefix(2);
  std::uint32_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value, hex ? 16 : 10);
  if (error != std::errc() || rest != end) return {};
  return value;
}

// Reads a decimal or hexadecimal number with an optional sign; returns the bits of the word.
std::optional<std::uint32_t> value_of(std::string_view text) {
  const bool negative = text.starts_with("-");
  if (negative) text.remove_prefix(1);
  const std::optional<std::uint32_t> value = number_of(text);
  if (!value || !negative) return value;
  if (*value > std::uint32_t{1} << 31) return {};
  return 0 - *value;
}

std::optional<std::uint32_t> address_of(std::string_view text, const MemoryLayout& layout) {
  std::uint32_t base = 0;
  if (text.starts_with("send+") || text.starts_with("recv+")) {
    base = text.front() == 's' ? layout.send_base : layout.recv_base;
    text.remove_prefix(5);
  }
  const std::optional<std::uint32_t> offset = number_of(text);
  if (!offset || *offset % 4 != 0) return {};
  const std::uint64_t address = std::uint64_t{base} + *offset;
  if (address + 4 > layout.memory_bytes) return {};
  return static_cast<std::uint32_t>(address);
}

// Reads a line; returns none if it is malformed.
std::optional<ExpectedWord> word_of_line(std::string_view text, std::uint32_t nodes,
                                         const MemoryLayout& layout) {
  const std::size_t first = text.find(',');
  const std::size_t second = text.find(',', first == text.npos ? first : first + 1);
  if (second == text.npos) return {};
  const auto node = number_of(trimmed(text.substr(0, first)));
  const auto address = address_of(trimmed(text.substr(first + 1, second - first - 1)), layout);
  const auto value = value_of(trimmed(text.substr(second + 1)));
  if (!node || *node >= nodes || !address || !value) return {};
  return ExpectedWord{*node, *address, *value};
}

}  // namespace

std::vector<ExpectedWord> read_expected_words(const std::string& file, const Source& source,
                                              std::uint32_t nodes, const MemoryLayout& layout) {
  const auto refuse_file = [&](const std::string& why) {
    source.refuse("/workload/expect", file,
                  fmt::format("the path of a file with lines node,address,value: {}", why));
  };
  const FileText read = try_read_file(file, {.memory_per_byte = kMemoryPerByte});
  if (!read.error.empty()) refuse_file(fmt::format("cannot be read: {}", read.error));
  std::vector<ExpectedWord> words;
  each_table_line(
      read.text, "node,address,value", [&](std::string_view content, std::uint32_t line) {
        std::optional<ExpectedWord> word = word_of_line(content, nodes, layout);
        if (!word) {
          throw ConfigError(
              fmt::format("{}:{}", file, line), "", shown(std::string(content)),
              fmt::format(
                  "node,address,value: node 0 to {}; address a multiple of 4 up to {:#x}, or "
                  "send+ or recv+ and a multiple of 4; value -2147483648 to 4294967295; all "
                  "decimal or as 0x10; or a line that begins with #, or an empty one, or first "
                  "the names of the columns",
                  nodes - 1, layout.memory_bytes - 4));
        }
        word->line = line;
        words.push_back(*word);
      });
  if (words.empty()) refuse_file("it has no such line");
  const auto place = [](const ExpectedWord& word) { return std::tie(word.node, word.address); };
  std::ranges::stable_sort(words, {}, place);
  const auto same = std::ranges::adjacent_find(words, {}, place);
  if (same != words.end()) {
    throw ConfigError(
        fmt::format("{}:{}", file, same[1].line), "", "",
        fmt::format("one line for each word: line {} is for this one, too", same->line));
  }
  return words;
}

}  // namespace weft
