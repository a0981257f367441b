// Entries of the cache: checksums and the folder.
#include "sim/verilated/cache_files.hpp"

#include <algorithm>

#include "sim/base/file_reader.hpp"
#include "sim/base/file_writer.hpp"
#include "sim/base/hash.hpp"
#include "sim/verilated/verilate.hpp"

namespace weft {
namespace fs = std::filesystem;
namespace {

// The first line of a checked file: it tells a damaged entry.
std::string checksum(std::string_view text, const fs::path& also) {
  const std::uint64_t start = also.empty() ? kHashStart : fnv1a(read_file(also), kHashStart);
  return fmt::format("{:016x}\n", fnv1a(text, start));
}

}  // namespace

void write_checked(const fs::path& file, std::string_view text, const fs::path& also) {
  write_file(file, checksum(text, also) + std::string(text));
}

std::optional<std::string> read_checked(const fs::path& file, const fs::path& also) {
  if (!fs::is_regular_file(file) || (!also.empty() && !fs::is_regular_file(also))) return {};
  const std::string all = read_file(file);
  const std::size_t begin = std::min(all.find('\n'), all.size() - 1) + 1;
  std::string text = all.substr(begin);
  if (all.substr(0, begin) != checksum(text, also)) return {};
  return text;
}

std::uint64_t hash_sources(const std::vector<fs::path>& files, std::uint64_t hash) {
  hash = fnv1a(read_file(rtl_dir() / "include" / "weft_assert.svh"), hash);
  for (const fs::path& file : files) hash = fnv1a(read_file(file), hash);
  return hash;
}

CacheFolder::CacheFolder() : path_(cache_dir()) {
  if (path_.empty()) path_ = not_kept_.emplace().path();
  std::error_code error;
  fs::create_directories(path_, error);
  if (error) {
    throw ConfigError(fmt::format("cannot write {}: {}", path_.string(), error.message()));
  }
}

}  // namespace weft
