// Settings that exclude each other.
#pragma once

#include "sim/config/config.hpp"

namespace weft {

/// Checks a configuration whose members are all read, as far as that needs no network. Throws
/// ConfigError.
void check_settings(const Config& config);

}  // namespace weft
