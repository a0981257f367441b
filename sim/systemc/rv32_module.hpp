// The RV32IM core as a SystemC module: the processor of a node.
#pragma once

#include <tlm.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <systemc>
#include <utility>

#include "sim/processor/rv32.hpp"
#include "sim/systemc/nic_registers.hpp"

namespace weft {

/// A core with the NicRegisters of its own port. It executes one instruction in each cycle, a delta
/// cycle after the rising edge. Accesses to registers are transactions of its socket, which end in
/// the same cycle, at its falling edge. Its memory, which others access through
/// MemoryTarget(core().memory()), and the program's text are accessed directly.
class Rv32Module : public sc_core::sc_module, private NicBus {
 public:
  SC_HAS_PROCESS(Rv32Module);

  sc_core::sc_in<bool> clk_i{"clk_i"};
  sc_core::sc_in<bool> rst_ni{"rst_ni"};  ///< Holds the core; it does not start again.
  /// Socket for the registers, from address 0.
  tlm_utils::simple_initiator_socket<Rv32Module> socket{"socket"};

  Rv32Module(const sc_core::sc_module_name& name, Rv32Core core)
      : sc_module(name), core_(std::move(core)) {
    core_.set_bus(this);
    SC_THREAD(run);
  }

  /// Sets the registers of this core; before the simulation starts.
  void set_registers(const NicRegisters& registers) { registers_ = &registers; }

  Rv32Core& core() { return core_; }
  const Rv32Core& core() const { return core_; }

 private:
  void run() {
    for (std::uint64_t cycle = 0;;) {
      wait(clk_i.posedge_event());
      if (!rst_ni.read()) continue;
      const NicStatus status = registers_->status();
      wait(sc_core::SC_ZERO_TIME);
      core_.step(status, cycle++);
    }
  }

  std::uint32_t read(std::uint32_t reg) override {
    std::uint32_t value = 0;
    access(tlm::TLM_READ_COMMAND, reg, value);
    return value;
  }
  void write(std::uint32_t reg, std::uint32_t value) override {
    access(tlm::TLM_WRITE_COMMAND, reg, value);
  }

  // Errors in a transaction are found by the core in its port.
  void access(tlm::tlm_command command, std::uint32_t reg, std::uint32_t& value) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(reg);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
    payload.set_data_length(sizeof value);
    payload.set_streaming_width(sizeof value);
    sc_core::sc_time delay;
    socket->b_transport(payload, delay);
  }

  Rv32Core core_;
  const NicRegisters* registers_ = nullptr;
};

}  // namespace weft
