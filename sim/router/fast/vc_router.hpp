// Virtual-channel router, fast cycle model of rtl/router/weft_vc_router.sv (rtl/router/README.md,
// vc_router; seed 004 [2.1], [4.2]).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sim/packet/packet.hpp"
#include "sim/router/fast/requester_set.hpp"
#include "sim/router/route/route_unit.hpp"
#include "sim/router/vc_router_interface.hpp"

namespace weft {

/// Input-queued router with credit flow control towards neighbours and interfaces, one cycle a hop.
///
/// For speed it is one object instead of one for each block of the RTL: the requests, which those
/// blocks compute anew in every cycle, are kept and updated as flits and credits arrive and leave.
/// With up to 64 requesters (VCs of in-ports) the requests for an out-port are one word, otherwise
/// sets whose cost depends on their members only. All state is one block of memory; `step`
/// allocates nothing.
class VcRouter : public VcRouterInterface {
 public:
  /// Inputs of a fused router (`can_fuse`), a byte for each port.
  struct FusedIn {
    const Flit* rx = nullptr;    ///< As of In.
    std::uint64_t rx_valid = 0;  ///< Byte p is 1 where a flit arrives on in-port p.
    std::uint64_t credit = 0;    ///< Bit v of byte p: credit for VC v of out-port p.
    std::uint32_t now = 0;       ///< As of In.
  };

  /// Throws ConfigError as `checked`, and where its buffers or classes exceed the limits of this
  /// model.
  explicit VcRouter(const Config& config);

  void reset();

  /// The outputs of the present cycle, from registers; valid until the next step.
  Out out() const { return {tx_, tx_valid_, credit_, credit_ports_}; }

  /// One clock edge. `in` may not point into this router's own outputs.
  void step(const In& in) {
    if (kind_ != Kind::kWide) {
      join_and_step(in);
    } else {
      step_wide(in);
    }
  }

  /// A step without flits and credits would change nothing, and no flit is on an output.
  /// Allocation is work-conserving: after a cycle in which nothing moved, no requester is eligible.
  bool quiet() const { return tx_valid_ == 0; }

  /// Whether routers of this shape may be fused: a fused router writes its flits and credits
  /// straight to the inputs of its neighbours for the next cycle, instead of into outputs of its
  /// own. `out` and `quiet` are meaningless then.
  static bool can_fuse(const Config& config) {
    return config.num_ports <= kFuseStride && config.num_vc <= kFuseStride;
  }
  /// Most ports, and most VCs, of a fused router.
  static constexpr unsigned kFuseStride = 8;
  /// Wormhole switching with round-robin arbitration: no age arbitration, no virtual cut-through,
  /// no store and forward, no VCs by class.
  static bool plain(const Config& config) {
    return !config.age && !config.cut_through && !config.store_forward &&
           !RouteUnit::traits(config.route_kind).classes;
  }
  /// One clock edge (sim/router/fast/vc_router_narrow.hpp); `kPlain` is `plain()`. For each flit
  /// that moves it calls `sink.put(out_port, x, flip, flit)`, where the flit's VC exclusive-or
  /// `flip` is its VC v on the next link and x is out_port * kFuseStride + v, and
  /// `sink.give(in_port, vc)` to return its credit.
  template <bool kPlain, class Sink>
  void step_into(const FusedIn& in, Sink& sink);
  /// `step_into` without flits and credits would do nothing.
  bool resting() const;

  /// Limit of this model: most VCs of all in-ports together where VCs are classes
  /// (RouteTraits::classes, not `per_dest`).
  static constexpr unsigned kMostClassed = 64;
  static bool too_many_classes(const Config& config) {
    return RouteUnit::traits(config.route_kind).classes && !config.route.per_dest &&
           config.num_ports * config.num_vc > kMostClassed;
  }
  const Config& config() const { return config_; }

  /// Flits in the buffers.
  std::uint64_t buffered() const;

  InVcView in_vc(unsigned port, unsigned vc) const;
  /// Flit `i` of a VC's buffer, the oldest first; null if `i` is not below its occupancy. For
  /// diagnosis.
  const Flit* held(unsigned port, unsigned vc, unsigned i) const {
    const InVc& in = in_vcs_[port * stride_ + vc];
    if (i >= static_cast<std::uint16_t>(in.tail - in.head)) return nullptr;
    return &flits_[in.ring + ((in.head + i) & mask_)];
  }
  OutVcView out_vc(unsigned port, unsigned vc) const;
  HolderView holder(unsigned port) const;

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  // Requester r is VC r % `stride_` of in-port r / `stride_`. Its buffer is a ring of `mask_` + 1
  // slots from `ring`; `head` and `tail` count flits and wrap modulo 2^16.
  struct InVc {
    std::uint32_t ring = 0;
    std::uint16_t head = 0, tail = 0;
    union {
      std::uint16_t out_vc = 0;  // Allocated to the packet in front; with up to 64 requesters
      std::uint16_t flip;        // instead: that VC exclusive-or `vc`.
    };
    std::uint16_t vc = 0;       // Its own number.
    std::uint8_t out_port = 0;  // Of the packet in front.
    std::uint8_t port = 0;      // Its own in-port.
    VcSet set = VcSet::kAny;
    std::uint8_t out = 0;  // With up to 64 requesters: out_port x `stride_` + out_vc.
  };
  struct OutVc {
    std::uint32_t credits = 0;    // Credits.
    std::uint32_t owner = kNone;  // Requester that it is allocated to; kNone: idle.
  };
  // An out-port with more than 64 requesters.
  struct WidePort {
    RequesterSet ready;           // Eligible: packets in progress, and headers of set same.
    RequesterSet heads[3];        // Headers of the sets any, low and high that request a VC.
    std::uint32_t held = kNone;   // Requester that holds the port.
    std::uint32_t start = 0;      // Round-robin pointer.
    std::uint32_t avail[2] = {};  // Idle VCs with a credit in the lower and in the upper half.
  };
  struct alignas(64) Line {
    std::byte bytes[64];
  };

