// The RV32 core against Unicorn on random programs, and the ways in which it stops.
#include "sim/processor/rv32.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <rapidcheck.h>
#include <unicorn/unicorn.h>

#include <array>
#include <cstring>
#include <functional>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "tests/unit/rv32_asm.hpp"

namespace {

using namespace weft;
using namespace weft::rv32_asm;

constexpr std::uint32_t kMemoryBytes = 0x10000;
constexpr std::uint32_t kDataBase = 0xA000;  // In x8: loads and stores reach 2 KiB either side.
constexpr std::uint32_t kTextBase = WEFT_PROGRAM_BASE;  // In x9: for jalr.
constexpr unsigned kMaxSteps = 160;
constexpr std::uint32_t kEnd = kTextBase + 0x1000;  // Beyond every program.

/// One random program: each item is one instruction or a short fixed sequence.
struct Program {
  std::vector<Instruction> words;
  std::array<std::uint32_t, 32> registers = {};
};

/// Words that division, shifts, comparison and sign extension trip over.
std::uint32_t value_from(std::uint64_t bits) {
  static constexpr std::array<std::uint32_t, 8> kSpecial = {
      0, 1, 0xFFFFFFFF, 0x80000000, 0x7FFFFFFF, 0x80, 0xFFFF8000, 31};
  return (bits & 1) != 0 ? kSpecial[bits >> 1 & 7] : static_cast<std::uint32_t>(bits >> 32);
}

/// A destination that is not one of x8 to x11, which stay what they are.
Instruction target(std::uint64_t bits) {
  const Instruction rd = bits & 31;
  return rd >= 8 && rd <= 11 ? rd + 4 : rd;
}

/// One instruction from 64 random bits, at `index` of `count`.
Instruction instruction(std::uint64_t bits, std::size_t index, std::size_t count) {
  const auto kind = static_cast<unsigned>(bits % 64);
  const Instruction rd = target(bits >> 8);
  const Instruction rs1 = bits >> 13 & 31;
  const Instruction rs2 = bits >> 18 & 31;
  const Instruction funct3 = bits >> 23 & 7;
  const auto imm = static_cast<std::int32_t>(static_cast<std::int64_t>(bits) >> 52);
  const auto to = static_cast<std::int32_t>((bits >> 32) % (count + 1));
  const auto offset = 4 * (to - static_cast<std::int32_t>(index));
  if (kind < 10) return r_type(0, rs2, rs1, funct3, rd);
  if (kind < 13) return r_type(0x20, rs2, rs1, (bits >> 23 & 1) != 0 ? 5 : 0, rd);
  if (kind < 14) return r_type(1, 11, 10, 4 | funct3, rd);  // The one division that overflows.
  if (kind < 28) return r_type(1, rs2, rs1, funct3, rd);
  if (kind < 38) {
    if (funct3 == 1) return r_type(0, rs2, rs1, 1, rd, 0x13);
    if (funct3 == 5) return r_type((bits >> 30 & 1) << 5, rs2, rs1, 5, rd, 0x13);
    return i_type(0x13, funct3, rd, rs1, imm);
  }
  if (kind < 40) return lui(rd, static_cast<Instruction>(bits >> 32));
  if (kind < 41) return auipc(rd, static_cast<Instruction>(bits >> 32));
  if (kind < 47) {
    static constexpr std::array<Instruction, 5> kFunct3 = {0, 1, 2, 4, 5};
    const Instruction width = kFunct3[(bits >> 23) % 5];
    return i_type(0x03, width, rd, 8, imm & -(1 << (width & 3)));
  }
  if (kind < 53) {
    const Instruction width = (bits >> 23) % 3;
    return s_type(width, rs2, 8, imm & -(1 << width));
  }
  if (kind < 61) {
    static constexpr std::array<Instruction, 6> kFunct3 = {0, 1, 4, 5, 6, 7};
    return b_type(kFunct3[(bits >> 23) % 6], rs1, rs2, offset);
  }
  if (kind < 62) return j_type(rd, offset);
  if (kind < 63) return i_type(0x67, 0, rd, 9, 4 * to + static_cast<int>(bits >> 23 & 1));
  return 0x0FF0000F;  // fence
}

Program make_program(const std::vector<std::uint64_t>& items) {
  Program program;
  for (unsigned i = 1; i < 32; ++i) {
    const std::uint64_t seed = items.empty() ? i : items[i % items.size()] * (2 * i + 1);
    program.registers[i] = value_from(seed >> 7 ^ seed << 29);
  }
  program.registers[8] = kDataBase;
  program.registers[9] = kTextBase;
  program.registers[10] = 0x80000000;
  program.registers[11] = 0xFFFFFFFF;
  for (std::size_t i = 0; i < items.size(); ++i) {
    program.words.push_back(instruction(items[i], i, items.size()));
  }
  program.words.push_back(wfi());  // Ends the program: Unicorn stops in front of it.
  return program;
}

/// Unicorn with one flat memory.
class Reference {
 public:
  Reference() {
    check(uc_open(UC_ARCH_RISCV, UC_MODE_RISCV32, &uc_));
    check(uc_mem_map(uc_, 0, kMemoryBytes, UC_PROT_ALL));
  }
  ~Reference() { uc_close(uc_); }
  Reference(const Reference&) = delete;
  Reference& operator=(const Reference&) = delete;

