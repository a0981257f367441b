// Checks the values on a router's wires against its rules (rtl/router/README.md, vc_router). It
// allocates nothing itself: it checks the grants that the router made. Computes routes on its own.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/router/router_tile.hpp"

namespace weft::rules {

using Config = RouterTileConfig;

/// The digits of an address.
inline std::vector<int> digits_of(const Config& config, std::uint32_t address) {
  std::vector<int> digits;
  for (const std::uint32_t last : config.route.max_coords) {
    std::uint32_t span = 1;
    while (span <= last) span *= 2;
    digits.push_back(static_cast<int>(address % span));
    address /= span;
  }
  return digits;
}
inline std::uint32_t random_address(const Config& config, RandomStream& random) {
  std::uint32_t address = 0, scale = 1;
  for (const std::uint32_t last : config.route.max_coords) {
    address += scale * static_cast<std::uint32_t>(random.below(last + 1));
    std::uint32_t span = 1;
    while (span <= last) span *= 2;
    scale *= span;
  }
  return address;
}

struct Way {
  unsigned port;
  VcSet set;
};

/// Bit `i` of a number, 0 above its highest.
inline unsigned bit_of_number(std::uint32_t number, unsigned i) {
  for (; i > 0; --i) number /= 2;
  return number % 2;
}

/// rtl/router/README.md, route_dce.
inline Way route_by_dce(const Config& config, unsigned port, const Header& header) {
  const auto t = digits_of(config, header.dst), x = digits_of(config, config.own);
  const unsigned planes = static_cast<unsigned>(t.size()) - 1, rings = config.route.num_rings;
  const unsigned links = rings + planes;
  if (t == x) return {port < links ? links + port % config.num_local : port, VcSet::kAny};
  const auto column = static_cast<unsigned>(x[0]);
  unsigned out = header.dst % rings, steps = 1;
  for (unsigned d = planes; d >= 1; --d) {
    const auto a = static_cast<std::uint32_t>(t[d]), b = static_cast<std::uint32_t>(x[d]);
    // Digits have no bits where their largest has none.
    if (bit_of_number(config.route.max_coords[d], column) == 0) continue;
    if (bit_of_number(a, column) == bit_of_number(b, column)) continue;
    out = rings + d - 1;
    steps = config.route.deltas[d];
  }
  VcSet set = column + steps > config.route.max_coords[0] ? VcSet::kNext : VcSet::kSame;
  if (port >= links) set = VcSet::kFirst;
  return {out, config.route.per_dest ? VcSet::kSame : set};
}

/// rtl/router/README.md, route_tree and route_omega.
inline Way route_by_staged(const Config& config, const Header& header) {
  unsigned levels = 0;
  for (std::uint32_t rest = config.route.max_coords[0]; rest > 0; rest /= 2) ++levels;
  const std::uint32_t width = (config.route.max_coords[0] + 1) / 2, t = header.dst % (2 * width);
  const VcSet between = config.route.per_dest ? VcSet::kSame : VcSet::kAny;
  if (config.route_kind == RouteKind::kOmega) {
    const unsigned stage = std::min(config.own, levels - 1);
    const bool last = stage == levels - 1;
    return {bit_of_number(t, levels - 1 - stage) + (last ? 2 : 0), last ? VcSet::kAny : between};
  }
  const std::uint32_t level = config.own / width, index = config.own % width;
  std::uint32_t of_target = t / 2, of_own = index;
  for (unsigned i = 1; i < level; ++i) {
    of_target /= 2;
    of_own /= 2;
  }
  const bool down = of_target == of_own;
  const unsigned bit = bit_of_number(t, level - 1);
  return {bit + (down ? 2 : 0), down && level == 1 ? VcSet::kAny : between};
}

inline Way route_by_rules(const Config& config, unsigned port, const Header& header) {
  if (config.route_kind == RouteKind::kDce) return route_by_dce(config, port, header);
  if (config.route_kind == RouteKind::kTree || config.route_kind == RouteKind::kOmega) {
    return route_by_staged(config, header);
  }
  const auto s = digits_of(config, header.src), t = digits_of(config, header.dst),
             x = digits_of(config, config.own);
  const auto dims = static_cast<unsigned>(s.size());
  for (unsigned d = 0; d < dims; ++d) {
    if (t[d] == x[d]) continue;
    if (config.route_kind == RouteKind::kMesh) {
      return {2 * d + (t[d] > x[d] ? 0 : 1), config.route.per_dest ? VcSet::kSame : VcSet::kAny};
    }
    const int k = static_cast<int>(config.route.max_coords[d]) + 1;
    int up_hops = 0;
    for (int at = s[d]; at != t[d]; at = (at + 1) % k) ++up_hops;
    int odd = header.tag >= 4 ? 1 : 0;
    for (unsigned e = 0; e < dims; ++e) odd += s[e] % 2 + (e == d ? 0 : t[e] % 2);
    const bool up = up_hops < k - up_hops || (2 * up_hops == k && odd % 2 == 0);
    const bool crosses = up ? t[d] < s[d] : t[d] > s[d];
    const bool crossed = up ? x[d] < s[d] : x[d] > s[d];
    VcSet set = crosses && !crossed ? VcSet::kLow : VcSet::kHigh;
    if (!crosses && !crossed && config.route.balanced) {
      set = port == 2 * d || port == 2 * d + 1 ? VcSet::kSame : VcSet::kAny;
    }
    return {2 * d + (up ? 0 : 1), config.route.per_dest ? VcSet::kSame : set};
  }
  const unsigned links = 2 * dims;
  return {port < links ? links + port % config.num_local : port, VcSet::kAny};
}

/// Watches a router's links and derives its state from them alone: a VC holds the flits that have
/// arrived and not left, an out-port has the initial credits less those used plus those returned, a
/// packet is allocated the VC on which its header left. The state determines which requesters are
/// eligible, and which of any two has priority; the granted one must have it over all others.
class Judge {
 public:
  struct InVc {
    std::deque<Flit> held;
    bool inside = false;        // The header has left, the last flit has not;
    unsigned port = 0, vc = 0;  // they leave by this out-port and VC.
  };
  struct OutVc {
    bool allocated = false;  // The last flit sent on it does not end its packet.
    unsigned credits = 0;
  };

