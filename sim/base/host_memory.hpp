// Memory of the computer that simulates.
#pragma once

#include <cstdint>
#include <exception>
#include <optional>
#include <string>

namespace weft {

/// Bytes that this process may use: those of the machine, or less where the process (ulimit -v) or
/// its control group has a limit.
std::uint64_t host_memory();

/// What to say of an error that tells that the machine has no more memory or threads, with the MiB
/// in use; nothing of another error. Of these the exit status is 2, as of a configuration that
/// needs too much.
std::optional<std::string> shortage(const std::exception& error);

}  // namespace weft
