// System boards and their routes as seed 003 defines them, as plain lists and loops (see
// plain_networks.hpp). Routes are computed here corner by corner, without any router.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "tests/unit/plain_networks.hpp"

namespace weft::plain {

/// Units of a board: mains first. Node = unit + units * (w + W * (x + X * (y + Y * z))).
class Boards : public Net {
 public:
  using Sizes = std::array<unsigned, 4>;  ///< W, X, Y, Z.
  Boards(Sizes sizes, unsigned mains, unsigned aggregators, unsigned controllers = 1)
      : m(mains), a(aggregators), controllers_(controllers), sizes_(sizes) {
    nodes = vertices = (m + a) * sizes[0] * sizes[1] * sizes[2] * sizes[3];
  }

  struct Position {
    unsigned unit = 0;
    Sizes at = {};
  };
  Position position(unsigned node) const {
    Position p{node % (m + a), {}};
    node /= m + a;
    for (unsigned d = 0; d < 4; ++d) {
      p.at[d] = node % sizes_[d];
      node /= sizes_[d];
    }
    return p;
  }
  unsigned node(const Position& p) const {
    unsigned n = 0;
    for (unsigned d = 4; d-- > 0;) n = n * sizes_[d] + p.at[d];
    return n * (m + a) + p.unit;
  }

  /// Route of a packet that leaves its source's NIC by `link`; `reversed`: every tie the other way.
  std::vector<Hop> route(unsigned src, unsigned dst, unsigned link, bool reversed,
                         unsigned vcs) const {
    const unsigned half = std::max(1u, vcs / 2), upper = vcs / 2;
    const Position from = position(src), to = position(dst);
    const bool near = from.at[1] == to.at[1] && from.at[2] == to.at[2] && from.at[3] == to.at[3];
    std::vector<Hop> hops;
    unsigned here = src;
    const auto hop = [&](unsigned port, unsigned next, unsigned low, unsigned high) {
      hops.push_back({here, port, next, low, high});
      here = next;
    };
    const auto to_unit = [&](unsigned unit, unsigned low, unsigned high) {
      Position p = position(here);
      p.unit = unit;
      hop(unit < m ? unit : unit - m, node(p), low, high);
    };
    const auto along = [&](unsigned d, unsigned port) {
      Position p = position(here);
      const unsigned k = sizes_[d];
      const unsigned ahead = (to.at[d] + k - from.at[d]) % k, back = (k - ahead) % k;
      const bool up = ahead < back || (ahead == back && (from.at[d] % 2 == 0) != reversed);
      // Digits that the way visits; packets cross the dateline between the last digit and 0.
      std::vector<unsigned> digits;
      for (unsigned i = 1; i <= (up ? ahead : back); ++i) {
        digits.push_back((from.at[d] + (up ? i : k * i - i)) % k);
      }
      const auto line = std::find(digits.begin(), digits.end(), up ? 0 : k - 1);
      bool before = line != digits.end();
      for (const unsigned digit : digits) {
        p.at[d] = digit;
        hop(port + (up ? 0 : 1), node(p), before ? 0 : upper, before ? half : vcs);
        before = before && digit != *line;
      }
    };

    const bool turns = from.unit >= m && to.unit >= m && from.unit != to.unit;
    if (from.unit >= m && (!near || turns)) {
      to_unit(to.unit < m ? to.unit : ((from.unit - m) * controllers_ + link) % m, 0, half);
    }
    if (position(here).unit < m) {
      for (unsigned d = 1; d < 4; ++d) along(d, a + 2 * (d - 1));
      if (here == dst) return hops;
      const bool first = hops.empty();
      to_unit(to.unit < m ? m + (from.unit + to.unit) % a : to.unit, first ? 0 : upper,
              first ? half : vcs);
    }
    along(0, m);
    if (here != dst) to_unit(to.unit, upper, vcs);
    return hops;
  }
  std::vector<std::vector<Hop>> routes(unsigned s, unsigned t, unsigned vcs) const override {
    std::vector<std::vector<Hop>> list;
    for (unsigned link = 0; link < controllers_; ++link) {
      for (const bool reversed : {false, true}) list.push_back(route(s, t, link, reversed, vcs));
    }
    return list;
  }
  std::vector<std::pair<unsigned, unsigned>> outs(unsigned at) const override {
    std::vector<std::pair<unsigned, unsigned>> list;
    const Position here = position(at);
    const bool main = here.unit < m;
    for (unsigned i = 0; i < (main ? a : m); ++i) {
      list.emplace_back(i, at - here.unit + (main ? m + i : i));
    }
    for (unsigned d = main ? 1 : 0; d < (main ? 4u : 1u); ++d) {
      for (unsigned down = 0; down < 2 && sizes_[d] > 1; ++down) {
        Position p = here;
        p.at[d] = (p.at[d] + (down != 0 ? sizes_[d] - 1 : 1)) % sizes_[d];
        list.emplace_back(main ? a + 2 * (d - 1) + down : m + down, node(p));
      }
    }
    return list;
  }

  /// Link into the NIC of `at` of a packet that arrives by in-port `port`: by turns over the ports
  /// that are connected.
  unsigned link_in(unsigned at, unsigned port) const {
    unsigned turn = 0;
    for (const auto& out : outs(at)) turn += out.first < port ? 1 : 0;
    return turn % controllers_;
  }

  unsigned m, a;  ///< Mains and aggregators of a board.

 private:
  unsigned controllers_;
  Sizes sizes_;
};

}  // namespace weft::plain
