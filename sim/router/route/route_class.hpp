// VC set of a class of packets, model of rtl/router/weft_route_class.sv (rtl/router/README.md,
// route_class).
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "sim/base/error.hpp"
#include "sim/router/route/route.hpp"

namespace weft {

/// Each of two classes of packets has half of the VCs: class 0 the lower one. No state.
class RouteClass {
 public:
  static constexpr const char* kBlock = "route_class";  ///< As in rtl/.

  struct In {
    bool cls = false;         ///< Class 1, else 0.
    VcSet set = VcSet::kAny;  ///< As of a network that has the VCs of one class alone.
    std::uint32_t stamp = 0;  ///< Of the packet; the low `kStampBits` bits count.
  };
  struct Out {
    VcSet set = VcSet::kAny;

    bool operator==(const Out&) const = default;
  };
  struct Config {
    unsigned num_vc = 2;  ///< VCs of a link, even, 2 to `kNumberedVcs`.
  };
  using PortConfig = Config;
  static constexpr unsigned kStampBits = 4;
  static constexpr auto ports() {
    return port_table(input("class_i", 1, &In::cls), input("set_i", kVcSetW, &In::set),
                      input("stamp_i", kStampBits, &In::stamp),
                      output("set_o", kVcSetW, &Out::set));
  }

  /// Throws ConfigError for another number of VCs.
  explicit RouteClass(const Config& config) : half_(config.num_vc / 2) {
    if (config.num_vc < 2 || config.num_vc > kNumberedVcs || config.num_vc % 2 != 0) {
      throw ConfigError(fmt::format("route_class: {} VCs, expected: an even number, 2 to {}",
                                    config.num_vc, kNumberedVcs));
    }
  }

  Out eval(const In& in) const {
    const unsigned first = in.cls ? half_ : 0, stamp = in.stamp & low_mask(kStampBits);
    switch (in.set) {
      case VcSet::kAny:
        return {in.cls ? VcSet::kHigh : VcSet::kLow};
      case VcSet::kLow:
        return {only_vc(first + stamp % std::max(1u, half_ / 2))};
      case VcSet::kHigh:
        return {only_vc(first + half_ / 2 + stamp % (half_ - half_ / 2))};
      default:
        break;
    }
    if (in.set < VcSet::kFirst) return {in.set};
    const unsigned vc = static_cast<unsigned>(in.set) - static_cast<unsigned>(VcSet::kFirst);
    return {only_vc((first + vc) % kNumberedVcs)};
  }

 private:
  unsigned half_;
};

}  // namespace weft
