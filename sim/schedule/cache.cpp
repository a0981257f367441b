// Files of schedules: text of the key, tables, check sum.
#include "sim/schedule/cache.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <optional>

#include "sim/base/error.hpp"
#include "sim/base/file_reader.hpp"
#include "sim/base/file_writer.hpp"
#include "sim/base/random.hpp"

namespace weft {
namespace fs = std::filesystem;
namespace {

// To be raised when the same key would give another schedule.
constexpr int kVersion = 2;

std::uint64_t sum_of(const std::string& text) {
  std::uint64_t sum = text.size();
  for (std::size_t i = 0; i < text.size(); i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + i, std::min<std::size_t>(8, text.size() - i));
    sum = mix64(sum ^ word);
  }
  return sum;
}

void put(std::string& text, std::uint64_t value, unsigned bytes) {
  for (unsigned i = 0; i < bytes; ++i) text += static_cast<char>(value >> 8 * i & 0xFF);
}

std::uint64_t get(const std::string& text, std::size_t at, unsigned bytes) {
  std::uint64_t value = 0;
  for (unsigned i = bytes; i-- > 0;) value = value << 8 | static_cast<unsigned char>(text[at + i]);
  return value;
}

constexpr std::size_t kRowBytes = 9;

std::string packed(const std::string& key, const SlotTables& tables) {
  std::string text = key + "\n";
  for (const std::uint32_t value : {tables.nodes, tables.slots, tables.load}) put(text, value, 4);
  for (const SlotRow& row : tables.rows) {
    put(text, row.slot, 4);
    put(text, row.to, 4);
    put(text, row.tag, 1);
  }
  put(text, sum_of(text), 8);
  return text;
}

std::optional<SlotTables> unpacked(const std::string& key, std::uint32_t nodes,
                                   const std::string& text) {
  const std::size_t head = key.size() + 1;
  const std::size_t rows = std::size_t{nodes} * (nodes - 1), end = head + 12 + rows * kRowBytes;
  if (text.size() != end + 8 || !text.starts_with(key + "\n")) return {};
  if (get(text, end, 8) != sum_of(text.substr(0, end))) return {};
  const auto number = [&](std::size_t at) { return static_cast<std::uint32_t>(get(text, at, 4)); };
  SlotTables tables{number(head), number(head + 4), number(head + 8), {}};
  if (tables.nodes != nodes) return {};
  tables.rows.reserve(rows);
  for (std::size_t at = head + 12; at < end; at += kRowBytes) {
    tables.rows.push_back(
        {number(at), number(at + 4), static_cast<std::uint32_t>(get(text, at + 8, 1))});
  }
  return tables;
}

}  // namespace

SlotTime slot_time(const Config& config, const Graph& graph) {
  return graph.has_routers() && config.router.switching == "store_forward" ? SlotTime::kStoreForward
                                                                           : SlotTime::kCutThrough;
}

fs::path cache_folder() {
  const char* const given = std::getenv("WEFT_CACHE");
  if (given != nullptr) return given == std::string_view("off") ? "" : given;
  const char* const cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && *cache == '/') return fs::path(cache) / "weft";
  const char* const home = std::getenv("HOME");
  if (home != nullptr && *home != '\0') return fs::path(home) / ".cache" / "weft";
  return {};
}

std::string schedule_key(const Config& config, const Graph& graph, std::uint64_t effort) {
  return fmt::format(
      "weft schedule {}: {} interface links {} {} effort {}", kVersion, config.topology.dump(),
      graph.nic_links,
      slot_time(config, graph) == SlotTime::kStoreForward ? "store and forward" : "cut through",
      effort);
}

SlotTables cached_schedule(const Config& config, const Graph& graph, const fs::path& folder,
                           std::uint64_t effort) {
  const std::string key = schedule_key(config, graph, effort);
  const fs::path file =
      folder.empty() ? fs::path() : folder / fmt::format("slots-{:016x}", sum_of(key));
  if (!file.empty()) {
    if (auto tables = unpacked(key, graph.nodes, try_read_file(file).text)) {
      return *std::move(tables);
    }
  }
  SlotTables tables = make_schedule(graph, slot_time(config, graph), effort).tables;
  if (file.empty()) return tables;
  std::error_code failed;
  fs::create_directories(folder, failed);
  try {
    write_file(file, packed(key, tables));
  } catch (const ConfigError&) {
    // A cache that cannot be written costs time only.
  }
  return tables;
}

}  // namespace weft
