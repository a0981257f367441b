// A program for the RV32 model: decoded once, then shared by all nodes that run it.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "sim/base/hash.hpp"
#include "sim/processor/elf.hpp"
#include "sim/processor/memory.hpp"

namespace weft {

// clang-format off
/// The instructions of RV32IM (RISC-V unprivileged ISA, chapters 2 and 7) and wfi: enumerator and
/// mnemonic.
#define WEFT_RV32_INSTRUCTIONS(X)                                                       \
  X(Illegal, "illegal instruction")                                                     \
  X(Lui, "lui") X(Auipc, "auipc") X(Jal, "jal") X(Jalr, "jalr")                         \
  X(Beq, "beq") X(Bne, "bne") X(Blt, "blt") X(Bge, "bge") X(Bltu, "bltu")               \
  X(Bgeu, "bgeu")                                                                       \
  X(Lb, "lb") X(Lh, "lh") X(Lw, "lw") X(Lbu, "lbu") X(Lhu, "lhu")                       \
  X(Sb, "sb") X(Sh, "sh") X(Sw, "sw")                                                   \
  X(Addi, "addi") X(Slti, "slti") X(Sltiu, "sltiu") X(Xori, "xori") X(Ori, "ori")       \
  X(Andi, "andi") X(Slli, "slli") X(Srli, "srli") X(Srai, "srai")                       \
  X(Add, "add") X(Sub, "sub") X(Sll, "sll") X(Slt, "slt") X(Sltu, "sltu")               \
  X(Xor, "xor") X(Srl, "srl") X(Sra, "sra") X(Or, "or") X(And, "and")                   \
  X(Mul, "mul") X(Mulh, "mulh") X(Mulhsu, "mulhsu") X(Mulhu, "mulhu")                   \
  X(Div, "div") X(Divu, "divu") X(Rem, "rem") X(Remu, "remu")                           \
  X(Fence, "fence") X(Wfi, "wfi") X(Ecall, "ecall") X(Ebreak, "ebreak")
// clang-format on

enum class Rv32Op : std::uint8_t {
#define WEFT_RV32_ENUMERATOR(name, mnemonic) k##name,
  WEFT_RV32_INSTRUCTIONS(WEFT_RV32_ENUMERATOR)
#undef WEFT_RV32_ENUMERATOR
};

/// Mnemonic of an instruction.
const char* rv32_mnemonic(Rv32Op op);

/// Register number that takes writes to x0: the core has 33 registers, so that a write need not
/// test for x0.
inline constexpr unsigned kRv32Discard = 32;

/// One decoded instruction. `imm` is sign-extended; for shifts it is the amount, for lui and auipc
/// the value shifted into place.
struct Rv32Instruction {
  Rv32Op op = Rv32Op::kIllegal;
  std::uint8_t rd = 0;  ///< kRv32Discard where the instruction names x0.
  std::uint8_t rs1 = 0;
  std::uint8_t rs2 = 0;
  std::int32_t imm = 0;
};

/// Decodes one word; kIllegal for everything that is not RV32IM.
Rv32Instruction rv32_decode(std::uint32_t word);

/// A program with its text decoded. Read-only: one object serves any number of cores and threads.
class Rv32Program {
 public:
  /// Takes an image with one executable segment; all segments must lie between WEFT_PROGRAM_BASE
  /// and WEFT_STACK_TOP. Otherwise throws ConfigError with `name` and the reason.
  Rv32Program(ElfImage image, const std::string& name);

  /// As in ElfImage.
  std::uint32_t flit_bytes() const { return image_.flit_bytes; }
  std::uint32_t entry() const { return image_.entry; }
  std::uint32_t text_base() const { return text_base_; }
  const std::vector<Rv32Instruction>& text() const { return text_; }
  /// Hash of the text.
  std::uint64_t hash() const {
    static_assert(std::has_unique_object_representations_v<Rv32Instruction>);
    return fnv1a(
        {reinterpret_cast<const char*>(text_.data()), text_.size() * sizeof(Rv32Instruction)});
  }

  /// Copies the segments into a node's memory; throws CheckError if the memory ends before.
  void install(Memory& memory) const;

 private:
  ElfImage image_;
  std::uint32_t text_base_ = 0;
  std::vector<Rv32Instruction> text_;
};

}  // namespace weft
