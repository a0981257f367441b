// Files of packings: key, start slots, check sum.
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

// To be increased if the same problem would give another packing.
constexpr int kVersion = 3;

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

// Check sum of everything that a packing depends on, except the effort.
std::uint64_t sum_of(const SlotProblem& problem) {
  std::uint64_t sum = mix64(problem.resources);
  const auto add = [&](std::uint64_t value) { sum = mix64(sum ^ value); };
  add(problem.lanes);
  for (std::uint32_t item = 0; item < problem.items(); ++item) {
    add(problem.lengths[item]);
    for (const SlotUse& use : problem.of(item)) {
      add(std::uint64_t{use.resource} << 32 | std::uint32_t{use.after} << 16 | use.lane);
    }
    add(~std::uint64_t{0});  // No use is like that.
  }
  return sum;
}

std::string key_of(const SlotProblem& problem, std::uint64_t effort) {
  return fmt::format("weft slots {}: {} items, {} uses, {:016x}, effort {}\n", kVersion,
                     problem.items(), problem.uses.size(), sum_of(problem), effort);
}

std::string packed(const std::string& key, const Packing& packing) {
  std::string text = key;
  put(text, packing.slots, 4);
  for (const std::uint32_t slot : packing.start) put(text, slot, 4);
  put(text, sum_of(text), 8);
  return text;
}

std::optional<Packing> unpacked(const std::string& key, std::uint32_t items,
                                const std::string& text) {
  const std::size_t end = key.size() + 4 + std::size_t{items} * 4;
  if (text.size() != end + 8 || !text.starts_with(key)) return {};
  if (get(text, end, 8) != sum_of(text.substr(0, end))) return {};
  const auto number = [&](std::size_t at) { return static_cast<std::uint32_t>(get(text, at, 4)); };
  Packing packing{{}, number(key.size())};
  packing.start.reserve(items);
  for (std::size_t at = key.size() + 4; at < end; at += 4) packing.start.push_back(number(at));
  return packing;
}

}  // namespace

fs::path cache_folder() {
  const char* const given = std::getenv("WEFT_CACHE");
  if (given != nullptr) return given == std::string_view("off") ? "" : given;
  const char* const cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && *cache == '/') return fs::path(cache) / "weft";
  const char* const home = std::getenv("HOME");
  if (home != nullptr && *home != '\0') return fs::path(home) / ".cache" / "weft";
  return {};
}

Packing cached_packing(const SlotProblem& problem, std::uint64_t effort, const fs::path& folder) {
  if (folder.empty()) return pack(problem, effort);
  const std::string key = key_of(problem, effort);
  const fs::path file = folder / fmt::format("slots-{:016x}", sum_of(key));
  if (auto packing = unpacked(key, problem.items(), try_read_file(file).text)) {
    if (wrong_with(problem, *packing).empty()) return *std::move(packing);
  }
  Packing packing = pack(problem, effort);
  std::error_code failed;
  fs::create_directories(folder, failed);
  try {
    write_file(file, packed(key, packing));
  } catch (const ConfigError&) {
    // If the cache cannot be written, that only costs time.
  }
  return packing;
}

}  // namespace weft
