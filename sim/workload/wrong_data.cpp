// Wrong data at the end of a run.
#include "sim/workload/wrong_data.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

namespace weft {
namespace {

std::string coordinates_of(const Graph& graph, std::uint32_t rank) {
  if (graph.dims.size() < 2) return {};
  std::vector<std::uint32_t> digits;
  for (const std::uint32_t size : graph.dims) {
    digits.push_back(rank % size);
    rank /= size;
  }
  return fmt::format("({})", fmt::join(digits, ", "));
}

}  // namespace

WrongData::WrongData(const Graph& graph, std::uint32_t at, const WrongWord& its_word)
    : of_nodes(graph.nodes),
      rank(at),
      address(graph.address[at]),
      coordinates(coordinates_of(graph, at)),
      memory_address(its_word.address * kWordBytes),
      index(its_word.index),
      expected(its_word.expected),
      found(its_word.found),
      word(its_word) {
  if (word.element_type.value_or(ReduceType::kInt64) == ReduceType::kInt64) return;
  bits = 32;
  const bool high = (expected ^ found) << 32 == 0;  // The first wrong element is the upper one.
  if (high) {
    expected >>= 32;
    found >>= 32;
    memory_address += 4;
  }
  if (word.part != WrongWord::Part::kExpected) index = 2 * index + high;
  expected &= low_mask(32);
  found &= low_mask(32);
}

}  // namespace weft