  explicit Judge(const Config& c) : c_(c) { reset(); }

  void reset() {
    in.assign(c_.num_ports, std::vector<InVc>(c_.num_vc));
    out.assign(c_.num_ports, std::vector<OutVc>(c_.num_vc));
    for (unsigned o = 0; o < c_.num_ports; ++o) {
      for (OutVc& vc : out[o]) vc.credits = local(o) ? c_.local_depth : c_.depth;
      if (local(o)) out[o].resize(1);
    }
    held.assign(c_.num_ports, -1);
    tx.assign(c_.num_ports, {});
    credit.assign(c_.num_ports, std::vector<char>(c_.num_vc));
    requests_.assign(c_.num_ports * c_.num_vc, {});
    granted_last_.assign(c_.num_ports, c_.num_ports * c_.num_vc - 1);
  }

  bool local(unsigned port) const { return port >= c_.num_ports - c_.num_local; }

  /// `rx`, `returned`: flits and credits on the links into the router in cycle `now`; `shown`: the
  /// router's outputs after it. Returns the broken rule, or null.
  const char* judge(const std::vector<Flit>& rx, const std::vector<std::vector<char>>& returned,
                    std::uint32_t now, const VcRouter::Out& shown) {
    for (unsigned p = 0; p < c_.num_ports; ++p) {
      if (rx[p].valid) in[p][rx[p].vc].held.push_back(rx[p]);
      for (unsigned v = 0; v < out[p].size(); ++v) out[p][v].credits += returned[p][v] ? 1u : 0u;
    }
    read(shown);
    std::vector<std::vector<unsigned>> eligible(c_.num_ports);
    for (unsigned r = 0; r < requests_.size(); ++r) {
      if (vc_of(r).held.empty()) continue;
      requests_[r] = request(r);
      if (is_eligible(r)) eligible[requests_[r].port].push_back(r);
    }
    // A returned credit tells which VC a flit has left; the out-port of its packet must carry it.
    std::vector<int> mover(c_.num_ports, -1);
    for (unsigned r = 0; r < requests_.size(); ++r) {
      if (!credit[r / c_.num_vc][r % c_.num_vc]) continue;
      if (vc_of(r).held.empty()) return "a credit without a flit";
      int& at = mover[requests_[r].port];
      if (at >= 0) return "two flits for one out-port";
      at = static_cast<int>(r);
    }
    for (unsigned o = 0; o < c_.num_ports; ++o) {
      if (tx[o].valid != (mover[o] >= 0)) return "a flit without a credit, or a credit without one";
      if (!tx[o].valid) {
        if (!eligible[o].empty()) return "no grant despite a request";
        continue;
      }
      const auto r = static_cast<unsigned>(mover[o]);
      Flit front = vc_of(r).held.front();
      front.vc = tx[o].vc;
      if (!(tx[o] == front)) return "another flit than the one in front";
      if (std::find(eligible[o].begin(), eligible[o].end(), r) == eligible[o].end()) {
        return "granted without an eligible request";
      }
      for (const unsigned other : eligible[o]) {
        if (other != r && has_priority(other, r, o, now)) return "another has priority";
      }
      if (!right_vc(r, tx[o].vc)) return "not the VC of its packet, or one with fewer credits";
    }
    for (unsigned o = 0; o < c_.num_ports; ++o) {
      if (tx[o].valid) leave(static_cast<unsigned>(mover[o]), o);
    }
    return nullptr;
  }

  std::vector<std::vector<InVc>> in;
  std::vector<std::vector<OutVc>> out;
  std::vector<int> held;  // By out-port: the requester that holds it, or -1.
  std::vector<Flit> tx;   // The router's latest outputs.
  std::vector<std::vector<char>> credit;

