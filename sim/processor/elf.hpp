// Reader of ELF programs for the RV32 model.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace weft {

/// What a program puts into memory before it starts.
struct Segment {
  std::uint32_t address = 0;  ///< First byte.
  std::uint32_t size = 0;     ///< Bytes in memory; those beyond `bytes` are 0.
  bool executable = false;
  std::vector<std::uint8_t> bytes;

  bool operator==(const Segment&) const = default;
};

/// A program: its first instruction and its segments by rising address, none overlapping.
struct ElfImage {
  std::uint32_t entry = 0;
  std::uint32_t flit_bytes = 0;  ///< Of the links that it is compiled for; 0: it does not say.
  std::vector<Segment> segments;

  bool operator==(const ElfImage&) const = default;
};

/// Reads an executable 32-bit little-endian RISC-V ELF file without compressed instructions and
/// with the soft-float ABI. Every table and section must lie inside the file. ConfigError with
/// `name` and the reason for anything else.
ElfImage parse_elf(std::span<const std::uint8_t> file, const std::string& name);

/// The same for a file on disk; ConfigError when it cannot be read.
ElfImage load_elf(const std::string& path);

}  // namespace weft