  /// Runs `steps` instructions from the state in the arguments and leaves the result there.
  void run(unsigned steps, std::uint32_t& pc, std::array<std::uint32_t, 32>& registers,
           std::vector<std::uint8_t>& memory) {
    check(uc_mem_write(uc_, 0, memory.data(), memory.size()));
    check(uc_ctl_remove_cache(uc_, std::uint64_t{kTextBase}, std::uint64_t{kEnd}));
    for (unsigned i = 1; i < 32; ++i) check(uc_reg_write(uc_, UC_RISCV_REG_X0 + i, &registers[i]));
    check(uc_emu_start(uc_, pc, kEnd, 0, steps));
    for (unsigned i = 0; i < 32; ++i) {
      check(uc_reg_read(uc_, static_cast<int>(UC_RISCV_REG_X0 + i), &registers[i]));
    }
    check(uc_reg_read(uc_, UC_RISCV_REG_PC, &pc));
    check(uc_mem_read(uc_, 0, memory.data(), memory.size()));
  }

 private:
  static void check(uc_err error) {
    if (error != UC_ERR_OK) throw std::runtime_error(uc_strerror(error));
  }
  uc_engine* uc_ = nullptr;
};

/// What was executed, over all programs.
struct Executed {
  std::uint64_t total = 0;
  std::array<std::uint64_t, 64> by_op = {};
  std::uint64_t zero_divisors = 0;
  std::uint64_t overflows = 0;
};

void count(Executed& executed, const Rv32Core& core, const Rv32Program& program) {
  const Rv32Instruction in = program.text().at((core.pc() - program.text_base()) / 4);
  ++executed.total;
  ++executed.by_op[static_cast<std::size_t>(in.op)];
  if (in.op >= Rv32Op::kDiv && in.op <= Rv32Op::kRemu) {
    executed.zero_divisors += core.reg(in.rs2) == 0;
    executed.overflows += core.reg(in.rs1) == 0x80000000 && core.reg(in.rs2) == 0xFFFFFFFF;
  }
}

Rv32Core core_of(const Program& source, std::shared_ptr<const Rv32Program> decoded) {
  Rv32Core core(std::move(decoded), Memory(kMemoryBytes), Job{});
  for (unsigned i = 1; i < 32; ++i) core.set_reg(i, source.registers[i]);
  for (std::uint32_t at = kDataBase - 0x800; at < kDataBase + 0x800; at += 4) {
    core.memory().store<std::uint32_t>(at, value_from(at * 0x9E3779B97F4A7C15ULL >> 3));
  }
  return core;
}

/// Runs one program on both; the difference, or an empty text.
std::string compare(const Program& source, Reference& reference, Executed& executed) {
  const auto decoded = program(source.words);
  Rv32Core core = core_of(source, decoded), ahead = core_of(source, decoded);
  std::vector<std::uint8_t> memory(core.memory().data(), core.memory().data() + kMemoryBytes);
  std::array<std::uint32_t, 32> registers = source.registers;
  std::uint32_t pc = core.pc();
  const std::uint32_t last = kTextBase + 4 * static_cast<std::uint32_t>(source.words.size() - 1);

  unsigned steps = 0;
  const NicStatus quiet;
  while (steps < kMaxSteps && core.pc() != last) {
    count(executed, core, *decoded);
    core.step(quiet, steps++);
    if (core.state() != ProcessorState::kRunning) return core.fault();
  }
  if (steps == 0) return {};
  for (unsigned done = 0; done < steps;) {
    ahead.step(quiet, done++);
    done += ahead.run_ahead(std::min(steps - done, 7u));
  }
  reference.run(steps, pc, registers, memory);
  for (const Rv32Core& found : {std::cref(core), std::cref(ahead)}) {
    if (pc != found.pc()) {
      return fmt::format("after {} steps: pc 0x{:08x}, reference 0x{:08x}", steps, found.pc(), pc);
    }
    for (unsigned i = 0; i < 32; ++i) {
      if (found.reg(i) != registers[i]) {
        return fmt::format("after {} steps: x{} is 0x{:08x}, reference 0x{:08x}", steps, i,
                           found.reg(i), registers[i]);
      }
    }
    for (std::uint32_t at = 0; at < kMemoryBytes; ++at) {
      if (found.memory().data()[at] != memory[at]) {
        return fmt::format("after {} steps: byte 0x{:04x} is 0x{:02x}, reference 0x{:02x}", steps,
                           at, found.memory().data()[at], memory[at]);
      }
    }
  }
  return {};
}

/// Steps a program to its end or fault, at most `limit` cycles.
Rv32Core run(const std::vector<Instruction>& words, unsigned limit = 100) {
  Rv32Core core(program(words), Memory(kMemoryBytes), Job{});
  NicStatus status;
  status.desc_free = 4;
  for (unsigned cycle = 0; cycle < limit; ++cycle) core.step(status, cycle);
  return core;
}

void check_fault(const std::vector<Instruction>& words, const std::string& expected) {
  const Rv32Core core = run(words);
  CHECK(core.state() == ProcessorState::kFaulted);
  CAPTURE(core.fault());
  CAPTURE(expected);
  CHECK(core.fault().find(expected) != std::string::npos);
}

}  // namespace

