// Paths of the files that a run needs besides its configuration.
#pragma once

#include <filesystem>

namespace weft {

/// The build folder: programs of the collectives in `sw/`, Verilated libraries in `verilated/`. It
/// is searched for upwards from the running program, so that a checkout can be moved or copied.
/// Throws ConfigError if the program is not in a build folder.
const std::filesystem::path& build_dir();
/// The checkout that the build folder belongs to: `rtl/`, `sim/cli/configs/`. Throws ConfigError if
/// it is no longer at its path, relative to the build folder, at the time of configuration.
const std::filesystem::path& source_dir();

}  // namespace weft
