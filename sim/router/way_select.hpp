// Selection among the routes of headers, cycle model of rtl/router/weft_way_select.sv
// (rtl/router/README.md, way_select; Duato 1993).
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/packet/packet.hpp"
#include "sim/router/route/route.hpp"

namespace weft {

/// Finds the route that a header requests: of its further routes that it can take, the one with the
/// least load, the first from a pointer on.
class WaySelect {
 public:
  static constexpr unsigned kNone = ~0u;

  struct Config {
    unsigned num_req = 4;      ///< Requesters: VCs of all in-ports, 1 or more.
    unsigned num_ports = 3;    ///< All ports, 2 to 64.
    unsigned num_local = 1;    ///< Local ports, the last ones; fewer than all.
    unsigned depth = 2;        ///< Buffer of each VC in the neighbours, flits, 1 or more.
    bool cut_through = false;  ///< A header needs credits for its whole packet; else it needs an
                               ///< empty VC.

    unsigned links() const { return num_ports - num_local; }
  };
  struct PortConfig : Config {
    unsigned credit_w = 2, load_w = 3;  ///< Widths of credits and loads, bits.
  };
  /// Inputs of a cycle. Sets of requesters: bit r % 64 of word r / 64 is requester r.
  struct In {
    const std::uint64_t* head = nullptr;     ///< Requesters where a header waits.
    const std::uint32_t* len = nullptr;      ///< By requester: body flits of its packet.
    const std::uint64_t* minimal = nullptr;  ///< By requester: further routes, a bit for each port.
    const RouteOut* way = nullptr;           ///< By requester: its escape route.
    const std::uint32_t* credits = nullptr;  ///< By link: credits of the VC that is selected from
                                             ///< the upper half.
    const std::uint32_t* loads = nullptr;    ///< By link: slots of the receiver in use.
    const std::uint64_t* pop = nullptr;      ///< Requesters whose word leaves in this cycle.
  };
  struct Out {
    const RouteOut* way = nullptr;  ///< By requester: the route that it requests.
  };
  /// Storage for the outputs: Out is a view.
  struct Held {
    explicit Held(const Config& config) : way(config.num_req) {}
    std::vector<RouteOut> way;
  };
  static constexpr auto ports();  // sim/router/way_select_ports.hpp

  /// Throws ConfigError if a value is out of range.
  explicit WaySelect(const Config& config) : config_(config), held_(config) {
    if (config.num_req < 1) throw ConfigError("way_select: num_req is 0, expected: 1 or more");
    if (config.num_ports < 2 || config.num_ports > 64 || config.num_local >= config.num_ports) {
      throw ConfigError(
          fmt::format("way_select: {} of {} ports are local, expected: fewer, of 2 "
                      "to 64",
                      config.num_local, config.num_ports));
    }
    if (config.depth < 1) throw ConfigError("way_select: depth is 0, expected: 1 or more");
  }

  void reset() { pointer_ = 0; }

  /// The link that a header with `len` body flits takes: one of `ways`, a bit for each link; or
  /// kNone. `load` and `credits` of a link: as `In::loads`, `In::credits`; called only where
  /// needed.
  template <class Load, class Credits>
  unsigned select(std::uint64_t ways, std::uint32_t len, Load load, Credits credits) const {
    const std::uint32_t need = config_.cut_through ? 1 + len : config_.depth;
    const unsigned links = config_.links();
    unsigned best = kNone;
    for (unsigned i = 0; i < links && ways != 0; ++i) {
      const unsigned link = pointer_ + i < links ? pointer_ + i : pointer_ + i - links;
      if ((ways >> link & 1) == 0) continue;
      if (best != kNone && load(link) >= load(best)) continue;
      if (credits(link) >= need) best = link;
    }
    return best;
  }
  /// The clock edge of a cycle in which a header leaves by one of its further routes.
  void took_further() { pointer_ = pointer_ + 1 < config_.links() ? pointer_ + 1 : 0; }

  /// The routes of all requesters; valid until the next call.
  Out eval(const In& in) {
    for (unsigned r = 0; r < config_.num_req; ++r) {
      const unsigned link = further(in, r);
      held_.way[r] = link == kNone ? in.way[r] : RouteOut{link, VcSet::kHigh};
    }
    return {held_.way.data()};
  }
  /// The clock edge at the end of a cycle.
  void tick(const In& in) {
    for (unsigned r = 0; r < config_.num_req; ++r) {
      if ((in.pop[r / 64] >> r % 64 & 1) == 0 || further(in, r) == kNone) continue;
      took_further();
      return;
    }
  }

  /// The state: what a checkpoint keeps.
  template <class Archive>
  void serialize(Archive& archive) {
    archive(pointer_);
    archive.require(pointer_ < config_.links());
  }

 private:
  friend class RtlState;  // Loads the state into RTL (sim/verilated/rtl_state.hpp).

  unsigned further(const In& in, unsigned r) const {
    if ((in.head[r / 64] >> r % 64 & 1) == 0) return kNone;
    return select(
        in.minimal[r] & low_mask(config_.links()), in.len[r],
        [&](unsigned link) { return in.loads[link]; },
        [&](unsigned link) { return in.credits[link]; });
  }

  Config config_;
  unsigned pointer_ = 0;  // Of equal loads, the first link from this one on is selected.
  Held held_;
};

}  // namespace weft
