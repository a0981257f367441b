// Network interface as a SystemC module; the ports are those of rtl/nic/weft_nic.sv, with a link's
// or a descriptor's wires as one signal. Its links have credits or Buffer-Full, as configured.
#pragma once

#include "sim/nic/nic.hpp"
#include "sim/nic/nic_ports.hpp"
#include "sim/systemc/block_module.hpp"
#include "sim/verilated/rtl_nic.hpp"

namespace weft {

using NicPorts = BlockPorts<Nic>;

/// A network interface; `Core` is Nic (cycle model) or RtlNic (Verilated RTL).
template <class Core>
using NicModule = BlockModule<Nic, Core>;

}  // namespace weft
