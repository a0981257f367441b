// The order of A2AT (seed 004, 3.1 and 3.2), as the native driver sends: against the paper's loops,
// and by adding up how many messages pass each link of a torus.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "tests/unit/driver_runs.hpp"

namespace {

using namespace weft;
using namespace weft::drivers;

using Sizes = std::vector<std::uint32_t>;
using Offset = std::vector<int>;

Offset digits_of(const Sizes& dims, std::uint32_t rank) {
  Offset result;
  for (const std::uint32_t size : dims) {
    result.push_back(static_cast<int>(rank % size));
    rank /= size;
  }
  return result;
}

/// Offsets of a node's messages in the order of sending, each in -(k - 1) / 2 .. k / 2.
std::vector<Offset> order(const Sizes& dims, std::uint32_t rank,
                          std::uint32_t sync = WEFT_SYNC_NONE) {
  const Case c{"a2at", dims, 0, 0, sync, 1, {8, 1, 1}};
  std::string failure;
  const auto sent = run_native(c, failure);
  REQUIRE(failure == "");
  const auto where = addresses(c);
  const Offset from = digits_of(dims, rank);
  std::vector<Offset> result;
  for (const ideal::Sent& message : sent[rank]) {
    if (message.descriptor.tag != 0) continue;
    const auto found = std::find(where.begin(), where.end(), message.descriptor.dst);
    Offset offset = digits_of(dims, static_cast<std::uint32_t>(found - where.begin()));
    for (std::size_t d = 0; d < dims.size(); ++d) {
      const int size = static_cast<int>(dims[d]);
      offset[d] = (offset[d] - from[d] + size) % size;
      if (2 * offset[d] > size) offset[d] -= size;
    }
    result.push_back(offset);
  }
  return result;
}

/// The paper's loops, written as it prints them.
std::vector<Offset> paper(int n) {
  std::vector<Offset> result;
  const auto send = [&](int i, int j) { result.push_back({i, j}); };
  for (int i = 1; i <= (n - 1) / 2; ++i) {
    send(i, 0), send(0, i);
    send(-i, 0), send(0, -i);
    send(i, i), send(-i, -i);
    send(i, -i), send(-i, i);
  }
  for (int i = 1; i <= (n - 1) / 2; ++i) {
    for (int j = 1; j < i; ++j) {
      send(i, j), send(-j, -i);
      send(j, i), send(-i, -j);
      send(i, -j), send(-j, i);
      send(j, -i), send(-i, j);
    }
  }
  return result;
}

/// What is wrong with an order as a set of offsets: each but 0 exactly once.
std::string check_once(const Sizes& dims, const std::vector<Offset>& offsets) {
  const std::uint32_t nodes =
      std::accumulate(dims.begin(), dims.end(), 1U, std::multiplies<std::uint32_t>());
  std::set<Offset> seen(offsets.begin(), offsets.end());
  if (seen.contains(Offset(dims.size(), 0))) return "to itself";
  if (seen.size() != offsets.size()) return "a node twice";
  return seen.size() == nodes - 1 ? "" : "a node not at all";
}

/// Messages on each directed link of a torus, in halves of a message, after all nodes have sent the
/// messages `first` to `last` - 1: shortest paths, x first, half of the messages each way where
/// both are equally short. Links by rank, dimension, direction.
std::vector<int> link_load(const Sizes& dims, const std::vector<Offset>& offsets, std::size_t first,
                           std::size_t last) {
  std::uint32_t nodes = 1;
  for (const std::uint32_t size : dims) nodes *= size;
  std::vector<int> load(nodes * dims.size() * 2, 0);
  for (std::uint32_t rank = 0; rank < nodes; ++rank) {
    for (std::size_t m = first; m < last; ++m) {
      std::uint32_t at = rank, stride = 1;
      for (std::size_t d = 0; d < dims.size(); ++d) {
        const std::uint32_t size = dims[d];
        const int hops = offsets[m][d];
        const bool tie = 2 * hops == static_cast<int>(size);
        const auto walk = [&](int direction, int weight) {
          std::uint32_t here = at;
          for (int h = 0; h < std::abs(hops); ++h) {
            load[(here * dims.size() + d) * 2 + (direction < 0)] += weight;
            const std::uint32_t digit = here / stride % size;
            const std::uint32_t next =
                (digit + size + static_cast<std::uint32_t>(direction)) % size;
            here = here + next * stride - digit * stride;
          }
          return here;
        };
        std::uint32_t there = at;
        if (tie) {
          there = walk(1, 1);
          walk(-1, 1);
        } else if (hops != 0) {
          there = walk(hops > 0 ? 1 : -1, 2);
        }
        at = there;
        stride *= size;
      }
    }
  }
  return load;
}

/// Greatest and least load of a link in one dimension, in halves.
std::pair<int, int> range_of(const Sizes& dims, const std::vector<int>& load, std::size_t d) {
  int most = 0, least = INT32_MAX;
  for (std::size_t link = 0; link < load.size(); ++link) {
    if (link / 2 % dims.size() != d) continue;
    most = std::max(most, load[link]);
    least = std::min(least, load[link]);
  }
  return {most, least};
}

/// Load of one link, in halves, in each dimension and direction after each message. A torus looks
/// the same from every node, so that a message loads all links of a direction by its hops there.
std::vector<std::vector<int>> load_over_time(const Sizes& dims, const std::vector<Offset>& order) {
  std::vector<std::vector<int>> result;
  std::vector<int> load(2 * dims.size(), 0);
  for (const Offset& offset : order) {
    for (std::size_t d = 0; d < dims.size(); ++d) {
      const int hops = std::abs(offset[d]);
      const bool tie = 2 * hops == static_cast<int>(dims[d]);
      load[2 * d] += tie ? hops : offset[d] > 0 ? 2 * hops : 0;
      load[2 * d + 1] += tie ? hops : offset[d] < 0 ? 2 * hops : 0;
    }
    result.push_back(load);
  }
  return result;
}

std::string name_of(const Sizes& dims) {
  std::string result;
  for (const std::uint32_t size : dims) {
    result += (result.empty() ? "" : "x") + std::to_string(size);
  }
  return result;
}

}  // namespace

