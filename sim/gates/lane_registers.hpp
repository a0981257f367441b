// Registers of Verilated instances and the flops of the same hardware as gates.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sim/gates/gate_block.hpp"

namespace weft {

/// Takes the registers of instances of one module over into lanes of gates in which that module is,
/// by their names.
class LaneRegisters {
 public:
  static constexpr std::uint32_t kNoPlace = ~std::uint32_t{0};
  /// The bits of an element of a register, lowest first.
  struct Element {
    std::string name;
    unsigned reg = 0;                   ///< Index in RtlInstance::registers.
    unsigned element = 0;               ///< Index in that register.
    std::vector<std::uint32_t> places;  ///< In the state; kNoPlace: Yosys has taken the bit away.
  };

  /// `rtl`: an instance, whose library is loadable; `scope`: of the module in the gates, as
  /// "u_router."; empty: the gates are that module.
  LaneRegisters(const GateLibrary& library, const RtlInstance& rtl, std::string scope = "");

  /// Registers of which flops are left. Memories are not among them.
  const std::vector<Element>& elements() const { return elements_; }
  /// Memories with words as in the RTL: index in RtlInstance::registers, and in the netlist.
  const std::vector<std::pair<unsigned, unsigned>>& memories() const { return memories_; }
  /// Sets the flops and memories of a lane to the registers of `rtl`.
  void load(GateBlock& gates, std::uint32_t lane, const RtlInstance& rtl) const;

 private:
  const std::string scope_;
  std::vector<Element> elements_;
  std::vector<std::pair<unsigned, unsigned>> memories_;
};

/// Throws CheckError with the name of a flop or memory that none of `all` loads; `block`: the name
/// of the gates.
void check_loads_all(const GateLibrary& library, const std::vector<const LaneRegisters*>& all,
                     const std::string& block);

}  // namespace weft
