// Shared by the builders of messages for networks of different symmetry.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/schedule/messages.hpp"

namespace weft {

inline constexpr std::uint8_t kOtherWay = 4;       ///< WEFT_TAG_OTHER_WAY.
inline constexpr std::uint8_t kRoundRobin = 0xF0;  ///< WEFT_ROUND_ROBIN.

/// Collects messages, with their routes as resources.
class MessageBuilder {
 public:
  /// `resource_of` and `lane_of`: by link, its resource and its lane.
  MessageBuilder(const Graph& graph, SlotTime time, std::vector<std::uint32_t> resource_of,
                 std::vector<std::uint16_t> lane_of, std::uint32_t resources, std::uint32_t lanes);

  /// A route from one node to another: its resources, and how a message selects it.
  struct Way {
    std::vector<SlotUse> uses;
    std::uint32_t length = 0;
    std::uint8_t tag = 0;
  };
  /// Chooses the route with the least sum of squared loads, among both directions round rings and
  /// all links of the interface, and adds its load. `whole`: all lanes use it.
  Way choose(std::uint32_t src, std::uint32_t dst, bool whole);
  /// Subtracts the load of a route.
  void forget(const Way& way) { load(way, -1); }
  /// The tag with which a message takes the route that corresponds to `way`, from other nodes.
  std::uint8_t tag_like(std::uint32_t src, std::uint32_t dst, const Way& way) const;
  /// Adds an item with these routes; they may be several if they have nothing in common.
  std::uint32_t add(std::span<const Way* const> ways);
  void enter(std::uint32_t src, std::uint32_t dst, std::uint32_t item, std::uint8_t tag);
  /// `names` as in AllMessages.
  AllMessages finish(std::string symmetry, std::vector<std::string> names);

 private:
  void fill(Way& way, std::uint32_t src, std::uint32_t dst, std::uint32_t via, bool other_way,
            bool whole) const;
  void load(const Way& way, int sign);
  std::uint64_t cost(const Way& way) const;

  const Graph& graph_;
  const SlotTime time_;
  const bool by_link_;  // The route depends on the interface's link.
  std::vector<std::uint32_t> resource_of_;
  std::vector<std::uint16_t> lane_of_;
  std::vector<std::int64_t> load_;
  std::uint32_t ports_ = 0;  // Most ports of a router to neighbours.
  // Interfaces have a link for each of these ports, so that the links of interfaces are implied.
  bool own_links_ = false;
  AllMessages all_;
};

/// The messages of a torus; none if the network is not a torus.
AllMessages torus_messages(const Graph& graph, SlotTime time, bool opposites);
AllMessages translated_messages(const Graph& graph, SlotTime time);
AllMessages pair_messages(const Graph& graph, SlotTime time);

}  // namespace weft
