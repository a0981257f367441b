// Moves of bits from lanes to other lanes: what links do to the vectors of gates.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace weft {

/// Where the words of 64 lanes of a vector stand: [group][vector][words of a vector].
struct LaneLayout {
  std::size_t group_words = 0;  ///< Words of a group.
  std::uint32_t words = 1;      ///< Words of a vector.

  /// The word of lanes 64 `word` and up of vector 0; further vectors are `words` apart.
  std::size_t at(std::uint32_t word) const { return word / words * group_words + word % words; }
};

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
  LaneMoves(std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs, const LaneLayout& from,
            const LaneLayout& to);

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
