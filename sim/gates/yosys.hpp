// Running Yosys.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace weft {

/// Runs Yosys with `script` in `folder`; its log is then `yosys.log` there. Returns what went
/// wrong, in its words, or nothing. Throws ConfigError if it is not installed.
std::optional<std::string> run_yosys(const std::filesystem::path& folder,
                                     const std::string& script);

}  // namespace weft
