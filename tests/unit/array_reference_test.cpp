// The reference of collectives on arrays: against orders of operations that are written out by hand
// for tiny networks, owners of blocks from tables, and sums of ints by wider arithmetic.
#include "sim/workload/array_reference.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/topology/topology.hpp"
#include "sim/workload/registry.hpp"
#include "tests/unit/driver_runs.hpp"

namespace {

using namespace weft;
using nlohmann::json;

// A reference with all that it refers to.
struct Known {
  Known(const json& topology, const json& workload)
      : config(parse_config({{"topology", topology}, {"workload", workload}}, "test")),
        graph(build_graph(config)),
        reference(config, graph, Boards(graph), drivers::collective(config.workload.collective)) {}
  std::uint32_t members() const { return reference.boards().members(); }
  std::uint32_t flits() const { return config.workload.array.flits(); }

  Config config;
  Graph graph;
  ArrayReference reference;
};

// Whether `value` is right for that word after the run.
bool right(const ArrayReference& reference, std::uint32_t member, std::uint32_t word,
           std::uint64_t value) {
  return reference.expected(member, word).value_or(value) == value;
}

json boards(std::vector<unsigned> dims, unsigned mains, unsigned aggregators) {
  return {{"kind", "board"}, {"dims", dims}, {"mains", mains}, {"aggregators", aggregators}};
}

json work(const char* name, unsigned words, const char* type = "fp32", const char* op = "sum") {
  return {{"collective", name}, {"bytes", 8 * words}, {"type", type}, {"op", op}};
}

float float_at(std::uint64_t word, unsigned lsb) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(word >> lsb));
}

// Sum of fp32 in the order that the text says: a letter is a member's value, the first 'a', and
// two in brackets are added. Additions of floats are exact in double but for their last rounding.
float sum_of(const char*& text, const std::vector<float>& values) {
  if (*text != '(') return values.at(static_cast<std::size_t>(*text++ - 'a'));
  ++text;
  const double a = sum_of(text, values), b = sum_of(text, values);
  ++text;
  return static_cast<float>(a + b);
}

std::uint64_t sum_of_word(const Known& known, const char* order, std::uint32_t word) {
  std::uint64_t result = 0;
  for (unsigned lsb = 0; lsb < 64; lsb += 32) {
    std::vector<float> values;
    for (std::uint32_t m = 0; m < known.members(); ++m) {
      values.push_back(float_at(known.reference.before(m, word), lsb));
    }
    const char* text = order;
    result |= std::uint64_t{std::bit_cast<std::uint32_t>(sum_of(text, values))} << lsb;
  }
  return result;
}

// One order for each word. Every member must hold that sum, and no sum that differs from it; there
// is a seed where the sum in another order, that of the members, does.
void check_orders(const json& topology, json workload, const std::vector<const char*>& orders) {
  workload["bytes"] = 8 * orders.size();
  CAPTURE(topology.dump());
  CAPTURE(workload.dump());
  std::uint32_t told_apart = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Known known(topology, workload);
    known.config.seed = seed;
    const ArrayReference reference(known.config, known.graph, Boards(known.graph),
                                   drivers::collective(workload.at("collective")));
    std::string in_turn = "a";
    for (std::uint32_t m = 1; m < known.members(); ++m) {
      in_turn = "(" + in_turn + static_cast<char>('a' + m) + ")";
    }
    for (std::uint32_t w = 0; w < orders.size(); ++w) {
      const std::uint64_t expected = sum_of_word(known, orders[w], w);
      for (std::uint32_t m = 0; m < known.members(); ++m) {
        CHECK(right(reference, m, w, expected));
        CHECK_FALSE(right(reference, m, w, expected ^ 1));
        CHECK_FALSE(right(reference, m, w, expected ^ std::uint64_t{1} << 32));
      }
      told_apart += expected != sum_of_word(known, in_turn.c_str(), w);
    }
  }
  CHECK(told_apart > 0);
}

// By member: the words that are its own, as `reduce_scatter` sees them.
std::map<std::uint32_t, std::vector<std::uint32_t>> owned(const Known& known) {
  std::map<std::uint32_t, std::vector<std::uint32_t>> result;
  for (std::uint32_t w = 0; w < known.flits(); ++w) {
    for (std::uint32_t m = 0; m < known.members(); ++m) {
      // Where a word is checked, no two values can both be right.
      if (!right(known.reference, m, w, 0) || !right(known.reference, m, w, 1)) {
        result[m].push_back(w);
      }
    }
  }
  return result;
}

}  // namespace

