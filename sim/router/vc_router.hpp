// Virtual-channel router, cycle model of rtl/router/vc_router.sv (rtl/README.md, vc_router; seed
// 004 [2.1], [4.2]).
#pragma once

#include <cstdint>
#include <memory>
#include <variant>

#include "sim/core/packet.hpp"
#include "sim/router/requester_set.hpp"
#include "sim/router/route.hpp"
#include "sim/router/route_mesh.hpp"
#include "sim/router/route_torus.hpp"

namespace weft {

/// Input-queued router, one cycle a hop, credits towards neighbours and interfaces.
///
/// It is one object instead of units joined together, so that a cycle costs little: what the units
/// would compute anew (who requests what) is kept and changed by what happens. With up to 64
/// requesters (VCs of in-ports) it is kept in one word for each out-port, else in sets whose cost
/// depends on their members only. All state is one block of memory; `step` allocates nothing.
class VcRouter {
 public:
  struct Config {
    unsigned num_ports = 5;  ///< All ports, 2 to 64.
    unsigned num_local = 1;  ///< The last of them, which lead to interfaces.
    unsigned num_vc = 2;     ///< VCs of each link from a neighbour or interface, 1 to 65535.
    unsigned depth = 8;      ///< Buffer of each VC, flits.
    unsigned local_depth = kRxDepth;  ///< Buffer of an interface, flits.
    bool hold_packet = true;          ///< An out-port stays with a packet while that can move.
    /// A header needs room for its whole packet, but towards an interface.
    bool cut_through = false;
    /// A header from a neighbour waits for the last flit of its packet; not with `cut_through`.
    bool store_forward = false;
    bool age = false;  ///< Oldest packet first; else round-robin.
    RouteKind route_kind = RouteKind::kTorus;
    RouteConfig route;      ///< `num_local` as above.
    std::uint32_t own = 0;  ///< Own address.

    bool operator==(const Config&) const = default;
  };
  /// Credits stand in `words()` words for each port: bit v % 64 of word v / 64 is VC v.
  struct In {
    const Flit* rx = nullptr;               ///< By in-port; looked at where `rx_valid`.
    std::uint64_t rx_valid = 0;             ///< In-ports on which a flit stands.
    const std::uint64_t* credit = nullptr;  ///< By out-port: credits on the wire.
    std::uint32_t now = 0;                  ///< Cycles since reset; only with `age`.
    /// Out-ports whose credits are looked at. Who knows on which there are some saves time.
    std::uint64_t credit_ports = ~std::uint64_t{0};
  };
  struct Out {
    const Flit* tx = nullptr;               ///< By out-port; meaningful where `tx_valid`.
    std::uint64_t tx_valid = 0;             ///< Out-ports on which a flit stands.
    const std::uint64_t* credit = nullptr;  ///< By in-port; meaningful where `credit_ports`.
    std::uint64_t credit_ports = 0;         ///< In-ports with a credit.
  };

  /// The same with all credits in one word, bit p x `num_vc` + v for VC v of port p; only where
  /// `packed()`. Cheaper on both sides.
  struct PackedIn {
    const Flit* rx = nullptr;    ///< As of In.
    std::uint64_t rx_valid = 0;  ///< As of In.
    std::uint64_t credit = 0;    ///< Credits on the wire, by out-port.
    std::uint32_t now = 0;       ///< As of In.
  };
  struct PackedOut {
    const Flit* tx = nullptr;    ///< As of Out.
    std::uint64_t tx_valid = 0;  ///< As of Out.
    std::uint64_t credit = 0;    ///< Credits, by in-port.
  };

  /// A VC of an in-port or out-port.
  struct Place {
    unsigned port = 0;
    unsigned vc = 0;

