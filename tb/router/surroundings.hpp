// The fabric around the router of a bench: which packets arrive, by which in-ports and VCs. Each
// packet is traced from its source by the model of the route unit; where the links lead is
// specified here a second time, from rtl/README.md alone.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "sim/router/route/route_unit.hpp"

namespace weft::tb {

/// A packet's path through the router: its addresses, and the VCs on which it may arrive.
struct Passage {
  std::uint32_t src = 0, dst = 0;
  std::uint64_t vcs = 0;   ///< Bit v: on VC v.
  bool other_way = false;  ///< The other-way bit of the packet's tag.
};

/// The routers of a fabric and their links. A router has a number: the address of its node; in
/// staged networks the level or stage, above the position in it.
class Surroundings {
 public:
  /// `num_vc` up to 64.
  Surroundings(RouteKind kind, const RouteConfig& config, unsigned num_vc)
      : kind_(kind),
        config_(config),
        num_vc_(num_vc),
        route_(kind, config),
        other_(kind, kind == RouteKind::kBoard ? of_unit(config, !config.is_main) : config) {
    for (const std::uint32_t last : config.max_coords) {
      shift_.push_back(shift_.back() + static_cast<unsigned>(std::bit_width(last)));
    }
  }

  /// The own address of router `number`.
  std::uint32_t own(std::uint32_t number) const {
    return kind_ == RouteKind::kOmega ? number >> position_w() : number;
  }

  /// All paths of packets of the whole fabric through router `number`, by in-port.
  std::vector<std::vector<Passage>> passages(std::uint32_t number) const {
    const std::vector<std::uint32_t> nodes = addresses();
    std::vector<std::vector<Passage>> ways(links(number) + config_.num_local);
    for (const std::uint32_t src : nodes) {
      for (std::size_t n = 0; n < 2 * nodes.size(); ++n) {
        const Passage packet{src, nodes[n / 2],
                             config_.per_dest ? std::uint64_t{1} << n / 2 : low_mask(num_vc_),
                             n % 2 != 0};
        for (const Spot& at : entries(src)) follow(packet, at, number, ways);
      }
    }
    return ways;
  }

 private:
  // A router and one of its in-ports.
  struct Spot {
    std::uint32_t router = 0, port = 0;
  };

  // Staged networks: bits of a position, levels or stages.
  unsigned position_w() const { return shift_.back() - 1; }
  unsigned stages() const { return shift_.back(); }
  // Of the mains or of the aggregators of these boards.
  static RouteConfig of_unit(RouteConfig config, bool is_main) {
    config.is_main = is_main;
    return config;
  }
  bool is_main(std::uint32_t router) const { return digit(router, 0) < config_.mains; }
  // Of boards, whether `config_` is this router's and not that of the other kind.
  bool as_configured(std::uint32_t router) const {
    return kind_ != RouteKind::kBoard || is_main(router) == config_.is_main;
  }
  // Ports to neighbours.
  unsigned links(std::uint32_t router) const {
    return RouteUnit::links(kind_,
                            as_configured(router) ? config_ : of_unit(config_, !config_.is_main));
  }

  std::vector<std::uint32_t> addresses() const {
    std::vector<std::uint32_t> nodes = {0};
    for (std::size_t d = 0; d < config_.max_coords.size(); ++d) {
      const auto lower = nodes;
      for (std::uint32_t digit = 1; digit <= config_.max_coords[d]; ++digit) {
        for (const std::uint32_t node : lower) nodes.push_back(node | digit << shift_[d]);
      }
    }
    return nodes;
  }

  // In-ports of the packets of a node.
  std::vector<Spot> entries(std::uint32_t node) const {
    switch (kind_) {
      case RouteKind::kTree:
        return {{1u << position_w() | node >> 1, 2 + (node & 1)}};
      case RouteKind::kOmega: {
        const std::uint32_t line = shuffled(node);
        return {{line >> 1, 2 + (line & 1)}};
      }
      default: {
        std::vector<Spot> spots;
        for (unsigned l = 0; l < config_.num_local; ++l) spots.push_back({node, links(node) + l});
        return spots;
      }
    }
  }

