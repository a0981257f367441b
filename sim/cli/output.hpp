// Where the command's results go.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "sim/config/config.hpp"

namespace weft::cli {

/// The files that a run of a configuration reads besides the configuration.
std::vector<std::filesystem::path> inputs_of(const Config& config);

/// The files that a command will write, checked before it starts: none of them is one that it reads
/// or that it writes twice. With links one file may have several names.
class Outputs {
 public:
  /// `inputs` are what the command reads.
  explicit Outputs(const std::set<std::filesystem::path>& inputs);
  /// It reads a configuration and what that names.
  explicit Outputs(const Config& config);

  /// `option` names a file. Returns it, links resolved. Throws ConfigError where it cannot be
  /// written or is taken.
  std::filesystem::path add(const std::string& option, const std::filesystem::path& path);
  /// The same for a regular file, or one that is not there yet.
  std::filesystem::path add_regular(const std::string& option, const std::filesystem::path& path);
  /// The same for waves and what goes beside them: each is a regular file or none yet.
  std::filesystem::path add_waves(const std::string& option, const std::filesystem::path& path);
  /// The same for a folder that is replaced as a whole.
  void add_folder(const std::string& option, const std::filesystem::path& path) const;
  /// The same for the target of write_json.
  void add_json(const std::string& option, const std::string& target);

 private:
  void take(const std::string& option, const std::filesystem::path& path);

  std::set<std::filesystem::path> inputs_;
  std::set<std::string> read_, written_;  // Identities of files, independent of their names.
};

/// Writes a document, completely or not at all, to a file or to standard output ("-"), or nothing
/// (empty). Throws ConfigError.
void write_json(const std::string& target, const nlohmann::json& document);

/// Text for a terminal: control characters but newline and tabulator as \xNN.
std::string printable(const std::string& text);

/// Flushes standard output; throws ConfigError when not everything could be written.
void finish_stdout();

}  // namespace weft::cli
