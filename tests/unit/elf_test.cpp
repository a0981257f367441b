// The ELF reader on a real program, on every truncation of it and on foreign files.
#include "sim/processor/elf.hpp"

#include <doctest/doctest.h>
#include <elf.h>
#include <rapidcheck.h>

#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/installation.hpp"
#include "sim/processor/rv32_program.hpp"
#include "sw/include/weft_registers.h"

namespace {

using namespace weft;
using Bytes = std::vector<std::uint8_t>;

const std::string kProgram = weft::build_dir() / "sw/a2a.elf";

Bytes file_bytes() {
  std::ifstream stream(kProgram, std::ios::binary);
  return Bytes(std::istreambuf_iterator<char>(stream), {});
}

/// Why a file is refused; empty when it is taken.
std::string refusal(const Bytes& file) {
  try {
    parse_elf(file, "some.elf");
  } catch (const ConfigError& error) {
    return error.what();
  }
  return {};
}

/// The refusal after a change to a record at `offset` of the good file.
template <class T>
std::string with(std::size_t offset, const std::function<void(T&)>& change) {
  Bytes file = file_bytes();
  T record;
  REQUIRE(offset + sizeof(T) <= file.size());
  std::memcpy(&record, file.data() + offset, sizeof(T));
  change(record);
  std::memcpy(file.data() + offset, &record, sizeof(T));
  return refusal(file);
}

/// Offset of the first program header that is loaded and is, or is not, empty.
std::size_t load_header(bool empty) {
  const Bytes file = file_bytes();
  Elf32_Ehdr header;
  std::memcpy(&header, file.data(), sizeof(header));
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    const std::size_t offset = header.e_phoff + i * sizeof(Elf32_Phdr);
    Elf32_Phdr program;
    std::memcpy(&program, file.data() + offset, sizeof(program));
    if (program.p_type == PT_LOAD && (program.p_memsz == 0) == empty) return offset;
  }
  FAIL("no such segment");
  return 0;
}

void check_says(const std::string& refused, const std::string& reason) {
  CAPTURE(refused);
  CAPTURE(reason);
  CHECK(refused.find("some.elf: ") == 0);
  CHECK(refused.find(reason) != std::string::npos);
}

}  // namespace

TEST_CASE("a driver's program is read") {
  const ElfImage image = load_elf(kProgram);
  CHECK(image.entry == WEFT_PROGRAM_BASE);
  REQUIRE(!image.segments.empty());
  const Segment& text = image.segments.front();
  CHECK(text.address == WEFT_PROGRAM_BASE);
  CHECK(text.executable);
  CHECK(text.bytes.size() == text.size);
  CHECK(text.size > 100);
  // The first instruction of the start-up code: lui sp, 8.
  CHECK(Bytes(text.bytes.begin(), text.bytes.begin() + 4) == Bytes{0x37, 0x81, 0x00, 0x00});
  CHECK_NOTHROW(Rv32Program(image, kProgram));
}

TEST_CASE("a program says for which width of flits it is compiled") {
  CHECK(load_elf(kProgram).flit_bytes == 8);
  CHECK(load_elf(weft::build_dir() / "sw/a2a.w256.elf").flit_bytes == 32);
  // Notes of others are passed over; one that is cut off, or none, says nothing.
  const auto changed = [](const std::function<void(Elf32_Phdr&, Bytes&)>& change) {
    Bytes file = file_bytes();
    Elf32_Ehdr header;
    std::memcpy(&header, file.data(), sizeof(header));
    for (unsigned i = 0; i < header.e_phnum; ++i) {
      const std::size_t offset = header.e_phoff + i * sizeof(Elf32_Phdr);
      Elf32_Phdr program;
      std::memcpy(&program, file.data() + offset, sizeof(program));
      if (program.p_type != PT_NOTE) continue;
      change(program, file);
      std::memcpy(file.data() + offset, &program, sizeof(program));
      return parse_elf(file, "some.elf").flit_bytes;
    }
    FAIL("no notes");
    return 0u;
  };
  CHECK(changed([](Elf32_Phdr&, Bytes&) {}) == 8);
  CHECK(changed([](Elf32_Phdr& p, Bytes&) { p.p_type = PT_NULL; }) == 0);
  CHECK(changed([](Elf32_Phdr& p, Bytes&) { p.p_filesz = 8; }) == 0);
  CHECK(changed([](Elf32_Phdr& p, Bytes& file) { file[p.p_offset + 12] = 'W'; }) == 0);
  CHECK(changed([](Elf32_Phdr& p, Bytes& file) {
          const std::uint32_t other[] = {3, 1, 9, 0x58, 0x7};  // "X", a byte.
          const auto begin = file.begin() + p.p_offset;
          const Bytes own(begin, begin + p.p_filesz);
          p.p_offset = static_cast<std::uint32_t>(file.size());
          const auto* const bytes = reinterpret_cast<const std::uint8_t*>(other);
          file.insert(file.end(), bytes, bytes + sizeof other);
          file.insert(file.end(), own.begin(), own.end());
          p.p_filesz += sizeof other;
        }) == 8);
}

