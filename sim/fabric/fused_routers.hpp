// Fused routers: router models that write their flits straight to where the next cycle reads them.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "sim/fabric/wires.hpp"
#include "sim/router/fast/vc_router_narrow.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// A range of blocks that one thread steps.
struct Part {
  std::uint32_t first_node = 0, end_node = 0;
  std::uint32_t first_block = 0, end_block = 0;  ///< Switching blocks.
};

/// Cuts a fabric into `count` parts of about equal simulation cost.
std::vector<Part> cut(const Graph& graph, unsigned count);

/// The routers of a fabric whose wires are doubled (Wires, `fused`): in each cycle they read and
/// clear one half and write their outputs to the other.
class FusedRouters {
 public:
  static bool possible(const Graph& graph) {
    for (const VcRouter::Config& shape : graph.router_shapes) {
      if (!VcRouter::can_fuse(shape)) return false;
    }
    return graph.has_routers();
  }

  /// If `wires` are not fused, there is nothing to step.
  FusedRouters(const Graph& graph, const Wires& wires) : nodes_(graph.nodes) {
    if (!wires.fused()) return;
    plain_ = VcRouter::plain(graph.router_shapes.front());
    for (const Link& link : graph.links) {
      credit_to_.push_back(
          link.src_block == kOpen
              ? kOpen
              : wires.credit_byte[graph.blocks[link.src_block].first_out + link.src_port]);
    }
    for (std::uint32_t b = graph.nodes; b < graph.blocks.size(); ++b) {
      const Block& block = graph.blocks[b];
      RouterWires router;
      for (std::uint32_t p = 0; p < block.num_out; ++p) {
        const std::uint32_t link = graph.out_link[block.first_out + p];
        if (link == kOpen) continue;
        router.slot[p] = wires.slot[link];
        for (unsigned v = 0; v < graph.num_vc; ++v) {
          router.factor[p * VcRouter::kFuseStride + v] = digest_factor(link, v);
        }
      }
      for (std::uint32_t p = 0; p < block.num_in; ++p) {
        router.credit_to[p] = credit_to_[block.first_in + p];
      }
      router_wires_.push_back(router);
    }
  }

  /// Returns a credit for VC 0 of a link.
  void give(Wires& wires, std::uint32_t link) const {
    reinterpret_cast<std::uint8_t*>(wires.next_credit.data())[credit_to_[link]] |= 1;
  }

  /// Steps the routers of a part.
  void step(std::vector<VcRouter>& routers, Wires& wires, const Part& part, std::uint64_t cycle,
            Counters& counters) const {
    plain_ ? step<true>(routers, wires, part, cycle, counters)
           : step<false>(routers, wires, part, cycle, counters);
  }

 private:
  // Where a router's wires are in Wires, by port, and the digest_factor of its links, by port and
  // VC.
  struct alignas(64) RouterWires {
    std::array<std::uint32_t, 8> slot = {}, credit_to = {};
    std::array<std::uint64_t, 8 * VcRouter::kFuseStride> factor = {};
  };

  // Writes a router's flits and credits to the wires.
  struct Sink {
    Wires::Writer writer;
    std::uint8_t* credit;
    const RouterWires* router = nullptr;

    // `Writer` wrote all flits, so their padding is 0.
    [[gnu::always_inline]] void put(unsigned o, unsigned x, unsigned flip, const Flit& flit) {
      std::uint64_t sides;
      std::memcpy(&sides, reinterpret_cast<const std::byte*>(&flit) + 8, 8);
      writer.put(router->slot[o], router->factor[x], flit.data, sides ^ std::uint64_t{flip} << 32);
    }
    [[gnu::always_inline]] void give(unsigned p, unsigned vc) {
      credit[router->credit_to[p]] |= static_cast<std::uint8_t>(1u << vc);
    }
  };

  template <bool kPlain>
  void step(std::vector<VcRouter>& routers, Wires& wires, const Part& part, std::uint64_t cycle,
            Counters& counters) const {
    const Flit* const flit = wires.router_flit();
    std::uint64_t* const valid = wires.router_valid();
    std::uint64_t* const credit = wires.router_credit();
    const RouterWires* const all = router_wires_.data();
    VcRouter* const at = routers.data();
    Sink sink = {{wires, cycle + 1}, reinterpret_cast<std::uint8_t*>(wires.next_credit.data())};
    const std::uint32_t end = part.end_block - nodes_;
    for (std::uint32_t i = part.first_block - nodes_; i < end; ++i) {
      const VcRouter::FusedIn in = {flit + std::size_t{8} * i, valid[i], credit[i],
                                    static_cast<std::uint32_t>(cycle)};
      if ((in.rx_valid | in.credit) == 0 && at[i].resting()) continue;
      valid[i] = credit[i] = 0;
      sink.router = all + i;
      at[i].step_into<kPlain>(in, sink);
    }
    sink.writer.count(counters);
  }

  std::uint32_t nodes_;
  bool plain_ = false;
  std::vector<RouterWires> router_wires_;
  std::vector<std::uint32_t> credit_to_;  // By link: byte of the credits for it.
};

}  // namespace weft
