// Moves of bits from lanes to other lanes.
#include "sim/gates/lane_moves.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <tuple>

#include "sim/gates/intrinsics.hpp"

namespace weft {

LaneMoves::LaneMoves(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& pairs,
                     const LaneLayout& from, const LaneLayout& to) {
  // By destination word, source word and distance: the destination's bits.
  std::map<std::tuple<std::uint32_t, std::uint32_t, unsigned>, std::uint64_t> terms;
  for (const auto& [source, destination] : pairs) {
    const unsigned rotate = (destination - source) % 64;
    terms[{destination / 64, source / 64, rotate}] |= std::uint64_t{1} << destination % 64;
  }
  std::uint32_t last = ~0u;
  for (const auto& [key, mask] : terms) {
    const auto& [destination, source, rotate] = key;
    if (destination != last) {
      const auto first = static_cast<std::uint32_t>(terms_.size());
      words_.push_back({to.at(destination), first, first});
      last = destination;
    }
    terms_.push_back({from.at(source), mask, static_cast<int>(rotate)});
    ++words_.back().end;
  }
  if (from.words == 8 && to.words == 8 && can_run(LaneWidth::k512)) make_rounds();
}

// In a round each word of a destination group gets the bits of one term, all from one source group.
void LaneMoves::make_rounds() {
  // Words of a group follow each other; a vector is as far from the next as a group has words.
  const auto base = [](std::size_t at) { return at - at % 8; };
  std::vector<Group> groups;
  std::vector<Round> rounds;
  for (std::size_t w = 0; w < words_.size();) {
    Group group;
    group.to = base(words_[w].to);
    group.first = static_cast<std::uint32_t>(rounds.size());
    // By source group: its rounds, and how many of them each word has used.
    std::map<std::size_t, std::pair<std::vector<Round>, std::array<unsigned, 8>>> of_source;
    for (; w < words_.size() && base(words_[w].to) == group.to; ++w) {
      const std::size_t k = words_[w].to % 8;
      for (std::uint32_t t = words_[w].first; t < words_[w].end; ++t) {
        auto& [list, used] = of_source[base(terms_[t].from)];
        if (used[k] == list.size()) list.emplace_back().from = base(terms_[t].from);
        Round& round = list[used[k]++];
        round.word[k] = terms_[t].from % 8;
        round.rotate[k] = static_cast<std::uint64_t>(terms_[t].rotate);
        round.mask[k] = terms_[t].mask;
      }
    }
    for (const auto& [source, more] : of_source) {
      rounds.insert(rounds.end(), more.first.begin(), more.first.end());
    }
    group.end = static_cast<std::uint32_t>(rounds.size());
    groups.push_back(group);
  }
  // A round costs about as much as a term.
  if (rounds.size() > terms_.size()) return;
  groups_ = std::move(groups);
  rounds_ = std::move(rounds);
}

void LaneMoves::merge(const std::uint64_t* from, std::uint64_t* to) const {
  if (!groups_.empty()) return merge_groups(from, to);
  for (const Word& word : words_) {
    for (std::uint32_t t = word.first; t < word.end; ++t) {
      const Term& term = terms_[t];
      to[word.to] |= std::rotl(from[term.from], term.rotate) & term.mask;
    }
  }
}

#if defined(__x86_64__)
[[gnu::target("avx512f")]] void LaneMoves::merge_groups(const std::uint64_t* from,
                                                        std::uint64_t* to) const {
  for (const Group& group : groups_) {
    std::uint64_t* const at = to + group.to;
    __m512i bits = _mm512_loadu_si512(at);
    for (std::uint32_t r = group.first; r < group.end; ++r) {
      const Round& round = rounds_[r];
      const __m512i words = _mm512_permutexvar_epi64(_mm512_load_si512(round.word),
                                                     _mm512_loadu_si512(from + round.from));
      const __m512i turned = _mm512_rolv_epi64(words, _mm512_load_si512(round.rotate));
      bits = _mm512_or_si512(bits, _mm512_and_si512(turned, _mm512_load_si512(round.mask)));
    }
    _mm512_storeu_si512(at, bits);
  }
}
#else
void LaneMoves::merge_groups(const std::uint64_t*, std::uint64_t*) const {}
#endif

}  // namespace weft
