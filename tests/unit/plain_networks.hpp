// Networks and their routes as seeds 001 and 004 define them, as plain lists and loops: the
// reference of topologies, route units and static figures. Nothing here calls the code under test.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace weft::plain {

/// One hop: from a vertex by an out-port to another vertex, on one of the VCs `low` to `high` - 1.
struct Hop {
  unsigned from = 0, port = 0, to = 0, low = 0, high = 1;
};

/// Vertices 0 to nodes - 1 are nodes: with their routers, or, where `staged`, with switches after
/// them. A staged route begins with the hop from the node and ends with the hop to the node.
class Net {
 public:
  virtual ~Net() = default;
  unsigned nodes = 0, vertices = 0;
  bool staged = false;

  /// All routes between two nodes: one, or both ways where a rule has to choose.
  virtual std::vector<std::vector<Hop>> routes(unsigned src, unsigned dst, unsigned vcs) const = 0;
  /// Out-ports of a vertex and where they lead.
  virtual std::vector<std::pair<unsigned, unsigned>> outs(unsigned vertex) const = 0;

  std::uint64_t distance(const std::vector<Hop>& route) const {
    return route.size() - (staged ? 1 : 0);
  }
};

/// Seed 001, 2 and 3: columns x, planes y; a plane's cross link of column x inverts bit x and goes
/// on `delta` columns. The node of column x and ring y is x + columns * y, the digits of several
/// planes one after the other in y.
class Dce : public Net {
 public:
  struct Plane {
    unsigned bits, delta;
  };
  Dce(unsigned columns, std::vector<Plane> planes, unsigned rings = 1)
      : n(columns), planes_(std::move(planes)), rings_(rings) {
    unsigned bits = 0;
    for (const Plane& p : planes_) bits += p.bits;
    nodes = vertices = n << bits;
    for (address_bits_ = 0; 1u << address_bits_ < n;) ++address_bits_;
  }

  /// Where the cross link of a plane leads, or nodes where there is none.
  unsigned across(unsigned node, unsigned plane) const {
    const unsigned x = node % n;
    unsigned y = node / n, first = 0;
    if (x >= planes_[plane].bits) return nodes;
    for (unsigned p = 0; p < plane; ++p) first += planes_[p].bits;
    const bool set = y / (1u << (first + x)) % 2 != 0;
    y = set ? y - (1u << (first + x)) : y + (1u << (first + x));
    return (x + planes_[plane].delta) % n + n * y;
  }
  unsigned address(unsigned node) const { return node % n + (node / n << address_bits_); }

  /// The bit test of 3.3; the class is the times round, the first step not counted.
  std::vector<Hop> route(unsigned src, unsigned dst, unsigned vcs) const {
    std::vector<Hop> hops;
    unsigned at = src, round = 0;
    while (at != dst && hops.size() < 4 * nodes) {
      const unsigned x = at % n;
      unsigned port = rings_ == 1 ? 0 : address(dst) % rings_, step = 1;
      unsigned to = at - x + (x + 1) % n;
      unsigned here = at / n, there = dst / n;
      for (unsigned p = 0; p < planes_.size(); ++p) {
        const unsigned span = 1u << planes_[p].bits;
        if (x < planes_[p].bits && (here % span >> x) % 2 != (there % span >> x) % 2) {
          port = rings_ + p;
          to = across(at, p);
          step = planes_[p].delta;
          break;
        }
        here /= span;
        there /= span;
      }
      if (!hops.empty() && x + step >= n) ++round;
      hops.push_back({at, port, to, std::min(round, vcs - 1), std::min(round, vcs - 1) + 1});
      at = to;
    }
    return hops;
  }
  std::vector<std::vector<Hop>> routes(unsigned s, unsigned t, unsigned vcs) const override {
    return {route(s, t, vcs)};
  }
  std::vector<std::pair<unsigned, unsigned>> outs(unsigned at) const override {
    std::vector<std::pair<unsigned, unsigned>> list;
    for (unsigned p = 0; p < rings_; ++p)
      list.emplace_back(p, at / n * n + (at + 1 - at / n * n) % n);
    for (unsigned p = 0; p < planes_.size(); ++p) {
      if (across(at, p) < nodes) list.emplace_back(rings_ + p, across(at, p));
    }
    return list;
  }

  unsigned n;

 private:
  std::vector<Plane> planes_;
  unsigned rings_, address_bits_ = 0;
};

/// Seed 004: dimension order, on rings the shorter way, VCs in two halves by the dateline.
class Grid : public Net {
 public:
  Grid(std::vector<unsigned> sizes, bool torus) : sizes_(std::move(sizes)), torus_(torus) {
    nodes = vertices =
        std::accumulate(sizes_.begin(), sizes_.end(), 1u, [](auto a, auto b) { return a * b; });
  }

