// Reading of files of lines.
#include "sim/config/table_lines.hpp"

#include <algorithm>
#include <string>

namespace weft {

std::string_view trimmed(std::string_view text) {
  constexpr const char* kBlank = " \t\r";
  const std::size_t begin = std::min(text.find_first_not_of(kBlank), text.size());
  return text.substr(begin, text.find_last_not_of(kBlank) + 1 - begin);
}

void each_table_line(std::istream& in, std::string_view columns,
                     const std::function<void(std::string_view text, std::uint32_t line)>& use) {
  const auto names_columns = [&](std::string_view text) {
    std::string names(text);
    std::erase_if(names, [](char c) { return c == ' ' || c == '\t' || c == '"'; });
    return names == columns;
  };
  bool begun = false;
  std::string text;
  for (std::uint32_t line = 1; std::getline(in, text); ++line) {
    const std::string_view content = trimmed(text);
    if (content.empty() || content.front() == '#') continue;
    if (!begun && names_columns(content)) continue;
    begun = true;
    use(content, line);
  }
}

}  // namespace weft
