// Checks the values on a router's wires against its rules (rtl/router/README.md, vc_router). It
// allocates nothing itself: it checks the grants that the router made.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <set>
#include <utility>
#include <vector>

#include "sim/router/router_tile.hpp"
#include "sim/router/vc_router.hpp"
#include "tests/unit/vc_router_routes.hpp"

namespace weft::rules {

/// Watches a router's links and derives its state from them alone: a VC holds the flits that have
/// arrived and not left, an out-port has the initial credits less those used plus those returned, a
/// packet is allocated the VC on which its header left. The state determines which requesters are
/// eligible, and which of any two has priority; the granted one must have it over all others.
class Judge {
 public:
  struct InVc {
    std::deque<Flit> held;
    bool inside = false;        // The header has left, the last flit has not.
    unsigned port = 0, vc = 0;  // Out-port and VC of the packet whose header has left.
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
    next_.assign(c_.num_ports, -1);
    tx.assign(c_.num_ports, {});
    credit.assign(c_.num_ports, std::vector<char>(c_.num_vc));
    requests_.assign(c_.num_ports * c_.num_vc, {});
    requested_.assign(requests_.size(), 0);
    history_.assign(c_.num_ports, {});
    // In the cycle before the first none could be selected.
    before_ = out;
    for (auto& port : before_) {
      for (OutVc& vc : port) vc.allocated = true;
    }
  }

  bool local(unsigned port) const { return port >= c_.num_ports - c_.num_local; }

