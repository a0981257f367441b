// Moves of bits from lanes to other lanes: what links do to the vectors of gates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/gates/lanes.hpp"

namespace weft {

/// A fixed map of lanes: lane `from` of a vector goes to lane `to` of another one. A rotation of a
/// torus takes two or three steps for each 64 lanes, or with AVX-512 for each 512; an irregular
/// network up to 64 for each 64.
class LaneMoves {
 public:
  /// `pairs`: from, to; no destination twice.
  LaneMoves(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& pairs,
            const LaneLayout& from, const LaneLayout& to);

  /// Adds the moved bits of a vector to those of another; `from`, `to`: word 0.
  void merge(const std::uint64_t* from, std::uint64_t* to) const;

 private:
  // Words of 64 lanes that come from one word, all turned by the same distance.
  struct Term {
    std::size_t from;
    std::uint64_t mask;
    int rotate;
  };
  // The lanes of a destination word that come from this map: its terms.
  struct Word {
    std::size_t to = 0;
    std::uint32_t first = 0, end = 0;
  };
  // As Term, of all eight words of a group at once.
  struct alignas(64) Round {
    std::uint64_t word[8] = {}, rotate[8] = {}, mask[8] = {};
    std::size_t from = 0;  // Word 0 of the group that they come from.
  };
  struct Group {
    std::size_t to = 0;
    std::uint32_t first = 0, end = 0;  // Rounds.
  };

  std::uint64_t moved(const Word& word, const std::uint64_t* from) const;
  void make_rounds();
  void merge_groups(const std::uint64_t* from, std::uint64_t* to) const;

  std::vector<Word> words_;
  std::vector<Term> terms_;
  // Empty: the map is moved by words.
  std::vector<Group> groups_;
  std::vector<Round> rounds_;
};

}  // namespace weft
