// Where the command's results go.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

namespace weft::cli {

/// Throws ConfigError unless a file can be written at `path`; leaves nothing behind.
void check_writable(const std::filesystem::path& path);

/// The file that a waves option names, links resolved. It must end in .fst, be a regular file or
/// none yet (the writer replaces what is there), and the save file and filters beside it must be
/// writable. Throws ConfigError.
std::filesystem::path trace_target(const std::filesystem::path& path);

/// The file that `--events` names, links resolved. Throws ConfigError where it cannot be written.
std::filesystem::path events_target(const std::filesystem::path& path);

/// Writes a file whole or not at all, through links. Throws ConfigError.
void write_text(const std::filesystem::path& path, const std::string& text);

/// The target of `--json`: a file, standard output ("-"), or nothing (empty).
class JsonOutput {
 public:
  /// Throws ConfigError where the file could not be written, so that no run is lost.
  explicit JsonOutput(std::string path);

  /// Standard output belongs to the document.
  bool takes_stdout() const { return path_ == "-"; }
  /// Writes the whole document or nothing. Throws ConfigError.
  void write(const nlohmann::json& document) const;

 private:
  std::string path_;
};

/// Flushes standard output; throws ConfigError when not everything could be written.
void finish_stdout();

}  // namespace weft::cli
