// RV32IM core: execution.
#include "sim/processor/rv32.hpp"

#include <fmt/format.h>

#include <cstring>
#include <limits>
#include <utility>

namespace weft {
namespace {

constexpr std::uint32_t kMmioBase = WEFT_MMIO_BASE;
constexpr std::uint32_t kMmioBytes = 0x1000;
constexpr unsigned kArgument = 10;  // a0, the first argument.

constexpr std::int32_t as_signed(std::uint32_t value) {
  return static_cast<std::int32_t>(value);
}

// Division by zero and overflow have results, not traps (RISC-V unprivileged ISA, 7.2).
std::uint32_t divide(std::uint32_t a, std::uint32_t b) {
  if (b == 0) return UINT32_MAX;
  if (as_signed(a) == std::numeric_limits<std::int32_t>::min() && as_signed(b) == -1) return a;
  return static_cast<std::uint32_t>(as_signed(a) / as_signed(b));
}

std::uint32_t remainder(std::uint32_t a, std::uint32_t b) {
  if (b == 0) return a;
  if (as_signed(b) == -1) return 0;
  return static_cast<std::uint32_t>(as_signed(a) % as_signed(b));
}

constexpr bool accesses_memory(Rv32Op op) {
  return op >= Rv32Op::kLb && op <= Rv32Op::kSw;
}

constexpr bool writes_memory(Rv32Op op) {
  return op >= Rv32Op::kSb && op <= Rv32Op::kSw;
}

/// Bytes that a load or store accesses.
constexpr std::uint32_t access_bytes(Rv32Op op) {
  switch (op) {
    case Rv32Op::kLb:
    case Rv32Op::kLbu:
    case Rv32Op::kSb:
      return 1;
    case Rv32Op::kLh:
    case Rv32Op::kLhu:
    case Rv32Op::kSh:
      return 2;
    default:
      return 4;
  }
}

/// High half of a 64-bit product.
std::uint32_t high(std::int64_t product) {
  return static_cast<std::uint32_t>(static_cast<std::uint64_t>(product) >> 32);
}

}  // namespace

Rv32Core::Rv32Core(std::shared_ptr<const Rv32Program> program, Memory memory, const Job& job)
    : program_(std::move(program)),
      text_(program_->text().data()),
      text_base_(program_->text_base()),
      text_bytes_(program_text_bytes()),
      pc_(program_->entry()),
      port_(memory.bytes(), job.controllers),
      memory_(std::move(memory)) {
  program_->install(memory_);
  place_job(memory_, job);
  port_.set_rank(job.rank);
  port_.set_text(text_base_, text_bytes_);
  set_reg(kArgument, job.start);
}

std::uint32_t Rv32Core::run_ahead(std::uint32_t most) {
  std::uint32_t count = 0;
  while (count < most && execute_alone()) ++count;
  return count;
}

bool Rv32Core::uses_memory() const {
  const Rv32Instruction* const in = fetch();
  if (in == nullptr) return debugger_ != nullptr;
  return accesses_memory(in->op) && port_.reaches(address_of(*in));
}

// Executes the next instruction if run_ahead may execute it.
bool Rv32Core::execute_alone() {
  const Rv32Instruction* const in = fetch();
  if (in == nullptr || in->op > Rv32Op::kFence || in->op == Rv32Op::kIllegal) return false;
  if (accesses_memory(in->op)) {
    const std::uint32_t address = address_of(*in);
    if (address - kMmioBase < kMmioBytes) {
      if (in->op != Rv32Op::kSw || !port_.write_order(address - kMmioBase, x_[in->rs2])) {
        return false;
      }
      pc_ += 4;
      return true;
    }
    if (!may_access(address, access_bytes(in->op), writes_memory(in->op)) ||
        port_.reaches(address)) {
      return false;
    }
  }
  execute();
  return true;
}

void Rv32Core::execute() {
  const std::uint32_t at = pc_ - text_base_;
  if (at >= text_bytes_) return execute_outside();
  if (at % 4 != 0) return stop(Rv32Fault::kMisaligned, "jump to a misaligned address");
  const Rv32Instruction in = text_[at / 4];
  const std::uint32_t a = x_[in.rs1];
  const std::uint32_t b = x_[in.rs2];
  const auto imm = static_cast<std::uint32_t>(in.imm);
  std::uint32_t& rd = x_[in.rd];
  std::uint32_t next = pc_ + 4;
  const auto branch = [&](bool taken) {
    if (taken) next = pc_ + imm;
  };
  const std::int64_t sa = as_signed(a);
  const std::int64_t sb = as_signed(b);

  switch (in.op) {
    // clang-format off
    case Rv32Op::kLui: rd = imm; break;
    case Rv32Op::kAuipc: rd = pc_ + imm; break;
    case Rv32Op::kJal: rd = next; next = pc_ + imm; break;
    case Rv32Op::kJalr: rd = next; next = (a + imm) & ~1U; break;
    case Rv32Op::kBeq: branch(a == b); break;
    case Rv32Op::kBne: branch(a != b); break;
    case Rv32Op::kBlt: branch(sa < sb); break;
    case Rv32Op::kBge: branch(sa >= sb); break;
    case Rv32Op::kBltu: branch(a < b); break;
    case Rv32Op::kBgeu: branch(a >= b); break;
    case Rv32Op::kAddi: rd = a + imm; break;
    case Rv32Op::kSlti: rd = as_signed(a) < in.imm; break;
    case Rv32Op::kSltiu: rd = a < imm; break;
    case Rv32Op::kXori: rd = a ^ imm; break;
    case Rv32Op::kOri: rd = a | imm; break;
    case Rv32Op::kAndi: rd = a & imm; break;
    case Rv32Op::kSlli: rd = a << imm; break;
    case Rv32Op::kSrli: rd = a >> imm; break;
    case Rv32Op::kSrai: rd = static_cast<std::uint32_t>(as_signed(a) >> imm); break;
    case Rv32Op::kAdd: rd = a + b; break;
    case Rv32Op::kSub: rd = a - b; break;
    case Rv32Op::kSll: rd = a << (b & 31); break;
    case Rv32Op::kSlt: rd = sa < sb; break;
    case Rv32Op::kSltu: rd = a < b; break;
    case Rv32Op::kXor: rd = a ^ b; break;
    case Rv32Op::kSrl: rd = a >> (b & 31); break;
    case Rv32Op::kSra: rd = static_cast<std::uint32_t>(as_signed(a) >> (b & 31)); break;
    case Rv32Op::kOr: rd = a | b; break;
    case Rv32Op::kAnd: rd = a & b; break;
    case Rv32Op::kMul: rd = a * b; break;
    case Rv32Op::kMulh: rd = high(sa * sb); break;
    case Rv32Op::kMulhsu: rd = high(sa * std::int64_t{b}); break;
    case Rv32Op::kMulhu: rd = static_cast<std::uint32_t>(std::uint64_t{a} * b >> 32); break;
    case Rv32Op::kDiv: rd = divide(a, b); break;
    case Rv32Op::kDivu: rd = b == 0 ? UINT32_MAX : a / b; break;
    case Rv32Op::kRem: rd = remainder(a, b); break;
    case Rv32Op::kRemu: rd = b == 0 ? a : a % b; break;
    case Rv32Op::kLb: load<std::int8_t>(in); break;
    case Rv32Op::kLh: load<std::int16_t>(in); break;
    case Rv32Op::kLw: load<std::int32_t>(in); break;
    case Rv32Op::kLbu: load<std::uint8_t>(in); break;
    case Rv32Op::kLhu: load<std::uint16_t>(in); break;
    case Rv32Op::kSb: store<std::uint8_t>(in); break;
    case Rv32Op::kSh: store<std::uint16_t>(in); break;
    case Rv32Op::kSw: store<std::uint32_t>(in); break;
    case Rv32Op::kFence: break;
    case Rv32Op::kWfi: if (!port_.take_event()) state_ = ProcessorState::kSleeping; break;
    case Rv32Op::kEcall: stop(Rv32Fault::kEcall, "there is no system to call"); break;
    case Rv32Op::kEbreak: stop(Rv32Fault::kEbreak, "there is no debugger"); break;
    case Rv32Op::kIllegal: stop(Rv32Fault::kIllegal, "not an instruction of RV32IM"); break;
      // clang-format on
  }
  if (state_ != ProcessorState::kFaulted) pc_ = next;
}

// A core with a debugger comes here for each of its instructions.
void Rv32Core::execute_outside() {
  Rv32Debugger* const debugger = debugger_;
  if (debugger == nullptr) return stop(Rv32Fault::kAccess, "execution outside the program text");
  attach(nullptr);
  const bool stays = debugger->before(*this);
  execute();
  if (!stays) return;
  if (state_ == ProcessorState::kHalted || state_ == ProcessorState::kFaulted) {
    return debugger->ended(*this);
  }
  attach(debugger);
}

Rv32Core::Stored Rv32Core::next_store() const {
  const Rv32Instruction* const in = fetch();
  if (in == nullptr || !writes_memory(in->op)) return {};
  return {address_of(*in), access_bytes(in->op)};
}

template <class T>
void Rv32Core::load(const Rv32Instruction& in) {
  const std::uint32_t address = address_of(in);
  if (address - kMmioBase < kMmioBytes) return access_nic(in, address - kMmioBase);
  if (!may_access(address, sizeof(T), false)) return refuse_access(address, sizeof(T));
  x_[in.rd] = static_cast<std::uint32_t>(std::int32_t{memory_.load<T>(address)});
}

template <class T>
void Rv32Core::store(const Rv32Instruction& in) {
  const std::uint32_t address = address_of(in);
  if (address - kMmioBase < kMmioBytes) return access_nic(in, address - kMmioBase);
  if (!may_access(address, sizeof(T), true)) return refuse_access(address, sizeof(T));
  memory_.store<T>(address, static_cast<T>(x_[in.rs2]));
}

bool Rv32Core::may_access(std::uint32_t address, std::uint32_t bytes, bool writes) const {
  return address % bytes == 0 && memory_.contains(address, bytes) &&
         !(writes && address - text_base_ < text_bytes_);
}

// Records why an access is refused.
void Rv32Core::refuse_access(std::uint32_t address, std::uint32_t bytes) {
  if (address % bytes != 0)
    return stop(Rv32Fault::kMisaligned, fmt::format("address 0x{:08x} is misaligned", address));
  if (!memory_.contains(address, bytes)) {
    return stop(Rv32Fault::kAccess,
                fmt::format("address 0x{:08x} is outside the memory of 0x{:x} bytes", address,
                            memory_.bytes()));
  }
  stop(Rv32Fault::kAccess,
       fmt::format("address 0x{:08x} is program text, which cannot be written", address));
}

// The text at an address within the memory, up to a zero byte.
std::string_view Rv32Core::text_at(std::uint32_t address) const {
  const auto* const text = reinterpret_cast<const char*>(memory_.data() + address);
  return {text, strnlen(text, std::min(NicPort::kMostText, memory_.bytes() - address))};
}

void Rv32Core::access_nic(const Rv32Instruction& in, std::uint32_t reg) {
  if (in.op == Rv32Op::kLw) {
    x_[in.rd] = bus_ != nullptr ? bus_->read(reg) : port_.read(reg);
  } else if (in.op != Rv32Op::kSw) {
    return stop(Rv32Fault::kNic, "NIC registers are read and written as words");
  } else if (reg == WEFT_REG_PRINT || reg == WEFT_REG_RESULT || reg == WEFT_REG_FAIL) {
    const std::uint32_t at = port_.text();
    if (!may_access(at, 1, false)) return refuse_access(at, 1);
    port_.tell(reg, text_at(at), x_[in.rs2]);
  } else if (reg == WEFT_REG_PHASE) {
    const std::uint32_t at = x_[in.rs2];
    if (at != 0 && !may_access(at, 1, false)) return refuse_access(at, 1);
    port_.enter_phase(at == 0 ? std::string_view{} : text_at(at));
  } else if (bus_ != nullptr) {
    bus_->write(reg, x_[in.rs2]);
  } else {
    port_.write(reg, x_[in.rs2]);
  }
  if (port_.faulted()) return stop(Rv32Fault::kNic, port_.fault());
  if (port_.halted()) state_ = ProcessorState::kHalted;
}

void Rv32Core::stop(Rv32Fault kind, const std::string& reason) {
  if (const Rv32Instruction* const in = fetch()) {
    fault_ = fmt::format("{} (0x{:08x}) at pc 0x{:08x}: {}", rv32_mnemonic(in->op),
                         memory_.load<std::uint32_t>(pc_), pc_, reason);
  } else {
    fault_ = fmt::format("pc 0x{:08x}: {}", pc_, reason);
  }
  fault_kind_ = kind;
  state_ = ProcessorState::kFaulted;
}

}  // namespace weft
