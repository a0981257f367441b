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
    kNothing,        ///< Nothing has written it since cycle 0.
    kMessage,        ///< The network interface, for a message.
    kCombiningTree,  ///< The combine unit.
    kProcessor,      ///< The node's own processor.
    kUnknown,        ///< Not found: the repeated run did not leave the same data.
  };
  By by = By::kNothing;
  std::uint64_t cycle = 0;  ///< Cycle in which it was written.
  std::optional<std::uint32_t> source =
      {};                 ///< For a message: rank of the source; none if no node has its address.
  std::uint32_t tag = 0;  ///< For a message.
  bool reduced = false;   ///< The message was reduced into memory; else it was stored.
};

/// Wrong data in the nodes' memories, and the first wrong element of the first such node. Two
/// elements of 32 bits or one of 64 make a word.
struct WrongData {
  /// `word`: the first wrong word of node `rank`.
  WrongData(const Graph& graph, std::uint32_t rank, const WrongWord& word);

  std::uint32_t nodes = 0;                ///< Nodes with a wrong word.
  std::uint32_t of_nodes = 0;             ///< Nodes of the network.
  std::uint32_t rank = 0;                 ///< First node with a wrong word.
  std::uint32_t address = 0;              ///< Network address of node `rank`.
  std::string coordinates;                ///< Digits of the address, "(1, 0)"; empty with one
                                          ///< dimension.
  std::uint32_t memory_address = 0;       ///< Byte address of the element.
  unsigned bits = 64;                     ///< Bits of the element.
  std::uint32_t index = 0;                ///< Index of the element in the block, transfer or array.
  std::uint64_t expected = 0, found = 0;  ///< Bits of the element.
  WrongWord word;                         ///< Word that contains the element.
  LastWriter last_writer;
};

}  // namespace weft
