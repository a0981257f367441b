// Packings in files, so that a network's schedule is computed once.
#pragma once

#include <cstdint>
#include <filesystem>

#include "sim/schedule/packing.hpp"

namespace weft {

/// Folder of the cache: $WEFT_CACHE, else $XDG_CACHE_HOME/weft or ~/.cache/weft; empty, for no
/// cache, if none of them is known or if WEFT_CACHE is "off".
std::filesystem::path cache_folder();

/// pack(), from a file of `folder` if there is one that is complete, for the same problem and
/// effort, and without a conflict; otherwise computes the packing, and writes it there if possible.
/// An empty folder: neither.
///
/// The key is the problem, so that the file depends on all that the schedule does: whatever in a
/// configuration changes routes, changes the links that messages use.
Packing cached_packing(const SlotProblem& problem, std::uint64_t effort,
                       const std::filesystem::path& folder);

}  // namespace weft
