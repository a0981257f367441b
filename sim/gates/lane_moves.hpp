// Moves of bits from lanes to other lanes: what links do to the vectors of gates.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/gates/lanes.hpp"

namespace weft {

/// A fixed map of lanes: lane `from` of a vector goes to lane `to` of another one. Lanes of 64 are
/// moved together; a rotation of a torus takes two or three steps for each, an irregular network
/// up to 64.
class LaneMoves {
 public:
  /// The lanes of one destination word that come from this map.
  struct Word {
    std::size_t to = 0;                ///< LaneLayout::at of the destination.
    std::uint64_t lanes = 0;           ///< Bits of it that come.
    std::uint32_t first = 0, end = 0;  ///< Terms.
  };

  /// `pairs`: from, to; no destination twice.
  LaneMoves(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& pairs,
            const LaneLayout& from, const LaneLayout& to);

  const std::vector<Word>& words() const { return words_; }
  /// The bits that come to `word` of a vector whose word 0 is `from`.
  [[gnu::always_inline]] std::uint64_t moved(const Word& word, const std::uint64_t* from) const {
    std::uint64_t bits = 0;
    for (std::uint32_t t = word.first; t < word.end; ++t) {
      const Term& term = terms_[t];
      bits |= std::rotl(from[term.from], term.rotate) & term.mask;
    }
    return bits;
  }

 private:
  struct Term {
    std::size_t from;
    std::uint64_t mask;
    int rotate;
  };

  std::vector<Word> words_;
  std::vector<Term> terms_;
};

}  // namespace weft
