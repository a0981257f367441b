// The units of the barrier and combining trees as SystemC modules, with the values of their
// signals.
#pragma once

#include <fmt/format.h>

#include <ostream>
#include <string>

#include "sim/barrier/barrier_unit.hpp"
#include "sim/barrier/barrier_unit_ports.hpp"
#include "sim/combine/combine_unit.hpp"
#include "sim/combine/combine_unit_ports.hpp"
#include "sim/systemc/block_module.hpp"
#include "sim/verilated/rtl_barrier.hpp"
#include "sim/verilated/rtl_combine.hpp"

namespace weft {

/// Prints "some 0x12", "0x12" or "idle".
inline std::ostream& operator<<(std::ostream& out, const CombineUnit::Up& up) {
  if (!up.valid) return out << "idle";
  return out << (up.some ? "some " : "") << up.word;
}
inline std::ostream& operator<<(std::ostream& out, const CombineUnit::Down& down) {
  return down.valid ? out << down.word : out << "idle";
}
/// Traces `name`.valid, .word (bits 63 to 0), and .some.
inline void sc_trace(sc_core::sc_trace_file* file, const CombineUnit::Up& up,
                     const std::string& name) {
  sc_core::sc_trace(file, up.valid, name + ".valid");
  sc_core::sc_trace(file, up.some, name + ".some");
  sc_trace(file, up.word, name + ".word");
}
inline void sc_trace(sc_core::sc_trace_file* file, const CombineUnit::Down& down,
                     const std::string& name) {
  sc_core::sc_trace(file, down.valid, name + ".valid");
  sc_trace(file, down.word, name + ".word");
}

/// Prints "addr 16 to 24 len 8 op 1 type 0 count 1".
inline std::ostream& operator<<(std::ostream& out, const CombineOrder& order) {
  return out << fmt::format("addr {} to {} len {} op {} type {} count {}{}{}", order.addr, order.to,
                            order.len, unsigned(order.op), unsigned(order.type), order.count,
                            order.silent ? " silent" : "", order.discard ? " discard" : "");
}
/// Traces addresses and length.
inline void sc_trace(sc_core::sc_trace_file* file, const CombineOrder& order,
                     const std::string& name) {
  sc_core::sc_trace(file, order.addr, name + ".addr", kMemAddrW);
  sc_core::sc_trace(file, order.to, name + ".to", kMemAddrW);
  sc_core::sc_trace(file, order.len, name + ".len", kMsgLenW);
}

/// A barrier unit; `Core` is BarrierUnit or RtlBarrierUnit.
template <class Core>
using BarrierModule = BlockModule<BarrierUnit, Core>;
/// A combine unit; `Core` is CombineUnit or RtlCombineUnit.
template <class Core>
using CombineModule = BlockModule<CombineUnit, Core>;

}  // namespace weft
