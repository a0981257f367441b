// Reader of ELF programs: every offset and size is checked against the file before it is used.
#include "sim/processor/elf.hpp"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "sim/base/error.hpp"
#include "sim/base/file_reader.hpp"

namespace weft {
namespace {

/// The file, and errors that name it.
class Reader {
 public:
  Reader(std::span<const std::uint8_t> file, const std::string& name) : file_(file), name_(name) {}

  [[noreturn]] void refuse(const std::string& reason) const {
    throw ConfigError(
        fmt::format("{}: {}: expected: a program of weft cc, for processor rv32", name_, reason));
  }

  void require(bool good, const char* reason) const {
    if (!good) refuse(reason);
  }

  /// The bytes of a part of the file, which must be inside it.
  std::span<const std::uint8_t> part(std::uint64_t offset, std::uint64_t size,
                                     const std::string& what) const {
    if (offset > file_.size() || size > file_.size() - offset) {
      refuse(fmt::format("truncated: {} at {} to {} in a file of {} bytes", what, offset,
                         offset + size, file_.size()));
    }
    return file_.subspan(offset, size);
  }

  template <class T>
  T record(std::uint64_t offset, const std::string& what) const {
    T value;
    std::memcpy(&value, part(offset, sizeof(T), what).data(), sizeof(T));
    return value;
  }

 private:
  std::span<const std::uint8_t> file_;
  const std::string& name_;
};

Elf32_Ehdr read_header(const Reader& reader) {
  const auto ident = reader.part(0, EI_NIDENT, "ELF identification");
  reader.require(std::memcmp(ident.data(), ELFMAG, SELFMAG) == 0, "not an ELF file");
  reader.require(ident[EI_CLASS] == ELFCLASS32, "not a 32-bit ELF file");
  reader.require(ident[EI_DATA] == ELFDATA2LSB, "not little-endian");
  reader.require(ident[EI_VERSION] == EV_CURRENT, "unknown ELF version");
  const auto header = reader.record<Elf32_Ehdr>(0, "ELF header");
  if (header.e_machine != EM_RISCV) {
    reader.refuse(fmt::format("for machine {}, not RISC-V ({})", header.e_machine, EM_RISCV));
  }
  reader.require(header.e_type == ET_EXEC, "not an executable");
  reader.require(header.e_ehsize == sizeof(Elf32_Ehdr), "ELF header of an unknown size");
  reader.require((header.e_flags & EF_RISCV_RVC) == 0, "uses compressed instructions");
  reader.require((header.e_flags & EF_RISCV_FLOAT_ABI) == 0, "uses floating-point registers");
  reader.require(header.e_phnum != 0, "has no program headers");
  reader.require(header.e_phentsize == sizeof(Elf32_Phdr), "program headers of an unknown size");
  reader.require(header.e_shnum == 0 || header.e_shentsize == sizeof(Elf32_Shdr),
                 "section headers of an unknown size");
  return header;
}

/// Sections are not used, but one that is not in the file shows that the file was cut.
void check_sections(const Reader& reader, const Elf32_Ehdr& header) {
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    const auto section =
        reader.record<Elf32_Shdr>(header.e_shoff + std::uint64_t{i} * sizeof(Elf32_Shdr),
                                  fmt::format("section header {}", i));
    if (section.sh_type != SHT_NOBITS && section.sh_type != SHT_NULL) {
      reader.part(section.sh_offset, section.sh_size, fmt::format("section {}", i));
    }
  }
}

/// Value of Weft's own note (sw/runtime/crt0.S) among those of a segment; 0 if there is none.
std::uint32_t flit_bytes_of(const Reader& reader, const Elf32_Phdr& notes) {
  constexpr char kOwner[] = "weft";
  constexpr std::uint32_t kType = 1;
  const auto padded = [](std::uint64_t size) { return (size + 3) / 4 * 4; };
  const std::uint64_t end = std::uint64_t{notes.p_offset} + notes.p_filesz;
  for (std::uint64_t at = notes.p_offset; at + sizeof(Elf32_Nhdr) <= end;) {
    const auto note = reader.record<Elf32_Nhdr>(at, "note");
    const std::uint64_t name = at + sizeof note, value = name + padded(note.n_namesz);
    if (note.n_namesz == sizeof kOwner && note.n_descsz == sizeof(std::uint32_t) &&
        note.n_type == kType &&
        std::memcmp(reader.part(name, sizeof kOwner, "note").data(), kOwner, sizeof kOwner) == 0) {
      return reader.record<std::uint32_t>(value, "note");
    }
    at = value + padded(note.n_descsz);
  }
  return 0;
}

}  // namespace

ElfImage parse_elf(std::span<const std::uint8_t> file, const std::string& name) {
  const Reader reader(file, name);
  const Elf32_Ehdr header = read_header(reader);
  check_sections(reader, header);

  ElfImage image;
  image.entry = header.e_entry;
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    const auto program =
        reader.record<Elf32_Phdr>(header.e_phoff + std::uint64_t{i} * sizeof(Elf32_Phdr),
                                  fmt::format("program header {}", i));
    const auto bytes =
        reader.part(program.p_offset, program.p_filesz, fmt::format("segment {}", i));
    if (program.p_type == PT_NOTE && image.flit_bytes == 0) {
      image.flit_bytes = flit_bytes_of(reader, program);
    }
    if (program.p_type != PT_LOAD || program.p_memsz == 0) continue;
    if (program.p_filesz > program.p_memsz) {
      reader.refuse(fmt::format("segment {} has {} bytes in the file but {} in memory", i,
                                program.p_filesz, program.p_memsz));
    }
    if (std::uint64_t{program.p_vaddr} + program.p_memsz > std::uint64_t{1} << 32) {
      reader.refuse(fmt::format("segment {} at 0x{:08x} runs past 2^32", i, program.p_vaddr));
    }
    image.segments.push_back({program.p_vaddr,
                              program.p_memsz,
                              (program.p_flags & PF_X) != 0,
                              {bytes.begin(), bytes.end()}});
  }
  std::sort(image.segments.begin(), image.segments.end(),
            [](const Segment& a, const Segment& b) { return a.address < b.address; });
  for (std::size_t i = 1; i < image.segments.size(); ++i) {
    const Segment& low = image.segments[i - 1];
    if (low.size > image.segments[i].address - low.address) {
      reader.refuse(fmt::format("segments at 0x{:08x} and 0x{:08x} overlap", low.address,
                                image.segments[i].address));
    }
  }
  const bool entry_in_text =
      std::any_of(image.segments.begin(), image.segments.end(), [&](const Segment& s) {
        return s.executable && image.entry >= s.address && image.entry - s.address < s.size;
      });
  if (!entry_in_text) {
    reader.refuse(fmt::format("entry 0x{:08x} is in no executable segment", image.entry));
  }
  return image;
}

ElfImage load_elf(const std::string& path) {
  constexpr std::size_t kMostBytes = 256u << 20;  // Far more than any node's memory.
  const std::string file = read_file(path);
  if (file.size() > kMostBytes) {
    throw ConfigError(path, "", "", fmt::format("a RISC-V program of up to {} bytes", kMostBytes));
  }
  return parse_elf({reinterpret_cast<const std::uint8_t*>(file.data()), file.size()}, path);
}

}  // namespace weft
