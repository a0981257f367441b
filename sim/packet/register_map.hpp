// The registers that drivers see: the one table of their names, addresses, access and meaning.
// scripts/registers.py writes from it the addresses for C (sw/include/weft_register_map.h) and for
// SystemVerilog (rtl/weft_reg.sv), and the table in rtl/bus/README.md. A row is read as text there:
// plain literals only.
#pragma once

#include <array>
#include <cstdint>

#include "sim/packet/packet.hpp"

namespace weft {

enum class RegisterAccess : std::uint8_t {
  kReads,
  kWrites,
  kBoth,
  kTells,  ///< Written by a program to tell a simulator something; hardware does nothing.
};

struct Register {
  const char* name;       ///< In C WEFT_REG_NAME; if there are several, WEFT_REG_NAME0 and so on.
  std::uint32_t address;  ///< Byte offset; if there are several, that of the first.
  unsigned number;        ///< Number of registers, one word after the other.
  RegisterAccess access;
  const char* what;
  const char* refused = "";   ///< When a write is refused.
  const char* accepted = "";  ///< What an accepted write does.
  /// The value of a register that shows a figure of the status unchanged; null for others.
  std::uint32_t (*shows)(const NicStatus&) = nullptr;

  constexpr bool readable() const {
    return access == RegisterAccess::kReads || access == RegisterAccess::kBoth;
  }
  constexpr bool writable() const { return access != RegisterAccess::kReads; }
};

inline constexpr auto kRegisterMap = [] {
  using enum RegisterAccess;
  return std::to_array<Register>({
      {"DST", 0x00, 1, kWrites, "network address of the destination node", "over `AddrW` bits",
       "kept for the next `POST`s, like the next four"},
      {"ADDR", 0x04, 1, kWrites, "local byte address of the body, a multiple of a flit",
       "no multiple of a flit, beyond `MemFlits`"},
      {"LEN", 0x08, 1, kWrites, "body length in flits", "over 2^20 - 1"},
      {"OFFSET", 0x0C, 1, kWrites,
       "byte offset in the destination's receive window, a multiple of a flit",
       "no multiple of a flit; 2^(OffW - KeyW - IdW) flits or more"},
      {"TAG_GAP", 0x10, 1, kWrites,
       "tag in bits 2:0, OF_BARRIER, gap in packet times in bits 15:8, CONTROLLER",
       "unknown bits, no such controller"},
      {"POST", 0x14, 1, kWrites, "any value; puts the order into the descriptor queue",
       "`FREE` is 0; body beyond the memory; `OFFSET` and `LEN` together over "
       "2^(OffW - KeyW - IdW) flits",
       "`desc_valid_o` in t + 1"},
      {"FREE", 0x18, 1, kReads, "free descriptors of the descriptor queue", "", "",
       [](const NicStatus& now) { return now.desc_free; }},
      {"SENT", 0x1C, 1, kReads, "messages sent to the last flit"},
      {"RECEIVED", 0x20, 4, kReads, "messages stored with tag & 3 == 0; then tags 1, 2 and 3"},
      {"RX_BASE", 0x30, 1, kWrites,
       "first byte of the receive window that RX_SIZE opens, a multiple of a flit", "as `ADDR`",
       "used by the next `RX_SIZE`"},
      {"RX_SIZE", 0x34, 1, kWrites,
       "opens a receive window with what RX_BASE and RX_KEY have: bytes, a multiple of a flit; 0 "
       "closes it",
       "no multiple of a flit, beyond the memory, over 2^24 - 1 flits",
       "the window's `rx_base_o`, `rx_size_o`, `rx_key_o` from t + 1 on"},
      {"PARITY_ERRORS", 0x38, 1, kReads, "packets dropped for their parity", "", "",
       [](const NicStatus& now) { return now.rx_parity; }},
      {"REFUSED", 0x3C, 1, kReads, "packets dropped for their key, offset or length", "", "",
       [](const NicStatus& now) { return now.rx_refused; }},
      {"EXIT", 0x40, 1, kTells, "ends this processor with the value as its exit code"},
      {"CYCLE", 0x44, 1, kReads, "the clock cycle, low 32 bits"},
      {"BARRIER", 0x48, 1, kBoth,
       "written, any value: this node enters its next hardware barrier; read: hardware barriers "
       "released so far",
       "without `Barrier`", "`barrier_enter_o` in t + 1"},
      {"JOB_START", 0x4C, 1, kWrites,
       "n, once: the job starts. From now on SENT and BARRIER count from zero, and RECEIVED3 and "
       "ARRIVED3 do not count the n messages of the start-up",
       "a second time; more than `RECEIVED3`", "counters leave out the start-up from t + 1 on"},
      {"ARRIVED", 0x50, 4, kReads,
       "messages arrived with tag & 3 == 0, perhaps not yet in memory (seed 004 4.1); then tags 1, "
       "2 and 3"},
      {"REDUCE", 0x60, 1, kWrites,
       "what is done with messages with an odd tag: operation in bits 2:0 (0 stores them), type of "
       "the elements in bits 4:3, divisor of a mean in bits 31:16",
       "unknown bits, operation or type; a mean by 0; without `Reduce` an operation",
       "`reduce_*_o` from t + 1 on"},
      {"LINK_RECEIVED", 0x64, 8, kReads,
       "messages stored that came by incoming link 0, of all tags together; then links 1 to 7. "
       "They leave out what had come when the node entered the start-up's hardware barrier, or "
       "without "
       "one when it wrote JOB_START"},
      {"START", 0x84, 1, kWrites,
       "the message of the next POST, and of no other, starts in this cycle (CYCLE) at the "
       "earliest; a cycle up to 2^31 - 1 ago is over. For collectives with .timed",
       "without `Timed`", "for the next `POST` alone"},
      {"MEMORY_ERRORS", 0x88, 1, kReads,
       "accesses of the interface that the memory answered with an error; 0 in the simulator"},
      {"REFUSED_WRITES", 0x8C, 1, kReads,
       "writes that were refused and had no effect; 0 in the simulator, whose processors stop at "
       "the first one"},
      {"COMBINE_ADDR", 0x90, 1, kWrites, "byte address of the own vector, a multiple of a flit",
       "as `ADDR`", "kept, like the next two"},
      {"COMBINE_TO", 0x94, 1, kWrites, "byte address of the result, a multiple of a flit",
       "as `ADDR`"},
      {"COMBINE_LEN", 0x98, 1, kWrites, "flits, 1 to 2^20 - 1", "0, over 2^20 - 1"},
      {"COMBINE_POST", 0x9C, 1, kWrites,
       "operation in bits 2:0, type of the elements in bits 4:3, SILENT, DISCARD, divisor of a "
       "mean in bits 31:16; posts the order. At most two orders may be posted and not completed",
       "as `REDUCE`; without `Combine`; no length; a vector beyond the memory; two orders not "
       "completed",
       "`combine_post_o` in t + 1"},
      {"COMBINE_DONE", 0xA0, 1, kReads, "orders to the combining tree completed", "", "",
       [](const NicStatus& now) { return now.combines; }},
      {"TEXT", 0xA4, 1, kTells,
       "byte address of a text that ends with a zero byte, for the next three"},
      {"PRINT", 0xA8, 1, kTells, "a value, printed behind the text"},
      {"RESULT", 0xAC, 1, kTells, "a value, which the run's result has with the text as its name"},
      {"FAIL", 0xB0, 1, kTells, "a value; the run ends with a message of the text and the value"},
      {"PHASE", 0xB4, 1, kTells,
       "byte address of the name of the phase that begins, which ends with a zero byte; 0: none"},
      {"KEY", 0xB8, 1, kWrites, "key of the destination's receive window; 0 at first",
       "over `KeyW` bits", "kept for the next `POST`s: the top bits of `desc_off_o`"},
      {"RX_KEY", 0xBC, 1, kWrites,
       "key in bits 7:0, number of the window in bits 15:8; window 0 and key 0 at first, as all "
       "windows have. A packet goes into the window of the lowest number with its key, open or "
       "closed, and is refused where none has it or its body ends beyond. A closed window takes "
       "messages without a body",
       "a key over `KeyW` bits, no such window",
       "key and number of the window for the next `RX_SIZE`s"},
      {"LINK_TAG_RECEIVED", 0x100, 32, kReads,
       "as LINK_RECEIVED0, by incoming link and tag: of link 0 those with tag & 3 == 0, 1, 2 and "
       "3, then of links 1 to 7"},
  });
}();

/// By word, from address 0 on: the row of its register; null if there is none.
inline constexpr auto kRegisterOfWord = [] {
  std::array<const Register*, 0x60> at = {};
  for (const Register& row : kRegisterMap) {
    for (unsigned i = 0; i < row.number; ++i) at.at(row.address / 4 + i) = &row;
  }
  return at;
}();

/// The row of the register at a byte offset; null if there is none.
constexpr const Register* find_register(std::uint32_t offset) {
  return offset % 4 == 0 && offset / 4 < kRegisterOfWord.size() ? kRegisterOfWord[offset / 4]
                                                                : nullptr;
}

}  // namespace weft
