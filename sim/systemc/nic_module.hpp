// Network interface with Buffer-Full links as a SystemC module; the ports are those of
// rtl/nic/weft_nic.sv, with a link's or a descriptor's wires as one signal.
#pragma once

#include "sim/base/error.hpp"
#include "sim/nic/nic.hpp"
#include "sim/systemc/block_module.hpp"
#include "sim/verilated/rtl_nic.hpp"

namespace weft {

using NicPorts = BlockPorts<Nic>;

/// A network interface; `Core` is Nic (cycle model) or RtlNic (Verilated RTL).
template <class Core>
class NicModule : public BlockModule<Nic, Core> {
 public:
  /// Throws ConfigError for a configuration that the block or this module does not support.
  NicModule(const sc_core::sc_module_name& name, const Nic::Config& config)
      : BlockModule<Nic, Core>(name, config) {
    if (config.credit) throw ConfigError("nic: credit links are not for this module");
  }
};

}  // namespace weft
