// Reads the properties of a module as text.
#include "sim/verilated/antecedents.hpp"

#include <fmt/format.h>

namespace weft {

namespace {

constexpr std::string_view kBlank = " \t\r\n";

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlank);
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) + 1 - begin);
}

// The place of the bracket that closes the one at `open`; the text's length if none does.
std::size_t closing(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == '(' || text[i] == '[' || text[i] == '{') ++depth;
    if ((text[i] == ')' || text[i] == ']' || text[i] == '}') && --depth == 0) return i;
  }
  return text.size();
}

// Splits a text at the places of `between` that are in no bracket.
std::vector<std::string_view> split(std::string_view text, std::string_view between) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(' || text[i] == '[' || text[i] == '{') {
      i = closing(text, i);
    } else if (text.substr(i).starts_with(between)) {
      parts.push_back(trimmed(text.substr(begin, i - begin)));
      begin = i + between.size();
      i = begin - 1;
    }
  }
  parts.push_back(trimmed(text.substr(begin)));
  return parts;
}

// The text without parentheses around the whole.
std::string_view bare(std::string_view text) {
  text = trimmed(text);
  while (text.starts_with('(') && closing(text, 0) == text.size() - 1)
    text = trimmed(text.substr(1, text.size() - 2));
  return text;
}

// The alternatives of an expression, or of its negation.
void collect(std::string_view text, bool negated, std::vector<std::string>& found) {
  text = bare(text);
  const bool choice = split(text, "?").size() > 1;
  const auto ors = split(text, "||"), ands = split(text, "&&");
  if (!choice && !negated && ors.size() > 1) {
    for (const auto part : ors) collect(part, false, found);
  } else if (!choice && negated && ors.size() == 1 && ands.size() > 1) {
    for (const auto part : ands) collect(part, true, found);
  } else if (text.starts_with("!(") && closing(text, 1) == text.size() - 1) {
    collect(text.substr(1), !negated, found);
  } else {
    found.push_back(negated ? fmt::format("!({})", text) : std::string(text));
  }
}

// Calls `found(label, property, end)` for each property; `end`: the position after it.
template <class Found>
void each_property(std::string_view source, const Found& found) {
  constexpr std::string_view begin = "`WEFT_ASS";
  for (std::size_t at = source.find(begin); at != source.npos; at = source.find(begin, at + 1)) {
    const std::size_t open = source.find('(', at), close = closing(source, open);
    const std::string_view inside = source.substr(open + 1, close - open - 1);
    const std::size_t comma = inside.find(',');
    if (close == source.size() || comma == inside.npos) continue;
    found(std::string(trimmed(inside.substr(0, comma))), inside.substr(comma + 1), close + 1);
  }
}

std::vector<Antecedent> antecedents(const std::string& label, std::string_view property) {
  std::vector<std::string> texts;
  if (const auto choice = split(property, "?"); choice.size() > 1) {
    texts = {std::string(choice[0]), fmt::format("!({})", choice[0])};
  } else {
    std::vector<std::string> all;
    collect(property, false, all);
    std::string text;
    for (std::size_t i = 0; i + 1 < all.size(); ++i)
      text += fmt::format("{}!({})", i == 0 ? "" : " && ", all[i]);
    if (!text.empty()) texts.push_back(text);
  }
  std::vector<Antecedent> found;
  for (std::string& text : texts) {
    for (char& c : text)
      if (c == '\n') c = ' ';
    found.push_back({label, text, fmt::format("{}_{}_seen", label, found.size() + 1)});
  }
  return found;
}

}  // namespace

std::vector<Antecedent> antecedents_of(std::string_view source) {
  std::vector<Antecedent> all;
  each_property(source, [&](const std::string& label, std::string_view property, std::size_t) {
    for (Antecedent& one : antecedents(label, property)) all.push_back(std::move(one));
  });
  return all;
}

std::string with_records(std::string_view source) {
  std::string text;
  std::size_t copied = 0;
  each_property(source, [&](const std::string& label, std::string_view property, std::size_t end) {
    text += source.substr(copied, end - copied);
    copied = end;
    for (const Antecedent& one : antecedents(label, property)) {
      text += fmt::format(
          " logic {0} = 1'b0; always @(posedge clk_i) if (rst_ni && ({1})) {0} <= 1'b1;",
          one.record, one.text);
    }
  });
  return text += source.substr(copied);
}

}  // namespace weft
