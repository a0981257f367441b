// Output of the command's results.
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

/// The files that a command will write, checked before it starts: none of them is one that it
/// reads, or one that it writes twice. With links one file may have several names.
class Outputs {
 public:
  /// `inputs`: files that the command reads.
  explicit Outputs(const std::set<std::filesystem::path>& inputs);
  /// For a command that reads a configuration and the files that it names.
  explicit Outputs(const Config& config);

  /// Adds the file that `option` names. Returns its path, links resolved. Throws ConfigError if the
  /// file cannot be written or is already in use.
  std::filesystem::path add(const std::string& option, const std::filesystem::path& path);
  /// Adds the file that `option` names, as `add`; it must be a regular file or not exist.
  std::filesystem::path add_regular(const std::string& option, const std::filesystem::path& path);
  /// Adds the file of waves that `option` names, as add_regular, and the file beside it.
  std::filesystem::path add_waves(const std::string& option, const std::filesystem::path& path);
  /// Adds the folder that `option` names, which is replaced as a whole. Throws ConfigError as
  /// `add`.
  void add_folder(const std::string& option, const std::filesystem::path& path) const;
  /// Adds the target of write_json that `option` names. Throws ConfigError as `add`.
  void add_json(const std::string& option, const std::string& target);

 private:
  void take(const std::string& option, const std::filesystem::path& path);

  std::set<std::filesystem::path> inputs_;
  std::set<std::string> read_, written_;  // Identities of files, which do not depend on their
                                          // names.
};

/// Writes a document, completely or not at all, to a file or to standard output ("-"); an empty
/// target: nowhere. Throws ConfigError.
void write_json(const std::string& target, const nlohmann::json& document);

/// Text for a terminal: control characters except newline and tabulator as \xNN.
std::string printable(const std::string& text);

/// Flushes standard output; throws ConfigError if not everything could be written.
void finish_stdout();

}  // namespace weft::cli
