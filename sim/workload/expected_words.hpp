// The file of words that a user program must leave in memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/config/json_cursor.hpp"
#include "sim/workload/contents.hpp"

namespace weft {

/// A 32-bit word that must be in a node's memory at the end.
struct ExpectedWord {
  std::uint32_t node = 0;     ///< Rank of the node.
  std::uint32_t address = 0;  ///< Byte address, a multiple of 4.
  std::uint32_t value = 0;
  std::uint32_t line = 0;  ///< Line of the file, counted from 1.
};

/// Reads lines `node,address,value`. An address is a byte of the memory, or `send+BYTE` or
/// `recv+BYTE` for an area of `layout`; numbers may be hexadecimal (0x...), values negative. Skips
/// empty lines, lines that begin with #, and a first line that names the columns. The result is
/// sorted by node and address. Throws ConfigError with file and line; if the file cannot be read,
/// that of `source`.
std::vector<ExpectedWord> read_expected_words(const std::string& file, const Source& source,
                                              std::uint32_t nodes, const MemoryLayout& layout);

}  // namespace weft
