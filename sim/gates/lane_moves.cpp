// Moves of bits from lanes to other lanes.
#include "sim/gates/lane_moves.hpp"

#include <map>
#include <tuple>

namespace weft {

LaneMoves::LaneMoves(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& pairs,
                     const LaneLayout& from, const LaneLayout& to) {
  // By destination word, source word and distance: the destination's bits.
  std::map<std::tuple<std::uint32_t, std::uint32_t, unsigned>, std::uint64_t> terms;
  for (const auto& [source, destination] : pairs) {
    const unsigned rotate = (destination - source) % 64;
    terms[{destination / 64, source / 64, rotate}] |= std::uint64_t{1} << destination % 64;
  }
  std::uint32_t last = ~0u;
  for (const auto& [key, mask] : terms) {
    const auto& [destination, source, rotate] = key;
    if (destination != last) {
      const auto first = static_cast<std::uint32_t>(terms_.size());
      words_.push_back({to.at(destination), 0, first, first});
      last = destination;
    }
    terms_.push_back({from.at(source), mask, static_cast<int>(rotate)});
    words_.back().lanes |= mask;
    ++words_.back().end;
  }
}

}  // namespace weft
