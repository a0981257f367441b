// The expected result of a collective on arrays.
#include "sim/workload/array_reference.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>
#include <utility>

#include "sim/base/random.hpp"
#include "sim/fabric/unit_tree.hpp"

namespace weft {
namespace {

// Combines two elements. Inputs of type fp32 are finite, so NaNs can only result from overflow.
template <class T>
T reduce_elements(ReduceOp op, T a, T b) {
  switch (op) {
    case ReduceOp::kProd:
      return a * b;
    case ReduceOp::kMax:
      return a > b ? a : b;
    case ReduceOp::kMin:
      return a < b ? a : b;
    default:
      return a + b;
  }
}

// Sums and products of ints wrap, like those of unsigned numbers.
template <class Signed>
std::make_unsigned_t<Signed> reduce_ints(ReduceOp op, std::make_unsigned_t<Signed> a,
                                         std::make_unsigned_t<Signed> b) {
  if (op == ReduceOp::kMax || op == ReduceOp::kMin) {
    return static_cast<std::make_unsigned_t<Signed>>(
        reduce_elements(op, static_cast<Signed>(a), static_cast<Signed>(b)));
  }
  return reduce_elements(op, a, b);
}

template <class Function>
std::uint64_t each_half(Function function) {
  return std::uint64_t{function(0)} | std::uint64_t{function(32)} << 32;
}

std::uint32_t half(std::uint64_t word, int lsb) {
  return static_cast<std::uint32_t>(word >> lsb);
}

// A whole number whose sums over all members fit into a mantissa, or a signed power of two.
float exact_in_any_order(std::uint32_t random, bool product, std::uint32_t members) {
  if (product) return std::ldexp((random & 8) != 0 ? -1.f : 1.f, static_cast<int>(random % 3) - 1);
  const int more_bits = std::bit_width(members - 1);
  return static_cast<float>(static_cast<std::int32_t>(random) >> (8 + more_bits));
}

}  // namespace

Piece cut(Piece whole, std::uint32_t i, std::uint32_t count) {
  // Pieces differ by at most one word; the first ones are longer.
  const std::uint32_t length = whole.hi - whole.lo;
  const auto before = [&](std::uint32_t k) {
    return whole.lo + length / count * k + std::min(k, length % count);
  };
  return {before(i), before(i + 1)};
}

ArrayReference::ArrayReference(const Config& config, const Graph& graph, Boards boards,
                               const weft_collective& collective)
    : config_(config),
      graph_(graph),
      collective_(collective),
      boards_(std::move(boards)),
      array_(config.workload.array),
      by_member_(array_.data == ArrayData::kMember),
      reduced_by_(collective.reduced_by) {
  // The order of a user program is unknown, and that of pairs is specified only for powers of two.
  if (!config.workload.program.empty() ||
      (reduced_by_ == WEFT_REDUCED_BY_PAIRS && !std::has_single_bit(boards_.members()))) {
    reduced_by_ = WEFT_REDUCED_IN_ANY_ORDER;
  }
  // A run with all steps is complete.
  if (array_.steps == boards_.steps()) array_.steps = ArrayConfig::kAllSteps;
  if (collective.kind == WEFT_REDUCE_SCATTER || collective.kind == WEFT_ALLGATHER) add_owners();
}

const std::vector<std::uint64_t>& ArrayReference::reduced() const {
  if (reduced_.empty()) reduce();
  return reduced_;
}

void ArrayReference::reduce() const {
  reduced_.resize(array_.words());
  switch (reduced_by_) {
    case WEFT_REDUCED_BY_BOARDS:
      for_each_part([&](Piece part) {
        for (std::uint32_t q = 0; q < boards_.mains; ++q) {
          reduce_piece(cut(part, q, boards_.mains), q);
        }
      });
      break;
    case WEFT_REDUCED_BY_BUCKET:
      for_each_part([&](Piece part) { reduce_bucket(part); });
      break;
    case WEFT_REDUCED_BY_PAIRS:
      reduce_piece({0, array_.flits()}, 0);
      break;
    case WEFT_REDUCED_BY_TREE:
      reduce_tree();
      break;
    case WEFT_REDUCED_BY_RING:
      for (std::uint32_t lo = 0; lo < array_.flits(); lo += ArrayConfig::kSegmentFlits) {
        reduce_ring({lo, std::min(array_.flits(), lo + ArrayConfig::kSegmentFlits)});
      }
      break;
    default:
      for (std::uint32_t w = 0; w < array_.words(); ++w) {
        std::uint64_t sum = value(0, w);
        for (std::uint32_t m = 1; m < boards_.members(); ++m) sum = combine(sum, value(m, w));
        reduced_[w] = finish(sum);
      }
  }
}

// Visits the parts that belong to aggregation units, of each chunk of each segment.
template <class Visit>
void ArrayReference::for_each_part(Visit visit) const {
  for (std::uint32_t lo = 0; lo < array_.flits(); lo += ArrayConfig::kSegmentFlits) {
    const Piece segment{lo, std::min(array_.flits(), lo + ArrayConfig::kSegmentFlits)};
    for (std::uint32_t c = 0; c < array_.chunks; ++c) {
      for (std::uint32_t a = 0; a < boards_.aggregators; ++a) {
        visit(cut(cut(segment, c, array_.chunks), a, boards_.aggregators));
      }
    }
  }
}

std::vector<std::size_t> ArrayReference::dimension_order() const {
  std::vector<std::size_t> order(boards_.dims.size());
  std::iota(order.begin(), order.end(), 0);
  if (array_.order == BoardOrder::kBandwidth) {
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return std::pair(-std::int64_t{boards_.links(a)}, boards_.dims[a]) <
             std::pair(-std::int64_t{boards_.links(b)}, boards_.dims[b]);
    });
  }
  return order;
}

