// Route unit of a binary fat tree, model of rtl/router/weft_route_tree.sv (rtl/router/README.md,
// route_tree; seed 001 table 1).
#pragma once

#include <cstdint>

#include "sim/router/route/route_stages.hpp"

namespace weft {

/// Up to the lowest switch above the destination, then down. No state.
class RouteTree {
 public:
  static constexpr const char* kBlock = "route_tree";  ///< Name as in rtl/.
  static constexpr RouteTraits kTraits = {.phases = 1};
  /// Number of ports to neighbours: two up, and two down except in the switches that nodes connect
  /// to.
  static unsigned links(const RouteConfig& config) { return 4 - config.num_local; }

  /// Bits of a switch's own address: its position in its level, and above that the level.
  static unsigned own_bits(const RouteConfig& config) {
    const unsigned levels = stage_bits("route_tree", config);
    return levels - 1 + static_cast<unsigned>(std::bit_width(levels));
  }

  /// Parameters of the module but AddrW.
  static std::vector<RouteParam> params(const RouteConfig& config) { return common_params(config); }

  /// Throws ConfigError as stage_bits.
  explicit RouteTree(const RouteConfig& config)
      : position_w_(stage_bits("route_tree", config) - 1), per_dest_(config.per_dest) {}

  /// Route of a packet at switch `own`: the switch's position in its level, and above that the
  /// level, 1 next to the nodes.
  RouteOut route(std::uint32_t /*port*/, std::uint32_t own, std::uint32_t /*src*/,
                 std::uint32_t dst, bool /*other_way*/ = false) const {
    const std::uint32_t below = (own >> position_w_) - 1, position = own & low(position_w_);
    const std::uint32_t child = dst >> below & 1;
    const VcSet set = per_dest_ ? VcSet::kSame : VcSet::kAny;
    if ((dst & low(position_w_ + 1)) >> 1 >> below != position >> below) return {child, set};
    return {2 + child, below == 0 ? VcSet::kAny : set};
  }

  /// VC sets on links to neighbours (set_mask).
  std::uint32_t sets() const { return set_mask(per_dest_ ? VcSet::kSame : VcSet::kAny); }

  /// As RouteUnit::inverted. Bits of a position below its level were selected on the way up by the
  /// lowest bits of a destination; the others are those of nodes below, without their lowest bit.
  Inverted inverted(std::uint32_t own, std::uint32_t bits) const {
    const std::uint32_t below = (own >> position_w_) - 1;
    const std::uint32_t nodes = bits >> 1 >> below << below & low(position_w_);
    return {own ^ (bits & low(below)) ^ nodes, bits >> below & 1};
  }

 private:
  static std::uint32_t low(unsigned width) { return static_cast<std::uint32_t>(low_mask(width)); }

  unsigned position_w_;  // Bits of a position within a level.
  bool per_dest_;
};

}  // namespace weft