  std::uint32_t shuffled(std::uint32_t line) const {
    return (line << 1 & config_.max_coords[0]) | line >> position_w();
  }

  // The path of one packet that has arrived at `at`.
  void follow(Passage packet, Spot at, std::uint32_t number,
              std::vector<std::vector<Passage>>& ways) const {
    for (;;) {
      if (at.router == number) ways[at.port].push_back(packet);
      const RouteOut out =
          (as_configured(at.router) ? route_ : other_)
              .route(at.port, own(at.router), packet.src, packet.dst, packet.other_way);
      if (leaves(at.router, out.port)) return;
      packet.vcs = next_vcs(packet.vcs, out.set);
      at = next(at.router, out.port);
    }
  }

  // A local port.
  bool leaves(std::uint32_t router, std::uint32_t port) const {
    if (kind_ == RouteKind::kTree) return port >= 2 && router >> position_w() == 1;
    if (kind_ == RouteKind::kOmega) return router >> position_w() == stages() - 1;
    return port >= links(router);
  }

  std::uint64_t next_vcs(std::uint64_t vcs, VcSet set) const {
    std::uint64_t next = 0;
    for (unsigned own = 0; own < num_vc_; ++own) {
      for (unsigned v = 0; v < num_vc_; ++v) {
        if ((vcs >> own & 1) != 0 && may_request(set, own, v, num_vc_))
          next |= std::uint64_t{1} << v;
      }
    }
    return next;
  }

  // The neighbour at an out-port.
  Spot next(std::uint32_t router, std::uint32_t port) const {
    switch (kind_) {
      case RouteKind::kTree: {
        const std::uint32_t level = router >> position_w();
        if (port < 2) {
          const std::uint32_t bit = 1u << (level - 1), child = (router & bit) != 0;
          return {((router & ~bit) | port << (level - 1)) + (1u << position_w()), 2 + child};
        }
        const std::uint32_t bit = 1u << (level - 2), up = (router & bit) != 0;
        return {((router & ~bit) | (port - 2) << (level - 2)) - (1u << position_w()), up};
      }
      case RouteKind::kOmega: {
        const std::uint32_t position = router & ((1u << position_w()) - 1);
        const std::uint32_t line = shuffled(position << 1 | port);
        return {router - position + (1u << position_w()) + (line >> 1), line & 1};
      }
      case RouteKind::kDce: {
        if (port < config_.num_rings) return {moved(router, 0, 1), port};
        const unsigned d = port - config_.num_rings + 1;
        const std::uint32_t across = router ^ 1u << (shift_[d] + digit(router, 0));
        return {moved(across, 0, config_.deltas[d]), port};
      }
      case RouteKind::kBoard: {
        const std::uint32_t unit = digit(router, 0), first = router - unit;
        const unsigned others =
            is_main(router) ? config_.max_coords[0] + 1 - config_.mains : config_.mains;
        if (port < others && is_main(router)) return {first + config_.mains + port, unit};
        if (port < others) return {first + port, unit - config_.mains};
        const unsigned d = (is_main(router) ? 2 : 1) + (port - others) / 2;
        return {moved(router, d, (port - others) % 2 == 0 ? 1 : config_.max_coords[d]), port};
      }
      default:
        return {moved(router, port / 2, port % 2 == 0 ? 1 : config_.max_coords[port / 2]), port};
    }
  }

  std::uint32_t digit(std::uint32_t address, unsigned d) const {
    return address >> shift_[d] & static_cast<std::uint32_t>(low_mask(shift_[d + 1] - shift_[d]));
  }
  // The address whose digit `d` is `steps` higher, round the ring.
  std::uint32_t moved(std::uint32_t address, unsigned d, std::uint32_t steps) const {
    const std::uint32_t from = digit(address, d), to = (from + steps) % (config_.max_coords[d] + 1);
    return address + (to << shift_[d]) - (from << shift_[d]);
  }

  RouteKind kind_;
  RouteConfig config_;
  unsigned num_vc_;
  RouteUnit route_;
  RouteUnit other_;                    // Of boards: that of the units of the other kind.
  std::vector<unsigned> shift_ = {0};  // Of each digit, and of what is above them.
};

}  // namespace weft::tb
