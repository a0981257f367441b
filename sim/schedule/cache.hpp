// Schedules kept in files, so that a network's is computed once.
#pragma once

#include <filesystem>
#include <string>

#include "sim/config/config.hpp"
#include "sim/schedule/schedule.hpp"

namespace weft {

/// When packets are on their links in runs of a configuration.
SlotTime slot_time(const Config& config, const Graph& graph);

/// Folder of the cache: $WEFT_CACHE, else $XDG_CACHE_HOME/weft or ~/.cache/weft; empty, for no
/// cache, if none of them is known or if WEFT_CACHE is "off".
std::filesystem::path cache_folder();

/// Everything that the schedule of a network depends on, as text.
std::string schedule_key(const Config& config, const Graph& graph, std::uint64_t effort);

/// The schedule of a network, from a file of `folder` if there is one that is complete and has the
/// same key; otherwise it is computed, and written there if possible. An empty folder: neither.
/// Throws ConfigError as all_messages.
SlotTables cached_schedule(const Config& config, const Graph& graph,
                           const std::filesystem::path& folder,
                           std::uint64_t effort = kScheduleEffort);

}  // namespace weft
