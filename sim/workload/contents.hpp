// The contents of the nodes' memories before and after a workload.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "sim/analysis/collective_bound.hpp"
#include "sim/base/random.hpp"
#include "sim/config/config.hpp"
#include "sim/config/json_cursor.hpp"
#include "sim/packet/packet.hpp"
#include "sim/processor/memory.hpp"
#include "sim/topology/graph.hpp"

namespace weft {

/// Addresses of a node's data, the same on every node, in bytes.
struct MemoryLayout {
  std::uint32_t send_base = 0;     ///< Begin of the send area.
  std::uint32_t recv_base = 0;     ///< Begin of the receive window.
  std::uint32_t recv_bytes = 0;    ///< Size of the receive window.
  std::uint32_t memory_bytes = 0;  ///< Size of the whole memory.
};

/// Places the send area at WEFT_BUFFER_BASE and the receive window after it, with these numbers of
/// flits. Throws ConfigError, naming the workload of `source`, if they exceed a node's memory.
MemoryLayout place_areas(std::uint64_t send_flits, std::uint64_t recv_flits, const PacketForm& form,
                         const Source& source);

/// Throws ConfigError if this computer has less memory than it takes to simulate the network with
/// `memory_bytes` of memory per node; 0: nodes of synthetic traffic, which have no memory.
void check_host_memory(const Graph& graph, std::uint64_t memory_bytes);

/// A word of a node's memory that is not the expected one at the end.
struct WrongWord {
  /// What the word belongs to: a block of an all-to-all, the data of a transfer, a message of a
  /// dependency trace, an array, a file of expected words.
  enum class Part : std::uint8_t { kBlock, kTransfer, kMessage, kArray, kExpected };

  std::uint32_t address = 0;  ///< Word address in the memory.
  std::uint64_t expected = 0, found = 0;
  Part part = Part::kBlock;
  std::uint32_t index = 0;                  ///< Index of the word in the part; in a file: lines
                                            ///< before its own.
  std::optional<std::uint32_t> owner = {};  ///< Rank whose data it is, or whose block of an array.
  std::optional<std::uint32_t> transfer = {};   ///< Number of the transfer; of a message among
                                                ///< those of the owner to this node.
  std::optional<ReduceType> element_type = {};  ///< Type of the elements in the word; none: the
                                                ///< word is the element.
};
using OnWrongWord = std::function<void(const WrongWord&)>;

/// Data that a workload writes into the memories of the nodes before cycle 0, and the data expected
/// there at the end.
class Contents {
 public:
  virtual ~Contents() = default;

  const MemoryLayout& layout() const { return layout_; }
  /// Number of words that `compare` compares on all nodes together.
  std::uint64_t words() const { return words_; }
  /// Fills one node's send area.
  virtual void fill(std::uint32_t rank, Memory& memory) const = 0;
  /// Compares one node's memory at the end with the expected contents, and calls `wrong` for each
  /// word that differs.
  virtual void compare(std::uint32_t rank, const Memory& memory,
                       const OnWrongWord& wrong) const = 0;
  /// Lower bound of the cycles that any schedule needs on this network.
  virtual Bound bound() const = 0;

 protected:
  MemoryLayout layout_;
  std::uint64_t words_ = 0;
};

/// The word that a node sends at an offset of a message or block. `src` and `dst` are ranks; for
/// transfers the number of the transfer and 0.
inline std::uint64_t sent_word(std::uint64_t seed, std::uint32_t src, std::uint32_t dst,
                               std::uint32_t word) {
  return mix64((std::uint64_t{src} << 42 ^ std::uint64_t{dst} << 21 ^ word) + seed);
}

}  // namespace weft