  /// `rx`, `returned`: flits and credits on the links into the router in cycle `now`; `shown`: the
  /// router's outputs after it. Returns the broken rule, or null.
  const char* judge(const std::vector<Flit>& rx, const std::vector<std::vector<char>>& returned,
                    std::uint32_t now, const VcRouter::Out& shown) {
    for (unsigned p = 0; p < c_.num_ports; ++p) {
      if (rx[p].valid && c_.pipeline == 1) arrive(p, rx[p]);
      for (unsigned v = 0; v < out[p].size(); ++v) out[p][v].credits += returned[p][v] ? 1u : 0u;
    }
    read(shown);
    for (unsigned r = 0; r < requests_.size(); ++r) {
      if (!vc_of(r).held.empty()) requests_[r] = request(r);
    }
    std::vector<int> mover(c_.num_ports, -1);
    const char* broken = find_movers(mover);
    const auto state = out;
    if (broken == nullptr) find_requested();
    for (unsigned o = 0; o < c_.num_ports && broken == nullptr; ++o) {
      broken = c_.pipeline == 3 ? judge_ahead(o, mover[o], now) : judge_grant(o, mover[o], now);
    }
    if (broken != nullptr) return broken;
    for (unsigned o = 0; o < c_.num_ports; ++o) {
      if (tx[o].valid) remember(static_cast<unsigned>(mover[o]), o);
    }
    for (unsigned o = 0; o < c_.num_ports; ++o) {
      if (tx[o].valid) leave(static_cast<unsigned>(mover[o]), o);
      if (c_.pipeline == 3) held[o] = next_[o];
    }
    before_ = state;
    // With a pipeline a flit is in the buffer from the next cycle on.
    for (unsigned p = 0; p < c_.num_ports; ++p) {
      if (rx[p].valid && c_.pipeline != 1) arrive(p, rx[p]);
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

  void arrive(unsigned p, const Flit& flit) { in[p][flit.vc].held.push_back(flit); }

  // A returned credit tells which VC a flit has left; the out-port of its packet must carry it.
  const char* find_movers(std::vector<int>& mover) const {
    for (unsigned r = 0; r < requests_.size(); ++r) {
      if (!credit[r / c_.num_vc][r % c_.num_vc]) continue;
      if (vc_of(r).held.empty()) return "a credit without a flit";
      int& at = mover[requests_[r].port];
      if (at >= 0) return "two flits for one out-port";
      at = static_cast<int>(r);
    }
    for (unsigned o = 0; o < c_.num_ports; ++o) {
      if (tx[o].valid != (mover[o] >= 0)) return "a flit without a credit, or a credit without one";
      if (!tx[o].valid) continue;
      Flit front = vc_of(static_cast<unsigned>(mover[o])).held.front();
      front.vc = tx[o].vc;
      if (!(tx[o] == front)) return "another flit than the one in front";
    }
    return nullptr;
  }

  // Allocation in the cycle in which the flit moves.
  const char* judge_grant(unsigned o, int mover, std::uint32_t now) const {
    std::vector<unsigned> eligible;
    for (unsigned r = 0; r < requests_.size(); ++r) {
      if (!vc_of(r).held.empty() && requests_[r].port == o && is_eligible(r, out)) {
        eligible.push_back(r);
      }
    }
    if (!tx[o].valid) return eligible.empty() ? nullptr : "no grant despite a request";
    const auto r = static_cast<unsigned>(mover);
    if (std::find(eligible.begin(), eligible.end(), r) == eligible.end()) {
      return "granted without an eligible request";
    }
    for (const unsigned other : eligible) {
      if (other != r && has_priority(other, r, o, now)) return "another has priority";
    }
    return right_vc(r, tx[o].vc, out) ? nullptr
                                      : "not the VC of its packet, or one with fewer credits";
  }

  // Allocation a cycle ahead: the holder's flit moves, and no other; a header by a VC that was the
  // right one in the cycle before, if that is idle still and has its credits. Finds the next
  // holder, which the flits of the next cycles must show.
  const char* judge_ahead(unsigned o, int mover, std::uint32_t now) {
    const int holder = held[o];
    if (tx[o].valid && mover != holder) return "a flit moves whose packet does not hold the port";
    bool could = false;
    if (holder >= 0) {
      const auto r = static_cast<unsigned>(holder);
      for (unsigned w = 0; w < out[o].size(); ++w) could = could || may_move(r, o, w);
      if (tx[o].valid && !may_move(r, o, tx[o].vc)) return "not the VC of its packet";
    }
    if (could != tx[o].valid) return "the holder's flit could move and did not";
    const bool ends = tx[o].valid && tx[o].last;
    next_[o] = holder;
    if (c_.hold_packet && tx[o].valid && !ends) return nullptr;
    if (ends) next_[o] = -1;
    std::vector<unsigned> asking;
    for (unsigned r = 0; r < requests_.size(); ++r) {
      if (vc_of(r).held.empty() || requests_[r].port != o || static_cast<int>(r) == holder)
        continue;
      if (is_eligible(r, seen_by(r))) asking.push_back(r);
    }
    for (const unsigned r : asking) {
      const bool first = std::none_of(asking.begin(), asking.end(), [&](unsigned other) {
        return other != r && precedes(other, r, o, now);
      });
      if (!first) continue;
      next_[o] = static_cast<int>(r);
      break;
    }
    return nullptr;
  }

  // Whether the flit in front of a requester may move to VC `w` of its out-port `o`.
  bool may_move(unsigned r, unsigned o, unsigned w) const {
    const InVc& from = vc_of(r);
    if (from.held.empty() || requests_[r].port != o) return false;
    if (from.inside) return w == from.vc && out[o][w].credits != 0;
    if (!stored(r)) return false;
    if (requests_[r].set > VcSet::kHigh) return may_request(r, w, out);
    Request any_length = requests_[r];
    any_length.need = 1;
    return right_vc_for(r, any_length, w, before_) && may_request(r, w, out);
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

  using State = std::vector<std::vector<OutVc>>;

  // A flit that an out-port sent.
  struct Sent {
    unsigned requester = 0, vc = 0;
    bool header = false;
    std::set<unsigned> own_vcs;  // VCs that the node's own packets requested in this cycle.
  };
  using History = std::vector<Sent>;

  // Whether VC `w` of its out-port may be allocated to a waiting header, by what the VCs are in.
  bool may_request(unsigned r, unsigned w, const State& state) const {
    return may_request_for(r, requests_[r], w, state);
  }
  bool may_request_for(unsigned r, const Request& wanted, unsigned w, const State& state) const {
    const OutVc& to = state[wanted.port][w];
    return in_set(wanted.set, w, r % c_.num_vc) && !to.allocated && to.credits >= wanted.need;
  }

  // Store and forward: whether all of its packet is held.
  bool stored(unsigned r) const {
    const auto ends = [](const Flit& flit) { return flit.last; };
    const InVc& from = vc_of(r);
    return !c_.store_forward || local(r / c_.num_vc) ||
           std::any_of(from.held.begin(), from.held.end(), ends);
  }

  // The state by which a requester asks: a cycle ahead, a header that selects a VC does so by the
  // credits of the cycle before.
  const State& seen_by(unsigned r) const {
    const bool selects = !vc_of(r).inside && requests_[r].set <= VcSet::kHigh;
    return c_.pipeline == 3 && selects ? before_ : out;
  }
  // The VC that each requester asks for.
  void find_requested() {
    for (unsigned r = 0; r < requests_.size(); ++r) {
      if (vc_of(r).held.empty()) continue;
      const State& state = seen_by(r);
      for (unsigned w = 0; w < state[requests_[r].port].size(); ++w) {
        if (right_vc(r, w, state)) requested_[r] = w;
      }
    }
  }
  // What `requester` sends, and which VCs the node's own packets would have had.
  void remember(unsigned requester, unsigned o) {
    Sent sent = {requester, tx[o].vc, !vc_of(requester).inside, {}};
    for (unsigned r = 0; r < requests_.size(); ++r) {
      const bool holds = c_.pipeline == 3 && held[o] == static_cast<int>(r);
      if (!is_own(r) || holds || vc_of(r).held.empty() || requests_[r].port != o) continue;
      if (is_eligible(r, seen_by(r))) sent.own_vcs.insert(requested_[r]);
    }
    history_[o].push_back(std::move(sent));
  }

  bool is_eligible(unsigned r, const State& state) const {
    const InVc& from = vc_of(r);
    if (from.inside) return state[from.port][from.vc].credits != 0;
    if (!stored(r)) return false;
    for (unsigned w = 0; w < state[requests_[r].port].size(); ++w) {
      if (may_request(r, w, state)) return true;
    }
    return false;
  }

  // Which of two eligible requesters has priority at out-port `o`: the one that holds it, then as
  // below.
  bool has_priority(unsigned a, unsigned b, unsigned o, std::uint32_t now) const {
    if (held[o] == static_cast<int>(a) || held[o] == static_cast<int>(b)) {
      return held[o] == static_cast<int>(a);
    }
    return precedes(a, b, o, now);
  }
  // By what the port has sent so far: the older one; one of the node's own that has waited for
  // enough others, else one in transit; that whose VC comes next after the last one used; that
  // which comes next after the last of its kind whose header took the VC.
  bool precedes(unsigned a, unsigned b, unsigned o, std::uint32_t now) const {
    const auto age = [&](unsigned r) {
      return c_.age ? (now - vc_of(r).held.front().stamp) % 65536 : 0;
    };
    if (age(a) != age(b)) return age(a) > age(b);
    const auto kind = [&](unsigned r) {
      return !is_own(r) ? 1 : waited(o, requested_[r]) >= c_.own_after ? 0 : 2;
    };
    if (kind(a) != kind(b)) return kind(a) < kind(b);
    const History& past = history_[o];
    const unsigned vcs = static_cast<unsigned>(out[o].size());
    const auto from_last = [&](unsigned vc) {
      const auto same = [&](const Sent& sent) { return is_own(sent.requester) == is_own(a); };
      const auto last = std::find_if(past.rbegin(), past.rend(), same);
      return (vc + vcs - (last == past.rend() ? vcs - 1 : last->vc) - 1) % vcs;
    };
    if (requested_[a] != requested_[b]) return from_last(requested_[a]) < from_last(requested_[b]);
    const unsigned num_req = c_.num_ports * c_.num_vc;
    const auto last = std::find_if(past.rbegin(), past.rend(), [&](const Sent& sent) {
      return sent.header && sent.vc == requested_[a] && is_own(sent.requester) == is_own(a);
    });
    const auto distance = [&](unsigned r) {
      return last == past.rend() ? r : (r + num_req - last->requester - 1) % num_req;
    };
    return distance(a) < distance(b);
  }

  // Whether the router makes a difference between a requester and those in transit.
  bool is_own(unsigned r) const {
    return !c_.age && c_.own_after != 0 && c_.num_local < c_.num_ports && local(r / c_.num_vc);
  }
  // Headers in transit since the last own one on this VC that went while an own one requested it.
  unsigned waited(unsigned o, unsigned vc) const {
    unsigned count = 0;
    const History& past = history_[o];
    for (auto sent = past.rbegin(); sent != past.rend(); ++sent) {
      if (!sent->header) continue;
      if (is_own(sent->requester) && sent->vc == vc) break;
      if (!is_own(sent->requester) && sent->own_vcs.contains(vc)) ++count;
    }
    return count;
  }

  // A packet stays on its VC; a header is allocated the VC with the most credits of those it may
  // request, the lowest of equals.
  bool right_vc(unsigned r, unsigned vc, const State& state) const {
    const InVc& from = vc_of(r);
    return from.inside ? vc == from.vc : right_vc_for(r, requests_[r], vc, state);
  }
  bool right_vc_for(unsigned r, const Request& wanted, unsigned vc, const State& state) const {
    const std::vector<OutVc>& to = state[wanted.port];
    if (vc >= to.size() || !may_request_for(r, wanted, vc, state)) return false;
    for (unsigned w = 0; w < to.size(); ++w) {
      const bool better = w < vc ? to[w].credits >= to[vc].credits : to[w].credits > to[vc].credits;
      if (better && may_request_for(r, wanted, w, state)) return false;
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
    if (c_.pipeline == 3) return;
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
  std::vector<Request> requests_;           // By requester.
  std::vector<unsigned> requested_;         // By requester: the VC that it asks for.
  std::vector<History> history_;            // By out-port.
  std::vector<std::vector<OutVc>> before_;  // What the VCs were in the cycle before.
  std::vector<int> next_;                   // By out-port: `held` of the next cycle.
};

}  // namespace weft::rules