  std::vector<std::vector<Hop>> routes(unsigned s, unsigned t, unsigned vcs) const override {
    return {route(s, t, vcs, false), route(s, t, vcs, true)};
  }
  std::vector<std::pair<unsigned, unsigned>> outs(unsigned at) const override {
    std::vector<std::pair<unsigned, unsigned>> list;
    unsigned stride = 1, port = 0;
    for (const unsigned k : sizes_) {
      const unsigned x = at / stride % k;
      if (k > 1) {
        if (torus_ || x + 1 < k) list.emplace_back(port, at - x * stride + (x + 1) % k * stride);
        if (torus_ || x > 0)
          list.emplace_back(port + 1, at - x * stride + (x + k - 1) % k * stride);
        port += 2;
      }
      stride *= k;
    }
    return list;
  }

 private:
  std::vector<Hop> route(unsigned src, unsigned dst, unsigned vcs, bool tie_up) const {
    std::vector<Hop> hops;
    unsigned at = src, stride = 1, port = 0;
    for (const unsigned k : sizes_) {
      const unsigned s = src / stride % k, t = dst / stride % k;
      const unsigned ahead = (t + k - s) % k;
      const bool up = torus_ ? 2 * ahead < k || (2 * ahead == k && tie_up) : t > s;
      const bool round = torus_ && (up ? t < s : t > s);
      bool passed = false;
      for (unsigned x = s; x != t;) {
        const unsigned y = up ? (x + 1) % k : (x + k - 1) % k;
        Hop hop{at, port + (up ? 0 : 1), at - x * stride + y * stride, 0, vcs};
        if (torus_ && vcs > 1 && round && !passed) hop.high = vcs / 2;
        if (torus_ && vcs > 1 && (!round || passed)) hop.low = vcs / 2;
        passed = passed || (up ? y == 0 : y == k - 1);
        hops.push_back(hop);
        at = hop.to;
        x = y;
      }
      stride *= k;
      if (k > 1) port += 2;
    }
    return hops;
  }

  std::vector<unsigned> sizes_;
  bool torus_;
};

/// Switches of a fat tree, vertex nodes + (level - 1) * nodes / 2 + index; ports 0 and 1 up.
class FatTree : public Net {
 public:
  explicit FatTree(unsigned l) : levels(l) {
    staged = true;
    nodes = 1u << levels;
    vertices = nodes + levels * nodes / 2;
  }
  unsigned at(unsigned level, unsigned index) const {
    return nodes + (level - 1) * (nodes / 2) + index;
  }
  std::vector<std::pair<unsigned, unsigned>> outs(unsigned v) const override {
    if (v < nodes) return {{0, at(1, v / 2)}};
    const unsigned level = (v - nodes) / (nodes / 2) + 1, index = (v - nodes) % (nodes / 2);
    std::vector<std::pair<unsigned, unsigned>> list;
    // This index with the bit of a level set to `value`.
    const auto pair = [&](unsigned bit, unsigned value) {
      return index / (2 * bit) * (2 * bit) + index % bit + value * bit;
    };
    for (unsigned u = 0; u < 2 && level < levels; ++u) {
      list.emplace_back(u, at(level + 1, pair(1u << (level - 1), u)));
    }
    for (unsigned c = 0; c < 2; ++c) {
      list.emplace_back(2 + c,
                        level == 1 ? 2 * index + c : at(level - 1, pair(1u << (level - 2), c)));
    }
    return list;
  }
  /// Up until the destination lies below, down to it: the subtree of a switch of level h is the
  /// nodes with one quotient by 2^h.
  std::vector<std::vector<Hop>> routes(unsigned s, unsigned t, unsigned vcs) const override {
    unsigned top = 1;
    while (s >> top != t >> top) ++top;
    std::vector<Hop> hops = {{s, 0, at(1, s / 2), 0, vcs}};
    unsigned level = 1;
    const auto step = [&](unsigned port) {
      for (const auto& [p, to] : outs(hops.back().to)) {
        if (p != port) continue;
        hops.push_back({hops.back().to, port, to, 0, vcs});
        return;
      }
    };
    for (; level < top; ++level) step(t >> (level - 1) & 1);
    for (; level >= 1; --level) step(2 + (t >> (level - 1) & 1));
    return {hops};
  }
  unsigned levels;
};