TEST_CASE("A2AT on odd squares is the paper's order") {
  for (int n = 1; n <= 17; n += 2) {
    CAPTURE(n);
    const Sizes dims = {static_cast<std::uint32_t>(n), static_cast<std::uint32_t>(n)};
    const std::uint32_t last = static_cast<std::uint32_t>(n * n) - 1;
    for (const std::uint32_t rank : {0U, last / 2, last}) CHECK((order(dims, rank) == paper(n)));
  }
}

TEST_CASE("A2AT reaches every other node exactly once, from every node in the same order") {
  std::vector<Sizes> all;
  for (std::uint32_t x = 1; x <= 9; ++x) {
    all.push_back({x});
    for (std::uint32_t y = 1; y <= 9; ++y) {
      all.push_back({x, y});
      for (std::uint32_t z = 1; z <= 4 && x <= 4 && y <= 4; ++z) all.push_back({x, y, z});
    }
  }
  for (const Sizes& dims : std::vector<Sizes>{{32},
                                              {33},
                                              {5, 5, 5},
                                              {6, 6, 6},
                                              {7, 3, 7},
                                              {8, 4, 4},
                                              {2, 2, 2, 2},
                                              {3, 3, 3, 3},
                                              {4, 4, 3, 3},
                                              {2, 5, 2, 5},
                                              {3, 3, 2, 2, 2},
                                              {2, 2, 2, 2, 2, 2, 2, 2}}) {
    all.push_back(dims);
  }
  for (const Sizes& dims : all) {
    CAPTURE(name_of(dims));
    const std::vector<Offset> offsets = order(dims, 0);
    CHECK(check_once(dims, offsets) == "");
    const std::uint32_t nodes =
        std::accumulate(dims.begin(), dims.end(), 1U, std::multiplies<std::uint32_t>());
    CHECK((order(dims, nodes / 2) == offsets));
    CHECK((order(dims, nodes - 1, WEFT_SYNC_BARRIER) == offsets));
  }
}

