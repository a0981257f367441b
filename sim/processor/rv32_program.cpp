// Decoder of RV32IM and loading of programs.
#include "sim/processor/rv32_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "sim/base/error.hpp"
#include "sw/include/weft_registers.h"

namespace weft {
namespace {

using Op = Rv32Op;

constexpr std::array kMnemonics = {
#define WEFT_RV32_MNEMONIC(name, mnemonic) mnemonic,
    WEFT_RV32_INSTRUCTIONS(WEFT_RV32_MNEMONIC)
#undef WEFT_RV32_MNEMONIC
};

/// Bits `high` to `low` of a word.
constexpr std::uint32_t bits(std::uint32_t word, unsigned high, unsigned low) {
  return word >> low & ((std::uint32_t{2} << (high - low)) - 1);
}

// Immediates: the signed top bit is always bit 31 of the word.
std::int32_t imm_i(std::uint32_t w) {
  return static_cast<std::int32_t>(w) >> 20;
}
std::int32_t imm_s(std::uint32_t w) {
  return (imm_i(w) & ~0x1F) | static_cast<std::int32_t>(bits(w, 11, 7));
}
std::int32_t imm_b(std::uint32_t w) {
  return (static_cast<std::int32_t>(w) >> 31 << 12) |
         static_cast<std::int32_t>(bits(w, 7, 7) << 11 | bits(w, 30, 25) << 5 |
                                   bits(w, 11, 8) << 1);
}
std::int32_t imm_u(std::uint32_t w) {
  return static_cast<std::int32_t>(w & 0xFFFFF000U);
}
std::int32_t imm_j(std::uint32_t w) {
  return (static_cast<std::int32_t>(w) >> 31 << 20) |
         static_cast<std::int32_t>(bits(w, 19, 12) << 12 | bits(w, 20, 20) << 11 |
                                   bits(w, 30, 21) << 1);
}

Op decode_register_op(std::uint32_t funct7, std::uint32_t funct3) {
  static constexpr std::array kBase = {Op::kAdd, Op::kSll, Op::kSlt, Op::kSltu,
                                       Op::kXor, Op::kSrl, Op::kOr,  Op::kAnd};
  static constexpr std::array kMulDiv = {Op::kMul, Op::kMulh, Op::kMulhsu, Op::kMulhu,
                                         Op::kDiv, Op::kDivu, Op::kRem,    Op::kRemu};
  if (funct7 == 0x00) return kBase[funct3];
  if (funct7 == 0x01) return kMulDiv[funct3];
  if (funct7 == 0x20 && funct3 == 0) return Op::kSub;
  if (funct7 == 0x20 && funct3 == 5) return Op::kSra;
  return Op::kIllegal;
}

Op decode_immediate_op(std::uint32_t funct7, std::uint32_t funct3) {
  static constexpr std::array kOps = {Op::kAddi, Op::kSlli, Op::kSlti, Op::kSltiu,
                                      Op::kXori, Op::kSrli, Op::kOri,  Op::kAndi};
  const bool shift = funct3 == 1 || funct3 == 5;
  if (!shift || funct7 == 0x00) return kOps[funct3];
  return funct7 == 0x20 && funct3 == 5 ? Op::kSrai : Op::kIllegal;
}

Op decode_system(std::uint32_t word) {
  switch (word) {
    case 0x00000073:
      return Op::kEcall;
    case 0x00100073:
      return Op::kEbreak;
    case 0x10500073:
      return Op::kWfi;
    default:
      return Op::kIllegal;
  }
}

}  // namespace

const char* rv32_mnemonic(Rv32Op op) {
  return kMnemonics[static_cast<std::size_t>(op)];
}

Rv32Instruction rv32_decode(std::uint32_t word) {
  static constexpr std::array kBranches = {Op::kBeq, Op::kBne, Op::kIllegal, Op::kIllegal,
                                           Op::kBlt, Op::kBge, Op::kBltu,    Op::kBgeu};
  static constexpr std::array kLoads = {Op::kLb,  Op::kLh,  Op::kLw,      Op::kIllegal,
                                        Op::kLbu, Op::kLhu, Op::kIllegal, Op::kIllegal};
  static constexpr std::array kStores = {Op::kSb,      Op::kSh,      Op::kSw,      Op::kIllegal,
                                         Op::kIllegal, Op::kIllegal, Op::kIllegal, Op::kIllegal};
  const std::uint32_t funct3 = bits(word, 14, 12);
  const std::uint32_t funct7 = bits(word, 31, 25);
  const auto rd = static_cast<std::uint8_t>(bits(word, 11, 7));
  const auto rs1 = static_cast<std::uint8_t>(bits(word, 19, 15));
  const auto rs2 = static_cast<std::uint8_t>(bits(word, 24, 20));
  const auto target = rd == 0 ? static_cast<std::uint8_t>(kRv32Discard) : rd;
  switch (bits(word, 6, 0)) {
    case 0x37:
      return {Op::kLui, target, 0, 0, imm_u(word)};
    case 0x17:
      return {Op::kAuipc, target, 0, 0, imm_u(word)};
    case 0x6F:
      return {Op::kJal, target, 0, 0, imm_j(word)};
    case 0x67:
      return {funct3 == 0 ? Op::kJalr : Op::kIllegal, target, rs1, 0, imm_i(word)};
    case 0x63:
      return {kBranches[funct3], kRv32Discard, rs1, rs2, imm_b(word)};
    case 0x03:
      return {kLoads[funct3], target, rs1, 0, imm_i(word)};
    case 0x23:
      return {kStores[funct3], kRv32Discard, rs1, rs2, imm_s(word)};
    case 0x13: {
      const bool shift = funct3 == 1 || funct3 == 5;
      return {decode_immediate_op(funct7, funct3), target, rs1, 0,
              shift ? static_cast<std::int32_t>(rs2) : imm_i(word)};
    }
    case 0x33:
      return {decode_register_op(funct7, funct3), target, rs1, rs2, 0};
    case 0x0F:
      return {funct3 == 0 ? Op::kFence : Op::kIllegal, kRv32Discard, 0, 0, 0};
    case 0x73:
      return {decode_system(word), kRv32Discard, 0, 0, 0};
    default:
      return {};
  }
}

Rv32Program::Rv32Program(ElfImage image, const std::string& name) : image_(std::move(image)) {
  const Segment* text = nullptr;
  for (const Segment& segment : image_.segments) {
    if (segment.address < WEFT_PROGRAM_BASE || segment.address > WEFT_STACK_TOP ||
        segment.size > WEFT_STACK_TOP - segment.address) {
      throw ConfigError(
          fmt::format("{}: segment of {} bytes at 0x{:08x} is not between 0x{:x} and 0x{:x}", name,
                      segment.size, segment.address, WEFT_PROGRAM_BASE, WEFT_STACK_TOP));
    }
    if (!segment.executable) continue;
    if (text != nullptr) throw ConfigError(fmt::format("{}: two executable segments", name));
    text = &segment;
  }
  if (text == nullptr) throw ConfigError(fmt::format("{}: no executable segment", name));
  if (text->address % 4 != 0 || image_.entry % 4 != 0) {
    throw ConfigError(fmt::format("{}: text at 0x{:08x} and entry 0x{:08x} must be multiples of 4",
                                  name, text->address, image_.entry));
  }
  text_base_ = text->address;
  text_.reserve(text->size / 4);
  for (std::uint32_t at = 0; at + 4 <= text->size; at += 4) {
    std::uint32_t word = 0;
    for (std::uint32_t byte = 0; byte < 4 && at + byte < text->bytes.size(); ++byte) {
      word |= std::uint32_t{text->bytes[at + byte]} << 8 * byte;
    }
    text_.push_back(rv32_decode(word));
  }
}

void Rv32Program::install(Memory& memory) const {
  for (const Segment& segment : image_.segments) {
    if (!memory.contains(segment.address, segment.size)) {
      throw CheckError(
          fmt::format("a program segment of {} bytes at 0x{:08x} does not fit into a "
                      "memory of 0x{:x} bytes",
                      segment.size, segment.address, memory.bytes()));
    }
    std::copy(segment.bytes.begin(), segment.bytes.end(), memory.data() + segment.address);
  }
}

}  // namespace weft
