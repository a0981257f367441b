// Flits, descriptors and reductions as values of SystemC signals: printing and tracing.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <ostream>
#include <string>
#include <systemc>
#include <vector>

#include "sim/packet/packet.hpp"

namespace weft {

/// Credits of a link with VCs: a line for each VC, 64 per word.
struct CreditLines {
  std::uint64_t low = 0;             ///< VCs 0 to 63.
  std::vector<std::uint64_t> upper;  ///< VCs 64 and up; empty if there are none.

  bool operator==(const CreditLines&) const = default;

  /// From `words` words; null: all 0.
  static CreditLines of(const std::uint64_t* from, unsigned words) {
    CreditLines lines;
    if (from == nullptr) return lines;
    lines.low = from[0];
    if (std::any_of(from + 1, from + words, [](std::uint64_t word) { return word != 0; })) {
      lines.upper.assign(from + 1, from + words);
    }
    return lines;
  }
  void store(std::uint64_t* to, unsigned words) const {
    to[0] = low;
    for (unsigned w = 1; w < words; ++w) to[w] = w <= upper.size() ? upper[w - 1] : 0;
  }
};

/// Prints the words, VCs 0 to 63 first.
inline std::ostream& operator<<(std::ostream& out, const CreditLines& lines) {
  out << fmt::format("{:#x}", lines.low);
  for (const std::uint64_t word : lines.upper) out << fmt::format(" {:#x}", word);
  return out;
}

/// Traces the lines of VCs 0 to 63.
inline void sc_trace(sc_core::sc_trace_file* file, const CreditLines& lines,
                     const std::string& name) {
  sc_core::sc_trace(file, lines.low, name);
}

/// Prints "data 0x12 last parity", or "idle"; data bits 64 and up only if they are not 0.
inline std::ostream& operator<<(std::ostream& out, const Flit& flit) {
  if (flit == Flit{}) return out << "idle";
  std::string data = fmt::format("{:#x}", flit.data);
  for (const std::uint64_t word : flit.upper) {
    if (word != 0) data += fmt::format(" {:#x}", word);
  }
  return out << fmt::format("data {}{}{}{}", data, flit.last ? " last" : "",
                            flit.parity ? " parity" : "", flit.valid ? "" : " not valid");
}

/// Traces `name`.valid, .last, .parity and .data (bits 63 to 0).
inline void sc_trace(sc_core::sc_trace_file* file, const Flit& flit, const std::string& name) {
  sc_core::sc_trace(file, flit.valid, name + ".valid");
  sc_core::sc_trace(file, flit.last, name + ".last");
  sc_core::sc_trace(file, flit.parity, name + ".parity");
  sc_core::sc_trace(file, flit.data, name + ".data");
}

/// Prints the words of a flit's data, the lowest first.
inline std::ostream& operator<<(std::ostream& out, const FlitData& data) {
  return out << fmt::format("{:#x}", fmt::join(data.word, " "));
}

/// Traces bits 63 to 0.
inline void sc_trace(sc_core::sc_trace_file* file, const FlitData& data, const std::string& name) {
  sc_core::sc_trace(file, data.word[0], name);
}

/// Prints "dst 3 addr 16 len 40 off 8 tag 0 gap 0", with " start 90" if there is one.
inline std::ostream& operator<<(std::ostream& out, const Descriptor& desc) {
  out << fmt::format("dst {} addr {} len {} off {} tag {} gap {}", desc.dst, desc.addr, desc.len,
                     desc.off, desc.tag, desc.gap);
  return desc.timed ? out << fmt::format(" start {}", desc.start) : out;
}

/// Traces the fields with the widths of rtl/weft_pkg.sv.
inline void sc_trace(sc_core::sc_trace_file* file, const Descriptor& desc,
                     const std::string& name) {
  sc_core::sc_trace(file, desc.dst, name + ".dst", kMaxAddrW);
  sc_core::sc_trace(file, desc.addr, name + ".addr", kMemAddrW);
  sc_core::sc_trace(file, desc.len, name + ".len", kMsgLenW);
  sc_core::sc_trace(file, desc.off, name + ".off", kOffW);
  sc_core::sc_trace(file, desc.tag, name + ".tag", kTagW);
  sc_core::sc_trace(file, desc.gap, name + ".gap", kGapW);
  sc_core::sc_trace(file, desc.timed, name + ".timed");
  sc_core::sc_trace(file, desc.start, name + ".start", kStartW);
}

/// Prints "op 1 type 0 count 1".
inline std::ostream& operator<<(std::ostream& out, const Reduction& reduction) {
  return out << fmt::format("op {} type {} count {}", unsigned(reduction.op),
                            unsigned(reduction.type), reduction.count);
}

/// Traces the fields with the widths of rtl/weft_pkg.sv.
inline void sc_trace(sc_core::sc_trace_file* file, const Reduction& reduction,
                     const std::string& name) {
  sc_core::sc_trace(file, unsigned(reduction.op), name + ".op", kReduceOpW);
  sc_core::sc_trace(file, unsigned(reduction.type), name + ".type", kReduceTypeW);
  sc_core::sc_trace(file, reduction.count, name + ".count", kMeanCountW);
}

}  // namespace weft
