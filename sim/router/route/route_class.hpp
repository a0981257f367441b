// VC set of a class of packets, model of rtl/router/weft_route_class.sv (rtl/router/README.md,
// route_class).
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "sim/base/error.hpp"
#include "sim/router/route/route.hpp"

namespace weft {

/// VC sets within a class: each of two classes of packets has some of the VCs, class 0 the lower
/// ones. No state.
class RouteClass {
 public:
  static constexpr const char* kBlock = "route_class";  ///< Name as in rtl/.

  struct In {
    bool cls = false;         ///< Class of the packet: 1, else 0.
    VcSet set = VcSet::kAny;  ///< VC set as in a network that has only the VCs of one class.
    std::uint32_t stamp = 0;  ///< Stamp of the packet; the low `kStampBits` bits count.
  };
  struct Out {
    VcSet set = VcSet::kAny;

    bool operator==(const Out&) const = default;
  };
  struct Config {
    unsigned num_vc = 2;           ///< VCs of a link, even, 2 to `kNumberedVcs`.
    unsigned low_vc = num_vc / 2;  ///< VCs of class 0, 1 to half of all.
  };
  using PortConfig = Config;
  static constexpr unsigned kStampBits = 4;
  static constexpr auto ports();  // sim/router/route/route_class_ports.hpp

  /// Throws ConfigError for another number of VCs.
  explicit RouteClass(const Config& config) : config_(config) {
    if (config.num_vc < 2 || config.num_vc > kNumberedVcs || config.num_vc % 2 != 0) {
      throw ConfigError(fmt::format("route_class: {} VCs, expected: an even number, 2 to {}",
                                    config.num_vc, kNumberedVcs));
    }
    if (config.low_vc < 1 || config.low_vc > config.num_vc / 2) {
      throw ConfigError(fmt::format("route_class: {} of {} VCs in class 0, expected: 1 to {}",
                                    config.low_vc, config.num_vc, config.num_vc / 2));
    }
  }

  Out eval(const In& in) const {
    const auto [num_vc, low_vc] = config_;
    const unsigned first = in.cls ? low_vc : 0, size = in.cls ? num_vc - low_vc : low_vc;
    const unsigned stamp = in.stamp & low_mask(kStampBits);
    switch (in.set) {
      case VcSet::kAny:
        if (2 * low_vc == num_vc) return {in.cls ? VcSet::kHigh : VcSet::kLow};
        return {only_vc(first + stamp % size)};
      case VcSet::kLow:
        return {only_vc(first + stamp % std::max(1u, size / 2))};
      case VcSet::kHigh:
        return {only_vc(first + size / 2 + stamp % (size - size / 2))};
      default:
        break;
    }
    if (in.set < VcSet::kFirst) return {in.set};
    const unsigned vc = static_cast<unsigned>(in.set) - static_cast<unsigned>(VcSet::kFirst);
    return {only_vc((first + vc) % kNumberedVcs)};
  }

 private:
  Config config_;
};

}  // namespace weft
