// Traffic from a file: which node sends which packet in which cycle.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "sim/base/error.hpp"
#include "sim/base/file_reader.hpp"
#include "sim/config/key_row.hpp"
#include "sim/config/table_lines.hpp"
#include "sim/packet/packet.hpp"
#include "sim/traffic/traffic.hpp"

namespace weft {
namespace {

constexpr const char* kFile = "the path of a file with lines cycle,src,dst,flits";
constexpr std::uint32_t kMostFlits = 1u << kLenW;
constexpr auto kLastCycle = static_cast<std::uint32_t>(low_mask(31));
constexpr auto kAnyRank = std::numeric_limits<std::uint32_t>::max();

// Memory per byte of the file, for the shortest lines and sorting.
constexpr unsigned kMemoryPerByte = 8;

struct Parameters {
  std::string file;
};
constexpr Key kKeys[] = {key<&Parameters::file>(
    {.name = "file", .expected = kFile, .required = true, .help = "path, from where weft runs"})};

struct Line {
  std::uint32_t src = 0;
  TimedPacket packet;
};

// Reads the four numbers of a line, each up to its bound; returns false if they are not there.
bool read_numbers(std::string_view text, const std::array<std::uint32_t, 4>& most,
                  std::array<std::uint32_t, 4>& numbers) {
  for (std::size_t i = 0; i < 4; ++i) {
    const std::size_t comma = text.find(',');
    if ((comma == std::string_view::npos) != (i == 3)) return false;
    const std::string_view field = trimmed(text.substr(0, comma));
    if (i < 3) text.remove_prefix(comma + 1);
    const auto [rest, error] =
        std::from_chars(field.data(), field.data() + field.size(), numbers[i]);
    if (error != std::errc() || rest != field.data() + field.size()) return false;
    if (numbers[i] > most[i]) return false;
  }
  return numbers[3] > 0;
}

// Reads the packets of a file in its order, with ranks up to `last_rank`, `ranks` in words. Throws
// ConfigError with the line.
std::vector<Line> read_lines(const JsonCursor& cursor, std::uint32_t last_rank,
                             const std::string& ranks) {
  const auto file = cursor.value().get<std::string>();
  const FileText read = try_read_file(file, {.memory_per_byte = kMemoryPerByte});
  if (!read.error.empty()) cursor.refuse(fmt::format("{}: cannot be read: {}", kFile, read.error));
  const std::array<std::uint32_t, 4> most = {kLastCycle, last_rank, last_rank, kMostFlits};
  std::vector<Line> lines;
  each_table_line(
      read.text, "cycle,src,dst,flits", [&](std::string_view content, std::uint32_t number) {
        std::array<std::uint32_t, 4> n = {};
        if (!read_numbers(content, most, n)) {
          throw ConfigError(
              fmt::format("{}:{}", file, number), "", shown(std::string(content)),
              fmt::format("cycle,src,dst,flits: cycle 0 to {}, src and dst {}, flits of the packet "
                          "with its header 1 to {}; or a line that begins with #, or an empty one, "
                          "or first "
                          "the names of the columns",
                          most[0], ranks, kMostFlits));
        }
        lines.push_back({n[1], {n[0], n[2], n[3]}});
      });
  if (lines.empty()) cursor.refuse(fmt::format("{}: it has no such line", kFile));
  return lines;
}

std::uint32_t longest_packet(const JsonCursor& workload) {
  std::uint32_t longest = 0;
  for (const Line& line : read_lines(workload.member("file"), kAnyRank, "ranks")) {
    longest = std::max(longest, line.packet.flits);
  }
  return longest;
}

TimedPackets build(const Config& config, const Graph& graph) {
  const nlohmann::json file = config.workload.parameters.as<Parameters>().file;
  const JsonCursor cursor(file, config.source, "/workload/file");
  std::vector<Line> lines = read_lines(
      cursor, graph.nodes - 1, fmt::format("0 to {}{}", graph.nodes - 1, of_region(config)));
  std::stable_sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) {
    return a.src != b.src ? a.src < b.src : a.packet.cycle < b.packet.cycle;
  });
  TimedPackets timed;
  auto& [items, end] = timed.packets;
  end.assign(graph.nodes, 0);
  for (const Line& line : lines) {
    if (line.packet.flits > config.workload.packet_flits.longest()) {
      cursor.refuse(fmt::format("{}, which does not change while it is read", kFile));
    }
    items.push_back(line.packet);
    end[line.src] = items.size();
  }
  for (std::size_t n = 1; n < end.size(); ++n) end[n] = std::max(end[n], end[n - 1]);
  return timed;
}

}  // namespace

extern const TrafficPattern traffic_trace = {
    .name = "trace",
    .description = "the packets of a file, in lines cycle,src,dst,flits",
    .keys = table_of<Parameters>(kKeys),
    .longest_packet = longest_packet,
    .build = build,
};

}  // namespace weft
