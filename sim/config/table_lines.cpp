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

void each_table_line(std::string_view text, std::string_view columns,
                     const std::function<void(std::string_view line, std::uint32_t number)>& use) {
  const auto names_columns = [&](std::string_view line) {
    std::string names(line);
    std::erase_if(names, [](char c) { return c == ' ' || c == '\t' || c == '"'; });
    return names == columns;
  };
  bool begun = false;
  for (std::uint32_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view content = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (content.empty() || content.front() == '#') continue;
    if (!begun && names_columns(content)) continue;
    begun = true;
    use(content, number);
  }
}

}  // namespace weft