// The contract: the array is cut into a block for each member. By boards: a part is cut into as
// many ranges as there are boards; a board owns the range whose number consists of the bits of its
// coordinates in the order of the steps, the highest bit first.
void ArrayReference::add_owners() {
  owner_.resize(array_.flits());
  if (collective_.blocks_by_boards == 0) {
    for (std::uint32_t m = 0; m < boards_.members(); ++m) {
      const Piece block = cut({0, array_.flits()}, m, boards_.members());
      std::fill(owner_.begin() + block.lo, owner_.begin() + block.hi, m);
    }
    return;
  }
  const std::vector<std::size_t> order = dimension_order();
  for_each_part([&](Piece part) {
    for (std::uint32_t board = 0; board < boards_.count; ++board) {
      Piece own = part;
      for (const std::size_t dim : order) {
        for (std::uint32_t bit = 1; bit < boards_.dims[dim]; bit *= 2) {
          const std::uint32_t upper = own.hi - (own.hi - own.lo) / 2;
          ((boards_.coordinate(board, dim) & bit) != 0 ? own.lo : own.hi) = upper;
        }
      }
      for (std::uint32_t m = 0; m < boards_.mains; ++m) {
        const Piece block = cut(own, m, boards_.mains);
        for (std::uint32_t w = block.lo; w < block.hi; ++w) owner_[w] = board * boards_.mains + m;
      }
    }
  });
}

std::uint64_t ArrayReference::value(std::uint32_t member, std::uint32_t word) const {
  if (by_member_) {
    if (array_.type == ReduceType::kInt64) return member + 1;
    const bool real = array_.type == ReduceType::kFp32;
    return each_half([&](int) {
      return real ? std::bit_cast<std::uint32_t>(static_cast<float>(member + 1)) : member + 1;
    });
  }
  const std::uint64_t random =
      mix64((std::uint64_t{member} << 32 | word) + config_.seed * 0x9E3779B97F4A7C15u);
  const bool product = array_.op == ReduceOp::kProd;
  if (array_.type == ReduceType::kFp32) {
    // Exponents differ so much that every rounding affects the result, and products stay in range.
    return each_half([&](int lsb) {
      const std::uint32_t bits = half(random, lsb);
      if (reduced_by_ == WEFT_REDUCED_IN_ANY_ORDER) {
        return std::bit_cast<std::uint32_t>(exact_in_any_order(bits, product, boards_.members()));
      }
      const std::uint32_t exponent = product ? 126 + (bits >> 23 & 1) : 119 + (bits >> 23 & 15);
      return (bits & 0x807FFFFFu) | exponent << 23;
    });
  }
  // A product of even numbers would soon be 0.
  return product ? random | 0x0000000100000001u : random;
}

