// Encoders of RV32IM instructions and a loader of word lists, for tests of the RV32 model.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sim/processor/rv32_program.hpp"
#include "sw/include/weft_registers.h"

namespace weft::rv32_asm {

using Instruction = std::uint32_t;

inline Instruction r_type(Instruction funct7, Instruction rs2, Instruction rs1, Instruction funct3,
                          Instruction rd, Instruction opcode = 0x33) {
  return funct7 << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode;
}
inline Instruction i_type(Instruction opcode, Instruction funct3, Instruction rd, Instruction rs1,
                          std::int32_t imm) {
  return static_cast<Instruction>(imm) << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode;
}
inline Instruction s_type(Instruction funct3, Instruction rs2, Instruction rs1, std::int32_t imm) {
  const auto value = static_cast<Instruction>(imm);
  return (value >> 5 & 0x7F) << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | (value & 0x1F) << 7 |
         0x23;
}
inline Instruction b_type(Instruction funct3, Instruction rs1, Instruction rs2,
                          std::int32_t offset) {
  const auto value = static_cast<Instruction>(offset);
  return (value >> 12 & 1) << 31 | (value >> 5 & 0x3F) << 25 | rs2 << 20 | rs1 << 15 |
         funct3 << 12 | (value >> 1 & 0xF) << 8 | (value >> 11 & 1) << 7 | 0x63;
}
inline Instruction j_type(Instruction rd, std::int32_t offset) {
  const auto value = static_cast<Instruction>(offset);
  return (value >> 20 & 1) << 31 | (value >> 1 & 0x3FF) << 21 | (value >> 11 & 1) << 20 |
         (value >> 12 & 0xFF) << 12 | rd << 7 | 0x6F;
}
inline Instruction lui(Instruction rd, Instruction value) {
  return (value & 0xFFFFF000U) | rd << 7 | 0x37;
}
inline Instruction auipc(Instruction rd, Instruction value) {
  return (value & 0xFFFFF000U) | rd << 7 | 0x17;
}
inline Instruction addi(Instruction rd, Instruction rs1, std::int32_t imm) {
  return i_type(0x13, 0, rd, rs1, imm);
}
inline Instruction lw(Instruction rd, Instruction rs1, std::int32_t imm) {
  return i_type(0x03, 2, rd, rs1, imm);
}
inline Instruction sw(Instruction rs2, Instruction rs1, std::int32_t imm) {
  return s_type(2, rs2, rs1, imm);
}
inline Instruction wfi() {
  return 0x10500073;
}

/// A program of these words at the usual address.
inline std::shared_ptr<const Rv32Program> program(const std::vector<Instruction>& words) {
  Segment text{WEFT_PROGRAM_BASE, static_cast<std::uint32_t>(4 * words.size()), true, {}};
  for (const Instruction word : words) {
    for (unsigned byte = 0; byte < 4; ++byte) text.bytes.push_back(word >> 8 * byte & 0xFF);
  }
  return std::make_shared<const Rv32Program>(
      ElfImage{.entry = WEFT_PROGRAM_BASE, .segments = {text}}, "test program");
}

}  // namespace weft::rv32_asm
