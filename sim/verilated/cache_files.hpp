// Files of the cache of Verilated libraries: an entry's lock, the folder of one that is not kept.
#pragma once

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <system_error>

#include "sim/base/error.hpp"

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

/// Of a library that is not kept: one that is loaded needs its file no more.
struct TemporaryFolder {
  TemporaryFolder() {
    std::string name = std::filesystem::temp_directory_path() / "weft-XXXXXX";
    if (mkdtemp(name.data()) == nullptr) throw ConfigError(fmt::format("cannot write {}", name));
    path = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::filesystem::path path;
};

}  // namespace weft
