// Files of lines with numbers between commas: traces of traffic, expected words.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace weft {

/// A text without blanks at both ends.
std::string_view trimmed(std::string_view text);

/// Calls `use` with each line of `text`, trimmed, and its number, from 1. Left out are empty lines,
/// lines that begin with #, and a line before all others with the names of columns, `columns`;
/// quotes and blanks do not count in it.
void each_table_line(std::string_view text, std::string_view columns,
                     const std::function<void(std::string_view line, std::uint32_t number)>& use);

}  // namespace weft