std::uint64_t ArrayReference::before(std::uint32_t member, std::uint32_t word) const {
  const std::uint64_t own = value(member, word);
  const bool open = collective_.kind == WEFT_ALLGATHER   ? owner(word) != member
                    : collective_.kind == WEFT_BROADCAST ? member != array_.root
                                                         : false;
  // Words that the contract leaves open differ from all values: drivers must not rely on zeros.
  return open ? ~own : own;
}

std::uint64_t ArrayReference::combine(std::uint64_t a, std::uint64_t b) const {
  if (array_.type == ReduceType::kInt64) return reduce_ints<std::int64_t>(array_.op, a, b);
  return each_half([&](int lsb) {
    const std::uint32_t x = half(a, lsb), y = half(b, lsb);
    if (array_.type == ReduceType::kInt32) return reduce_ints<std::int32_t>(array_.op, x, y);
    return std::bit_cast<std::uint32_t>(
        reduce_elements(array_.op, std::bit_cast<float>(x), std::bit_cast<float>(y)));
  });
}

// Returns the result of a sum: divided by the number of members if the operation is the mean.
std::uint64_t ArrayReference::finish(std::uint64_t sum) const {
  if (array_.op != ReduceOp::kMean) return sum;
  const std::uint32_t members = boards_.members();
  if (array_.type == ReduceType::kInt64) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(sum) / std::int64_t{members});
  }
  return each_half([&](int lsb) {
    const std::uint32_t x = half(sum, lsb);
    if (array_.type == ReduceType::kInt32) {
      return static_cast<std::uint32_t>(static_cast<std::int32_t>(x) /
                                        static_cast<std::int32_t>(members));
    }
    return std::bit_cast<std::uint32_t>(std::bit_cast<float>(x) / static_cast<float>(members));
  });
}

// Reduces around each board from `first_main` downwards, then pairs of boards; or pairs of members.
void ArrayReference::reduce_piece(Piece piece, std::uint32_t first_main) const {
  const bool by_members = reduced_by_ == WEFT_REDUCED_BY_PAIRS;
  const std::uint32_t count = by_members ? boards_.members() : boards_.count;
  std::vector<std::uint64_t> values(count);
  std::vector<std::uint32_t> distances;
  if (by_members) {
    for (std::uint32_t d = 1; d < count; d *= 2) distances.push_back(d);
  } else {
    for (const std::size_t dim : dimension_order()) {
      for (std::uint32_t bit = 1; bit < boards_.dims[dim]; bit *= 2) {
        distances.push_back(bit * boards_.step(dim));
      }
    }
  }
  for (std::uint32_t w = words_of(piece).lo; w < words_of(piece).hi; ++w) {
    for (std::uint32_t p = 0; p < count; ++p) {
      values[p] = by_members ? value(p, w) : board_value(p, first_main, w);
    }
    // Sizes are powers of two: a coordinate's bit is a bit of the board's number.
    for (const std::uint32_t distance : distances) {
      for (std::uint32_t p = 0; p < count; ++p) {
        if ((p & distance) == 0) values[p] = combine(values[p], values[p | distance]);
      }
    }
    reduced_[w] = finish(values[0]);
  }
}

// Value of a board: reduction around it from main unit `first_main` downwards.
std::uint64_t ArrayReference::board_value(std::uint32_t board, std::uint32_t first_main,
                                          std::uint32_t word) const {
  const std::uint32_t mains = boards_.mains;
  std::uint64_t sum = value(board * mains + first_main, word);
  for (std::uint32_t s = 1; s < mains; ++s) {
    sum = combine(sum, value(board * mains + (first_main + mains - s) % mains, word));
  }
  return sum;
}

// Each word is reduced along the dimensions that have several boards, starting with that of its
// piece; in each it goes around the ring, up or down, from the board with the number of its cut.
void ArrayReference::reduce_bucket(Piece part) const {
  std::vector<std::size_t> dims;
  for (std::size_t d = 0; d < boards_.dims.size(); ++d) {
    if (boards_.dims[d] > 1) dims.push_back(d);
  }
  const auto ways = static_cast<std::uint32_t>(2 * dims.size());
  std::vector<std::uint64_t> values(boards_.count);
  for (std::uint32_t q = 0; q < boards_.mains; ++q) {
    const Piece slot = cut(part, q, boards_.mains);
    for (std::uint32_t w = words_of(slot).lo; w < words_of(slot).hi; ++w) {
      for (std::uint32_t b = 0; b < boards_.count; ++b) values[b] = board_value(b, q, w);
      if (ways != 0) {
        const std::uint32_t flit = w / array_.flit_words();
        const auto [way, range] = piece_of(part, ways, flit);
        Piece at = range;
        for (std::size_t i = 0; i < dims.size(); ++i) {
          const std::size_t dim = dims[(way / 2 + i) % dims.size()];
          const auto [first, next] = piece_of(at, boards_.dims[dim], flit);
          at = next;
          ring_of_boards(dim, first, way % 2 == 0, values);
        }
      }
      reduced_[w] = finish(values[0]);
    }
  }
}

