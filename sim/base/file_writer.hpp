// Atomic writing: files and folders get their names after they are complete.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace weft {

/// Throws ConfigError, "PATH: cannot be written: " and the reason of `error`, an errno.
[[noreturn]] void cannot_write(const std::filesystem::path& path, int error);

/// The absolute path that `path` names after resolving symbolic links; for a device or pipe `path`
/// itself. Throws ConfigError if links form a cycle.
std::filesystem::path resolved(const std::filesystem::path& path);

/// Throws ConfigError unless a file, but no named pipe, can be written at `path`; leaves nothing
/// behind.
void check_writable(const std::filesystem::path& path);

/// Makes SIGINT, SIGTERM and SIGHUP remove the files of drafts before they end the process as
/// usual; an ignored signal stays ignored. For `main`.
void remove_drafts_on_signals();

/// A hidden temporary name beside a file or folder, on the same file system, for its replacement.
/// The destructor removes the temporary file unless `publish` has renamed it. Devices and pipes
/// are written directly.
class Draft {
 public:
  /// A draft for `target`, symbolic links resolved; creates nothing yet. Throws ConfigError as
  /// `resolved`.
  explicit Draft(const std::filesystem::path& target);
  ~Draft();
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;

  /// Where to write.
  const std::filesystem::path& path() const { return path_; }
  /// Replaces the target by the completed draft, which gets the target's permissions. Throws
  /// ConfigError.
  void publish();

 private:
  std::filesystem::path target_, path_;
};

/// Removes drafts of `target` that killed processes have left; for a caller that alone may write
/// it.
void remove_old_drafts(const std::filesystem::path& target);

/// Writes a file from beginning to end.
class FileWriter {
 public:
  /// Throws ConfigError if the file cannot be opened.
  explicit FileWriter(const std::filesystem::path& file);

  /// Appends text; `finish` reports a failure.
  void write(std::string_view text);
  /// Completes the file, which gets its name; without this call it is removed. Throws ConfigError
  /// if anything could not be written.
  void finish();

 private:
  std::filesystem::path file_;
  Draft draft_;
  std::ofstream out_;
  int error_ = 0;  // Errno of the first write that failed.
};

/// Writes a file completely or not at all. Throws ConfigError.
void write_file(const std::filesystem::path& file, std::string_view text);

}  // namespace weft
