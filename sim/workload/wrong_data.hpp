// Wrong data at the end of a run: where the first is, and what wrote it last.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/topology/graph.hpp"
#include "sim/workload/contents.hpp"

namespace weft {

/// What wrote an element of a node's memory last.
struct LastWriter {
  enum class By : std::uint8_t {
    kNothing,        ///< Nothing has, since cycle 0.
    kMessage,        ///< The network interface, for a message.
    kCombiningTree,  ///< The combine unit.
    kProcessor,      ///< The node's own processor.
    kUnknown,        ///< Not found: the repeated run did not leave the same data.
  };
  By by = By::kNothing;
  std::uint64_t cycle = 0;  ///< In which it was written.
  std::optional<std::uint32_t> source =
      {};                 ///< Of a message: rank; none where no node has the address.
  std::uint32_t tag = 0;  ///< Of a message.
  bool reduced = false;   ///< A message was reduced into memory; else stored.
};

/// Wrong data in the nodes' memories. Of the first node that has some, the first element: two of
/// 32 bits or one of 64 make a word.
struct WrongData {
  /// `word`: the first wrong one of node `rank`.
  WrongData(const Graph& graph, std::uint32_t rank, const WrongWord& word);

  std::uint32_t nodes = 0;                ///< That have a wrong word,
  std::uint32_t of_nodes = 0;             ///< of so many.
  std::uint32_t rank = 0;                 ///< The first of them,
  std::uint32_t address = 0;              ///< its address in the network
  std::string coordinates;                ///< and its digits, "(1, 0)"; empty with one dimension.
  std::uint32_t memory_address = 0;       ///< Of the element: bytes.
  unsigned bits = 64;                     ///< Of the element.
  std::uint32_t index = 0;                ///< Of the element in the block, transfer or array.
  std::uint64_t expected = 0, found = 0;  ///< Its bits.
  WrongWord word;                         ///< The word that it is in.
  LastWriter last_writer;
};

}  // namespace weft
