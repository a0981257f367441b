// A folder that lasts as long as its object.
#pragma once

#include <fmt/format.h>
#include <stdlib.h>

#include <filesystem>
#include <string>
#include <system_error>

#include "sim/base/error.hpp"

namespace weft {

/// Creates the folder among the system's temporary files; it is removed with all that is in it.
/// Throws ConfigError if it cannot be created.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = std::filesystem::temp_directory_path() / "weft-XXXXXX";
    if (mkdtemp(name.data()) == nullptr) throw ConfigError(fmt::format("cannot write {}", name));
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace weft
