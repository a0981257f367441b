// VC allocation of one out-port of a router, cycle model of rtl/router/weft_vc_alloc.sv
// (rtl/router/README.md, vc_alloc; seed 004 [4.2]).
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "sim/base/error.hpp"
#include "sim/packet/packet.hpp"

namespace weft {

/// Selects for each set of VCs the idle VC with the most credits. No state.
class VcAlloc {
 public:
  struct Config {
    unsigned num_vc = 2;  ///< VCs of the link, 1 to 65535.
    unsigned depth = 8;   ///< Receiver's buffer of one VC, flits, 1 or more.
  };
  /// State of one VC, from the output unit.
  struct Vc {
    bool idle = true;           ///< It is idle.
    std::uint32_t credits = 0;  ///< Credits, 0 to `depth`.

    bool operator==(const Vc&) const = default;

    template <class Archive>
    void serialize(Archive& archive) {
      archive(idle, credits);
    }
  };
  struct In {
    const Vc* vcs = nullptr;  ///< States of the VCs, `num_vc` of them.
  };
  /// The VC selected from a set; both 0 if no idle VC of the set has a credit.
  struct Choice {
    std::uint32_t vc = 0;
    std::uint32_t credits = 0;

    bool operator==(const Choice&) const = default;

    template <class Archive>
    void serialize(Archive& archive) {
      archive(vc, credits);
    }
  };
  struct Out {
    std::array<Choice, 3> sets;  ///< By VcSet: selection from any, low, high.

    template <class Archive>
    void serialize(Archive& archive) {
      archive(sets);
    }
  };

  static constexpr auto ports();  // sim/router/vc_alloc_ports.hpp

  /// Throws ConfigError if a value is out of range.
  explicit VcAlloc(const Config& config) : num_vc_(config.num_vc) {
    if (config.num_vc < 1 || config.num_vc > 65535) {
      throw ConfigError(fmt::format("vc_alloc: num_vc is {}, expected: 1 to 65535", config.num_vc));
    }
    if (config.depth < 1) throw ConfigError("vc_alloc: depth is 0, expected: 1 or more");
  }

  Out eval(const In& in) const {
    const unsigned half = num_vc_ / 2;
    const Choice low = best(in.vcs, 0, std::max(1u, half)), high = best(in.vcs, half, num_vc_);
    Out out;
    out.sets[static_cast<unsigned>(VcSet::kAny)] = high.credits > low.credits ? high : low;
    out.sets[static_cast<unsigned>(VcSet::kLow)] = low;
    out.sets[static_cast<unsigned>(VcSet::kHigh)] = high;
    return out;
  }

 private:
  // Of the VCs from `begin` to `end` - 1 the idle one with the most credits, the lowest of equals.
  static Choice best(const Vc* vcs, unsigned begin, unsigned end) {
    Choice found;
    for (unsigned vc = begin; vc < end; ++vc) {
      if (vcs[vc].idle && vcs[vc].credits > found.credits) found = {vc, vcs[vc].credits};
    }
    return found;
  }

  unsigned num_vc_;
};

}  // namespace weft
