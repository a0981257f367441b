// Checks the router's model under random traffic, cycle by cycle, by its rules
// (tests/unit/vc_router_rules.hpp).
#pragma once

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/router/router_tile.hpp"
#include "sim/router/vc_router.hpp"
#include "tests/unit/vc_router_rules.hpp"

namespace weft::rules {

/// The neighbours of a router: senders that respect their credits, and receivers that return
/// credits after random times.
class Surroundings {
 public:
  Surroundings(const Config& config, unsigned max_flits, std::uint64_t seed)
      : c_(config), max_flits_(max_flits), random_(seed) {
    reset();
  }

  void reset() {
    left_.assign(c_.num_ports, std::vector<unsigned>(c_.num_vc));
    stamp_.assign(c_.num_ports, std::vector<std::uint16_t>(c_.num_vc));
    slots_.assign(c_.num_ports, std::vector<unsigned>(c_.num_vc, c_.depth));
    kept_.assign(c_.num_ports, std::vector<unsigned>(c_.num_vc));
    rx.assign(c_.num_ports, {});
    credit.assign(c_.num_ports, std::vector<char>(c_.num_vc));
  }

  /// What the links carry in the next cycle.
  void next(const Judge& router, std::uint32_t now) {
    if (random_.chance(0.002)) {
      const double loads[] = {0.0, 0.05, 0.3, 0.7, 1.0};
      load_ = loads[random_.below(5)];
      drain_ = loads[1 + random_.below(4)];
      one_way_ = random_.chance(0.3);
      active_vcs_ = 1 + static_cast<unsigned>(random_.below(c_.num_vc));
      target_ = random_address(c_, random_);
    }
    const bool idle_lines = random_.chance(0.1);
    for (unsigned p = 0; p < c_.num_ports; ++p) {
      for (unsigned v = 0; v < c_.num_vc; ++v) slots_[p][v] += router.credit[p][v] ? 1u : 0u;
      rx[p] = {};
      if (random_.chance(load_)) send(p, now);
      const bool local = router.local(p);
      if (router.tx[p].valid) ++kept_[p][router.tx[p].vc];
      for (unsigned v = 0; v < c_.num_vc; ++v) {
        credit[p][v] = kept_[p][v] != 0 && random_.chance(drain_) ? 1 : 0;
        kept_[p][v] -= credit[p][v] ? 1u : 0u;
        // Of a local out-port only VC 0 has credits; the other credit lines are ignored.
        if (local && v != 0 && idle_lines) credit[p][v] = random_.chance(0.5) ? 1 : 0;
      }
    }
  }

  std::vector<Flit> rx;
  std::vector<std::vector<char>> credit;

 private:
  void send(unsigned p, std::uint32_t now) {
    const auto v = static_cast<unsigned>(random_.below(active_vcs_));
    if (slots_[p][v] == 0) return;
    Flit& flit = rx[p];
    unsigned& left = left_[p][v];
    if (left == 0) {
      // With store and forward and with virtual cut-through a packet must fit into one buffer.
      const bool fits = c_.cut_through || (c_.store_forward && p < c_.num_ports - c_.num_local);
      const unsigned most = fits ? std::min(max_flits_, c_.depth) : max_flits_;
      left = 1 + static_cast<unsigned>(random_.below(most));
      Header header;
      header.dst = one_way_ ? target_ : random_address(c_, random_);
      header.src = random_address(c_, random_);
      header.off = static_cast<std::uint32_t>(random_.below(1u << c_.header.off_w()));
      header.len = left - 1;
      header.tag = static_cast<std::uint32_t>(random_.below(1u << kTagW));
      flit.data = header.pack(c_.header);
      // Few different ages, so that equal ones compete.
      stamp_[p][v] =
          c_.age ? static_cast<std::uint16_t>(now - 8 * random_.below(16) - (now & 7)) : 0;
    } else {
      flit.data = random_();
    }
    --left;
    --slots_[p][v];
    flit.vc = static_cast<std::uint16_t>(v);
    flit.stamp = stamp_[p][v];
    flit.last = left == 0;
    flit.parity = random_.chance(0.5);
    flit.valid = true;
  }