TEST_CASE("random programs end as on Unicorn") {
  constexpr std::uint64_t kWanted = 3'000'000;
  Reference reference;
  Executed executed;
  // Failing runs would be counted while they shrink, so each batch must pass before the next.
  for (int batch = 0; executed.total < kWanted; ++batch) {
    rc::detail::TestMetadata metadata;
    metadata.id = fmt::format("rv32 against Unicorn, batch {}", batch);
    rc::detail::TestParams params = rc::detail::configuration().testParams;
    params.maxSuccess = 1000;
    const auto result = rc::detail::checkTestable(
        [&] {
          const auto items =
              *rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<std::vector<std::uint64_t>>());
          const Program source = make_program(items);
          const std::string difference = compare(source, reference, executed);
          if (!difference.empty()) {
            std::string listing;
            for (const Instruction word : source.words) {
              listing += fmt::format(" {}:{:08x}", rv32_mnemonic(rv32_decode(word).op), word);
            }
            RC_FAIL(difference + "; program:" + listing);
          }
        },
        metadata, params);
    if (!result.is<rc::detail::SuccessResult>()) {
      rc::detail::printResultMessage(result, std::cerr);
      FAIL("batch ", batch, " differs");
    }
    REQUIRE_MESSAGE(batch < 200, "programs are too short to reach ", kWanted);
  }
  CHECK(executed.total >= kWanted);
  MESSAGE(executed.total, " instructions compared");
  for (auto op = static_cast<std::size_t>(Rv32Op::kLui);
       op <= static_cast<std::size_t>(Rv32Op::kFence); ++op) {
    CHECK_MESSAGE(executed.by_op[op] >= 1000, rv32_mnemonic(static_cast<Rv32Op>(op)),
                  " was executed ", executed.by_op[op], " times");
  }
  CHECK(executed.zero_divisors >= 1000);
  CHECK(executed.overflows >= 1000);
}

TEST_CASE("x0 stays 0") {
  const Rv32Core core = run({addi(0, 0, 5), addi(1, 0, 3), r_type(0, 0, 0, 0, 2)}, 3);
  CHECK(core.reg(0) == 0);
  CHECK(core.reg(1) == 3);
  CHECK(core.reg(2) == 0);
}

