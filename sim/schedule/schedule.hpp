// All-to-all in slots of one packet time, without a conflict on any link.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "sim/config/config.hpp"
#include "sim/schedule/messages.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// A message of a node's table.
struct SlotRow {
  std::uint32_t slot = 0;  ///< Slot in which it starts.
  std::uint32_t to = 0;    ///< Rank of the receiver.
  std::uint32_t tag = 0;   ///< As AllMessages::tag.

  bool operator==(const SlotRow&) const = default;
};

/// Tables of all nodes.
struct SlotTables {
  std::uint32_t nodes = 0;
  /// Slots from the first start to the end of the last packet on a link between blocks. In networks
  /// of routers that store and forward, packets are on the link into the receiver one slot later.
  std::uint32_t slots = 0;
  std::uint32_t load = 0;     ///< Messages on the busiest link: no schedule has fewer slots.
  std::vector<SlotRow> rows;  ///< `nodes` - 1 for each node, by ascending slot and receiver.

  std::span<const SlotRow> of(std::uint32_t rank) const {
    return std::span(rows).subspan(std::size_t{rank} * (nodes - 1), nodes - 1);
  }
  bool operator==(const SlotTables&) const = default;
};

/// A schedule, and how it was made.
struct Schedule {
  SlotTables tables;
  AllMessages messages;  ///< `item` and `tag` of all pairs.
  Packing packing;
};

/// Default effort of pack(): a second or two at most.
inline constexpr std::uint64_t kScheduleEffort = 400'000'000;

/// When packets are on their links in runs of a configuration.
SlotTime slot_time(const Config& config, const Graph& graph);

/// Computes a schedule; packings that were computed before are read from `cache`, a folder
/// (cache.hpp). Throws ConfigError as all_messages.
Schedule make_schedule(const Graph& graph, SlotTime time, std::uint64_t effort = kScheduleEffort,
                       const std::filesystem::path& cache = {});

/// Checks a schedule independently of how it was made: follows every message of every node link by
/// link. Returns what is wrong with the first one that is missing or in conflict with another;
/// empty if there is none.
std::string wrong_with(const Graph& graph, SlotTime time, const SlotTables& tables);

}  // namespace weft