TEST_CASE("odd squares: every link carries the same, phase by phase, and the bound in all") {
  for (int n = 3; n <= 13; n += 2) {
    CAPTURE(n);
    const Sizes dims = {static_cast<std::uint32_t>(n), static_cast<std::uint32_t>(n)};
    const std::vector<Offset> offsets = order(dims, 0);
    // Theory for one controller: a message takes as long as its longer coordinate.
    int time = 0;
    for (const Offset& offset : offsets) {
      time += std::max(std::abs(offset[0]), std::abs(offset[1]));
    }
    CHECK(time == n * (n + 1) * (n - 1) / 3);
    // Groups of four load each link alike, by half of all their hops; so it is in all.
    for (std::size_t m = 0; m < offsets.size(); m += 4) {
      const auto load = link_load(dims, offsets, m, m + 4);
      const int expected = 2 * (std::abs(offsets[m][0]) + std::abs(offsets[m][1]));
      CHECK(*std::max_element(load.begin(), load.end()) == expected);
      CHECK(*std::min_element(load.begin(), load.end()) == expected);
    }
    const auto load = link_load(dims, offsets, 0, offsets.size());
    CHECK(*std::max_element(load.begin(), load.end()) == 2 * n * (n + 1) * (n - 1) / 8);
  }
}

TEST_CASE("any sizes: the links of a dimension carry the same, and dimensions in proportion") {
  for (const Sizes& dims : std::vector<Sizes>{{8},
                                              {9},
                                              {4, 4},
                                              {8, 8},
                                              {8, 4},
                                              {16, 4},
                                              {9, 5},
                                              {12, 8},
                                              {3, 3, 3},
                                              {4, 4, 4},
                                              {5, 5, 5},
                                              {4, 4, 2},
                                              {8, 4, 4},
                                              {8, 8, 4},
                                              {3, 3, 3, 3}}) {
    CAPTURE(name_of(dims));
    const std::vector<Offset> offsets = order(dims, 0);
    const auto load = link_load(dims, offsets, 0, offsets.size());
    const int nodes = static_cast<int>(offsets.size()) + 1;
    bool cube = true;
    for (std::size_t d = 0; d < dims.size(); ++d) {
      const int k = static_cast<int>(dims[d]);
      // Sum of the distances around a ring, for all rings of the dimension; each way half of it, in
      // halves.
      const int expected = nodes / k * (k * k / 4);
      CHECK(range_of(dims, load, d) == std::pair(expected, expected));
      cube = cube && dims[d] == dims[0];
    }
    // How far two directions are apart in the share of their load that they have had, at any time,
    // times the number of messages. In cubes it stays within a group. Where sizes differ a shell is
    // not even in itself, and the last, largest one counts most.
    const auto times = load_over_time(dims, offsets);
    double worst = 0;
    for (const auto& now : times) {
      double most = 0, least = 1;
      for (std::size_t i = 0; i < now.size(); ++i) {
        const double share = static_cast<double>(now[i]) / times.back()[i];
        most = std::max(most, share);
        least = std::min(least, share);
      }
      worst = std::max(worst, most - least);
    }
    MESSAGE("A2AT on " << name_of(dims) << ": directions differ by at most " << worst * (nodes - 1)
                       << " of " << nodes - 1 << " messages in the share of their load");
    CHECK(worst * (nodes - 1) <= (cube ? 3.5 * static_cast<double>(dims.size()) : 0.4 * nodes));
  }
}
