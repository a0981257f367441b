// Crossbar as a SystemC module; the ports are those of rtl/crossbar/weft_crossbar.sv, with a link's
// wires as one signal. The own address is part of the configuration.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/crossbar/crossbar.hpp"
#include "sim/crossbar/crossbar_ports.hpp"
#include "sim/systemc/block_module.hpp"
#include "sim/verilated/rtl_crossbar.hpp"

namespace weft {

using CrossbarPorts = BlockPorts<Crossbar>;

template <>
class BlockInputs<Crossbar> {
 public:
  explicit BlockInputs(const Crossbar::Config& config)
      : held_(config), rx_valid_((config.num_in + 63) / 64) {}
  /// The view is valid until the next call.
  Crossbar::In read(const CrossbarPorts& ports, std::uint32_t /*now*/) {
    ports.read(held_);
    rx_valid_.assign(rx_valid_.size(), 0);
    for (std::size_t i = 0; i < held_.rx.size(); ++i) {
      rx_valid_[i / 64] |= std::uint64_t{held_.rx[i].valid} << i % 64;
    }
    return {held_.rx.data(), rx_valid_.data(), held_.tx_full.data()};
  }

 private:
  Crossbar::Held held_;
  std::vector<std::uint64_t> rx_valid_;
};

/// A crossbar; `Core` is Crossbar (cycle model) or RtlCrossbar (Verilated RTL).
template <class Core>
class CrossbarModule : public BlockModule<Crossbar, Core> {
 public:
  /// `parity`: the links carry parity. Throws ConfigError for an invalid configuration.
  CrossbarModule(const sc_core::sc_module_name& name, const Crossbar::Config& config, bool parity)
      : BlockModule<Crossbar, Core>(name, config, parity) {}
};

}  // namespace weft
