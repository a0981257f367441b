// The warm-up that traffic needs, found by runs.
#pragma once

#include <string>

#include "sim/engine/prepare.hpp"

namespace weft {

/// Puts the length that it finds in the place of a `warmup` of "auto", and says in words how; empty
/// where a length is given. Runs `config` from an empty network on engine `model`, with phases
/// twice as long each time, until the part of one that is not steady (MSER, sim/engine/steady.hpp)
/// is less than half. Where processes share the network each does that, alone.
std::string find_warmup(Config& config, const RunOptions& options, RouteChecks& routes);

}  // namespace weft
