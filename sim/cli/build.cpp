// The build of weft that makes a result.
#include "sim/cli/build.hpp"

namespace weft::cli {

void enter_build(nlohmann::json& result) {
  result["version"] = build_version();
  result["commit"] = build_commit();
}

std::string build_in_words(const nlohmann::json& result) {
  const auto text = [&](const char* member) {
    const auto found = result.find(member);
    return found != result.end() && found->is_string() ? found->get<std::string>() : "";
  };
  const std::string version = text("version"), commit = text("commit");
  return version.empty() && commit.empty() ? "not recorded" : version + " " + commit;
}

}  // namespace weft::cli
