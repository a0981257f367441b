// Finding build folder and checkout from the path of the running program.
#include "sim/base/installation.hpp"

#include <fmt/format.h>

#include <fstream>
#include <string>

#include "sim/base/error.hpp"

namespace weft {
namespace fs = std::filesystem;
namespace {

// File that CMake writes into the build folder: the checkout, relative to that folder.
constexpr const char* kMarker = "weft_source";

fs::path find_build_dir() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  for (fs::path folder = program.parent_path(); !error && folder.has_relative_path();
       folder = folder.parent_path()) {
    if (fs::exists(folder / kMarker)) return folder;
  }
  throw ConfigError(
      fmt::format("{}: no build folder of Weft lies above this program; configure "
                  "one with cmake -B build -G Ninja, and build there",
                  program.string()));
}

fs::path find_source_dir() {
  std::string relative;
  std::getline(std::ifstream(build_dir() / kMarker) >> std::ws, relative);
  const fs::path source = fs::weakly_canonical(build_dir() / relative);
  if (fs::exists(source / "rtl" / "weft_pkg.sv")) return source;
  throw ConfigError(fmt::format("{}: the checkout is no longer there: configure {} anew",
                                source.string(), build_dir().string()));
}

}  // namespace

const fs::path& build_dir() {
  static const fs::path folder = find_build_dir();
  return folder;
}

const fs::path& source_dir() {
  static const fs::path folder = find_source_dir();
  return folder;
}

}  // namespace weft
