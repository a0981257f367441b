// The build of weft that makes a result.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace weft::cli {

/// Version of Weft, as `weft --version` prints it. build.cmake writes this and build_commit().
const char* build_version();
/// The last commit that changed the sources of this program (12 hexadecimal digits), and `+` with a
/// hash of the sources where they differ from it. "unknown" in place of the commit without git.
const char* build_commit();

/// Enters both into the JSON object of a result: its members `version` and `commit`.
void enter_build(nlohmann::json& result);
/// Version and commit of such an object, in words.
std::string build_in_words(const nlohmann::json& result);

}  // namespace weft::cli