TEST_CASE("the core stops where a real one would trap, and says where") {
  check_fault({addi(1, 0, 1), 0x00000000}, "illegal instruction (0x00000000) at pc 0x00001004");
  check_fault({0xFFFFFFFF}, "illegal instruction (0xffffffff) at pc 0x00001000");
  check_fault({0xC0001073}, "illegal instruction");  // csrrw: no control registers.
  check_fault({0x00001073 | 7U << 7}, "illegal");    // csrrw x7.
  check_fault({0x0000100F}, "illegal instruction");  // fence.i
  check_fault({r_type(0x02, 1, 1, 0, 1)}, "illegal instruction");
  check_fault({r_type(0x20, 1, 1, 1, 1, 0x13)}, "illegal instruction");  // slli with bit 30
  check_fault({0x00000073}, "ecall (0x00000073) at pc 0x00001000");
  check_fault({0x00100073}, "ebreak (0x00100073) at pc 0x00001000");
  check_fault({addi(1, 0, 0x201), lw(2, 1, 0)},
              "lw (0x0000a103) at pc 0x00001004: address 0x00000201 is misaligned");
  check_fault({addi(1, 0, 0x201), i_type(0x03, 1, 2, 1, 0)}, "lh (0x00009103)");
  check_fault({addi(1, 0, 0x202), sw(2, 1, 0)}, "address 0x00000202 is misaligned");
  check_fault({lui(1, 0x10000), lw(2, 1, 0)}, "address 0x00010000 is outside the memory");
  check_fault({lui(1, 0x10000), i_type(0x03, 0, 2, 1, 0)}, "lb");
  check_fault({lui(1, 0x80000000), sw(2, 1, 0)}, "sw (0x0020a023) at pc 0x00001004");
  check_fault({lui(1, 0x1000), sw(2, 1, 0)}, "is program text, which cannot be written");
  check_fault({j_type(0, 2), addi(0, 0, 0)}, "pc 0x00001002: jump to a misaligned address");
  check_fault({j_type(0, 0x1000)}, "pc 0x00002000: execution outside the program text");
  check_fault({addi(1, 0, 1)}, "pc 0x00001004: execution outside the program text");
}

TEST_CASE("a misuse of the NIC is a fault that names the instruction") {
  const Instruction base = lui(5, WEFT_MMIO_BASE);
  check_fault({base, addi(1, 0, 4), sw(1, 5, WEFT_REG_ADDR)},
              "sw (0x0012a223) at pc 0x00001008: write of 0x00000004 to NIC register ADDR: not a "
              "multiple of 8");
  check_fault({base, addi(1, 0, 1), sw(1, 5, WEFT_REG_REDUCE)},
              "NIC register REDUCE: this interface has no reduction");
  check_fault({base, lw(1, 5, WEFT_REG_DST)}, "read of NIC register 0x00, which cannot be read");
  check_fault({base, lw(1, 5, 0x180)}, "read of NIC register 0x180");
  check_fault({base, i_type(0x03, 4, 1, 5, WEFT_REG_FREE)}, "read and written as words");
  check_fault({base, s_type(0, 1, 5, WEFT_REG_POST)}, "read and written as words");
}

TEST_CASE("EXIT halts with its value and nothing follows it") {
  const Rv32Core core = run(
      {lui(5, WEFT_MMIO_BASE), addi(1, 0, 42), sw(1, 5, WEFT_REG_EXIT), addi(1, 0, 7), 0x00100073});
  CHECK(core.state() == ProcessorState::kHalted);
  CHECK(core.port().exit_code() == 42);
  CHECK(core.reg(1) == 42);
}

TEST_CASE("a store through the DMA's side is seen by the next load") {
  Rv32Core core(program({lui(1, 0x9000), lw(2, 1, 4), lw(3, 1, 4)}), Memory(kMemoryBytes), Job{});
  const NicStatus status;
  core.step(status, 0);
  core.step(status, 1);
  CHECK(core.reg(2) == 0);
  core.memory().write_word(0x9000 / 8, 0x1234567800000000ULL);
  core.step(status, 2);
  CHECK(core.reg(3) == 0x12345678);
}

