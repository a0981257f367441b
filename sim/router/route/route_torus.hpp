// Route unit of a torus, model of rtl/router/weft_route_torus.sv (rtl/router/README.md,
// route_torus; seed 004 [2.1], [4.2]).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "sim/router/route/ring.hpp"
#include "sim/router/route/route_digits.hpp"

namespace weft {

/// Dimension order, the lowest dimension first; the shorter direction round each ring; a dateline
/// between the largest digit and 0. No state.
class RouteTorus {
 public:
  static constexpr const char* kBlock = "route_torus";  ///< Name as in rtl/.
  static constexpr RouteTraits kTraits = {
      .dimension_order = true, .by_dimension = true, .phases = 12, .datelines = true};
  /// Number of ports to neighbours.
  static unsigned links(const RouteConfig& config) {
    return 2 * static_cast<unsigned>(config.max_coords.size());
  }

  /// Parameters of the module but AddrW.
  static std::vector<RouteParam> params(const RouteConfig& config) {
    auto params = digit_params(config);
    params.emplace_back("Dateline", fmt::format("{}", static_cast<unsigned>(config.dateline)));
    return params;
  }

  /// Throws ConfigError as RouteDigits.
  explicit RouteTorus(const RouteConfig& config)
      : digits_("route_torus", config, links(config)),
        rule_(config.dateline),
        per_dest_(config.per_dest) {
    for (unsigned d = 0; d < digits_.num_dims(); ++d) {
      size_[d] = config.max_coords[d] + 1;
      // A digit of width 0 has no lowest bit: the bit at its position belongs to the next digit.
      if (config.max_coords[d] != 0) ones_ |= std::uint32_t{1} << digits_.shift(d);
    }
  }

  /// Route of a packet at router `own` that arrived on in-port `port`. `other_way`: if both
  /// directions round a ring are equally long, the opposite of the default. `reverse`: the highest
  /// dimension first.
  [[gnu::always_inline]] RouteOut route(std::uint32_t port, std::uint32_t own, std::uint32_t src,
                                        std::uint32_t dst, bool other_way,
                                        bool reverse = false) const {
    const std::uint32_t bits = digits_.differ(own, dst);
    if (bits == 0) return {digits_.local_port(port), VcSet::kAny};
    const unsigned dim = reverse ? digits_.last(bits) : digits_.first(bits);
    const std::uint32_t s = digits_.digit(src, dim), t = digits_.digit(dst, dim);
    const bool up = goes_up(dim, src, dst, other_way);
    return {2 * dim + (up ? 0 : 1), set(port, dim, up, s, t, digits_.digit(own, dim))};
  }

  /// Route as of `route`, with the number of following routers for which it is the same.
  RouteOn route_on(std::uint32_t port, std::uint32_t own, std::uint32_t src, std::uint32_t dst,
                   bool other_way) const {
    const RouteOut out = route(port, own, src, dst, other_way);
    const std::uint32_t bits = digits_.differ(own, dst);
    if (bits == 0) return {out, 0};
    const unsigned dim = digits_.first(bits);
    const std::uint32_t s = digits_.digit(src, dim), t = digits_.digit(dst, dim);
    const std::uint32_t x = digits_.digit(own, dim);
    const bool up = out.port % 2 == 0;
    const std::uint32_t left = (up ? steps_up(size_[dim], x, t) : steps_up(size_[dim], t, x)) - 1;
    if (per_dest_) return {out, left};
    const Dateline line = dateline(up, s, t, x);
    if (line == Dateline::kAhead && rule_ != DatelineRule::kCrossing) {
      return {out, std::min(left, up ? size_[dim] - 1 - x : x)};
    }
    return {out, line == Dateline::kNone && out.set == VcSet::kAny ? 0 : left};
  }

  /// VC sets on links to neighbours (set_mask).
  std::uint32_t sets() const {
    if (per_dest_) return set_mask(VcSet::kSame);
    const std::uint32_t fixed = set_mask(VcSet::kLow, VcSet::kHigh);
    return rule_ == DatelineRule::kBalanced ? fixed | set_mask(VcSet::kSame, VcSet::kAny) : fixed;
  }

  /// The direction and the dateline in the dimension in which the packet moves, and the bit that
  /// selects the direction in later dimensions if both directions are equally long.
  unsigned phase(std::uint32_t own, std::uint32_t src, std::uint32_t dst, bool other_way) const {
    const std::uint32_t bits = digits_.differ(own, dst);
    if (bits == 0) return 0;
    const unsigned dim = digits_.first(bits);
    const std::uint32_t s = digits_.digit(src, dim), t = digits_.digit(dst, dim);
    const bool up = goes_up(dim, src, dst, other_way);
    const auto line = static_cast<unsigned>(dateline(up, s, t, digits_.digit(own, dim)));
    const bool odd = (__builtin_parity(src & ones_) != 0) != other_way;
    return line << 2 | (up ? 2u : 0u) | (odd ? 1u : 0u);
  }

 private:
  [[gnu::always_inline]] bool goes_up(unsigned dim, std::uint32_t src, std::uint32_t dst,
                                      bool other_way) const {
    const std::uint32_t s = digits_.digit(src, dim), t = digits_.digit(dst, dim);
    const std::uint32_t ahead = steps_up(size_[dim], s, t);
    if (2 * ahead != size_[dim]) return 2 * ahead < size_[dim];
    const std::uint32_t others = ones_ & ~(std::uint32_t{1} << digits_.shift(dim));
    // The parity of both together is that of their exclusive or.
    return (__builtin_parity((src & ones_) ^ (dst & others)) != 0) == other_way;
  }

  // VC set at digit `x` of a packet that goes from digit `s` to digit `t`.
  VcSet set(std::uint32_t port, unsigned dim, bool up, std::uint32_t s, std::uint32_t t,
            std::uint32_t x) const {
    if (per_dest_) return VcSet::kSame;
    if (rule_ == DatelineRule::kCrossing) return dateline_set(dateline(up, s, t, s));
    const Dateline line = dateline(up, s, t, x);
    if (line == Dateline::kNone && rule_ == DatelineRule::kBalanced) {
      return port / 2 == dim ? VcSet::kSame : VcSet::kAny;
    }
    return dateline_set(line);
  }

  RouteDigits digits_;
  std::array<std::uint32_t, RouteDigits::kMaxDims> size_ = {};
  std::uint32_t ones_ = 0;  // Lowest bit of each digit.
  DatelineRule rule_;
  bool per_dest_;
};

}  // namespace weft
