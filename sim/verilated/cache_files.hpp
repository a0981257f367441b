// Entries of the cache of built libraries: folders that are complete or not there.
#pragma once

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/temporary_folder.hpp"

namespace weft {

/// Lets one process build an entry; others wait for the lock and then find the entry.
class CacheLock {
 public:
  explicit CacheLock(const std::filesystem::path& path)
      : fd_(open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666)) {
    if (fd_ < 0) throw ConfigError(fmt::format("cannot write {}", path.string()));
    flock(fd_, LOCK_EX);
  }
  ~CacheLock() { close(fd_); }
  CacheLock(const CacheLock&) = delete;
  CacheLock& operator=(const CacheLock&) = delete;

 private:
  int fd_;
};

/// Writes `text` to `file` under a checksum of it and of the file `also` (none if empty).
void write_checked(const std::filesystem::path& file, std::string_view text,
                   const std::filesystem::path& also = {});
/// The text; nothing if one of the two files is missing or damaged.
std::optional<std::string> read_checked(const std::filesystem::path& file,
                                        const std::filesystem::path& also = {});

/// Hash of the sources that a library is built from, `hash` being that of what else it depends on.
std::uint64_t hash_sources(const std::vector<std::filesystem::path>& files, std::uint64_t hash);

/// Sets `function` to that of a loaded library; throws std::runtime_error if it has none.
template <class Function>
void resolve_symbol(void* handle, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(handle, name));
  if (function == nullptr) throw std::runtime_error(fmt::format("no symbol {}", name));
}

/// The folder of the cache for the time of an object: `cache_dir()`, or a temporary one if nothing
/// is kept. A library that is loaded needs its file no more.
class CacheFolder {
 public:
  CacheFolder();

  /// What `read(folder)` returns, an optional, for the entry `name`. If that is nothing the entry
  /// is built anew by `build(folder)`; if another process builds it, waits for that. An entry that
  /// was not completed leaves nothing. Throws ConfigError if it cannot be written.
  template <class Read, class Build>
  auto entry(const std::string& name, const Read& read, const Build& build) const {
    const std::filesystem::path entry = path_ / name;
    auto found = read(entry);
    if (found) return std::move(*found);
    const CacheLock lock(path_ / (name + ".lock"));
    found = read(entry);
    if (found) return std::move(*found);
    const std::filesystem::path fresh = entry.string() + ".new";
    std::filesystem::remove_all(fresh);
    std::filesystem::create_directories(fresh);
    try {
      build(fresh);
    } catch (...) {
      std::error_code ignored;
      std::filesystem::remove_all(fresh, ignored);
      throw;
    }
    std::filesystem::remove_all(entry);
    std::filesystem::rename(fresh, entry);
    found = read(entry);
    if (!found) throw ConfigError(fmt::format("{}: cannot be read", entry.string()));
    return std::move(*found);
  }

 private:
  std::optional<TemporaryFolder> not_kept_;
  std::filesystem::path path_;
};

}  // namespace weft
