// The build of weft that makes a result.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace weft::cli {

/// Version of Weft, as `weft --version` prints it. build.cmake writes this and build_commit().
const char* build_version();
/// The last commit that changed the sources of this program (12 hexadecimal digits), with `+` and a
/// hash of the sources if they differ from it. Without git, "unknown" replaces the commit.
const char* build_commit();

/// Enters version and commit into the JSON object of a result, as its members `version` and
/// `commit`.
void enter_build(nlohmann::json& result);
/// Version and commit in the JSON object of a result, in words.
std::string build_in_words(const nlohmann::json& result);

}  // namespace weft::cli
