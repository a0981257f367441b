// The part of a configuration that is a collective on arrays: reductions, broadcast, allgather.
#pragma once

#include <cstdint>

#include "sim/config/words.hpp"
#include "sim/packet/packet.hpp"

namespace weft {

/// Keys of `workload` for a collective on arrays; every member has an array (seed 003: every main
/// unit).
struct ArrayConfig {
  std::uint32_t bytes = 0;  ///< Length of an array, a multiple of an element; 0: no collective on
                            ///< arrays.
  ReduceType type = ReduceType::kInt32;
  ReduceOp op = ReduceOp::kSum;  ///< Used if the collective reduces.
  bool reduces = true;           ///< Whether the collective has an operation; derived.
  std::uint32_t flit_bytes = 8;  ///< Flit length of the network; derived.
  BoardOrder order = BoardOrder::kAlphabetical;
  std::uint32_t root = 0;    ///< Root member of a broadcast or a reduction to one.
  std::uint32_t chunks = 1;  ///< Pieces that are pipelined through the stages.
  Transit transit = Transit::kCutThrough;
  ArrayData data = ArrayData::kRandom;
  std::uint32_t steps = kAllSteps;  ///< Steps between boards after which the run ends.

  static constexpr std::uint32_t kAllSteps = 0xFFFFFFFF;
  /// Flits of a segment at most: an array is processed in segments that fit into a receive window.
  static constexpr std::uint32_t kSegmentFlits = 1 << 19;

  std::uint32_t element_bytes() const { return type == ReduceType::kInt64 ? 8 : 4; }
  std::uint32_t flits() const { return (bytes + flit_bytes - 1) / flit_bytes; }
  /// 64-bit words in the flits of the array.
  std::uint32_t words() const { return flits() * flit_words(); }
  std::uint32_t flit_words() const { return flit_bytes / kWordBytes; }
  std::uint32_t segments() const { return (flits() + kSegmentFlits - 1) / kSegmentFlits; }
};

}  // namespace weft
