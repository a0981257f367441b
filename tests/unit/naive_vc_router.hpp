// The router as rtl/README.md tells it, slow and plain: queues and loops, everything computed anew
// in every cycle, with routes of its own. The reference of the router model.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/router/vc_router.hpp"

namespace weft::naive {

using Config = VcRouter::Config;

/// Digits of an address, and the other way round.
inline std::vector<int> digits_of(const Config& config, std::uint32_t address) {
  std::vector<int> digits;
  for (const std::uint32_t last : config.route.lasts) {
    std::uint32_t span = 1;
    while (span <= last) span *= 2;
    digits.push_back(static_cast<int>(address % span));
    address /= span;
  }
  return digits;
}
inline std::uint32_t random_address(const Config& config, RandomStream& random) {
  std::uint32_t address = 0, scale = 1;
  for (const std::uint32_t last : config.route.lasts) {
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

/// Bit `i` of a number, 0 behind its highest.
inline unsigned bit_of_number(std::uint32_t number, unsigned i) {
  for (; i > 0; --i) number /= 2;
  return number % 2;
}

/// rtl/README.md, route_dce.
inline Way naive_dce(const Config& config, unsigned port, const Header& header) {
  const auto t = digits_of(config, header.dst), x = digits_of(config, config.own);
  const unsigned planes = static_cast<unsigned>(t.size()) - 1, rings = config.route.num_rings;
  const unsigned links = rings + planes;
  if (t == x) return {port < links ? links + port % config.num_local : port, VcSet::kAny};
  const auto column = static_cast<unsigned>(x[0]);
  unsigned out = header.dst % rings, steps = 1;
  for (unsigned d = planes; d >= 1; --d) {
    const auto a = static_cast<std::uint32_t>(t[d]), b = static_cast<std::uint32_t>(x[d]);
    // Digits have no bits where their largest has none.
    if (bit_of_number(config.route.lasts[d], column) == 0) continue;
    if (bit_of_number(a, column) == bit_of_number(b, column)) continue;
    out = rings + d - 1;
    steps = config.route.deltas[d];
  }
  VcSet set = column + steps > config.route.lasts[0] ? VcSet::kNext : VcSet::kSame;
  if (port >= links) set = VcSet::kFirst;
  return {out, config.route.per_dest ? VcSet::kSame : set};
}

/// rtl/README.md, route_tree and route_omega.
inline Way naive_staged(const Config& config, const Header& header) {
  unsigned levels = 0;
  for (std::uint32_t rest = config.route.lasts[0]; rest > 0; rest /= 2) ++levels;
  const std::uint32_t width = (config.route.lasts[0] + 1) / 2, t = header.dst % (2 * width);
  const VcSet between = config.route.per_dest ? VcSet::kSame : VcSet::kAny;
  if (config.route_kind == RouteKind::kOmega) {
    const unsigned stage = std::min(config.own, levels - 1);
    const bool last = stage == levels - 1;
    return {bit_of_number(t, levels - 1 - stage) + (last ? 2 : 0), last ? VcSet::kAny : between};
  }
  const std::uint32_t level = config.own / width, place = config.own % width;
  std::uint32_t of_target = t / 2, of_place = place;
  for (unsigned i = 1; i < level; ++i) {
    of_target /= 2;
    of_place /= 2;
  }
  const bool down = of_target == of_place;
  const unsigned bit = bit_of_number(t, level - 1);
  return {bit + (down ? 2 : 0), down && level == 1 ? VcSet::kAny : between};
}

inline Way naive_route(const Config& config, unsigned port, const Header& header) {
  if (config.route_kind == RouteKind::kDce) return naive_dce(config, port, header);
  if (config.route_kind == RouteKind::kTree || config.route_kind == RouteKind::kOmega) {
    return naive_staged(config, header);
  }
  const auto s = digits_of(config, header.src), t = digits_of(config, header.dst),
             x = digits_of(config, config.own);
  const auto dims = static_cast<unsigned>(s.size());
  for (unsigned d = 0; d < dims; ++d) {
    if (t[d] == x[d]) continue;
    if (config.route_kind == RouteKind::kMesh) {
      return {2 * d + (t[d] > x[d] ? 0 : 1), config.route.per_dest ? VcSet::kSame : VcSet::kAny};
    }
    const int k = static_cast<int>(config.route.lasts[d]) + 1;
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

/// The router as the specification tells it.
class NaiveRouter {
 public:
  struct InVc {
    std::deque<Flit> fifo;
    bool inside = false;  // The header has gone, the last flit not.
    unsigned port = 0, vc = 0;
  };
  struct OutVc {
    bool busy = false;
    unsigned places = 0;
  };

  explicit NaiveRouter(const Config& c) : c_(c) { reset(); }

  void reset() {
    in.assign(c_.num_ports, std::vector<InVc>(c_.num_vc));
    out.assign(c_.num_ports, std::vector<OutVc>(c_.num_vc));
    for (unsigned o = 0; o < c_.num_ports; ++o) {
      for (OutVc& vc : out[o]) vc.places = local(o) ? c_.local_depth : c_.depth;
      if (local(o)) out[o].resize(1);
    }
    held.assign(c_.num_ports, -1);
    start.assign(c_.num_ports, 0);
    tx.assign(c_.num_ports, {});
    credit.assign(c_.num_ports, std::vector<char>(c_.num_vc));
  }

  bool local(unsigned port) const { return port >= c_.num_ports - c_.num_local; }

  void step(const std::vector<Flit>& rx, const std::vector<std::vector<char>>& given,
            std::uint32_t now) {
    const unsigned num_req = c_.num_ports * c_.num_vc;
    for (unsigned p = 0; p < c_.num_ports; ++p) {
      if (rx[p].valid) in[p][rx[p].vc].fifo.push_back(rx[p]);
      for (unsigned v = 0; v < out[p].size(); ++v) out[p][v].places += given[p][v] ? 1u : 0u;
    }
    // For each requester the port and VC that it requests; -1 without a request.
    std::vector<int> port(num_req, -1), vc(num_req, 0);
    for (unsigned r = 0; r < num_req; ++r) {
      const InVc& from = in[r / c_.num_vc][r % c_.num_vc];
      if (from.fifo.empty()) continue;
      if (from.inside) {
        if (out[from.port][from.vc].places == 0) continue;
        port[r] = static_cast<int>(from.port);
        vc[r] = static_cast<int>(from.vc);
        continue;
      }
      const auto ends = [](const Flit& flit) { return flit.last; };
      if (c_.store_forward && !local(r / c_.num_vc) &&
          std::none_of(from.fifo.begin(), from.fifo.end(), ends)) {
        continue;
      }
      const Header header = Header::unpack(from.fifo.front().data, c_.header);
      const Way way = naive_route(c_, r / c_.num_vc, header);
      const VcSet set = local(way.port) ? VcSet::kAny : way.set;
      const unsigned need = c_.cut_through && !local(way.port) ? header.len + 1 : 1;
      int best = -1;
      for (unsigned v = 0; v < out[way.port].size(); ++v) {
        const OutVc& to = out[way.port][v];
        if (!in_set(set, v, r % c_.num_vc) || to.busy || to.places < need) continue;
        if (best < 0 || to.places > out[way.port][static_cast<unsigned>(best)].places) {
          best = static_cast<int>(v);
        }
      }
      if (best < 0) continue;
      port[r] = static_cast<int>(way.port);
      vc[r] = best;
    }
    tx.assign(c_.num_ports, {});
    credit.assign(c_.num_ports, std::vector<char>(c_.num_vc));
    for (unsigned o = 0; o < c_.num_ports; ++o) {
      int granted = -1;
      unsigned oldest = 0;
      for (unsigned i = 0; i < num_req; ++i) {
        const unsigned r = (start[o] + i) % num_req;
        if (port[r] != static_cast<int>(o)) continue;
        const Flit& front = in[r / c_.num_vc][r % c_.num_vc].fifo.front();
        const unsigned age = c_.age ? (now - front.stamp) % 65536 : 0;
        if (granted < 0 || age > oldest) {
          granted = static_cast<int>(r);
          oldest = age;
        }
      }
      if (c_.hold_packet && held[o] >= 0 && port[static_cast<unsigned>(held[o])] == int(o)) {
        granted = held[o];
      }
      if (granted < 0) continue;
      const auto r = static_cast<unsigned>(granted);
      InVc& from = in[r / c_.num_vc][r % c_.num_vc];
      OutVc& to = out[o][static_cast<unsigned>(vc[r])];
      tx[o] = from.fifo.front();
      tx[o].vc = static_cast<std::uint16_t>(vc[r]);
      from.fifo.pop_front();
      from.inside = !tx[o].last;
      from.port = o;
      from.vc = static_cast<unsigned>(vc[r]);
      to.busy = !tx[o].last;
      --to.places;
      credit[r / c_.num_vc][r % c_.num_vc] = 1;
      start[o] = (r + 1) % num_req;
      if (c_.hold_packet) held[o] = tx[o].last ? -1 : granted;
    }
  }

  std::vector<std::vector<InVc>> in;
  std::vector<std::vector<OutVc>> out;
  std::vector<int> held;
  std::vector<unsigned> start;
  std::vector<Flit> tx;
  std::vector<std::vector<char>> credit;

 private:
  bool in_set(VcSet set, unsigned v, unsigned own) const {
    if (set == VcSet::kAny) return true;
    if (set == VcSet::kSame) return v == own;
    if (set == VcSet::kFirst) return v == 0;
    if (set == VcSet::kNext) return v == own + 1 || (v == own && own + 1 == c_.num_vc);
    if (set == VcSet::kHigh) return v >= c_.num_vc / 2;
    return v < (c_.num_vc / 2 > 1 ? c_.num_vc / 2 : 1);
  }

  Config c_;
};

}  // namespace weft::naive