TEST_CASE("every truncation is refused") {
  const Bytes file = file_bytes();
  REQUIRE(file.size() > 500);
  for (std::size_t size = 0; size < file.size(); ++size) {
    const Bytes prefix(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size));
    const std::string refused = refusal(prefix);
    REQUIRE_MESSAGE(refused.find("truncated") != std::string::npos, size, " bytes: ", refused);
  }
  CHECK(refusal(file).empty());
}

TEST_CASE("foreign files are refused with the reason") {
  using Ehdr = Elf32_Ehdr;
  check_says(with<Ehdr>(0, [](Ehdr& h) { h.e_ident[EI_MAG1] = 'X'; }), "not an ELF file");
  check_says(with<Ehdr>(0, [](Ehdr& h) { h.e_ident[EI_CLASS] = ELFCLASS64; }), "not a 32-bit");
  check_says(with<Ehdr>(0, [](Ehdr& h) { h.e_ident[EI_DATA] = ELFDATA2MSB; }), "little-endian");
  check_says(with<Ehdr>(0, [](Ehdr& h) { h.e_ident[EI_VERSION] = 9; }), "unknown ELF version");
  check_says(with<Ehdr>(0, [](Ehdr& h) { h.e_machine = EM_ARM; }), "for machine 40, not RISC-V");
  check_says(with<Ehdr>(0, [](Ehdr& h) { h.e_type = ET_REL; }), "not an executable");
  check_says(with<Ehdr>(0, [](Ehdr& h) { h.e_ehsize = 1; }), "ELF header of an unknown size");
  check_says(with<Ehdr>(0, [](Ehdr& h) { h.e_flags |= EF_RISCV_RVC; }), "compressed");
  check_says(with<Ehdr>(0, [](Ehdr& h) { h.e_flags |= 4; }), "floating-point registers");
  check_says(with<Ehdr>(0, [](Ehdr& h) { h.e_phnum = 0; }), "no program headers");
  check_says(with<Ehdr>(0, [](Ehdr& h) { h.e_phentsize = 8; }), "program headers of an unknown");
  check_says(with<Ehdr>(0, [](Ehdr& h) { h.e_shentsize = 8; }), "section headers of an unknown");
  check_says(with<Ehdr>(0, [](Ehdr& h) { h.e_phoff = 0xFFFFFFF0; }), "truncated: program header");
  check_says(with<Ehdr>(0, [](Ehdr& h) { h.e_phnum = 0xFFFF; }), "truncated: ");
  check_says(with<Ehdr>(0, [](Ehdr& h) { h.e_shoff = 0xFFFFFFF0; }), "truncated: section header");
  check_says(with<Ehdr>(0, [](Ehdr& h) { h.e_entry = 0; }), "entry 0x00000000 is in no executable");
}

TEST_CASE("segments that cannot be are refused with the reason") {
  using Phdr = Elf32_Phdr;
  const std::size_t text = load_header(false);
  check_says(with<Phdr>(text, [](Phdr& p) { p.p_offset = 0xFFFFFFFF; }), "truncated: segment");
  check_says(with<Phdr>(text, [](Phdr& p) { p.p_filesz = 0x7FFFFFFF; }), "truncated: segment");
  check_says(with<Phdr>(text, [](Phdr& p) { p.p_memsz = p.p_filesz - 1; }), "in the file but");
  check_says(with<Phdr>(text, [](Phdr& p) { p.p_vaddr = 0xFFFFFFF0; }), "runs past 2^32");
  check_says(with<Phdr>(text, [](Phdr& p) { p.p_flags = PF_R; }), "is in no executable segment");
  check_says(with<Phdr>(load_header(true),
                        [](Phdr& p) {
                          p.p_vaddr = WEFT_PROGRAM_BASE + 8;
                          p.p_memsz = 4;
                        }),
             "overlap");
}

TEST_CASE("any damage is either refused or harmless to read") {
  const Bytes file = file_bytes();
  CHECK(rc::check("damaged ELF files", [&] {
    Bytes damaged = file;
    const auto offsets = *rc::gen::nonEmpty(rc::gen::container<std::vector<std::size_t>>(
        rc::gen::inRange<std::size_t>(0, file.size())));
    for (const std::size_t offset : offsets) damaged[offset] = *rc::gen::arbitrary<std::uint8_t>();
    try {
      const ElfImage image = parse_elf(damaged, "some.elf");
      for (const Segment& s : image.segments) RC_ASSERT(s.bytes.size() <= s.size);
    } catch (const ConfigError&) {
      // Refused with a reason: anything else would fail the property.
    }
  }));
}

TEST_CASE("a file that is not there is named") {
  CHECK_THROWS_WITH_AS(
      load_elf("/nowhere/x.elf"),
      doctest::Contains("/nowhere/x.elf: cannot be read: No such file or directory"), ConfigError);
}
