// Packings kept in files, so that a network's schedule is computed once.
#pragma once

#include <cstdint>
#include <filesystem>

#include "sim/schedule/packing.hpp"

namespace weft {

/// Folder of the cache: $WEFT_CACHE, else $XDG_CACHE_HOME/weft or ~/.cache/weft; empty, for no
/// cache, if none of them is known or if WEFT_CACHE is "off".
std::filesystem::path cache_folder();

/// pack(), from a file of `folder` if there is one that is complete, was made of the same problem
/// with the same effort, and has no conflict; otherwise it is computed, and written there if
/// possible. An empty folder: neither.
///
/// The key is the problem, so that the file depends on all that the schedule does: whatever of a
/// configuration changes routes changes the links that messages use.
Packing cached_packing(const SlotProblem& problem, std::uint64_t effort,
                       const std::filesystem::path& folder);

}  // namespace weft
