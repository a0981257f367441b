// Memory of the computer that simulates.
#pragma once

#include <cstdint>
#include <exception>
#include <optional>
#include <string>

namespace weft {

/// Bytes that this process may use: those of the machine, or fewer if the process (ulimit -v) or
/// its control group has a limit.
std::uint64_t host_memory();

/// A message, with the MiB in use, if the error means that the machine has no more memory or
/// threads; none for another error. The exit status is then 2, as for a configuration that needs
/// too much.
std::optional<std::string> shortage(const std::exception& error);

}  // namespace weft
