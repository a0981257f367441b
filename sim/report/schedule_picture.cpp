// Picture of a schedule: links over slots.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "sim/base/error.hpp"
#include "sim/report/schedule_report.hpp"

namespace weft {
namespace {

constexpr std::uint32_t kMostCells = 4'000'000;
// In pixels; kLetter: average width of a letter.
constexpr double kTop = 76, kFont = 11, kLetter = 6.2;

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    result += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  }
  return result;
}

// Colour of a length: from blue for the shortest to red for the longest.
std::string colour(std::uint32_t length, std::uint32_t longest) {
  const double part = longest > 1 ? (length - 1.0) / (longest - 1.0) : 0;
  return fmt::format("hsl({:.0f},65%,55%)", 220 - 220 * part);
}

}  // namespace

std::string schedule_svg(const ScheduleReport& report) {
  const SlotProblem& problem = report.schedule.messages.problem;
  const std::vector<std::string>& names = report.schedule.messages.names;
  const std::uint32_t slots = report.schedule.tables.slots;
  const std::vector<std::uint32_t> loads = problem.loads();
  std::vector<std::uint32_t> row_of(problem.resources, kOpen);
  std::uint32_t rows = 0;
  for (std::uint32_t r = 0; r < problem.resources; ++r) {
    const auto first = loads.begin() + std::ptrdiff_t{r} * problem.lanes;
    if (std::any_of(first, first + problem.lanes, [](std::uint32_t n) { return n > 0; })) {
      row_of[r] = rows++;
    }
  }
  if (std::uint64_t{rows} * slots > kMostCells) {
    throw ConfigError(fmt::format("a picture of {} links and {} slots: expected: up to {} cells",
                                  rows, slots, kMostCells));
  }
  const double width = slots <= 60 ? 14 : slots <= 200 ? 8 : slots <= 1000 ? 3 : 1;
  const double height = rows <= 40 ? 18 : 9;
  const double label = std::min(kFont, height - 1);
  std::size_t letters = 4;
  for (std::uint32_t r = 0; r < problem.resources; ++r) {
    if (row_of[r] != kOpen) letters = std::max(letters, names[r].size());
  }
  const double left = 16 + static_cast<double>(letters) * kLetter * label / kFont;
  const std::uint32_t longest =
      problem.items() == 0 ? 1 : *std::max_element(problem.lengths.begin(), problem.lengths.end());
  const std::string title = "All-to-all on " + to_json(report.config.topology).dump();
  const std::string figures =
      fmt::format("{} slots of one packet time; the busiest link carries {} messages", slots,
                  report.schedule.tables.load);
  const std::string lengths = "slots from the start of a message to its end (grey: idle)";
  const double legend_left = 16 + static_cast<double>(lengths.size()) * kLetter;
  const double right = std::max({left + slots * width + 20, legend_left + longest * 34.0,
                                 8 + static_cast<double>(title.size()) * kLetter * 1.25,
                                 8 + static_cast<double>(figures.size()) * kLetter});

  std::string svg;
  auto out = std::back_inserter(svg);
  fmt::format_to(out,
                 "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{:.0f}\" height=\"{:.0f}\" "
                 "font-family=\"sans-serif\" font-size=\"{}\">\n"
                 "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
                 "<text x=\"8\" y=\"18\" font-size=\"13\" font-weight=\"bold\">{}</text>\n"
                 "<text x=\"8\" y=\"34\">{}</text>\n"
                 "<text x=\"8\" y=\"{}\" fill=\"#555\">link</text>\n"
                 "<text x=\"{:.1f}\" y=\"{}\" fill=\"#555\">slot</text>\n",
                 right, kTop + rows * height + 40, kFont, escaped(title), figures, kTop - 5, left,
                 kTop - 19);
  const std::uint32_t step = slots <= 40 ? 5 : slots <= 200 ? 10 : slots <= 1000 ? 50 : 500;
  for (std::uint32_t slot = 0; slot < slots; slot += step) {
    fmt::format_to(out,
                   "<text x=\"{:.1f}\" y=\"{}\" fill=\"#555\" text-anchor=\"middle\">{}</text>\n",
                   left + (slot + 0.5) * width, kTop - 5, slot);
  }
  for (std::uint32_t r = 0; r < problem.resources; ++r) {
    if (row_of[r] == kOpen) continue;
    const double y = kTop + row_of[r] * height;
    fmt::format_to(out, "<text x=\"8\" y=\"{:.1f}\" font-size=\"{}\">{}</text>\n",
                   y + height / 2 + label / 3, label, escaped(names[r]));
    fmt::format_to(out,
                   "<rect x=\"{}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" "
                   "fill=\"#eee\"/>\n",
                   left, y, slots * width, height - 1);
  }
  for (std::uint32_t item = 0; item < problem.items(); ++item) {
    const auto uses = problem.of(item);
    const std::uint32_t start = report.schedule.packing.start[item];
    fmt::format_to(out, "<g fill=\"{}\">", colour(problem.lengths[item], longest));
    for (const SlotUse& use : uses) {
      const bool all = use.lane == kAllLanes;
      const double part = (height - 1) / (all ? 1 : problem.lanes);
      fmt::format_to(out, "<rect x=\"{:.1f}\" y=\"{:.2f}\" width=\"{:.1f}\" height=\"{:.2f}\"/>",
                     left + (start + use.after) * width,
                     kTop + row_of[use.resource] * height + (all ? 0 : use.lane * part),
                     width > 2 ? width - 0.5 : width, part);
    }
    svg += "</g>\n";
  }
  const double legend = kTop + rows * height + 24;
  fmt::format_to(out, "<text x=\"8\" y=\"{:.1f}\">{}</text>\n", legend, lengths);
  for (std::uint32_t length = 1; length <= longest; ++length) {
    const double x = legend_left + (length - 1) * 34.0;
    fmt::format_to(out,
                   "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"10\" height=\"10\" fill=\"{}\"/>"
                   "<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
                   x, legend - 9, colour(length, longest), x + 13, legend, length);
  }
  return svg + "</svg>\n";
}

}  // namespace weft