    bool operator==(const Place&) const = default;
  };
  /// What a VC of an in-port is doing, for diagnosis.
  struct InVcView {
    unsigned occupancy = 0;       ///< Flits in its buffer.
    const Flit* front = nullptr;  ///< The oldest of them; null without.
    bool in_progress = false;     ///< The header of the packet in front has gone, its end not.
    bool waiting = false;         ///< The front is a header that has no VC yet.
    unsigned port = 0;            ///< Out-port given or wanted; meaningful with one of the two.
    unsigned vc = 0;              ///< VC given; meaningful where `in_progress`.
    VcSet set = VcSet::kAny;      ///< VCs wanted; meaningful where `waiting`.
  };
  /// What a VC of an out-port is doing, for diagnosis.
  struct OutVcView {
    bool owned = false;   ///< A packet has it whose last flit has not passed.
    Place owner;          ///< The VC by which that came in; meaningful where `owned`.
    unsigned places = 0;  ///< Free places in the receiver's buffer, as known here.
  };
  /// Who holds an out-port (always nobody without `hold_packet`).
  struct HolderView {
    bool held = false;
    Place holder;  ///< The VC of an in-port; meaningful where `held`.
  };

  /// Throws ConfigError where a figure is out of range or does not fit to another.
  explicit VcRouter(const Config& config);

  void reset();

  /// The outputs of the present cycle, from registers; valid until the next step.
  Out out() const { return packed() ? unpack() : Out{tx_, tx_valid_, credit_, credit_ports_}; }

  /// One clock edge. `in` may not point into this router's own outputs.
  void step(const In& in) {
    if (packed()) {
      pack_and_step(in);
    } else {
      step_wide(in);
    }
  }

  /// With up to 64 VCs of in-ports there is the packed form too; the two may be mixed.
  bool packed() const { return kind_ != Kind::kWide; }
  PackedOut packed_out() const { return {tx_, tx_valid_, popped_}; }
  void step_packed(const PackedIn& in);

  /// A step without flits and credits would change nothing, and no output is on the wire. Who may
  /// move does, so a step that moved nothing leaves nobody who may.
  bool quiet() const { return tx_valid_ == 0; }

  /// Words of credits for each port.
  static constexpr unsigned words(unsigned num_vc) { return (num_vc + 63) / 64; }

  const Config& config() const { return config_; }

  /// Flits in the buffers.
  std::uint64_t buffered() const;

  InVcView in_vc(unsigned port, unsigned vc) const;
  /// Flit `i` of a VC's buffer, the oldest first; null from its occupancy on. For diagnosis.
  const Flit* held(unsigned port, unsigned vc, unsigned i) const {
    const InVc& in = in_vcs_[port * num_vc_ + vc];
    if (i >= static_cast<std::uint16_t>(in.tail - in.head)) return nullptr;
    return &flits_[in.ring + ((in.head + i) & mask_)];
  }
  OutVcView out_vc(unsigned port, unsigned vc) const;
  HolderView holder(unsigned port) const;

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  // Requester r is VC r % num_vc of in-port r / num_vc. Its flits stand in a ring of `mask_` + 1
  // places from `ring`; `head` and `tail` count without end.
  struct InVc {
    std::uint32_t ring = 0;
    std::uint16_t head = 0, tail = 0;
    std::uint16_t out_vc = 0;   // Given to the packet.
    std::uint16_t vc = 0;       // Its own number.
    std::uint8_t out_port = 0;  // Given or wanted.
    std::uint8_t port = 0;      // Its own in-port.
    VcSet set = VcSet::kAny;
  };
  struct OutVc {
    std::uint32_t room = 0;  // Places, credits included.
    std::uint32_t owner = kNone;
  };
  // An out-port with up to 64 requesters, bit r for requester r.
  struct alignas(64) NarrowPort {
    std::uint64_t open = 0;   // Owners of VCs with room.
    std::uint64_t held = 0;   // The holder.
    std::uint64_t avail = 0;  // VCs that are free and have room.
    std::uint64_t start = 0;  // Where the next search begins.
    // Waiting headers by their set; in place of those that take any VC, all of them.
    std::uint64_t heads[4] = {};
  };
  // An out-port with more.
  struct WidePort {
    RequesterSet ready;     // May move: with room in their VC; headers of set same.
    RequesterSet heads[3];  // Waiting headers of the other sets.
    std::uint32_t held = kNone;
    std::uint32_t start = 0;
    std::uint32_t avail[2] = {};  // VCs of the lower and the upper half that are free with room.
  };
  struct alignas(64) Line {
    std::byte bytes[64];
  };

