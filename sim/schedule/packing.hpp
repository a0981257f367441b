// Packing of messages into slots: start slots with which no resource is used twice in a slot.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace weft {

/// A resource that an item needs for one slot.
struct SlotUse {
  std::uint32_t resource = 0;
  std::uint16_t after = 0;  ///< Slots after the item's start.
  std::uint16_t lane = 0;   ///< One of the resource's lanes, or kAllLanes.
};
inline constexpr std::uint16_t kAllLanes = std::numeric_limits<std::uint16_t>::max();

/// Items to be packed. A resource has `lanes` lanes, each of which may be used once per slot.
struct SlotProblem {
  std::uint32_t resources = 0;
  std::uint32_t lanes = 1;             ///< 1 to 32.
  std::vector<std::uint32_t> first;    ///< By item: index in `uses` of its first use; then the end.
  std::vector<SlotUse> uses;           ///< By item, with ascending `after`.
  std::vector<std::uint32_t> lengths;  ///< By item: slots from its start to its end.

  std::uint32_t items() const { return static_cast<std::uint32_t>(lengths.size()); }
  std::span<const SlotUse> of(std::uint32_t item) const {
    return std::span(uses).subspan(first[item], first[item + 1] - first[item]);
  }
  /// Adds an item; `list` in any order.
  void add(std::span<const SlotUse> list, std::uint32_t length);
  /// By resource, `lanes` numbers each: uses of its lanes.
  std::vector<std::uint32_t> loads() const;
  /// Lower bound of the slots of any packing: the uses of the busiest lane, or the length of an
  /// item.
  std::uint32_t least_slots() const;
};

/// Start slots of all items, and the end of the last one.
struct Packing {
  std::vector<std::uint32_t> start;
  std::uint32_t slots = 0;

  bool operator==(const Packing&) const = default;
};

/// Packs by first fit, the longest items first. Then, as long as `effort` lasts (comparisons of one
/// use with one slot, so that the result does not depend on the computer), it looks for a packing
/// of fewer slots: items that do not fit are put where they displace the cheapest others, which are
/// placed again in turn (ejection chains). An item's cost increases with each displacement.
Packing pack(const SlotProblem& problem, std::uint64_t effort);

/// Checks a packing: returns, in words, the first item that is outside of the slots or in conflict
/// with another; empty if there is none.
std::string wrong_with(const SlotProblem& problem, const Packing& packing);

}  // namespace weft
