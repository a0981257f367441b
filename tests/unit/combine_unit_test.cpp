// Trees of combine units against a reference that knows values and times only: each word of a
// result is computed from the list of all contributions in the order of the tree, in wider numbers,
// and ends when the latest of them can have been there. It has no buffers, credits or pipelines.
#include "sim/combine/combine_unit.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/random.hpp"

namespace {

using weft::CombineOrder;
using weft::CombineUnit;
using weft::RandomStream;
using weft::ReduceOp;
using weft::ReduceType;

constexpr std::uint32_t kWords = 2048;  // Memory of a node.

/// A tree: node 0 is the root; parents have lower numbers.
struct Tree {
  std::vector<unsigned> parent, depth;
  std::vector<std::vector<unsigned>> children;

  /// Every parent is drawn among the `reach` newest nodes with less than two children.
  Tree(unsigned nodes, unsigned reach, RandomStream& random)
      : parent(nodes), depth(nodes), children(nodes) {
    for (unsigned node = 1; node < nodes; ++node) {
      std::vector<unsigned> open;
      for (unsigned p = node; p-- > 0 && open.size() < reach;) {
        if (children[p].size() < 2) open.push_back(p);
      }
      parent[node] = open[random.below(open.size())];
      depth[node] = depth[parent[node]] + 1;
      children[parent[node]].push_back(node);
    }
  }
  unsigned nodes() const { return static_cast<unsigned>(parent.size()); }
  /// All nodes, a node before its children and the first child's before the second's.
  void list(unsigned node, std::vector<unsigned>& order) const {
    order.push_back(node);
    for (const unsigned child : children[node]) list(child, order);
  }
};

/// The units of a tree, their links and their nodes' memories.
class Machine {
 public:
  std::vector<std::vector<std::uint64_t>> memory;

  explicit Machine(const Tree& tree)
      : memory(tree.nodes(), std::vector<std::uint64_t>(kWords)), tree_(tree), read_(tree.nodes()) {
    for (unsigned n = 0; n < tree.nodes(); ++n) {
      units_.emplace_back(CombineUnit::Config{
          .num_child = static_cast<unsigned>(tree.children[n].size()), .is_root = n == 0});
    }
  }

  const CombineUnit::Out& out(unsigned node) const { return units_[node].out(); }

  /// One cycle: all read links and memories, then all step. `orders[n]`: what node n posts.
  void step(const std::vector<const CombineOrder*>& orders) {
    std::vector<CombineUnit::In> in(tree_.nodes());
    for (unsigned n = 0; n < tree_.nodes(); ++n) {
      if (orders[n] != nullptr) {
        in[n].post = true;
        in[n].order = *orders[n];
      }
      in[n].mem_rdata.word[0] = read_[n];
      const CombineUnit::Out& out = units_[n].out();
      if (out.mem_ren) read_[n] = memory[n].at(out.mem_raddr);
      if (out.mem_wen) memory[n].at(out.mem_waddr) = out.mem_wdata.word[0];
      for (std::size_t c = 0; c < tree_.children[n].size(); ++c) {
        const unsigned child = tree_.children[n][c];
        in[n].up[c] = units_[child].out().up;
        in[child].down = out.down;
        in[child].credit = (out.credit >> c & 1) != 0;
      }
    }
    for (unsigned n = 0; n < tree_.nodes(); ++n) units_[n].step(in[n]);
  }