  Config c_;
  unsigned max_flits_;
  RandomStream random_;
  double load_ = 0.5, drain_ = 0.7;
  bool one_way_ = false;
  unsigned active_vcs_ = 1;
  std::uint32_t target_ = 0;
  std::vector<std::vector<unsigned>> left_, slots_, kept_;
  std::vector<std::vector<std::uint16_t>> stamp_;
};

/// Whether the outputs of the model equal those that the judge has read.
inline bool same_outputs(const Judge& judge, const Config& config, const VcRouter::Out& out) {
  const unsigned words = VcRouter::words(config.num_vc);
  for (unsigned p = 0; p < config.num_ports; ++p) {
    const bool valid = (out.tx_valid >> p & 1) != 0;
    if (valid != judge.tx[p].valid || (valid && !(out.tx[p] == judge.tx[p]))) return false;
    bool any = false;
    for (unsigned v = 0; v < config.num_vc; ++v) {
      const bool seen =
          (out.credit_ports >> p & 1) != 0 && (out.credit[p * words + v / 64] >> v % 64 & 1) != 0;
      if (seen != (judge.credit[p][v] != 0)) return false;
      any = any || seen;
    }
    if (any != ((out.credit_ports >> p & 1) != 0)) return false;
  }
  return (out.tx_valid >> (config.num_ports - 1) >> 1) == 0;
}

/// Compares the model's views for diagnosis with the state that the judge keeps.
inline void check_views(const Config& config, const Judge& judge, const VcRouter& router) {
  std::uint64_t buffered = 0;
  std::vector<std::vector<int>> owner(config.num_ports, std::vector<int>(config.num_vc, -1));
  for (unsigned p = 0; p < config.num_ports; ++p) {
    for (unsigned v = 0; v < config.num_vc; ++v) {
      const Judge::InVc& in = judge.in[p][v];
      const VcRouter::InVcView view = router.in_vc(p, v);
      buffered += in.held.size();
      REQUIRE(view.occupancy == in.held.size());
      REQUIRE(view.in_progress == in.inside);
      REQUIRE((view.front != nullptr) == !in.held.empty());
      if (view.front != nullptr) REQUIRE(*view.front == in.held.front());
      for (unsigned i = 0; i <= in.held.size(); ++i) {
        const Flit* const flit = router.held(p, v, i);
        REQUIRE((flit != nullptr) == (i < in.held.size()));
        if (flit != nullptr) REQUIRE(*flit == in.held[i]);
      }
      REQUIRE(view.waiting == (!in.inside && !in.held.empty()));
      if (in.inside) {
        REQUIRE(view.port == in.port);
        REQUIRE(view.vc == in.vc);
        owner[in.port][in.vc] = static_cast<int>(p * config.num_vc + v);
      } else if (view.waiting) {
        const Header header = Header::unpack(in.held.front().data, config.header);
        const Way way = route_by_rules(config, p, header);
        REQUIRE(view.port == way.port);
        REQUIRE(view.set == (judge.local(way.port) ? VcSet::kAny : way.set));
      }
    }
  }
  REQUIRE(router.buffered() == buffered);
  for (unsigned o = 0; o < config.num_ports; ++o) {
    const VcRouter::HolderView holder = router.holder(o);
    REQUIRE(holder.held == (judge.held[o] >= 0));
    if (holder.held) {
      REQUIRE(holder.holder.port * config.num_vc + holder.holder.vc == unsigned(judge.held[o]));
    }
    for (unsigned v = 0; v < judge.out[o].size(); ++v) {
      const VcRouter::OutVcView view = router.out_vc(o, v);
      REQUIRE(view.credits == judge.out[o][v].credits);
      REQUIRE(view.owned == judge.out[o][v].allocated);
      if (view.owned) {
        REQUIRE(int(view.owner.port * config.num_vc + view.owner.vc) == owner[o][v]);
      }
    }
  }
}

/// Runs a router for so many cycles with packets of up to `max_flits` flits.
inline void check(const Config& config, unsigned max_flits, unsigned cycles, std::uint64_t seed) {
  CAPTURE(seed);
  RouterTile router(config);
  Judge judge(config);
  Surroundings around(config, max_flits, seed);
  RandomStream random(seed + 1000);
  const unsigned words = VcRouter::words(config.num_vc);
  std::vector<std::uint64_t> credit(std::size_t{config.num_ports} * words);
  std::uint64_t moved = 0, quiet = 0, blocked = 0;
  std::uint32_t now = 0;
  for (unsigned cycle = 0; cycle < cycles; ++cycle, ++now) {
    if (random.chance(0.00005)) {
      router.reset();
      judge.reset();
      around.reset();
      now = 0;
    }
    around.next(judge, now);
    RouterTile::In in;
    in.rx = around.rx.data();
    in.now = now;
    in.credit = credit.data();
    std::uint64_t credit_ports = 0;
    for (unsigned p = 0; p < config.num_ports; ++p) {
      if (around.rx[p].valid) in.rx_valid |= std::uint64_t{1} << p;
      for (unsigned w = 0; w < words; ++w) credit[p * words + w] = 0;
      for (unsigned v = 0; v < config.num_vc; ++v) {
        if (!around.credit[p][v]) continue;
        credit[p * words + v / 64] |= std::uint64_t{1} << v % 64;
        credit_ports |= std::uint64_t{1} << p;
      }
    }
    if (random.chance(0.5)) in.credit_ports = credit_ports;
    // The step of a quiet router without inputs may be skipped.
    const bool idle = router.quiet() && in.rx_valid == 0 && credit_ports == 0;
    quiet += idle ? 1 : 0;
    if (!idle || random.chance(0.1)) router.step(in);
    const char* const broken = judge.judge(around.rx, around.credit, now, router.out());
    if (broken != nullptr) FAIL("cycle " << cycle << ": " << std::string(broken));
    if (!same_outputs(judge, config, router.out())) FAIL("unused lines in cycle " << cycle);
    if (random.chance(0.002)) check_views(config, judge, router.router());
    for (const Flit& flit : judge.tx) moved += flit.valid ? 1 : 0;
    blocked += router.quiet() && router.router().buffered() != 0 ? 1 : 0;
  }
  check_views(config, judge, router.router());
  MESSAGE(fmt::format("{} cycles, {} flits moved, {} cycles skipped, {} blocked", cycles, moved,
                      quiet, blocked));
  CHECK(moved > cycles / 8);
  CHECK(quiet + blocked > cycles / 100);
}

}  // namespace weft::rules