// Index of the piece, of `count` pieces of a range, that a flit is in; and that piece.
std::pair<std::uint32_t, Piece> ArrayReference::piece_of(Piece range, std::uint32_t count,
                                                         std::uint32_t flit) {
  for (std::uint32_t i = 0;; ++i) {
    const Piece piece = cut(range, i, count);
    if (flit < piece.hi) return {i, piece};
  }
}

// Sets all boards of each ring to the ring's value.
void ArrayReference::ring_of_boards(std::size_t dim, std::uint32_t first, bool up,
                                    std::vector<std::uint64_t>& values) const {
  const std::uint32_t size = boards_.dims[dim], step = boards_.step(dim);
  for (std::uint32_t b = 0; b < boards_.count; ++b) {
    if (boards_.coordinate(b, dim) != 0) continue;
    std::uint64_t sum = values[b + first * step];
    for (std::uint32_t k = 1; k < size; ++k) {
      sum = combine(sum, values[b + (first + (up ? k : size - k)) % size * step]);
    }
    for (std::uint32_t c = 0; c < size; ++c) values[b + c * step] = sum;
  }
}

void ArrayReference::reduce_ring(Piece segment) const {
  const std::uint32_t members = boards_.members();
  for (std::uint32_t i = 0; i < members; ++i) {
    const Piece piece = cut(segment, i, members);
    for (std::uint32_t w = words_of(piece).lo; w < words_of(piece).hi; ++w) {
      std::uint64_t sum = value(i, w);
      for (std::uint32_t k = 1; k < members; ++k) sum = combine(sum, value((i + k) % members, w));
      reduced_[w] = finish(sum);
    }
  }
}

// Reduces over every rank, children before their parents: its own value, then that of its first
// child, then that of its second. Ranks without an array contribute nothing.
void ArrayReference::reduce_tree() const {
  const UnitTree tree(graph_);
  std::vector<std::uint64_t> values(tree.nodes());
  std::vector<bool> some(tree.nodes());
  for (std::uint32_t w = 0; w < array_.words(); ++w) {
    for (auto next = tree.order().rbegin(); next != tree.order().rend(); ++next) {
      const std::uint32_t rank = *next;
      some[rank] = boards_.is_main(rank);
      if (some[rank]) values[rank] = value(boards_.member(rank), w);
      for (const std::uint32_t child : tree[rank].children) {
        if (child == kOpen || !some[child]) continue;
        values[rank] = some[rank] ? combine(values[rank], values[child]) : values[child];
        some[rank] = true;
      }
    }
    reduced_[w] = finish(values[tree.root()]);
  }
}

bool ArrayReference::spoken_of(std::uint32_t member, std::uint32_t word) const {
  if (array_.steps != ArrayConfig::kAllSteps) return false;
  switch (collective_.kind) {
    case WEFT_REDUCE_SCATTER:
      return owner(word) == member;
    case WEFT_REDUCE:
      return member == array_.root;
    default:
      return true;
  }
}

std::optional<std::uint64_t> ArrayReference::expected(std::uint32_t member,
                                                      std::uint32_t word) const {
  if (!spoken_of(member, word)) return {};
  switch (collective_.kind) {
    case WEFT_ALLGATHER:
      return value(owner(word), word);
    case WEFT_BROADCAST:
      return value(array_.root, word);
    default:
      return reduced()[word];
  }
}

std::uint64_t ArrayReference::words() const {
  if (array_.steps != ArrayConfig::kAllSteps) return 0;
  const bool once = collective_.kind == WEFT_REDUCE_SCATTER || collective_.kind == WEFT_REDUCE;
  return std::uint64_t{array_.words()} * (once ? 1 : boards_.members());
}

}  // namespace weft