 private:
  void read(const VcRouter::Out& shown) {
    const unsigned words = VcRouter::words(c_.num_vc);
    for (unsigned p = 0; p < c_.num_ports; ++p) {
      tx[p] = (shown.tx_valid >> p & 1) != 0 ? shown.tx[p] : Flit{};
      for (unsigned v = 0; v < c_.num_vc; ++v) {
        credit[p][v] = (shown.credit_ports >> p & 1) != 0 &&
                       (shown.credit[p * words + v / 64] >> v % 64 & 1) != 0;
      }
    }
  }

  // Requester r is VC r % `num_vc` of in-port r / `num_vc`.
  const InVc& vc_of(unsigned r) const { return in[r / c_.num_vc][r % c_.num_vc]; }

  // What the first flit in a VC requests: an out-port; for a header also a set of VCs, and how many
  // credits it needs.
  struct Request {
    unsigned port = 0;
    VcSet set = VcSet::kAny;
    unsigned need = 1;
  };
  Request request(unsigned r) const {
    const InVc& from = vc_of(r);
    if (from.inside) return {from.port};
    const Header header = Header::unpack(from.held.front().data, c_.header);
    const Way way = route_by_rules(c_, r / c_.num_vc, header);
    if (local(way.port)) return {way.port};
    return {way.port, way.set, c_.cut_through ? header.len + 1 : 1};
  }

  // Whether VC `w` of its out-port may be allocated to a waiting header.
  bool may_request(unsigned r, unsigned w) const {
    const Request& wanted = requests_[r];
    const OutVc& to = out[wanted.port][w];
    return in_set(wanted.set, w, r % c_.num_vc) && !to.allocated && to.credits >= wanted.need;
  }

  bool is_eligible(unsigned r) const {
    const InVc& from = vc_of(r);
    if (from.inside) return out[from.port][from.vc].credits != 0;
    const auto ends = [](const Flit& flit) { return flit.last; };
    if (c_.store_forward && !local(r / c_.num_vc) &&
        std::none_of(from.held.begin(), from.held.end(), ends)) {
      return false;
    }
    for (unsigned w = 0; w < out[requests_[r].port].size(); ++w) {
      if (may_request(r, w)) return true;
    }
    return false;
  }

  // Which of two eligible requesters has priority at out-port `o`: the one that holds it, then the
  // older one, then the one that follows the requester granted last in round-robin order.
  bool has_priority(unsigned a, unsigned b, unsigned o, std::uint32_t now) const {
    if (held[o] == static_cast<int>(a) || held[o] == static_cast<int>(b)) {
      return held[o] == static_cast<int>(a);
    }
    const auto age = [&](unsigned r) {
      return c_.age ? (now - vc_of(r).held.front().stamp) % 65536 : 0;
    };
    if (age(a) != age(b)) return age(a) > age(b);
    const unsigned num_req = c_.num_ports * c_.num_vc;
    const auto distance = [&](unsigned r) {
      return (r + num_req - granted_last_[o] - 1) % num_req;
    };
    return distance(a) < distance(b);
  }

  // A packet stays on its VC; a header is allocated the VC with the most credits of those it may
  // request, the lowest of equals.
  bool right_vc(unsigned r, unsigned vc) const {
    const InVc& from = vc_of(r);
    if (from.inside) return vc == from.vc;
    const std::vector<OutVc>& to = out[requests_[r].port];
    if (vc >= to.size() || !may_request(r, vc)) return false;
    for (unsigned w = 0; w < to.size(); ++w) {
      const bool better = w < vc ? to[w].credits >= to[vc].credits : to[w].credits > to[vc].credits;
      if (better && may_request(r, w)) return false;
    }
    return true;
  }

  void leave(unsigned r, unsigned o) {
    const bool last = tx[o].last;
    InVc& from = in[r / c_.num_vc][r % c_.num_vc];
    from.held.pop_front();
    from.inside = !last;
    from.port = o;
    from.vc = tx[o].vc;
    OutVc& to = out[o][tx[o].vc];
    to.allocated = !last;
    --to.credits;
    granted_last_[o] = r;
    held[o] = c_.hold_packet && !last ? static_cast<int>(r) : -1;
  }

  bool in_set(VcSet set, unsigned v, unsigned own) const {
    if (set == VcSet::kAny) return true;
    if (set == VcSet::kSame) return v == own;
    if (set >= VcSet::kFirst) return v + 8 == static_cast<unsigned>(set);
    if (set == VcSet::kNext) return v == own + 1 || (v == own && own + 1 == c_.num_vc);
    if (set == VcSet::kHigh) return v >= c_.num_vc / 2;
    return v < (c_.num_vc / 2 > 1 ? c_.num_vc / 2 : 1);
  }

  Config c_;
  std::vector<Request> requests_;       // By requester.
  std::vector<unsigned> granted_last_;  // By out-port: the requester.
};

}  // namespace weft::rules
