// RV32IM core: one instruction per cycle, no traps, a memory-mapped NIC.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include "sim/processor/processor.hpp"
#include "sim/processor/rv32_program.hpp"

namespace weft {

class Rv32Core;

/// A debugger: inspects a core, instruction by instruction.
class Rv32Debugger {
 public:
  virtual ~Rv32Debugger() = default;
  /// Called before each instruction. May read and change registers and memory. Returns whether it
  /// goes on inspecting this core.
  virtual bool before(Rv32Core& core) = 0;
  /// Called when the core has executed its last instruction: it is kHalted or kFaulted.
  virtual void ended(Rv32Core& core) = 0;
};

/// Kind of fault that has stopped a core.
enum class Rv32Fault : std::uint8_t {
  kNone,
  kIllegal,     ///< Not an instruction of RV32IM.
  kMisaligned,  ///< A misaligned jump, load or store.
  kAccess,      ///< Outside the memory or the text, or a store into the text.
  kEcall,
  kEbreak,
  kNic,  ///< A misuse of the NIC's registers, weft_fail among them.
};

constexpr unsigned values_of(Rv32Fault) {
  return 7;
}

/// The path of a core's register accesses from the core to its port; by default direct.
class NicBus {
 public:
  virtual ~NicBus() = default;
  virtual std::uint32_t read(std::uint32_t reg) = 0;
  virtual void write(std::uint32_t reg, std::uint32_t value) = 0;
};

/// Core that runs one driver on one node: the unprivileged RV32IM instructions and wfi; fence does
/// nothing in a core this simple. Where a real core would trap, there is no handler, so the core
/// stops with a fault that names instruction and pc: illegal instruction, ecall, ebreak, a
/// misaligned or out-of-range access, a jump out of the text, a store into the text (which is
/// decoded once and shared), a misuse of the NIC.
class Rv32Core {
 public:
  /// Installs program and job (place_job) into `memory`; the program finds the job's `start` in a0.
  /// Throws CheckError if they do not fit.
  Rv32Core(std::shared_ptr<const Rv32Program> program, Memory memory, const Job& job);

  /// Steps one cycle: at most one instruction. A core that the NIC wakes executes the instruction
  /// after its wfi in the same cycle.
  void step(const NicStatus& status, std::uint64_t cycle) {
    port_.begin_cycle(status, cycle);
    if (state_ == ProcessorState::kSleeping && port_.take_event()) {
      state_ = ProcessorState::kRunning;
    }
    if (state_ == ProcessorState::kRunning) execute();
  }

  /// Steps a cycle with the status of the cycle before (NicPort::begin_same_cycle), for a running
  /// core. One that does not run needs no call.
  void step_on(std::uint64_t cycle) {
    port_.begin_same_cycle(cycle);
    execute();
  }

  /// Executes up to `most` instructions of the cycles after this one, and returns how many. It
  /// stops before one that may fail, that uses registers of the NIC other than those of
  /// NicPort::write_order, or that accesses memory that the NIC may use. In these cycles the caller
  /// only begins a cycle of the port, and only if the status has changed; the cycle after them is
  /// an ordinary step.
  std::uint32_t run_ahead(std::uint32_t most);
  /// Whether the next instruction may access memory that the NIC may use.
  bool uses_memory() const;
  /// Whether the core makes progress although its NIC shows nothing new: what it executes next, as
  /// far as that is followed, acts, or is not a loop that repeats the same state. Changes nothing.
  bool acts_later();
  std::uint32_t pauses() const { return 0; }

  /// Makes `bus` perform the core's accesses on `port()`, in the cycle of the instruction. It must
  /// outlive the core, whose run_ahead must not be used then.
  void set_bus(NicBus* bus) { bus_ = bus; }

  NicPort& port() { return port_; }
  const NicPort& port() const { return port_; }
  Memory& memory() { return memory_; }
  const Memory& memory() const { return memory_; }
  ProcessorState state() const { return state_; }

  /// Why the core is kFaulted; empty otherwise.
  const std::string& fault() const { return fault_; }
  Rv32Fault fault_kind() const { return fault_kind_; }

  /// Byte address of the next instruction; of the one at fault after a fault.
  std::uint32_t pc() const { return pc_; }

  /// Register x<index>, 0 to 31.
  std::uint32_t reg(unsigned index) const { return x_[index]; }
  /// Sets a register before or between steps, as a debugger does; x0 stays 0.
  void set_reg(unsigned index, std::uint32_t value) {
    x_[index == 0 ? kRv32Discard : index] = value;
  }
  void set_pc(std::uint32_t pc) { pc_ = pc; }

  /// Makes `debugger` inspect every instruction. It must outlive the core or be replaced by null.
  /// The core does not run ahead then, and every step uses memory. A core without a debugger costs
  /// nothing more: a core with one has no text to execute directly.
  void attach(Rv32Debugger* debugger) {
    debugger_ = debugger;
    text_bytes_ = debugger != nullptr ? 0 : program_text_bytes();
  }
  /// Whether `bytes` bytes from an address overlap the program text, which cannot be written.
  bool in_text(std::uint32_t address, std::uint32_t bytes) const {
    return address < text_base_ + program_text_bytes() && address + bytes > text_base_;
  }
  /// First byte and number of bytes that the next instruction stores; none: it is not a store into
  /// memory. For a debugger in `before`.
  struct Stored {
    std::uint32_t address = 0, bytes = 0;
  };
  Stored next_store() const;

  /// The state: what a checkpoint keeps.
  template <class Archive>
  void serialize(Archive& archive) {
    if (port_.rank() == 0) {
      std::uint64_t text = program_->hash();
      archive(text);
      if (text != program_->hash()) throw std::runtime_error("another program");
    }
    archive(pc_, x_, state_, port_, memory_, fault_, fault_kind_);
  }

 private:
  void execute();
  void execute_outside();
  bool execute_alone();
  template <class T>
  void load(const Rv32Instruction& in);
  template <class T>
  void store(const Rv32Instruction& in);
  // The next instruction; null outside the text.
  const Rv32Instruction* fetch() const {
    const std::uint32_t at = pc_ - text_base_;
    return at < text_bytes_ && at % 4 == 0 ? &text_[at / 4] : nullptr;
  }
  std::uint32_t address_of(const Rv32Instruction& in) const {
    return x_[in.rs1] + static_cast<std::uint32_t>(in.imm);
  }
  bool may_access(std::uint32_t address, std::uint32_t bytes, bool writes) const;
  void refuse_access(std::uint32_t address, std::uint32_t bytes);
  std::string_view text_at(std::uint32_t address) const;
  void access_nic(const Rv32Instruction& in, std::uint32_t reg);
  void stop(Rv32Fault kind, const std::string& reason);
  std::uint32_t program_text_bytes() const {
    return static_cast<std::uint32_t>(program_->text().size() * 4);
  }

  std::shared_ptr<const Rv32Program> program_;
  const Rv32Instruction* text_;
  std::uint32_t text_base_;
  std::uint32_t text_bytes_;  ///< 0 while a debugger is attached and does not let it execute.
  std::uint32_t pc_;
  std::array<std::uint32_t, 33> x_ = {};  ///< x_[kRv32Discard] takes the writes to x0.
  ProcessorState state_ = ProcessorState::kRunning;
  NicPort port_;
  NicBus* bus_ = nullptr;
  Memory memory_;
  std::string fault_;
  Rv32Fault fault_kind_ = Rv32Fault::kNone;
  Rv32Debugger* debugger_ = nullptr;
};

static_assert(Processor<Rv32Core>);

}  // namespace weft
