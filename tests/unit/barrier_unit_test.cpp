// Trees of barrier units against a reference that knows only the times at which nodes entered: a
// barrier is over when its last arrival has gone up and its release has gone down. The
// reference has no counters, pulses or levels.
#include "sim/barrier/barrier_unit.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/random.hpp"

namespace {

using weft::BarrierUnit;
using weft::RandomStream;

/// A tree: node 0 is the root, every other node has a parent of a lower number.
struct Tree {
  std::vector<unsigned> parent, depth;
  std::vector<std::vector<unsigned>> children;
  unsigned deepest = 0;

  /// `nodes` nodes; every parent is drawn among the `reach` newest nodes that may have one more
  /// child, so that small values of it make chains and large ones bushes.
  Tree(unsigned nodes, unsigned arity, unsigned reach, RandomStream& random)
      : parent(nodes), depth(nodes), children(nodes) {
    for (unsigned node = 1; node < nodes; ++node) {
      std::vector<unsigned> open;
      for (unsigned p = node; p-- > 0 && open.size() < reach;) {
        if (children[p].size() < arity) open.push_back(p);
      }
      parent[node] = open[random.below(open.size())];
      depth[node] = depth[parent[node]] + 1;
      children[parent[node]].push_back(node);
      deepest = std::max(deepest, depth[node]);
    }
  }
  unsigned nodes() const { return static_cast<unsigned>(parent.size()); }
};

/// When each node entered, and so when each barrier is released.
class Times {
 public:
  Times(const Tree& tree, unsigned max_flight)
      : tree_(tree), max_flight_(max_flight), entered_(tree.nodes()) {}

  void enter(unsigned node, std::uint64_t cycle) { entered_[node].push_back(cycle); }

  /// First cycle in which every node sees barrier `n` released; far away while a node is missing.
  /// One cycle up for each level to the root, one down for each level of the tree, and one in which
  /// the root's own register takes the release.
  std::uint64_t seen(std::size_t n) const {
    std::uint64_t last = 0;
    for (unsigned node = 0; node < tree_.nodes(); ++node) {
      if (entered_[node].size() <= n) return ~std::uint64_t{0};
      last = std::max(last, entered_[node][n] + tree_.depth[node]);
    }
    return last + tree_.deepest + 1;
  }

  /// Barriers that every node has seen released in `cycle`.
  std::size_t released(std::uint64_t cycle) {
    while (seen(released_) <= cycle) ++released_;
    return released_;
  }
  bool full(unsigned node, std::uint64_t cycle) {
    return entered_[node].size() - released(cycle) == max_flight_;
  }
  std::size_t entered(unsigned node) const { return entered_[node].size(); }

