// The messages of an all-to-all as items to be packed into slots: which links each one needs, and
// which messages start in the same slot because the network is the same for all of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/schedule/packing.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// When a packet is on the links of its route.
enum class SlotTime {
  /// On one link per slot, on the next one in the following slot.
  kStoreForward,
  /// On all links in the same slot; the cycle that each hop takes is ignored.
  kCutThrough,
};

/// Most nodes of a network for which messages are made: with translations, and without.
inline constexpr std::uint32_t kMostNodes = 4096, kMostNodesByPairs = 512;

/// Messages from each node to every other.
///
/// In a torus the messages of all nodes to one offset start together, and with them those to the
/// opposite one, if interfaces have a link for each direction. If both directions round rings are
/// equally long in several dimensions, or to an offset that is its own opposite, nodes with even
/// and odd coordinates take different routes; the lanes of a resource are the links at nodes with
/// the same coordinates modulo 2. In networks with translations (`Graph::translations`) the
/// messages that they map to each other start together; in others each message has its own slot.
struct AllMessages {
  SlotProblem problem;
  std::vector<std::uint32_t> item;  ///< By source and destination, `nodes` for each source: the
                                    ///< message's item.
  /// By source and destination: tag in bits 2:0 (WEFT_TAG_OTHER_WAY), send controller in bits 7:4
  /// as in TAG_GAP.
  std::vector<std::uint8_t> tag;
  std::vector<std::string> names;  ///< Names of the resources.
  std::string symmetry;            ///< Which messages start together, in words.
};

/// `opposites`: in a torus, messages to opposite offsets start together. Throws ConfigError for a
/// network of too many nodes.
AllMessages all_messages(const Graph& graph, SlotTime time, bool opposites = true);

/// Slots from a packet's start to the slot in which it is on link `index` of the `count` links of
/// its route.
std::uint32_t slots_after(const Graph& graph, SlotTime time, std::size_t index, std::size_t count);

}  // namespace weft
