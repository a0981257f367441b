// What Yosys makes of a module's RTL beside a Verilated instance of the same module.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/gates/gate_block.hpp"
#include "sim/gates/lane_registers.hpp"
#include "sim/verilated/rtl_ports.hpp"

namespace weft {

/// A module as gates, in one lane, that gets the inputs of a Verilated instance of it and must have
/// its outputs, and its registers as far as Yosys left them. The instance's library may be
/// `loadable`; without, registers are not compared.
///
/// A cycle is: step the instance; `step`; compare the instance with its model (`explain` if they
/// differ); `check`.
class GateCheck {
 public:
  /// Edges after which a register that differs is an error although no output differs.
  static constexpr unsigned kPatience = 1000;

  /// Both after reset. `liberty`: as RtlSpec::liberty. The kernel is built unless the cache has it;
  /// errors as GateLibrary::load.
  explicit GateCheck(const RtlInstance& rtl, const std::filesystem::path& liberty = {});
  /// With a kernel of the instance's module.
  GateCheck(const RtlInstance& rtl, std::shared_ptr<const GateLibrary> library);

  /// Follows `rtl`, an instance of the same module that was loaded with a state: takes over its
  /// registers. Throws CheckError with the name of a flop that has no register there.
  void load(const RtlInstance& rtl);

  /// An edge of the clock with the inputs at the instance's ports, after the instance has had it.
  void step();
  /// The outputs with the inputs at the instance's ports; no edge.
  void settle();
  /// Throws Difference if an output differs from the instance, which is equal to its model; or if a
  /// register has differed for kPatience edges.
  void check();
  /// Throws the difference between instance and model with what the gates have there.
  [[noreturn]] void explain(const Difference& difference);

  /// The gates, to force nets.
  GateBlock& gates() { return gates_; }

 private:
  // 64 bits or less of a port, or of a register with the vectors of the state.
  struct Part {
    std::string_view name;  // Of the port or register.
    RtlPort rtl;
    unsigned lsb = 0, width = 0;
    std::uint32_t first = 0;  // Of a port: its first vector. Of a register: in `places_`.
    std::uint64_t mask = 0;   // Of a register: bits that are flops.
  };

  void bind(const RtlInstance& rtl);
  void bind_registers(const RtlInstance& rtl);
  // Whether an input has changed.
  bool drive();
  std::uint64_t of_gates(const Part& part) const;
  std::uint64_t of_register(const Part& part);
  void compare_registers();
  std::string cause(bool of_edge);
  std::string first_registers() const;

  std::shared_ptr<const GateLibrary> library_;
  GateBlock gates_;
  std::string module_;
  bool mapped_ = false;  // To the cells of a library.
  std::optional<LaneRegisters> flops_;
  std::vector<Part> inputs_, outputs_, registers_;
  std::vector<std::uint32_t> places_;  // Of a register's bits in the state.
  std::vector<std::uint64_t> driven_;  // The inputs, by part.
  std::vector<std::uint64_t> before_;  // State before the last edge that was computed.
  unsigned still_ = 0;                 // Edges without change of inputs or flops.
  std::uint64_t edges_ = 0;
  std::uint64_t noted_ = 0;  // Edge at which the first register differed; 0: none has.
  std::string note_;         // What differed then, and why.
};

}  // namespace weft
