// How the code that Verilator generates is compiled and linked into a library.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace weft {

/// Options of the compiler for the code of the cycle loop: $WEFT_VERILATED_OPT, without it
/// `by_default`.
std::vector<std::string> optimisation(const char* by_default = "-O2");
/// One word of a command in a ninja file, which a shell reads.
std::string shell_word(const std::string& word);

/// The ninja file that makes `model.so` of the generated sources in a folder, and beside them the
/// files that it compiles, each of several sources.
std::string ninja_for(const std::filesystem::path& dir);

}  // namespace weft
