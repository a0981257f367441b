// The file of words that a program of the user's must leave in memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/config/json_cursor.hpp"
#include "sim/workload/contents.hpp"

namespace weft {

/// A word of 32 bits that must be in a node's memory at the end.
struct ExpectedWord {
  std::uint32_t node = 0;     ///< Rank.
  std::uint32_t address = 0;  ///< Byte, a multiple of 4.
  std::uint32_t value = 0;
  std::uint32_t line = 0;  ///< Of the file, from 1.
};

/// Reads lines `node,address,value`: an address is a byte of the memory, or `send+BYTE` or
/// `recv+BYTE` of an area of `layout`; numbers may be hexadecimal (0x...), values negative. Empty
/// lines, lines that begin with # and a first one that names the columns are left out. The result
/// is sorted by node and address. Throws ConfigError with file and line, of `source` where the file
/// cannot be read.
std::vector<ExpectedWord> read_expected_words(const std::string& file, const Source& source,
                                              std::uint32_t nodes, const MemoryLayout& layout);

}  // namespace weft