TEST_CASE("cut: words dealt round, the first pieces get what is left over") {
  for (std::uint32_t length = 0; length < 40; ++length) {
    for (std::uint32_t count = 1; count < 12; ++count) {
      std::vector<std::uint32_t> dealt(count);
      for (std::uint32_t k = 0; k < length; ++k) ++dealt[k % count];
      std::uint32_t next = 7;
      for (std::uint32_t i = 0; i < count; ++i) {
        const Piece piece = cut({7, 7 + length}, i, count);
        CHECK(piece.lo == next);
        CHECK(piece.hi - piece.lo == dealt[i]);
        next = piece.hi;
      }
      CHECK(next == 7 + length);
    }
  }
  // The longest that there are.
  CHECK(cut({0, 1u << 23}, 1023, 1024).hi == 1u << 23);
}

TEST_CASE("on a board piece q begins with main unit q, then those before it") {
  const std::vector<const char*> three = {"((ac)b)", "((ac)b)", "((ba)c)", "((cb)a)"};
  for (const char* name : {"allreduce_nested", "allreduce_flat"}) {
    check_orders(boards({1, 1, 1, 1}, 3, 1), work(name, 1), three);
    // Two parts, of three words and two.
    check_orders(boards({1, 1, 1, 1}, 3, 2), work(name, 1),
                 {"((ac)b)", "((ba)c)", "((cb)a)", "((ac)b)", "((ba)c)"});
  }
  // Two chunks of three words and two, each cut into pieces for itself.
  json chunks = work("allreduce_nested", 1);
  chunks["chunks"] = 2;
  check_orders(boards({1, 1, 1, 1}, 3, 1), chunks,
               {"((ac)b)", "((ba)c)", "((cb)a)", "((ac)b)", "((ba)c)"});
  // Two chunks of five words, each in parts of 2, 2 and 1.
  check_orders(boards({1, 1, 1, 1}, 3, 3), chunks,
               {"((ac)b)", "((ba)c)", "((ac)b)", "((ba)c)", "((ac)b)", "((ac)b)", "((ba)c)",
                "((ac)b)", "((ba)c)", "((ac)b)"});
}

TEST_CASE("between boards pairs are formed by bits of coordinates, the lowest first") {
  // Board w + 2 x has members 2 (w + 2 x) and the next: a b on the first, c d on the next along W,
  // e f along X, g h along both.
  const char* const first_w = "(((ab)(cd))((ef)(gh)))";
  const char* const second_w = "(((ba)(dc))((fe)(hg)))";
  const char* const first_x = "(((ab)(ef))((cd)(gh)))";
  for (const char* name : {"allreduce_nested", "allreduce_flat"}) {
    check_orders(boards({2, 2, 1, 1}, 2, 1), work(name, 1), {first_w, second_w});
    // By bandwidth X comes first, where a board has twice as many links.
    json bandwidth = work(name, 1);
    bandwidth["order"] = "bandwidth";
    check_orders(boards({2, 2, 1, 1}, 2, 1), bandwidth, {first_x, first_x});
    // As many links: in the order of their names.
    check_orders(boards({2, 2, 1, 1}, 2, 2), bandwidth, {first_w, first_w});
    // Four boards along one dimension: neighbours, then those two apart.
    check_orders(boards({1, 1, 4, 1}, 1, 1), work(name, 1), {"((ab)(cd))"});
    // Z of two boards has both links to one neighbour, Y of four has one: Z first.
    check_orders(boards({1, 1, 4, 2}, 1, 1), bandwidth, {"(((ae)(bf))((cg)(dh)))"});
    check_orders(boards({1, 1, 4, 2}, 1, 1), work(name, 1), {"(((ab)(cd))((ef)(gh)))"});
  }
}

TEST_CASE("pairs of members, and a ring that begins with the piece's own number") {
  for (const char* name : {"allreduce_recursive_doubling", "allreduce_rabenseifner"}) {
    check_orders({{"kind", "torus"}, {"dims", {2, 2}}}, work(name, 1),
                 {"((ab)(cd))", "((ab)(cd))"});
    check_orders(boards({2, 1, 1, 1}, 2, 1), work(name, 1), {"((ab)(cd))"});
  }
  // Five words in three pieces, of 2, 2 and 1.
  const std::vector<const char*> ring = {"((ab)c)", "((ab)c)", "((bc)a)", "((bc)a)", "((ca)b)"};
  check_orders({{"kind", "torus"}, {"dims", {3}}}, work("allreduce_ring", 1), ring);
  check_orders(boards({3, 1, 1, 1}, 1, 2), work("allreduce_ring", 1), ring);
}

TEST_CASE("a reduction to one member has a result only there") {
  json workload = work("reduce_nested", 3);
  workload["root"] = 2;
  const Known known(boards({1, 1, 1, 1}, 3, 1), workload);
  CHECK(known.reference.words() == 3);
  const std::vector<const char*> orders = {"((ac)b)", "((ba)c)", "((cb)a)"};
  for (std::uint32_t w = 0; w < 3; ++w) {
    const std::uint64_t expected = sum_of_word(known, orders[w], w);
    CHECK(right(known.reference, 2, w, expected));
    CHECK_FALSE(right(known.reference, 2, w, expected ^ 1));
    CHECK(right(known.reference, 0, w, expected ^ 1));
  }
}