/// Lawrie's omega network: before each stage i -> 2 i modulo (nodes - 1), the last to itself.
class Omega : public Net {
 public:
  explicit Omega(unsigned l) : levels(l) {
    staged = true;
    nodes = 1u << levels;
    vertices = nodes + levels * nodes / 2;
  }
  unsigned shuffle(unsigned i) const { return i == nodes - 1 ? i : 2 * i % (nodes - 1); }
  unsigned at(unsigned stage, unsigned index) const { return nodes + stage * (nodes / 2) + index; }
  std::vector<std::pair<unsigned, unsigned>> outs(unsigned v) const override {
    if (v < nodes) return {{0, at(0, shuffle(v) / 2)}};
    const unsigned stage = (v - nodes) / (nodes / 2), index = (v - nodes) % (nodes / 2);
    std::vector<std::pair<unsigned, unsigned>> list;
    for (unsigned o = 0; o < 2; ++o) {
      const unsigned line = 2 * index + o;
      if (stage + 1 == levels) {
        list.emplace_back(2 + o, line);
      } else {
        list.emplace_back(o, at(stage + 1, shuffle(line) / 2));
      }
    }
    return list;
  }
  std::vector<std::vector<Hop>> routes(unsigned s, unsigned t, unsigned vcs) const override {
    std::vector<Hop> hops = {{s, 0, at(0, shuffle(s) / 2), 0, vcs}};
    for (unsigned stage = 0; stage < levels; ++stage) {
      const unsigned bit = t >> (levels - 1 - stage) & 1;
      const auto out = outs(hops.back().to)[bit];
      hops.push_back({hops.back().to, out.first, out.second, 0, vcs});
    }
    return {hops};
  }
  unsigned levels;
};

/// What static figures there are, from all pairs.
struct Figures {
  std::uint64_t diameter = 0;
  double mean = 0, shortest = 0;
};

inline Figures figures_of(const Net& net) {
  Figures figures;
  std::uint64_t sum = 0, shortest = 0;
  for (unsigned s = 0; s < net.nodes; ++s) {
    for (unsigned t = 0; t < net.nodes; ++t) {
      const auto far = net.distance(net.routes(s, t, 1).front());
      sum += far;
      figures.diameter = std::max(figures.diameter, far);
    }
    // Vertices in the order of their distance. Nodes of stages are ends, the source's own too.
    std::vector<unsigned> hops(net.vertices, ~0u);
    std::deque<unsigned> queue = {s};
    if (!net.staged) hops[s] = 0;
    for (bool first = true; !queue.empty(); first = false) {
      const unsigned at = queue.front();
      queue.pop_front();
      if (net.staged && at < net.nodes && !first) continue;
      for (const auto& [port, to] : net.outs(at)) {
        if (hops[to] != ~0u) continue;
        hops[to] = first ? 1 : hops[at] + 1;
        queue.push_back(to);
      }
    }
    for (unsigned t = 0; t < net.nodes; ++t) shortest += hops[t] - (net.staged ? 1 : 0);
  }
  const double pairs = double(net.nodes) * net.nodes;
  figures.mean = double(sum) / pairs;
  figures.shortest = double(shortest) / pairs;
  return figures;
}

/// A channel: vertex, out-port, VC.
using Channel = std::tuple<unsigned, unsigned, unsigned>;
/// Each channel with those that a packet may wait for while it holds it.
using Waits = std::map<Channel, std::vector<Channel>>;

/// With `vcs` VCs on each link.
inline Waits waits_of(const Net& net, unsigned vcs) {
  Waits waits;
  for (unsigned s = 0; s < net.nodes; ++s) {
    for (unsigned t = 0; t < net.nodes; ++t) {
      for (const auto& route : net.routes(s, t, vcs)) {
        for (std::size_t i = 0; i < route.size(); ++i) {
          const Hop& hop = route[i];
          for (unsigned v = hop.low; v < hop.high; ++v) {
            auto& list = waits[{hop.from, hop.port, v}];
            if (i + 1 == route.size()) continue;
            for (unsigned w = route[i + 1].low; w < route[i + 1].high; ++w) {
              list.emplace_back(route[i + 1].from, route[i + 1].port, w);
            }
          }
        }
      }
    }
  }
  for (auto& [channel, list] : waits) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return waits;
}

/// Peels channels that wait for none: what is left over lies on a cycle or waits for one.
inline bool cyclic(const Waits& waits) {
  std::map<Channel, std::vector<Channel>> waiting;
  std::map<Channel, std::size_t> left;
  std::vector<Channel> done;
  for (const auto& [channel, list] : waits) {
    left[channel] = list.size();
    if (list.empty()) done.push_back(channel);
    for (const Channel& c : list) waiting[c].push_back(channel);
  }
  for (std::size_t i = 0; i < done.size(); ++i) {
    for (const Channel& c : waiting[done[i]]) {
      if (--left[c] == 0) done.push_back(c);
    }
  }
  return done.size() != waits.size();
}

inline unsigned vcs_needed(const Net& net) {
  unsigned vcs = 1;
  while (cyclic(waits_of(net, vcs))) ++vcs;
  return vcs;
}

}  // namespace weft::plain