 private:
  const Tree& tree_;
  std::vector<CombineUnit> units_;
  std::vector<std::uint64_t> read_;  // The word that each unit gets in this cycle.
};

// The result of elements of `width` bits as integers with a sign.
std::uint64_t of_ints(const CombineOrder& order, unsigned width, std::vector<std::int64_t> all) {
  __int128 sum = 0;
  std::uint64_t product = 1;
  for (const std::int64_t x : all) {
    sum += x;
    product *= static_cast<std::uint64_t>(x);
  }
  std::uint64_t result = product;
  if (order.op == ReduceOp::kStore) result = static_cast<std::uint64_t>(all.back());
  if (order.op == ReduceOp::kSum) result = static_cast<std::uint64_t>(sum);
  if (order.op == ReduceOp::kMean) result = static_cast<std::uint64_t>(sum / order.count);
  std::sort(all.begin(), all.end());
  if (order.op == ReduceOp::kMax) result = static_cast<std::uint64_t>(all.back());
  if (order.op == ReduceOp::kMin) result = static_cast<std::uint64_t>(all.front());
  return width == 64 ? result : result & 0xffffffff;
}

// The result of floating-point elements whose sums and products double holds exactly.
std::uint64_t of_floats(const CombineOrder& order, std::vector<double> all) {
  double sum = 0, product = 1;
  for (const double x : all) {
    sum += x;
    product *= x;
  }
  double result = product;
  if (order.op == ReduceOp::kStore) result = all.back();
  if (order.op == ReduceOp::kSum) result = sum;
  if (order.op == ReduceOp::kMean) result = sum / order.count;
  std::sort(all.begin(), all.end());
  if (order.op == ReduceOp::kMax) result = all.back();
  if (order.op == ReduceOp::kMin) result = all.front();
  return std::bit_cast<std::uint32_t>(static_cast<float>(result));
}

/// One word of the result of the words that the nodes contribute, in their order.
std::uint64_t expected(const CombineOrder& order, const std::vector<std::uint64_t>& words) {
  if (words.empty()) return 0;
  if (order.type == ReduceType::kInt64) {
    return of_ints(order, 64, {words.begin(), words.end()});
  }
  std::uint64_t result = 0;
  for (const unsigned lsb : {0u, 32u}) {
    std::vector<std::int64_t> ints;
    std::vector<double> floats;
    for (const std::uint64_t word : words) {
      const auto half = static_cast<std::uint32_t>(word >> lsb);
      ints.push_back(static_cast<std::int32_t>(half));
      floats.push_back(std::bit_cast<float>(half));
    }
    result |=
        (order.type == ReduceType::kFp32 ? of_floats(order, floats) : of_ints(order, 32, ints))
        << lsb;
  }
  return result;
}

// Products of floating-point numbers are of powers of two, which the exponent holds.
std::uint64_t random_word(const CombineOrder& order, RandomStream& random) {
  if (order.type == ReduceType::kInt64) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(random.below(2'000'001)) - 999'999);
  }
  std::uint64_t word = 0;
  for (const unsigned lsb : {0u, 32u}) {
    const auto number = static_cast<std::int32_t>(random.below(2'001)) - 1'000;
    const float power = random.chance(0.5) ? 2.0f : -0.5f;
    const float real = order.op == ReduceOp::kProd ? power : static_cast<float>(number) + 0.5f;
    const std::uint32_t bits = order.type == ReduceType::kFp32 ? std::bit_cast<std::uint32_t>(real)
                                                               : std::uint32_t(number);
    word |= std::uint64_t{bits} << lsb;
  }
  return word;
}

CombineOrder random_order(RandomStream& random, std::uint32_t nodes, std::uint32_t most_words) {
  CombineOrder order;
  order.op = ReduceOp{static_cast<std::uint8_t>(random.below(weft::kReduceOps))};
  order.type = ReduceType{static_cast<std::uint8_t>(random.below(weft::kReduceTypes))};
  order.len = static_cast<std::uint32_t>(1 + random.below(most_words));
  order.count = nodes;
  return order;
}

std::string text(const CombineOrder& order, unsigned nodes) {
  return fmt::format("op {} type {} words {} nodes {}", int(order.op), int(order.type), order.len,
                     nodes);
}

TEST_CASE("a combining tree leaves the reduction of what all nodes contribute") {
  RandomStream random(16);
  constexpr unsigned kOrders = 6;
  constexpr std::uint32_t kMost = 60, kTo = kOrders * kMost;
  std::uint64_t compared = 0, alone = 0, nothing = 0;
  for (unsigned run = 0; run < 150; ++run) {
    const unsigned nodes = 1 + static_cast<unsigned>(random.below(24));
    const Tree tree(nodes, 1 + static_cast<unsigned>(random.below(8)), random);
    Machine machine(tree);
    std::vector<std::vector<CombineOrder>> orders(nodes);
    const double silent = random.chance(0.3) ? 0.9 : 0.2;
    std::vector<CombineOrder> all;
    for (unsigned k = 0; k < kOrders; ++k) {
      all.push_back(random_order(random, nodes, kMost));
      for (unsigned n = 0; n < nodes; ++n) {
        CombineOrder own = all.back();
        own.addr = k * kMost;
        own.to = kTo + k * kMost;
        own.silent = random.chance(silent);
        own.discard = random.chance(0.2);
        orders[n].push_back(own);
        for (std::uint32_t w = 0; w < own.len; ++w) {
          machine.memory[n][own.addr + w] = random_word(own, random);
        }
      }
    }
    std::vector<unsigned> posted(nodes);
    const double rate = random.chance(0.5) ? 1 : 0.02;
    for (unsigned cycle = 0;; ++cycle) {
      REQUIRE_MESSAGE(cycle < 20'000, "run ", run, " does not end");
      std::vector<const CombineOrder*> posts(nodes);
      bool over = true;
      for (unsigned n = 0; n < nodes; ++n) {
        over = over && machine.out(n).done == kOrders;
        if (posted[n] == kOrders || machine.out(n).full || !random.chance(rate)) continue;
        posts[n] = &orders[n][posted[n]++];
      }
      if (over) break;
      machine.step(posts);
    }
    std::vector<unsigned> in_order;
    tree.list(0, in_order);
    for (unsigned k = 0; k < kOrders; ++k) {
      for (std::uint32_t w = 0; w < all[k].len; ++w) {
        std::vector<std::uint64_t> words;
        for (const unsigned n : in_order) {
          if (!orders[n][k].silent) words.push_back(machine.memory[n][k * kMost + w]);
        }
        const std::uint64_t right = expected(all[k], words);
        alone += words.size() == 1;
        nothing += words.empty();
        for (unsigned n = 0; n < nodes; ++n) {
          const std::uint64_t found = machine.memory[n][kTo + k * kMost + w];
          CHECK_MESSAGE(found == (orders[n][k].discard ? 0 : right), "run ", run, " node ", n,
                        " order ", k, " word ", w, ": ", text(all[k], nodes));
          ++compared;
        }
      }
    }
  }
  CHECK(compared > 100'000);
  CHECK(alone > 1'000);
  CHECK(nothing > 1'000);
}

/// Cycles from the combination of a word in a node to the link towards its parent: products and
/// floating-point sums take five for each child (rtl/combine/README.md).
unsigned latency(const CombineOrder& order, const Tree& tree, unsigned node) {
  const bool adds = order.op == ReduceOp::kSum || order.op == ReduceOp::kMean;
  const bool slow = order.op == ReduceOp::kProd || (adds && order.type == ReduceType::kFp32);
  const auto children = static_cast<unsigned>(tree.children[node].size());
  return slow && children != 0 ? 5 * children : 1;
}

TEST_CASE("a word a cycle comes out of a combining tree after the latest node's first word") {
  RandomStream random(17);
  for (unsigned run = 0; run < 200; ++run) {
    const unsigned nodes = 1 + static_cast<unsigned>(random.below(40));
    const Tree tree(nodes, 1 + static_cast<unsigned>(random.below(8)), random);
    Machine machine(tree);
    const CombineOrder order = random_order(random, nodes, 300);
    std::vector<unsigned> post(nodes);
    const unsigned spread = random.chance(0.3) ? 1 : 400;
    for (unsigned& cycle : post) cycle = static_cast<unsigned>(random.below(spread));

    // Read two cycles after the post, at the unit one later; then from unit to unit.
    unsigned first = 0;
    for (unsigned n = 0; n < nodes; ++n) {
      unsigned there = post[n] + 3;
      for (unsigned at = n; at != 0; at = tree.parent[at]) there += latency(order, tree, at);
      first = std::max(first, there);
    }
    const unsigned stored = first + latency(order, tree, 0) + 1 +
                            (order.op == ReduceOp::kMean ? 18 : 0) + order.len - 1;
    std::vector<unsigned> ends(nodes);
    for (unsigned cycle = 0; cycle < stored + nodes + 10; ++cycle) {
      std::vector<const CombineOrder*> posts(nodes);
      for (unsigned n = 0; n < nodes; ++n) {
        if (post[n] == cycle) posts[n] = &order;
        if (ends[n] == 0 && machine.out(n).done == 1) ends[n] = cycle;
      }
      machine.step(posts);
    }
    for (unsigned n = 0; n < nodes; ++n) {
      CHECK_MESSAGE(ends[n] == stored + tree.depth[n] + 1, "run ", run, " node ", n, ": ",
                    text(order, nodes));
    }
  }
}

TEST_CASE("a combine unit refuses what it cannot be built with") {
  CHECK_THROWS_AS(CombineUnit({.num_child = 3}), weft::ConfigError);
  CHECK_THROWS_AS(CombineUnit({.depth = 1}), weft::ConfigError);
  CHECK_THROWS_AS(CombineUnit({.depth = 257}), weft::ConfigError);
}

}  // namespace