TEST_CASE("reduce_scatter: whose block a word is in") {
  using Owned = std::map<std::uint32_t, std::vector<std::uint32_t>>;
  // The first half of the words belongs to the boards whose W is 0, their first half to X 0.
  const json shape = boards({2, 2, 1, 1}, 2, 1);
  json workload = work("reduce_scatter_nested", 16);
  CHECK(owned(Known(shape, workload)) == Owned{{0, {0, 1}},
                                               {1, {2, 3}},
                                               {4, {4, 5}},
                                               {5, {6, 7}},
                                               {2, {8, 9}},
                                               {3, {10, 11}},
                                               {6, {12, 13}},
                                               {7, {14, 15}}});
  workload["order"] = "bandwidth";
  CHECK(owned(Known(shape, workload)) == Owned{{0, {0, 1}},
                                               {1, {2, 3}},
                                               {2, {4, 5}},
                                               {3, {6, 7}},
                                               {4, {8, 9}},
                                               {5, {10, 11}},
                                               {6, {12, 13}},
                                               {7, {14, 15}}});
  // The lowest bit of a coordinate comes first; of a piece that is odd the first half is longer.
  CHECK(owned(Known(boards({4, 1, 1, 1}, 1, 1), work("reduce_scatter_nested", 5))) ==
        Owned{{0, {0, 1}}, {2, {2}}, {1, {3}}, {3, {4}}});
  // Two parts, each cut for itself.
  CHECK(owned(Known(boards({2, 1, 1, 1}, 1, 2), work("reduce_scatter_nested", 5))) ==
        Owned{{0, {0, 1, 3}}, {1, {2, 4}}});
}

TEST_CASE("reduce_scatter: every word has one owner") {
  for (const json& shape : {boards({2, 4, 1, 2}, 3, 2), boards({1, 1, 1, 1}, 5, 4),
                            boards({1, 8, 1, 1}, 1, 3), boards({2, 2, 2, 2}, 2, 1)}) {
    for (const unsigned words : {1u, 2u, 7u, 64u, 101u}) {
      for (const char* order : {"alphabetical", "bandwidth"}) {
        json workload = work("reduce_scatter_nested", words, "int32", "max");
        workload["order"] = order;
        const Known known(shape, workload);
        std::vector<std::uint32_t> owners(words);
        for (const auto& [member, own] : owned(known)) {
          for (const std::uint32_t word : own) ++owners[word];
        }
        CHECK(owners == std::vector<std::uint32_t>(words, 1));
        CHECK(known.reference.words() == words);
      }
    }
  }
}

TEST_CASE("allgather begins with each member's block, broadcast with the root's array") {
  const json shape = boards({2, 1, 2, 1}, 3, 2);
  const Known scattered(shape, work("reduce_scatter_nested", 50));
  const Known gathered(shape, {{"collective", "allgather_nested"}, {"bytes", 400}});
  const std::map<std::uint32_t, std::vector<std::uint32_t>> blocks = owned(scattered);
  CHECK(blocks.size() == 12);
  for (const auto& [owner, words] : blocks) {
    for (const std::uint32_t w : words) {
      const std::uint64_t value = gathered.reference.before(owner, w);
      CHECK(value != 0);
      for (std::uint32_t m = 0; m < gathered.members(); ++m) {
        if (m != owner) CHECK(gathered.reference.before(m, w) != value);
        CHECK(right(gathered.reference, m, w, value));
        CHECK_FALSE(right(gathered.reference, m, w, value ^ 1));
      }
    }
  }
  CHECK(gathered.reference.words() == 50 * 12);
  const Known cast(shape, {{"collective", "broadcast_nested"}, {"bytes", 400}, {"root", 7}});
  for (std::uint32_t w = 0; w < 50; ++w) {
    const std::uint64_t value = cast.reference.before(7, w);
    CHECK(value != 0);
    for (std::uint32_t m = 0; m < cast.members(); ++m) {
      if (m != 7) CHECK(cast.reference.before(m, w) != value);
      CHECK(right(cast.reference, m, w, value));
      CHECK_FALSE(right(cast.reference, m, w, 0));
    }
  }
}

