// What a SystemC module holds: a cycle model or a Verilated block, from the same configuration.
#pragma once

#include "sim/crossbar/crossbar.hpp"
#include "sim/nic/nic.hpp"
#include "sim/verilated/rtl_crossbar.hpp"
#include "sim/verilated/rtl_nic.hpp"

namespace weft {

/// A network interface in its reset state; `Core` is Nic or RtlNic. Throws ConfigError for a
/// configuration that the block cannot have.
template <class Core>
Core make_nic(const Nic::Config& config);

template <>
inline Nic make_nic<Nic>(const Nic::Config& config) {
  return Nic(config);
}

/// Verilated with the assertions of the RTL, once for each configuration (WEFT_CACHE keeps it).
template <>
inline RtlNic make_nic<RtlNic>(const Nic::Config& config) {
  return RtlNic(config, true);
}

/// A crossbar in its reset state; `Core` is Crossbar or RtlCrossbar. Throws ConfigError for a
/// configuration that the block cannot have.
template <class Core>
Core make_crossbar(const Crossbar::Config& config, bool parity);

template <>
inline Crossbar make_crossbar<Crossbar>(const Crossbar::Config& config, bool) {
  return Crossbar(config);
}

/// Verilated with the assertions of the RTL, once for each configuration (WEFT_CACHE keeps it).
template <>
inline RtlCrossbar make_crossbar<RtlCrossbar>(const Crossbar::Config& config, bool parity) {
  return RtlCrossbar(config, parity, true);
}

}  // namespace weft
