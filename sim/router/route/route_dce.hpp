// Route unit of DCE and MDCE networks, model of rtl/router/weft_route_dce.sv (rtl/router/README.md,
// route_dce; seed 001 3.3).
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstdint>

#include "sim/router/route/route_digits.hpp"

namespace weft {

/// Bit test: in column x of the ring, bit x of every other digit decides whether a packet takes
/// that dimension's cross link. VCs are classes; a packet moves to the next one each time round
/// (spiral buffer). No state.
class RouteDce {
 public:
  static constexpr const char* kBlock = "route_dce";  ///< Name as in rtl/.
  static constexpr RouteTraits kTraits = {.phases = 1, .classes = true};
  /// Number of ports to neighbours: those along the ring, then one for each dimension but the
  /// first.
  static unsigned links(const RouteConfig& config) {
    return config.num_rings + static_cast<unsigned>(config.max_coords.size()) - 1;
  }

  /// Parameters of the module but AddrW.
  static std::vector<RouteParam> params(const RouteConfig& config) {
    auto params = digit_params(config);
    params.emplace_back("NumRings", std::to_string(config.num_rings));
    params.emplace_back("Deltas", digits_literal(config.deltas));
    return params;
  }

  /// Throws ConfigError as RouteDigits, without rings, with fewer than two dimensions, and if a
  /// dimension has no delta or one that is not below the ring's length.
  explicit RouteDce(const RouteConfig& config)
      : digits_("route_dce", config, links(config)),
        rings_(config.num_rings),
        per_dest_(config.per_dest) {
    if (rings_ < 1) throw ConfigError("route_dce: num_rings is 0, expected: 1 or more");
    if (digits_.num_dims() < 2) {
      throw ConfigError("route_dce: 1 dimension, expected: 2 or more, the ring first");
    }
    if (config.deltas.size() != config.max_coords.size()) {
      throw ConfigError(fmt::format("route_dce: {} deltas, expected: {}, one for each dimension",
                                    config.deltas.size(), config.max_coords.size()));
    }
    last_column_ = config.max_coords[0];
    for (unsigned d = 1; d < digits_.num_dims(); ++d) {
      if (config.deltas[d] > last_column_) {
        throw ConfigError(
            fmt::format("route_dce: delta {}, expected: 0 to {}", config.deltas[d], last_column_));
      }
      const std::uint32_t max_coord = config.max_coords[d];
      if ((max_coord & (max_coord + 1)) != 0) {
        throw ConfigError(
            fmt::format("route_dce: {} digits, expected: a power of two", max_coord + 1));
      }
      cross_[d] = {digits_.width(d), digits_.shift(d), last_column_ - config.deltas[d]};
    }
  }

  /// Route of a packet at router `own` that arrived on in-port `port`.
  RouteOut route(std::uint32_t port, std::uint32_t own, std::uint32_t /*src*/, std::uint32_t dst,
                 bool /*other_way*/ = false) const {
    const std::uint32_t bits = digits_.differ(own, dst);
    if (bits == 0) return {digits_.local_port(port), VcSet::kAny};
    const std::uint32_t column = digits_.digit(own, 0);
    for (unsigned d = 1; d < digits_.num_dims(); ++d) {
      const Cross& cross = cross_[d];
      if (column < cross.width && (bits >> (cross.shift + column) & 1) != 0) {
        return {rings_ + d - 1, set(port, column > cross.last_inside)};
      }
    }
    return {rings_ == 1 ? 0 : dst % rings_, set(port, column == last_column_)};
  }

  /// VC sets on links to neighbours (set_mask).
  std::uint32_t sets() const {
    if (per_dest_) return set_mask(VcSet::kSame);
    return set_mask(VcSet::kFirst, VcSet::kSame, VcSet::kNext);
  }

  /// As RouteUnit::invariant_bits: columns and differences of the other digits decide; low bits of
  /// the destination select one of several links along the ring.
  std::uint32_t invariant_bits() const {
    if ((rings_ & (rings_ - 1)) != 0) return 0;
    const std::uint32_t digits = digits_.differ(0, ~std::uint32_t{0});
    return digits >> digits_.shift(1) << digits_.shift(1) & ~(rings_ - 1);
  }

 private:
  struct Cross {
    unsigned width = 0, shift = 0;  // Width and lowest bit of the dimension's digit.
    std::uint32_t last_inside = 0;  // Last column whose cross link does not pass column 0.
  };

  VcSet set(std::uint32_t port, bool round) const {
    if (per_dest_) return VcSet::kSame;
    if (port >= rings_ + digits_.num_dims() - 1) return VcSet::kFirst;
    return round ? VcSet::kNext : VcSet::kSame;
  }

  RouteDigits digits_;
  std::array<Cross, RouteDigits::kMaxDims> cross_ = {};
  unsigned rings_;
  std::uint32_t last_column_ = 0;
  bool per_dest_;
};

}  // namespace weft
