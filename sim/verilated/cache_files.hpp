// The lock of an entry in the cache of Verilated libraries.
#pragma once

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <filesystem>

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

}  // namespace weft
