// Running another program.
#pragma once

#include <string>
#include <vector>

namespace weft {

/// Runs a command without a shell, by the name of a program in PATH or its path, and waits for it.
/// Returns its exit status; 128 and the signal where one ended it. With `output` both of its output
/// streams go there, else where those of this program go. Throws ConfigError if it cannot be run,
/// with `hint`, which says what to install.
int run_process(const std::vector<std::string>& words, std::string* output = nullptr,
                const std::string& hint = "is it installed?");

}  // namespace weft