TEST_CASE("a core runs ahead as far as the interface neither sees nor changes it") {
  const std::vector<Instruction> post = {lui(5, WEFT_MMIO_BASE), lui(6, 0x9000),
                                         addi(1, 0, 2),          sw(6, 5, WEFT_REG_ADDR),
                                         sw(1, 5, WEFT_REG_LEN), sw(1, 5, WEFT_REG_POST)};
  const Instruction wfi = 0x10500073;
  // Of those words, the core steps `first` and runs `ahead`; then it is before `next`.
  const auto check = [&](std::vector<Instruction> words, unsigned first, std::uint32_t ahead) {
    CAPTURE(words.size());
    words.push_back(wfi);
    Rv32Core core(program(words), Memory(kMemoryBytes), Job{});
    NicStatus status;
    status.desc_free = 4;
    for (unsigned cycle = 0; cycle < first; ++cycle) core.step(status, cycle);
    CHECK(core.run_ahead(100) == ahead);
    CHECK(core.pc() == kTextBase + 4 * (first + ahead));
    CHECK(core.state() == ProcessorState::kRunning);
    return core;
  };
  check({addi(1, 0, 1), addi(2, 0, 2)}, 0, 2);
  check(post, 0, 5);  // Registers of the order, but not POST.
  CHECK(check(post, 1, 4).port().posted() == false);
  for (const Instruction seen :
       {lw(1, 5, WEFT_REG_FREE), lw(1, 5, WEFT_REG_CYCLE), sw(1, 5, WEFT_REG_RX_SIZE),
        sw(1, 5, WEFT_REG_EXIT), sw(1, 5, WEFT_REG_BARRIER)}) {
    check({lui(5, WEFT_MMIO_BASE), seen, addi(1, 0, 1)}, 0, 1);
  }
  // A barrier's orders: their cycles matter.
  check({lui(5, WEFT_MMIO_BASE), addi(1, 0, 1), sw(1, 5, WEFT_REG_TAG_GAP)}, 0, 3);
  check({lui(5, WEFT_MMIO_BASE), addi(1, 0, WEFT_OF_BARRIER), sw(1, 5, WEFT_REG_TAG_GAP)}, 0, 2);
  // What fails does so in its own cycle.
  for (const Instruction wrong : {Instruction{0}, Instruction{0x00000073}, lw(2, 6, 2), sw(2, 7, 0),
                                  lw(2, 8, 0), sw(1, 5, WEFT_REG_ADDR)}) {
    auto core = check({lui(5, WEFT_MMIO_BASE), lui(6, 0x9000), lui(7, kTextBase), lui(8, 0x10000),
                       addi(1, 0, 4), wrong},
                      0, 5);
    core.step({}, 5);
    CHECK(core.state() == ProcessorState::kFaulted);
  }
  // The posted message is 16 bytes from 0x9000 on; a second one extends what the interface reaches.
  for (const int offset : {-4, 0, 12, 16}) {
    for (const bool loads : {false, true}) {
      std::vector<Instruction> words = post;
      words.push_back(loads ? lw(2, 6, offset) : sw(2, 6, offset));
      const bool reached = offset >= 0 && offset < 16;
      CHECK(check(words, 6, reached ? 0 : 1).uses_memory() == reached);
      words.insert(words.end() - 1,
                   {lui(7, 0xA000), sw(7, 5, WEFT_REG_ADDR), sw(1, 5, WEFT_REG_POST)});
      check(words, 9, reached || offset == 16 ? 0 : 1);
    }
  }
  // So does a receive window.
  check({lui(5, WEFT_MMIO_BASE), lui(6, 0x9000), addi(1, 0, 8), sw(6, 5, WEFT_REG_RX_BASE),
         sw(1, 5, WEFT_REG_RX_SIZE), lw(2, 6, 8), lw(2, 6, 4)},
        5, 1);
}