 private:
  const Tree& tree_;
  unsigned max_flight_;
  std::vector<std::vector<std::uint64_t>> entered_;
  std::size_t released_ = 0;
};

std::vector<BarrierUnit> units_of(const Tree& tree, unsigned max_flight) {
  std::vector<BarrierUnit> units;
  for (unsigned node = 0; node < tree.nodes(); ++node) {
    units.emplace_back(
        BarrierUnit::Config{.num_child = static_cast<unsigned>(tree.children[node].size()),
                            .is_root = node == 0,
                            .hold_cycles = tree.deepest - tree.depth[node],
                            .max_flight = max_flight});
  }
  return units;
}

/// One cycle of a whole tree: all read the links, then all step.
void step(const Tree& tree, std::vector<BarrierUnit>& units, const std::vector<char>& enter) {
  std::vector<BarrierUnit::In> in(tree.nodes());
  for (unsigned node = 0; node < tree.nodes(); ++node) {
    in[node].enter = enter[node] != 0;
    in[node].down = node != 0 && units[tree.parent[node]].out().down;
    for (std::size_t c = 0; c < tree.children[node].size(); ++c) {
      if (units[tree.children[node][c]].out().up) {
        in[node].up = static_cast<std::uint8_t>(in[node].up | 1u << c);
      }
    }
  }
  for (unsigned node = 0; node < tree.nodes(); ++node) {
    // An idle unit is skipped, as an engine may do.
    if (units[node].idle() && !in[node].enter && in[node].up == 0 && !in[node].down) continue;
    units[node].step(in[node]);
  }
}

TEST_CASE("trees release every barrier after the last node's arrival has reached the root") {
  RandomStream random(48);
  std::size_t most_in_flight = 0;
  for (unsigned run = 0; run < 300; ++run) {
    const auto draw = [&](unsigned bound) {
      return 1 + static_cast<unsigned>(random.below(bound));
    };
    const unsigned max_flight = draw(15);
    const unsigned nodes = run % 10 == 0 ? 1 : draw(40);
    const Tree tree(nodes, draw(8), draw(40), random);
    CAPTURE(run);
    CAPTURE(tree.nodes());
    CAPTURE(tree.deepest);
    CAPTURE(max_flight);
    std::vector<BarrierUnit> units = units_of(tree, max_flight);
    Times times(tree, max_flight);
    // Different nodes are slow at different times, so that the others run ahead of them.
    std::vector<double> eager(tree.nodes());
    std::vector<char> enter(tree.nodes());
    for (std::uint64_t cycle = 0; cycle < 1000; ++cycle) {
      if (cycle % 100 == 0) {
        constexpr double kRates[] = {0.02, 0.3, 1.0};
        for (double& rate : eager) rate = kRates[random.below(std::size(kRates))];
      }
      const std::size_t released = times.released(cycle);
      for (unsigned node = 0; node < tree.nodes(); ++node) {
        REQUIRE(units[node].out().count == released);
        REQUIRE(units[node].out().full == times.full(node, cycle));
        most_in_flight = std::max(most_in_flight, times.entered(node) - released);
        enter[node] = !times.full(node, cycle) && random.chance(eager[node]) ? 1 : 0;
      }
      for (unsigned node = 0; node < tree.nodes(); ++node) {
        if (enter[node] != 0) times.enter(node, cycle);
      }
      step(tree, units, enter);
    }
    CHECK(times.released(1000) > 0);
  }
  CHECK(most_in_flight == 15);
}

TEST_CASE("a barrier that all enter at once takes twice the depth of the tree and one cycle") {
  RandomStream random(0);
  const Tree tree(73, 8, 73, random);
  const std::vector<char> all(tree.nodes(), 1), none(tree.nodes(), 0);
  std::vector<BarrierUnit> units = units_of(tree, 1);
  for (unsigned cycle = 0; cycle <= 2 * tree.deepest; ++cycle) {
    for (const BarrierUnit& unit : units) REQUIRE(unit.out().count == 0);
    step(tree, units, cycle == 0 ? all : none);
  }
  for (const BarrierUnit& unit : units) {
    CHECK(unit.out().count == 1);
    CHECK(!unit.out().full);
  }
  // The last release is still on the links of the deepest nodes; after it all is quiet.
  step(tree, units, none);
  for (const BarrierUnit& unit : units) CHECK(unit.idle());
}

TEST_CASE("an idle unit does not change, and reset clears everything") {
  RandomStream random(67);
  BarrierUnit unit({.num_child = 1, .is_root = true, .hold_cycles = 3, .max_flight = 2});
  unsigned idle = 0, busy = 0, child = 0;
  std::uint32_t before = 0;
  for (unsigned cycle = 0; cycle < 10'000; ++cycle) {
    if (unit.idle()) {
      // A copy is stepped; its outputs must equal those of the idle unit at any time.
      BarrierUnit copy = unit;
      for (unsigned i = 0; i < 5; ++i) {
        const BarrierUnit::Out out = copy.step({});
        REQUIRE((!out.up && !out.down && out.count == unit.out().count));
        REQUIRE(out.full == unit.out().full);
      }
      ++idle;
    } else {
      ++busy;
    }
    if (unit.out().down) --child;
    BarrierUnit::In in;
    in.enter = !unit.out().full && random.chance(0.2);
    in.up = child < 2 && random.chance(0.2) ? 1 : 0;
    child += in.up;
    unit.step(in);
    before = std::max(before, unit.out().count);
  }
  CHECK(idle > 100);
  CHECK(busy > 100);
  CHECK(before > 100);
  unit.reset();
  CHECK(unit.idle());
  CHECK(unit.out().count == 0);
  CHECK(!unit.out().full);
  // Nothing of before the reset is left: one arrival of each part, one barrier.
  unit.step({.enter = true});
  CHECK(!unit.out().down);
  unit.step({.up = 1});
  CHECK(unit.out().down);
}

TEST_CASE("figures out of range are refused") {
  CHECK_NOTHROW(BarrierUnit({.num_child = 8, .hold_cycles = 255, .max_flight = 15}));
  CHECK_THROWS_AS(BarrierUnit({.num_child = 9}), weft::ConfigError);
  CHECK_THROWS_AS(BarrierUnit({.hold_cycles = 8192}), weft::ConfigError);
  CHECK_THROWS_AS(BarrierUnit({.max_flight = 0}), weft::ConfigError);
  CHECK_THROWS_AS(BarrierUnit({.max_flight = 16}), weft::ConfigError);
}

}  // namespace
