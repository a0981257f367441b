// Files of lines with numbers between commas: traces of traffic, expected words.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace weft {

/// Without blanks at both ends.
std::string_view trimmed(std::string_view text);

/// Calls `use` with each line of `text` that has something to say, trimmed, and its number, from 1.
/// Left out are empty lines, lines that begin with #, and names of columns, `columns`, before all
/// others; quotes and blanks do not count in them.
void each_table_line(std::string_view text, std::string_view columns,
                     const std::function<void(std::string_view line, std::uint32_t number)>& use);

}  // namespace weft