  struct Narrow;
  struct Own;
  // Which code steps it: for up to 8 ports and VCs, for up to 64 requesters, or for more.
  enum class Kind : std::uint8_t { kFused, kNarrow, kWide };

  bool is_local(unsigned port) const { return port >= num_ports_ - config_.num_local; }
  const Flit& front(const InVc& in) const { return flits_[in.ring + (in.head & mask_)]; }
  void look_up(InVc& in, std::uint64_t header) const;

  std::size_t lay_out_narrow(std::byte* memory);
  void reset_narrow();
  template <unsigned kStride, bool kPlain, class Sink>
  void step_narrow(const FusedIn& in, Sink& sink);
  template <unsigned kStride>
  void step_own(const FusedIn& in);
  void join_and_step(const In& in);
  std::uint64_t with_credits(unsigned o, std::uint64_t heads, std::uint64_t idle) const;
  std::uint64_t oldest(std::uint64_t requesters, std::uint32_t now) const;
  unsigned choose_vc(unsigned o, std::uint64_t vcs) const;
  std::uint64_t vcs_for(const InVc& in) const;
  std::uint32_t holder_narrow(unsigned o) const;

  std::size_t lay_out_wide(std::byte* memory);
  void step_wide(const In& in);
  void wish_wide(std::uint32_t requester);
  void give(unsigned o, unsigned vc);
  void settle(unsigned o, unsigned vc, bool was_avail);
  std::uint32_t choose(unsigned o, std::uint32_t now) const;
  unsigned choose_vc_wide(unsigned o, const InVc& in) const;
  bool fits(unsigned o, const InVc& in) const;
  void send_wide(unsigned o, std::uint32_t requester);

  Config config_;
  Kind kind_ = Kind::kWide;
  bool age_ = false, cut_through_ = false;
  bool plain_ = false;        // `plain(config_)`.
  std::uint32_t stored_ = 0;  // Requesters below this number store and forward.
  std::uint32_t num_ports_ = 0, num_vc_ = 0;
  std::uint32_t stride_ = 0;  // Distance of a port's requesters from the next port's.
  std::uint32_t mask_ = 0;    // Slots of a ring less 1.
  std::uint64_t tx_valid_ = 0, credit_ports_ = 0;
  std::uint64_t all_ports_ = 0;
  // With up to 64 requesters:
  std::uint64_t hold_mask_ = 0;  // All ones with `hold_packet`.
  std::uint64_t every_vc_ = 0;   // Times a mask of VCs: the requesters with these VCs.
  std::uint64_t set_vcs_[kVcSets] = {};
  Narrow* narrow_ = nullptr;
  WidePort* wide_ports_ = nullptr;
  InVc* in_vcs_ = nullptr;
  OutVc* out_vcs_ = nullptr;
  std::uint64_t* same_ =
      nullptr;  // By VC of an out-port: in-ports whose headers request this VC only.
  std::uint64_t* credit_ = nullptr;
  std::uint64_t* set_words_ = nullptr;
  std::uint16_t* tails_ = nullptr;  // By requester that stores and forwards: buffered tails.
  Flit* tx_ = nullptr;
  Flit* flits_ = nullptr;
  unsigned src_lsb_ = 0;
  std::uint32_t address_mask_ = 0;
  RouteUnit route_;
  std::unique_ptr<Line[]> memory_;
};

// Route computation for the packet with this header.
[[gnu::always_inline]] inline void VcRouter::look_up(InVc& in, std::uint64_t header) const {
  const auto src = static_cast<std::uint32_t>(header >> src_lsb_) & address_mask_;
  const auto dst = static_cast<std::uint32_t>(header >> kHdrDstLsb) & address_mask_;
  const bool other_way = (header >> (kHdrTagLsb + kTagOtherWay) & 1) != 0;
  const RouteOut way = route_.route(in.port, config_.own, src, dst, other_way);
  in.out_port = static_cast<std::uint8_t>(way.port);
  in.set = is_local(way.port) ? VcSet::kAny : way.set;
}

}  // namespace weft
