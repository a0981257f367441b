// The expected result of a collective on arrays, computed member by member in the order of
// operations that sw/README.md documents, without network and driver.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/config/config.hpp"
#include "sim/topology/graph.hpp"
#include "sim/workload/boards.hpp"
#include "sw/include/weft_collective.h"

namespace weft {

/// A piece of an array: flits `lo` to before `hi`; or its 64-bit words.
struct Piece {
  std::uint32_t lo = 0, hi = 0;
};
/// Piece `i` of `count`: lengths differ by at most one, the longer ones come first.
Piece cut(Piece whole, std::uint32_t i, std::uint32_t count);

/// The arrays before and after the run.
class ArrayReference {
 public:
  /// `boards`: those of the network, accepted by the collective.
  ArrayReference(const Config& config, const Graph& graph, Boards boards,
                 const weft_collective& collective);

  const Boards& boards() const { return boards_; }
  /// Word of a member's array before the run.
  std::uint64_t before(std::uint32_t member, std::uint32_t word) const;
  /// Expected word of a member's array after the run; none if the collective does not define it.
  std::optional<std::uint64_t> expected(std::uint32_t member, std::uint32_t word) const;
  /// By flit: the member in whose own block it is; empty if the collective has no blocks.
  const std::vector<std::uint32_t>& owners() const { return owner_; }
  /// Words of all arrays that the collective defines.
  std::uint64_t words() const;

 private:
  std::uint32_t owner(std::uint32_t word) const { return owner_[word / array_.flit_words()]; }
  Piece words_of(Piece flits) const {
    return {flits.lo * array_.flit_words(), flits.hi * array_.flit_words()};
  }
  bool spoken_of(std::uint32_t member, std::uint32_t word) const;
  std::uint64_t value(std::uint32_t member, std::uint32_t word) const;
  std::uint64_t combine(std::uint64_t a, std::uint64_t b) const;
  std::uint64_t finish(std::uint64_t sum) const;
  std::vector<std::size_t> dimension_order() const;
  void add_owners();
  const std::vector<std::uint64_t>& reduced() const;
  void reduce() const;
  void reduce_piece(Piece piece, std::uint32_t first_main) const;
  void reduce_ring(Piece segment) const;
  void reduce_bucket(Piece part) const;
  void reduce_tree() const;
  std::uint64_t board_value(std::uint32_t board, std::uint32_t first_main,
                            std::uint32_t word) const;
  static std::pair<std::uint32_t, Piece> piece_of(Piece range, std::uint32_t count,
                                                  std::uint32_t flit);
  void ring_of_boards(std::size_t dim, std::uint32_t first, bool up,
                      std::vector<std::uint64_t>& values) const;
  template <class Visit>
  void for_each_part(Visit visit) const;

  const Config& config_;
  const Graph& graph_;
  const weft_collective& collective_;
  Boards boards_;
  ArrayConfig array_;                     // Settings of the array, including those that the
                                          // collective has selected.
  bool by_member_;                        // Every word of an array is its member's number plus 1.
  enum weft_reduction_order reduced_by_;  // Order of the reduction.
  std::vector<std::uint32_t> owner_;      // By flit: the member whose block it is in.
  // The reduction of all arrays. Computed at first use, since it takes time and planned runs are
  // often not executed.
  mutable std::vector<std::uint64_t> reduced_;
};

}  // namespace weft
