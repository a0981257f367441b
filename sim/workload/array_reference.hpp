// What a collective on arrays must leave behind, worked out member by member from the order of
// operations that sw/README.md documents; no network, no driver.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sim/config/config.hpp"
#include "sim/topology/graph.hpp"
#include "sim/workload/boards.hpp"
#include "sw/include/weft_collective.h"

namespace weft {

/// A piece of an array, words `lo` to before `hi`.
struct Piece {
  std::uint32_t lo = 0, hi = 0;
};
/// Piece `i` of `count`: lengths differ by one at most, the longer ones come first.
Piece cut(Piece whole, std::uint32_t i, std::uint32_t count);

/// The arrays before and after.
class ArrayReference {
 public:
  /// `boards` are such as the collective runs on.
  ArrayReference(const Config& config, Boards boards, const weft_collective& collective);

  const Boards& boards() const { return boards_; }
  /// Word of a member's array before.
  std::uint64_t before(std::uint32_t member, std::uint32_t word) const;
  /// Whether that word is as it must be after; those that the collective does not speak of are.
  bool right(std::uint32_t member, std::uint32_t word, std::uint64_t value) const;
  /// Of a collective that picks its algorithm: which one, in words; else empty.
  std::string picked() const;
  /// Words of all arrays that it speaks of.
  std::uint64_t words() const;

 private:
  bool spoken_of(std::uint32_t member, std::uint32_t word) const;
  std::uint64_t value(std::uint32_t member, std::uint32_t word) const;
  std::uint64_t join(std::uint64_t a, std::uint64_t b) const;
  std::uint64_t finish(std::uint64_t sum) const;
  std::vector<std::size_t> dimension_order() const;
  void add_owners();
  const std::vector<std::uint64_t>& reduced() const;
  void reduce() const;
  void reduce_piece(Piece piece, std::uint32_t first_main) const;
  void reduce_ring(Piece turn) const;
  void reduce_bucket(Piece part) const;
  std::uint64_t board_value(std::uint32_t board, std::uint32_t first_main,
                            std::uint32_t word) const;
  static std::pair<std::uint32_t, Piece> piece_of(Piece range, std::uint32_t count,
                                                  std::uint32_t word);
  void ring_of_boards(std::size_t dim, std::uint32_t first, bool up,
                      std::vector<std::uint64_t>& values) const;
  template <class Visit>
  void for_each_part(Visit visit) const;

  const Config& config_;
  const weft_collective& collective_;
  Boards boards_;
  ArrayConfig array_;                 // As the collective runs it,
  enum weft_fold fold_;               // and in which order it reduces.
  std::vector<std::uint32_t> owner_;  // By word: the member whose block it is in.
  // The reduction of all arrays, worked out when it is first asked for: many runs are planned that
  // are not run, and it takes a while.
  mutable std::vector<std::uint64_t> reduced_;
};

}  // namespace weft