TEST_CASE("sums of ints wrap: the low bits of wider sums") {
  const json shape = boards({2, 2, 1, 1}, 3, 1);
  constexpr unsigned kWords = 40;
  const Known known(shape, work("allreduce_nested", kWords, "int32"));
  const Known mean(shape, work("allreduce_nested", kWords, "int32", "mean"));
  const auto members = static_cast<std::int64_t>(known.members());
  unsigned wrapped = 0;
  for (std::uint32_t w = 0; w < kWords; ++w) {
    std::uint64_t sums = 0, means = 0;
    for (unsigned lsb = 0; lsb < 64; lsb += 32) {
      std::int64_t sum = 0;
      for (std::uint32_t m = 0; m < known.members(); ++m) {
        sum += static_cast<std::int32_t>(known.reference.before(m, w) >> lsb);
      }
      wrapped += std::abs(sum) > std::numeric_limits<std::int32_t>::max();
      // The remainder modulo 2^32 from -2^31 on.
      constexpr std::int64_t kModulus = std::int64_t{1} << 32;
      const std::int64_t rest = ((sum + kModulus / 2) % kModulus + kModulus) % kModulus;
      const std::int64_t low = rest - kModulus / 2;
      sums |= static_cast<std::uint64_t>(static_cast<std::uint32_t>(low)) << lsb;
      means |= static_cast<std::uint64_t>(static_cast<std::uint32_t>(low / members)) << lsb;
    }
    CHECK(right(known.reference, 0, w, sums));
    CHECK_FALSE(right(known.reference, 0, w, sums ^ 1));
    CHECK(right(mean.reference, 0, w, means));
  }
  CHECK(wrapped > kWords / 2);
  const Known wide(shape, work("allreduce_nested", kWords, "int64"));
  wrapped = 0;
  for (std::uint32_t w = 0; w < kWords; ++w) {
    __int128 sum = 0;
    for (std::uint32_t m = 0; m < wide.members(); ++m) {
      sum += static_cast<std::int64_t>(wide.reference.before(m, w));
    }
    wrapped += sum > std::numeric_limits<std::int64_t>::max() ||
               sum < std::numeric_limits<std::int64_t>::min();
    CHECK(right(wide.reference, 0, w, static_cast<std::uint64_t>(sum)));
  }
  CHECK(wrapped > 0);
}

TEST_CASE("products of ints keep their low bits; largest and smallest are those of the array") {
  const json shape = boards({2, 2, 1, 1}, 3, 1);
  const Known prod(shape, work("allreduce_flat", 20, "int32", "prod"));
  const Known max(shape, work("allreduce_ring", 20, "int64", "max"));
  const Known min(shape, work("allreduce_flat", 20, "int64", "min"));
  for (std::uint32_t w = 0; w < 20; ++w) {
    std::uint64_t products = 0;
    for (unsigned lsb = 0; lsb < 64; lsb += 32) {
      std::uint64_t product = 1;
      for (std::uint32_t m = 0; m < prod.members(); ++m) {
        product *= prod.reference.before(m, w) >> lsb & 0xFFFFFFFF;
      }
      products |= (product & 0xFFFFFFFF) << lsb;
    }
    CHECK(products != 0);
    CHECK(right(prod.reference, 0, w, products));
    std::vector<std::int64_t> values;
    for (std::uint32_t m = 0; m < max.members(); ++m) {
      values.push_back(static_cast<std::int64_t>(max.reference.before(m, w)));
    }
    std::sort(values.begin(), values.end());
    CHECK(right(max.reference, 0, w, static_cast<std::uint64_t>(values.back())));
    CHECK(right(min.reference, 0, w, static_cast<std::uint64_t>(values.front())));
    CHECK_FALSE(right(min.reference, 0, w, static_cast<std::uint64_t>(values.back())));
  }
}

TEST_CASE("means of fp32 divide the sum in its order, once") {
  const Known known(boards({1, 1, 1, 1}, 3, 1), work("allreduce_nested", 3, "fp32", "mean"));
  const std::vector<const char*> orders = {"((ac)b)", "((ba)c)", "((cb)a)"};
  for (std::uint32_t w = 0; w < 3; ++w) {
    const std::uint64_t sum = sum_of_word(known, orders[w], w);
    std::uint64_t expected = 0;
    for (unsigned lsb = 0; lsb < 64; lsb += 32) {
      const auto mean = static_cast<float>(double{float_at(sum, lsb)} / 3);
      expected |= std::uint64_t{std::bit_cast<std::uint32_t>(mean)} << lsb;
    }
    CHECK(right(known.reference, 0, w, expected));
    CHECK_FALSE(right(known.reference, 0, w, sum));
  }
}

TEST_CASE("a run that ends early has no reference") {
  json workload = work("allreduce_nested", 4);
  workload["steps"] = 1;
  const Known known(boards({2, 1, 1, 1}, 2, 1), workload);
  CHECK(known.reference.words() == 0);
  CHECK(right(known.reference, 0, 0, 0));
  CHECK(right(known.reference, 0, 0, 1));
}
