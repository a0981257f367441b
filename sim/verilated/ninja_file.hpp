// How the code that Verilator generates is compiled and linked into a library.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace weft {

/// Options of the compiler for the code of the cycle loop: $WEFT_VERILATED_OPT, -O2 without it.
std::vector<std::string> optimisation();

/// The ninja file that makes `model.so` of the generated sources in a folder, and beside them the
/// files that it compiles, each of several sources.
std::string ninja_for(const std::filesystem::path& dir);

}  // namespace weft