TEST_CASE("a core acts later unless it sleeps or repeats a state") {
  const Instruction base = lui(5, WEFT_MMIO_BASE);
  const std::vector<Instruction> kept = {lui(1, 0x9000), addi(2, 0, 7), sw(2, 1, 0)};
  const auto looped = [&](std::vector<Instruction> body, std::vector<Instruction> before = {}) {
    std::vector<Instruction> all = kept;
    all.insert(all.end(), before.begin(), before.end());
    all.insert(all.end(), body.begin(), body.end());
    all.push_back(j_type(0, -4 * static_cast<std::int32_t>(body.size())));
    return all;
  };
  struct Case {
    std::string name;
    std::vector<Instruction> words;
    bool acts;
  };
  const std::vector<Case> cases = {
      {"an empty loop", looped({addi(0, 0, 0)}), false},
      {"a loop that counts", looped({addi(3, 3, 1)}), true},
      {"one that counts in memory",
       looped({lw(3, 1, 4), addi(3, 3, 1), sw(3, 1, 4), addi(3, 0, 0)}), true},
      {"one that stores two words by turns", looped({sw(2, 1, 0), sw(0, 1, 0)}), false},
      {"one that waits for a register", looped({lw(3, 5, WEFT_REG_RECEIVED0)}, {base}), false},
      {"one that waits for the clock", looped({lw(3, 5, WEFT_REG_CYCLE)}, {base}), true},
      {"one that prints", looped({sw(1, 5, WEFT_REG_TEXT), sw(2, 5, WEFT_REG_PRINT)}, {base}),
       false},
      {"one that ends after a long time",
       looped({addi(4, 4, -1), b_type(1, 4, 0, 8), 0x00100073}, {lui(4, 0x2000000)}), true},
      {"a post", looped({base, sw(0, 5, WEFT_REG_POST)}), true},
      {"an exit", looped({base, addi(0, 0, 0), sw(0, 5, WEFT_REG_EXIT)}), true},
      {"a fault", {kept[0], kept[1], kept[2], addi(0, 0, 0), 0x00100073}, true},
      {"sleep", looped({wfi()}), false},
  };
  for (const Case& c : cases) {
    CAPTURE(c.name);
    Rv32Core core(program(c.words), Memory(kMemoryBytes), Job{});
    const NicStatus status = {.desc_free = 4};
    std::uint64_t cycle = 0;
    while (cycle < 4) core.step(status, cycle++);
    std::ostringstream before, after;
    const auto look = [&](std::ostream& to) {
      to << core.pc() << ' ' << static_cast<int>(core.state()) << ' ' << core.fault() << ' '
         << core.port().prints() << core.port().cycle() << core.port().posted();
      for (unsigned i = 0; i < 32; ++i) to << ' ' << core.reg(i);
      for (std::uint32_t at = 0; at < kMemoryBytes; at += 8) to << core.memory().read_word(at / 8);
    };
    look(before);
    CHECK(core.acts_later() == c.acts);
    look(after);
    CHECK(before.str() == after.str());
  }
}

TEST_CASE("the interface does not write program text either") {
  const Instruction base = lui(5, WEFT_MMIO_BASE), text = lui(6, kTextBase);
  // A window of 8 bytes that ends where the text begins, over its first bytes, and over its last.
  const auto window = [&](int begin, int bytes) -> std::vector<Instruction> {
    return {base,
            text,
            addi(6, 6, begin),
            addi(1, 0, bytes),
            sw(6, 5, WEFT_REG_RX_BASE),
            sw(1, 5, WEFT_REG_RX_SIZE),
            0x10500073};
  };
  const int length = 4 * static_cast<int>(window(0, 0).size());
  REQUIRE(length == 28);
  CHECK(run(window(-8, 8), 6).fault().empty());
  CHECK(run(window(32, 8), 6).fault().empty());
  CHECK(run(window(0, 0), 6).fault().empty());
  for (const auto& range : {std::pair{-8, 16}, {0, 8}, {24, 8}, {-8, 48}}) {
    CAPTURE(range.first);
    check_fault(window(range.first, range.second),
                "RX_SIZE: puts the receive window over the program's text");
  }
}

TEST_CASE("programs that cannot run are refused") {
  const auto build = [](ElfImage image) { Rv32Program(std::move(image), "p.elf"); };
  const Segment text{0x1000, 4, true, {0x13, 0, 0, 0}};
  CHECK_NOTHROW(build({0x1000, 0, {text}}));
  CHECK_THROWS_AS(build({0x1000, 0, {}}), ConfigError);
  CHECK_THROWS_AS(build({0x1002, 0, {text}}), ConfigError);
  CHECK_THROWS_AS(build({0x1000, 0, {text, {0x2000, 4, true, {}}}}), ConfigError);
  CHECK_THROWS_AS(build({0x1000, 0, {text, {0x7FFC, 8, false, {}}}}), ConfigError);
  CHECK_THROWS_AS(build({0x0800, 0, {{0x0800, 4, true, {}}}}), ConfigError);
  const auto program =
      std::make_shared<const Rv32Program>(ElfImage{.entry = 0x1000, .segments = {text}}, "p.elf");
  CHECK_THROWS_AS(Rv32Core(program, Memory(0x1000), Job{}), CheckError);
}
