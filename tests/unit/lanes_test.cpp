// Transposition of 64 lanes, and moves of bits from lanes to lanes, bit by bit.
#include "sim/gates/lanes.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/gates/lane_moves.hpp"

namespace weft {
namespace {

TEST_CASE("64 rows of 64 bits are transposed") {
  RandomStream random(5);
  std::array<std::uint64_t, 64> rows;
  for (std::uint64_t& row : rows) row = random();
  std::array<std::uint64_t, 64> turned = rows;
  transpose64(turned.data());
  unsigned wrong = 0;
  for (unsigned r = 0; r < 64; ++r) {
    for (unsigned c = 0; c < 64; ++c) wrong += (rows[r] >> c & 1) != (turned[c] >> r & 1);
  }
  CHECK(wrong == 0);
}

TEST_CASE("Lanes of vectors are gathered") {
  RandomStream random(6);
  std::vector<std::uint64_t> vectors(40 * 8);
  for (std::uint64_t& word : vectors) word = random();
  std::array<std::uint64_t, 64> rows;
  gather_lanes(vectors.data() + 3, 8, 40, rows.data());
  for (unsigned lane = 0; lane < 64; ++lane) {
    std::uint64_t row = 0;
    for (unsigned i = 0; i < 40; ++i) row |= (vectors[8 * i + 3] >> lane & 1) << i;
    CHECK(rows[lane] == row);
  }
}

// Bits of lanes in an array [group][vector][words of a vector] with 3 vectors.
struct Vectors {
  std::uint32_t words;
  std::vector<std::uint64_t> bits;
  LaneLayout layout() const { return {std::size_t{3} * words, words}; }
  std::uint64_t& word(std::uint32_t vector, std::uint32_t lane) {
    return bits[layout().at(lane / 64) + std::size_t{vector} * words];
  }
  bool at(std::uint32_t vector, std::uint32_t lane) {
    return (word(vector, lane) >> lane % 64 & 1) != 0;
  }
};

// Lanes go from one array to another one, which has bits already.
void check_moves(std::uint32_t from_words, std::uint32_t to_words,
                 const std::vector<std::pair<std::uint32_t, std::uint32_t>>& pairs,
                 std::uint32_t lanes) {
  RandomStream random(7);
  const auto make = [&](std::uint32_t words) {
    Vectors vectors{words, std::vector<std::uint64_t>(lanes / 64 * 3)};
    for (std::uint64_t& word : vectors.bits) word = random() & random();
    return vectors;
  };
  Vectors from = make(from_words), to = make(to_words);
  Vectors expected = to;
  for (const auto& [source, destination] : pairs) {
    if (from.at(1, source)) expected.word(2, destination) |= std::uint64_t{1} << destination % 64;
  }
  LaneMoves(pairs, from.layout(), to.layout())
      .merge(from.bits.data() + from_words, to.bits.data() + 2 * to_words);
  CHECK(to.bits == expected.bits);
}

TEST_CASE("Bits move from lane to lane") {
  constexpr std::uint32_t kLanes = 1024;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ring, grid, any, few;
  std::vector<std::uint32_t> order(kLanes);
  std::iota(order.begin(), order.end(), 0);
  RandomStream random(8);
  for (std::uint32_t i = kLanes - 1; i != 0; --i) {
    std::swap(order[i], order[random.below(i + 1)]);
  }
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    ring.emplace_back(lane, lane / 32 * 32 + (lane + 1) % 32);
    grid.emplace_back(lane, (lane + kLanes - 32) % kLanes);
    any.emplace_back(lane, order[lane]);
    if (lane % 97 == 0) few.emplace_back(lane, order[lane]);
  }
  for (const auto& pairs : {ring, grid, any, few}) {
    for (const std::uint32_t words : {1, 4, 8}) check_moves(words, words, pairs, kLanes);
    check_moves(8, 1, pairs, kLanes);
  }
}

}  // namespace
}  // namespace weft