  template <unsigned kReq, unsigned kPorts>
  struct Narrow;
  // How the clock edge is done.
  enum class Kind : std::uint8_t { kOneVc, kTwoVcs, kNarrow, kWide };

  bool is_local(unsigned port) const { return port >= num_ports_ - config_.num_local; }
  const Flit& front(const InVc& in) const { return flits_[in.ring + (in.head & mask_)]; }
  void look_up(InVc& in, std::uint64_t header) const;

  std::size_t lay_out_narrow(std::byte* memory);
  template <class State>
  std::size_t lay_out_state(std::byte* memory);
  template <class State, unsigned kVcs, bool kPlain>
  void step_narrow(const PackedIn& in);
  template <bool kPlain>
  void step_kind(const PackedIn& in);
  void pack_and_step(const In& in);
  Out unpack() const;
  unsigned wish_narrow(InVc& in, NarrowPort* ports, unsigned requester, std::uint64_t header) const;
  std::uint64_t with_room(unsigned o, std::uint64_t heads) const;
  std::uint64_t oldest(std::uint64_t requesters, std::uint32_t now) const;
  unsigned choose_vc(unsigned o, std::uint64_t vcs) const;

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
  bool plain_ = false;        // Neither of the two, and wormhole switching.
  std::uint32_t stored_ = 0;  // The first so many requesters store and forward.
  std::uint32_t num_ports_ = 0, num_vc_ = 0;
  std::uint32_t mask_ = 0;  // Places of a ring less 1.
  std::uint64_t tx_valid_ = 0, credit_ports_ = 0;
  std::uint64_t all_ports_ = 0;
  // With up to 64 requesters: which have a flit, and which have a packet in progress.
  std::uint64_t filled_ = 0, active_ = 0;
  std::uint64_t ready_ = 0, always_ready_ = 0;  // Out-ports to look at.
  std::uint64_t popped_ = 0;                    // Credits.
  std::uint64_t hold_mask_ = 0;                 // All ones with `hold_packet`.
  std::uint64_t every_vc_ = 0;  // Multiplied by a mask of VCs: those of every in-port.
  std::uint64_t set_vcs_[4] = {};
  NarrowPort* narrow_ports_ = nullptr;
  WidePort* wide_ports_ = nullptr;
  InVc* in_vcs_ = nullptr;
  OutVc* out_vcs_ = nullptr;
  std::uint64_t* same_ =
      nullptr;  // By VC of an out-port: in-ports whose headers wait for it alone.
  std::uint64_t* credit_ = nullptr;
  std::uint64_t* set_words_ = nullptr;
  std::uint16_t* lasts_ = nullptr;  // By requester that stores and forwards: last flits held.
  Flit* tx_ = nullptr;
  Flit* flits_ = nullptr;
  std::variant<RouteMesh, RouteTorus> route_;
  std::unique_ptr<Line[]> memory_;
};

// Where the packet with this header goes on.
[[gnu::always_inline]] inline void VcRouter::look_up(InVc& in, std::uint64_t header) const {
  const auto src = static_cast<std::uint32_t>(header >> kHdrSrcLsb & low_mask(kAddrW));
  const auto dst = static_cast<std::uint32_t>(header >> kHdrDstLsb & low_mask(kAddrW));
  const RouteTorus* torus = std::get_if<RouteTorus>(&route_);
  const RouteOut way = torus != nullptr
                           ? torus->route(in.port, config_.own, src, dst)
                           : std::get_if<RouteMesh>(&route_)->route(in.port, config_.own, src, dst);
  in.out_port = static_cast<std::uint8_t>(way.port);
  in.set = is_local(way.port) ? VcSet::kAny : way.set;
}

}  // namespace weft
