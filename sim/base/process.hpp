// Running another program.
#pragma once

#include <string>
#include <vector>

namespace weft {

/// Runs a command without a shell, by the name of a program in PATH or by its path, and waits for
/// it. Returns its exit status; if a signal ended it, 128 plus the signal. Its output streams go to
/// `output` if given, else to those of this program. Throws ConfigError if it cannot be run, with
/// `hint`, which says what to install.
int run_process(const std::vector<std::string>& words, std::string* output = nullptr,
                const std::string& hint = "is it installed?");

}  // namespace weft
