// A router with its route units as a SystemC module: a link's wires are one signal, the credits
// that go back another.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/router/router_tile.hpp"
#include "sim/router/vc_router_ports.hpp"
#include "sim/systemc/block_module.hpp"
#include "sim/verilated/rtl_router.hpp"

namespace weft {

/// The ports of a router tile, whose route units are inside.
struct RouterBlock {
  struct Config : RouterTileConfig {
    bool parity = false;  ///< Links carry parity.
  };
  struct In {
    explicit In(const Config& config) : rx(config.num_ports) {}
    std::vector<Flit> rx;                   ///< Flits by in-port.
    const std::uint64_t* credit = nullptr;  ///< By out-port, as in VcRouter.
  };
  using Out = VcRouter::Out;

  static constexpr auto ports() {
    return port_table(
        input("rx_*_i", kFlitFields, &In::rx, &Config::num_ports).link(),
        output("rx_credit_o", &Config::num_vc,
               EachElement{[](const Out& out, unsigned p, unsigned words) {
                 return (out.credit_ports >> p & 1) != 0 ? out.credit + p * words : nullptr;
               }},
               &Config::num_ports)
            .link(),
        output("tx_*_o", kFlitFields, EachElement{[](const Out& out, unsigned p, unsigned) {
                 return (out.tx_valid >> p & 1) != 0 ? out.tx[p] : Flit{};
               }},
               &Config::num_ports)
            .link(),
        input("tx_credit_i", &Config::num_vc, &In::credit, &Config::num_ports).link());
  }
};

template <>
struct ModelOf<RouterBlock> {
  using Type = RouterTile;
};

using RouterPorts = BlockPorts<RouterBlock>;

template <>
class BlockInputs<RouterBlock> {
 public:
  explicit BlockInputs(const RouterBlock::Config& config) : stored_(config) {}
  /// The view is valid until the next call.
  RouterTile::In read(const RouterPorts& ports, std::uint32_t now) {
    const RouterBlock::In& in = stored_.read(ports, now);
    std::uint64_t valid = 0;
    for (std::size_t p = 0; p < in.rx.size(); ++p) valid |= std::uint64_t{in.rx[p].valid} << p;
    return {in.rx.data(), valid, in.credit, now};
  }

 private:
  StoredInputs<RouterBlock> stored_;
};

/// A router with its route units; `Core` is RouterTile (cycle model) or RtlRouterTile (Verilated
/// RTL).
template <class Core>
class RouterModule : public BlockModule<RouterBlock, Core> {
 public:
  /// `parity`: the links carry parity. Throws ConfigError for an invalid configuration.
  RouterModule(const sc_core::sc_module_name& name, const RouterTileConfig& config, bool parity)
      : BlockModule<RouterBlock, Core>(name, {config, parity}, parity) {}
};

}  // namespace weft
