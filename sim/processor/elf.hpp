// Reader of ELF programs for the RV32 model.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace weft {

/// A part of memory that a program fills before it starts.
struct Segment {
  std::uint32_t address = 0;  ///< Address of the first byte.
  std::uint32_t size = 0;     ///< Bytes in memory; those after `bytes` are 0.
  bool executable = false;
  std::vector<std::uint8_t> bytes;

  bool operator==(const Segment&) const = default;
};

/// A program: its first instruction and its segments by ascending address, without overlap.
struct ElfImage {
  std::uint32_t entry = 0;
  std::uint32_t flit_bytes = 0;  ///< Flit length of the links that it is compiled for; 0: it does
                                 ///< not say.
  std::vector<Segment> segments;

  bool operator==(const ElfImage&) const = default;
};

/// Reads an executable 32-bit little-endian RISC-V ELF file without compressed instructions and
/// with the soft-float ABI. Every table and section must lie inside the file. Throws ConfigError
/// with `name` and the reason for anything else.
ElfImage parse_elf(std::span<const std::uint8_t> file, const std::string& name);

/// Reads a program from a file on disk, as parse_elf; also throws ConfigError if it cannot be read.
ElfImage load_elf(const std::string& path);

}  // namespace weft
