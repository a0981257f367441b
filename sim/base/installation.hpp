// Where the files live that a run needs besides its configuration.
#pragma once

#include <filesystem>

namespace weft {

/// The build folder: programs of the collectives in `sw/`, Verilated libraries in `verilated/`. It
/// is looked for upwards from the running program, so that a checkout can be moved or copied whole.
/// Throws ConfigError where the program does not lie in a build folder.
const std::filesystem::path& build_dir();
/// The checkout that the build folder belongs to: `rtl/`, `sim/cli/configs/`. Throws ConfigError
/// where it is not where it was when the build folder was configured.
const std::filesystem::path& source_dir();

}  // namespace weft
