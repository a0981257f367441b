// Configuration, inputs, outputs, port table and views of a router, without its model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/packet/packet.hpp"
#include "sim/router/route/route.hpp"
#include "sim/router/vc_router_config.hpp"

namespace weft {

/// Base of VcRouter.
struct VcRouterSignals {
  using Config = VcRouterConfig;
  /// Words of credits for each port.
  static constexpr unsigned words(unsigned num_vc) { return Config::words(num_vc); }

  /// Inputs. Credits take `words()` words for each port: bit v % 64 of word v / 64 is for VC v.
  struct In {
    const Flit* rx = nullptr;               ///< By in-port; used where `rx_valid`.
    std::uint64_t rx_valid = 0;             ///< In-ports on which a flit arrives.
    const RouteOut* route = nullptr;        ///< By in-port; used where a header arrives. Local
                                            ///< ports have only VC 0: the set does not matter.
    const std::uint64_t* credit = nullptr;  ///< By out-port: credits that arrive.
    std::uint32_t now = 0;                  ///< Cycles since reset; only with `age`.
    /// Out-ports whose credits are used. A caller that knows which ones have credits saves time.
    std::uint64_t credit_ports = ~std::uint64_t{0};
    /// With `adaptive`, by in-port where a header arrives: its further routes, out-ports to
    /// neighbours, one bit each, where it may use the upper half of the VCs.
    const std::uint64_t* minimal = nullptr;
  };
  struct Out {
    const Flit* tx = nullptr;               ///< By out-port; meaningful where `tx_valid`.
    std::uint64_t tx_valid = 0;             ///< Out-ports with a flit.
    const std::uint64_t* credit = nullptr;  ///< By in-port; meaningful where `credit_ports`.
    std::uint64_t credit_ports = 0;         ///< In-ports with a credit.
  };

  /// Configuration of the RTL, which also has the width of a word.
  struct PortConfig : Config {
    bool parity = false;      ///< Links carry parity.
    unsigned data_w = kHdrW;  ///< Width of a flit without parity, bits.
  };
  /// Storage for the outputs: Out is a view.
  struct Held {
    explicit Held(const Config& config)
        : tx(config.num_ports), credit(std::size_t{config.num_ports} * words(config.num_vc)) {}
    std::vector<Flit> tx;
    std::vector<std::uint64_t> credit;
  };
  static constexpr auto ports();  // sim/router/vc_router_ports.hpp

  /// A VC of an in-port or out-port.
  struct VcId {
    unsigned port = 0;
    unsigned vc = 0;

    bool operator==(const VcId&) const = default;
  };
  /// What a VC of an in-port is doing, for diagnosis.
  struct InVcView {
    unsigned occupancy = 0;       ///< Flits in its buffer.
    const Flit* front = nullptr;  ///< The oldest flit of the buffer; null if empty.
    bool in_progress = false;     ///< Of the packet in front the header has been sent, the tail
                                  ///< not.
    bool waiting = false;         ///< A header is in front and requests a VC.
    unsigned port = 0;            ///< Out-port; meaningful if `in_progress` or `waiting`.
    unsigned vc = 0;              ///< VC allocated; meaningful if `in_progress`.
    VcSet set = VcSet::kAny;      ///< VC set requested; meaningful if `waiting`.
    /// Out-ports whose upper half of the VCs it requests, too; meaningful if `waiting`.
    std::uint64_t minimal = 0;
  };
  /// What a VC of an out-port is doing, for diagnosis.
  struct OutVcView {
    bool owned = false;    ///< It is allocated to a packet.
    VcId owner;            ///< The packet's VC of an in-port; meaningful if `owned`.
    unsigned credits = 0;  ///< Credits.
  };
  /// The packet that holds an out-port (none without `hold_packet`).
  struct HolderView {
    bool held = false;
    VcId holder;  ///< The packet's VC of an in-port; meaningful if `held`.
  };
};

/// As VcRouter::In without the routes.
struct RouterTileIn {
  const Flit* rx = nullptr;                        ///< By in-port; used where `rx_valid`.
  std::uint64_t rx_valid = 0;                      ///< In-ports on which a flit arrives.
  const std::uint64_t* credit = nullptr;           ///< By out-port: credits that arrive.
  std::uint32_t now = 0;                           ///< Cycles since reset; only with `age`.
  std::uint64_t credit_ports = ~std::uint64_t{0};  ///< Out-ports whose credits are used.
};

// The models (sim/router/router_tile.hpp).
class VcRouter;
class TileRoute;
template <class RouterT, class RouteT>
class RouterTileOf;
using RouterTile = RouterTileOf<VcRouter, TileRoute>;

}  // namespace weft
