// Lockstep bench of the virtual-channel router: the model beside the RTL.
#include <algorithm>
#include <cstdlib>
#include <vector>

#include "sim/router/route/route_unit.hpp"
#include "sim/router/router_tile.hpp"
#include "sim/router/vc_router.hpp"
#include "tb/lib/bench.hpp"
#include "tb/router/neighbourhood.hpp"
#include "tb/router/vc_router_points.hpp"

namespace {

using namespace weft;

// The packets that arrive, by in-port.
std::vector<std::vector<tb::Passage>> arrivals(RandomStream& random,
                                               const tb::VcRouterPoint& point) {
  if (!point.any_route) return point.surroundings().passages(point.router);
  const std::uint64_t nodes = low_mask(point.addr_w);
  std::vector<std::vector<tb::Passage>> ways(point.config().num_ports);
  for (auto& port : ways) {
    for (unsigned k = 0; k < 16; ++k) {
      const std::uint64_t any = random();
      port.push_back({.src = static_cast<std::uint32_t>(any & nodes),
                      .dst = static_cast<std::uint32_t>(any >> 32 & nodes),
                      .vcs = low_mask(point.num_vc)});
    }
  }
  return ways;
}

// Any further ways of a header whose route is `route`; beside other flits anything.
std::uint64_t further_ways(RandomStream& random, const RouterTileConfig& c, const RouteOut& route,
                           bool head) {
  const std::uint64_t any = random.below(std::uint64_t{1} << c.num_ports);
  const std::uint64_t local = low_mask(c.num_ports) ^ low_mask(c.num_ports - c.num_local);
  // A header with an escape way to a local port has none.
  const bool alone = route.port >= c.num_ports - c.num_local || random.chance(0.1);
  return head && alone ? any & local : any;
}

void lockstep(tb::Bench& bench, const tb::VcRouterPoint& point) {
  const RouterTileConfig c = point.config();
  const RouteUnit unit(c.route_kind, c.route);
  RtlInstance rtl = bench.point(point.params(), std::size(tb::kVcRouterPoints));
  const unsigned ports = c.num_ports, first_local = c.num_ports - c.num_local;
  const unsigned words = VcRouter::words(c.num_vc);
  const VcRouter::PortConfig ports_config{c, point.parity, c.header.data_w};
  auto rtl_ports = bench.ports<VcRouter>(rtl, ports_config);
  RtlPort tx_credit = rtl.port("tx_credit_i");

  VcRouter model(c);
  const auto ways = arrivals(bench.random, point);
  // With cut-through or store and forward the buffer must hold a whole packet.
  const auto max_body = [&](bool local) {
    return point.cut_through || (point.store_forward && !local) ? point.depth - 1 : 2 * point.depth;
  };
  std::vector<tb::CreditSender> senders;
  std::vector<tb::CreditReceiver> receivers;
  for (unsigned p = 0; p < ports; ++p) {
    const bool local = p >= first_local;
    senders.emplace_back(c, ways[p], max_body(local), point.parity);
    receivers.emplace_back(local ? 1 : c.num_vc, local ? c.local_depth : c.depth);
  }
  std::vector<Flit> rx(ports);
  std::vector<RouteOut> route(ports);
  std::vector<std::uint64_t> minimal(ports);
  std::vector<std::uint64_t> credit(std::size_t{ports} * words);
  // With ages the counter wraps soon: the router has been idle until shortly before.
  std::uint32_t now = 0;
  for (; point.age && now < (1u << kStampW) - 300; ++now) rtl.tick();
  // With random back-pressure alone a packet would seldom find all links open, and little moved.
  tb::Pressure calm, stop;

  for (; bench.running(); bench.next(), ++now) {
    if (bench.load_now(rtl, rtl_ports, model, ports_config, now)) {
      tx_credit = rtl.port("tx_credit_i");
    }
    bench.equal(rtl_ports, model.out());
    const VcRouter::Out out = model.out();
    const bool rush = calm.next(bench.random), pause = stop.next(bench.random) && !rush;
    VcRouter::In in{rx.data(), 0, route.data(), credit.data(), now};
    in.minimal = minimal.data();
    for (unsigned p = 0; p < ports; ++p) {
      in.rx_valid |= std::uint64_t{rx[p].valid} << p;
      const bool head = rx[p].valid && model.expects_head(p, rx[p].vc);
      route[p] = point.route_of(bench.random, unit, p, rx[p], head);
      minimal[p] = further_ways(bench.random, c, route[p], head);
    }
    rtl_ports.drive(in);
    // An interface has VC 0 only: the lines of others are ignored.
    for (unsigned p = first_local; p < ports && c.num_vc > 1; ++p) {
      tx_credit.set_bits(p * c.num_vc + 1, c.num_vc - 1, bench.random());
    }
    if (bench.reset_now(rtl)) {
      model.reset();
      for (auto& sender : senders) sender.reset();
      for (auto& receiver : receivers) receiver.reset();
      std::fill(rx.begin(), rx.end(), Flit{});
      std::fill(credit.begin(), credit.end(), 0);
      now = ~std::uint32_t{0};
      continue;
    }

    // The neighbours at this edge, with the words that are on the links now.
    std::vector<Flit> rx_next(ports);
    std::vector<std::uint64_t> credit_next(credit.size());
    for (unsigned p = 0; p < ports; ++p) {
      if ((out.tx_valid >> p & 1) != 0) {
        receivers[p].take(out.tx[p]);
        bench.transferred();
      }
      receivers[p].credits(bench.random, rush, [&](unsigned v) {
        credit_next[p * words + v / 64] |= std::uint64_t{1} << v % 64;
      });
      rx_next[p] = senders[p].next(bench.random, now, pause, rush, [&](unsigned v) {
        const bool given = (out.credit_ports >> p & 1) != 0;
        return given && (out.credit[p * words + v / 64] >> v % 64 & 1) != 0 ? 1u : 0u;
      });
    }
    std::uint64_t credit_ports = 0;
    for (unsigned p = 0; p < ports; ++p) {
      for (unsigned w = 0; w < words; ++w) {
        if (credit[p * words + w] != 0) credit_ports |= std::uint64_t{1} << p;
      }
    }
    // An idle router may be left out of a cycle in which nothing arrives.
    const bool idle = model.quiet() && in.rx_valid == 0 && credit_ports == 0;
    if (!idle || bench.random.chance(0.5)) {
      in.credit_ports = bench.random.chance(0.5) ? ~std::uint64_t{0} : credit_ports;
      model.step(in);
    }
    rtl.tick();
    rx = rx_next;
    credit = credit_next;
  }
}

}  // namespace

int main(int argc, char** argv) {
  return tb::bench_main(argc, argv, "vc_router", [](tb::Bench& bench) {
    for (const tb::VcRouterPoint& point : bench.order(tb::kVcRouterPoints)) lockstep(bench, point);
  });
}
