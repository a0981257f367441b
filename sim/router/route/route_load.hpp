// Queues of a tile with ugal routing, cycle model of rtl/router/weft_route_load.sv
// (rtl/router/README.md, route_load).
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/packet/packet.hpp"

namespace weft {

/// Queues by link and class, in flits.
struct LinkLoads {
  const std::uint32_t* low = nullptr;   ///< Queues of class 0 by link.
  const std::uint32_t* high = nullptr;  ///< Queues of class 1 by link.
  std::uint64_t busy = 0;               ///< Links whose queue of class 1 is long.
};

/// Counts for each link the flits of both classes that wait here for it or are in its receiver's
/// buffer: those of a packet from the arrival of its header on. Flits that the header announced and
/// that do not come are subtracted with its tail. A queue stops at the ends of its range.
class RouteLoad {
 public:
  struct Config {
    unsigned num_vc = 2;           ///< VCs of a link, even, 2 to `kNumberedVcs`.
    unsigned low_vc = num_vc / 2;  ///< VCs of class 0, 1 to half of all.
    unsigned num_links = 4;        ///< Ports to neighbours; local ports follow.
    unsigned num_local = 1;        ///< Local ports.
    unsigned load_w = 14;          ///< Bits of a queue's length.

    unsigned num_ports() const { return num_links + num_local; }
    /// Bits that suffice if a VC of a router holds `depth` flits.
    static unsigned width(unsigned num_ports, unsigned num_vc, unsigned depth) {
      // A header announces its packet's flits before they arrive.
      const std::uint64_t of_vc = std::uint64_t{depth} + low_mask(kLenW);
      return static_cast<unsigned>(std::bit_width(num_vc * (num_ports * of_vc + depth)));
    }
  };
  using PortConfig = Config;
  /// A flit that arrives.
  struct Arrival {
    bool valid = false, last = false;
    std::uint32_t vc = 0;
    std::uint32_t len = 0, port = 0;  ///< For a header: body flits of its packet; its out-port.
    bool cls = false;                 ///< For a header: its packet's class from here on.

    bool operator==(const Arrival&) const = default;
  };
  struct In {
    const Arrival* rx = nullptr;            ///< By in-port.
    const std::uint64_t* credit = nullptr;  ///< By link: VCs whose credits arrive.
  };
  using Out = LinkLoads;
  /// Storage for the outputs: Out is a view.
  struct Held {
    explicit Held(const Config& config) : low(config.num_links), high(config.num_links) {}
    LinkLoads out() const { return {low.data(), high.data(), busy}; }
    std::vector<std::uint32_t> low, high;
    std::uint64_t busy = 0;
  };
  static constexpr auto ports();  // sim/router/route/route_load_ports.hpp

  /// Throws ConfigError if a value is out of range.
  explicit RouteLoad(const Config& config)
      : config_(config),
        within_(config.num_ports()),
        open_(config.num_ports() * config.num_vc),
        next_low_(config.num_links),
        next_high_(config.num_links),
        held_(config) {
    if (config.num_links < 1 || config.num_ports() > 64 || config.num_vc > kNumberedVcs) {
      throw ConfigError(fmt::format(
          "route_load: {} links, {} ports, {} VCs, expected: 1 or more, up to 64, up to {}",
          config.num_links, config.num_ports(), config.num_vc, kNumberedVcs));
    }
    reset();
  }

  void reset() {
    std::fill(within_.begin(), within_.end(), 0);
    std::fill(open_.begin(), open_.end(), Open{});
    std::fill(held_.low.begin(), held_.low.end(), 0);
    std::fill(held_.high.begin(), held_.high.end(), 0);
    held_.busy = 0;
  }
  /// The outputs of the present cycle, from registers; valid until the next step.
  Out out() const { return held_.out(); }

  /// Whether the next flit of a VC of in-port `port` is a header; false if there is no such VC.
  bool expects_head(unsigned port, unsigned vc) const {
    return vc < config_.num_vc && (within_[port] >> vc & 1) == 0;
  }

  /// One clock edge.
  void step(const In& in) {
    std::copy(held_.low.begin(), held_.low.end(), next_low_.begin());
    std::copy(held_.high.begin(), held_.high.end(), next_high_.begin());
    for (unsigned p = 0; p < config_.num_ports(); ++p) {
      const Arrival& flit = in.rx[p];
      if (!flit.valid || flit.vc >= config_.num_vc) continue;
      const std::uint32_t vc = 1u << flit.vc;
      Open& packet = open_[p * config_.num_vc + flit.vc];
      std::int64_t more = 0;  // Flits by which the link's queue grows.
      if ((within_[p] & vc) == 0) {
        packet = {flit.len, flit.port, flit.cls};
        more = std::int64_t{1} + flit.len;
      } else if (packet.left != 0) {
        --packet.left;
      } else {
        more = 1;
      }
      if (flit.last) more -= packet.left;
      if (packet.port < config_.num_links) {
        (packet.cls ? next_high_ : next_low_)[packet.port] += more;
      }
      within_[p] = flit.last ? within_[p] & ~vc : within_[p] | vc;
    }
    std::uint64_t sum = 0;
    for (unsigned l = 0; l < config_.num_links; ++l) {
      const std::uint64_t low_vcs = low_mask(config_.low_vc);
      held_.low[l] = in_range(next_low_[l] - std::popcount(in.credit[l] & low_vcs));
      held_.high[l] = in_range(next_high_[l] - std::popcount(in.credit[l] & ~low_vcs));
      sum += held_.high[l];
    }
    held_.busy = 0;
    const std::uint64_t others = std::max(1u, config_.num_links - 1);
    for (unsigned l = 0; l < config_.num_links; ++l) {
      const std::uint64_t own = held_.high[l];
      held_.busy |= std::uint64_t{others * own > 3 * (sum - own) + 2 * others} << l;
    }
  }

  /// The state: what a checkpoint keeps.
  template <class Archive>
  void serialize(Archive& archive) {
    archive(within_, open_, held_.low, held_.high, held_.busy);
  }

 private:
  friend class RtlState;  // Loads the state into RTL (sim/verilated/rtl_state.hpp).

  // The packet that is arriving on a VC, or arrived last.
  struct Open {
    std::uint32_t left = 0;  // Flits that its header announced and that have not come.
    std::uint32_t port = 0;  // Out-port of its header; `cls`: class of its header.
    bool cls = false;

    template <class Archive>
    void serialize(Archive& archive) {
      archive(left, port, cls);
    }
  };

  std::uint32_t in_range(std::int64_t queue) const {
    const auto most = static_cast<std::int64_t>(low_mask(config_.load_w));
    return static_cast<std::uint32_t>(std::clamp<std::int64_t>(queue, 0, most));
  }

  Config config_;
  std::vector<std::uint32_t> within_;  // By in-port: VCs whose next flit is a body flit.
  std::vector<Open> open_;             // By in-port and VC.
  // Queues with the changes of one cycle.
  std::vector<std::int64_t> next_low_, next_high_;
  Held held_;
};

}  // namespace weft
