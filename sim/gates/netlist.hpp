// A block as gates: what Yosys makes of its RTL.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/verilated/verilate.hpp"

namespace weft {

/// Number of a net of one bit: 0 and 1 are the constants, then come the inputs' bits, the flops'
/// outputs, the gates' outputs, and the bits that memories show (Netlist::first_*).
using NetId = std::uint32_t;

/// A gate of up to three inputs.
struct Gate {
  /// Bit 4a + 2b + c is the output for inputs a, b and c, the form of AVX-512's `vpternlog`.
  std::uint8_t table = 0;
  /// Unused ones are net 0, and the table does not depend on them.
  std::array<NetId, 3> in{};
};

/// A flip-flop of the clock.
struct Flop {
  enum class Reset : std::uint8_t { kNone, kTo0, kTo1 };
  /// Name and bit: "gen_in[0].u_in.credit_q[2]". Flops that Yosys merged are in `aliases`.
  std::string name;
  /// Value from the next edge on; not used where a memory loads the flop.
  NetId d = 0;
  /// By `rst_ni` = 0, asynchronous: its value is there at once.
  Reset reset = Reset::kNone;
};

/// A register that is not a flop of its own: another one always has the same value.
struct FlopAlias {
  std::string name;  ///< As Flop::name.
  bool constant = false;
  std::uint32_t of = 0;  ///< Flop; or the value of a constant.
};

/// A memory, one array in each lane.
struct GateMemory {
  struct Write {
    NetId enable = 0;
    std::vector<NetId> address, data;  ///< Lowest bit first.
  };
  /// A read whose result is in flops `first`... after an edge with `enable`; the word before the
  /// writes of that edge, or with `after_writes` the one after.
  struct Read {
    bool clocked = true, after_writes = false;
    NetId enable = 1;
    std::vector<NetId> address;
    NetId first = 0;  ///< Its data's first net: a flop's output if `clocked`, else one of memories.
  };
  std::string name;
  unsigned width = 0;         ///< Bits of a word.
  std::uint32_t words = 0;    ///< Addresses beyond read as 0, and writes there are lost.
  std::vector<Write> writes;  ///< Of two writes of a word in one cycle the latter counts.
  std::vector<Read> reads;
};

/// A port's bits, successive among the inputs or the outputs.
struct GatePort {
  std::string name;
  std::uint32_t first = 0, width = 0;
  bool input = false;
};

struct Netlist {
  std::vector<GatePort> ports;  ///< Without the clock.
  std::uint32_t inputs = 0;     ///< Bits of all inputs.
  std::vector<Flop> flops;
  std::vector<FlopAlias> aliases;
  std::vector<Gate> gates;              ///< In an order in which inputs come first.
  std::vector<std::string> gate_names;  ///< Of the RTL, or empty.
  std::vector<GateMemory> memories;
  std::uint32_t memory_nets = 0;  ///< Bits of reads that are not clocked.
  std::vector<NetId> outputs;     ///< The net of each bit.
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  std::uint32_t reset = kNone;  ///< Input bit `rst_ni`; kNone in a block without flops.

  static constexpr NetId kFirstInput = 2;
  NetId first_flop() const { return kFirstInput + inputs; }
  NetId first_gate() const { return first_flop() + static_cast<NetId>(flops.size()); }
  NetId first_memory() const { return first_gate() + static_cast<NetId>(gates.size()); }
  NetId nets() const { return first_memory() + memory_nets; }
  bool is_input(NetId n) const { return n >= kFirstInput && n < first_flop(); }
  bool is_flop(NetId n) const { return n >= first_flop() && n < first_gate(); }
  bool is_gate(NetId n) const { return n >= first_gate() && n < first_memory(); }
  bool is_memory(NetId n) const { return n >= first_memory() && n < nets(); }
  const Gate& gate(NetId n) const { return gates[n - first_gate()]; }
};

/// Lets Yosys synthesise `spec` (top and params), read from `sources`, packages first. With
/// `spec.assertions` each assertion and assumption in the RTL is an output port more, `$check0` and
/// so on: a bit that must be 1 whenever the second one is, both registers (one edge late). With
/// `spec.liberty` it is mapped to cells, and has what these compute (sim/gates/liberty.hpp). Throws
/// ConfigError if Yosys is missing or fails, with its message, and for what a netlist cannot have:
/// latches, several clocks, edges that fall, combinational loops, cells without a function.
Netlist synthesise(const RtlSpec& spec, const std::vector<std::filesystem::path>& sources);

/// The netlist in the JSON text of Yosys for its module `top`; throws ConfigError as `synthesise`.
Netlist parse_yosys(std::string_view json, const std::string& top);

/// As text for a file.
std::string to_text(const Netlist& netlist);
/// The netlist of such a text; throws ConfigError for one that is not whole.
Netlist netlist_of(std::string_view text);

}  // namespace weft
