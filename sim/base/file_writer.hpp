// Files and folders that take their names when they are whole.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace weft {

/// Throws ConfigError, "PATH: cannot be written: " and the reason of `error`, an errno.
[[noreturn]] void cannot_write(const std::filesystem::path& path, int error);

/// What `path` names behind symbolic links, absolute; of a device or pipe `path`. Throws
/// ConfigError where links go in a circle.
std::filesystem::path resolved(const std::filesystem::path& path);

/// Throws ConfigError unless a file can be written at `path`; leaves nothing behind.
void check_writable(const std::filesystem::path& path);

/// From now on SIGINT, SIGTERM and SIGHUP remove what drafts (below) have written before they end
/// the process as they would without; a signal that is ignored stays so. For `main`.
void remove_drafts_on_signals();

/// A name beside a file or folder for what is to replace it: on the same file system, hidden. What
/// stands there is removed, unless `publish` gave it the name that is meant. Devices and pipes are
/// written in place.
class Draft {
 public:
  /// Of `target`, symbolic links resolved; nothing is made yet. Throws ConfigError as `resolved`.
  explicit Draft(const std::filesystem::path& target);
  ~Draft();
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;

  /// Where to write.
  const std::filesystem::path& path() const { return path_; }
  /// It is whole and takes the place of the target, whose permissions it gets. Throws ConfigError.
  void publish();

 private:
  std::filesystem::path target_, path_;
};

/// Writes a file from beginning to end.
class FileWriter {
 public:
  /// Throws ConfigError where it cannot be opened.
  explicit FileWriter(const std::filesystem::path& file);

  /// Of a failure `finish` speaks.
  void write(std::string_view text);
  /// The file is whole and takes its name; without this nothing is left of it. Throws ConfigError
  /// where anything could not be written.
  void finish();

 private:
  std::filesystem::path file_;
  Draft draft_;
  std::ofstream out_;
  int error_ = 0;  // Of the first write that failed.
};

/// Writes a file whole or not at all. Throws ConfigError.
void write_file(const std::filesystem::path& file, std::string_view text);

}  // namespace weft
