// Running Yosys.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace weft {

/// What Yosys says of its version. Throws ConfigError if it is not installed.
std::string yosys_version();

/// Runs Yosys with `script` in `folder`; its log is then `yosys.log` there. Returns what went
/// wrong, in its words, or nothing.
std::optional<std::string> run_yosys(const std::filesystem::path& folder,
                                     const std::string& script);

}  // namespace weft
