// Lockstep bench of the virtual-channel router: the model beside the RTL.
#include <algorithm>
#include <cstdlib>
#include <vector>

#include "sim/router/router_tile.hpp"
#include "tb/lib/bench.hpp"
#include "tb/router/neighbourhood.hpp"
#include "tb/router/route_lockstep.hpp"

namespace {

using namespace weft;

struct Point {
  std::vector<std::uint32_t> max_coords;
  std::uint32_t router = 0;  // Its number, as of Surroundings.
  unsigned num_local = 1, num_vc = 2, depth = 8, local_depth = 4;
  bool hold_packet = true, cut_through = false, age = false;
  RouteKind kind = RouteKind::kTorus;
  bool balanced = false, per_dest = false, parity = false, store_forward = false;
  unsigned num_rings = 1;
  std::vector<std::uint32_t> deltas = {};
  unsigned mains = 0;
  bool is_main = false;
  unsigned addr_w = kAddrW;
  unsigned data_w = kHdrW;
  bool any_route = false;  // Headers leave by any port with any set.
  bool adaptive = false;   // Headers have any further ways.
  bool stamps = false;     // Flits carry stamps, though not for the age.
  unsigned pipeline = 1;

  tb::Surroundings surroundings() const { return {kind, route(), num_vc}; }

  RouteConfig route() const {
    RouteConfig r;
    r.max_coords = max_coords;
    r.num_local = num_local;
    r.balanced = balanced;
    r.per_dest = per_dest;
    r.num_rings = num_rings;
    r.deltas = deltas;
    r.mains = mains;
    r.is_main = is_main;
    return r;
  }

  RouterTileConfig config() const {
    RouterTileConfig c;
    c.num_ports = RouteUnit::links(kind, route()) + num_local;
    c.num_local = num_local;
    c.num_vc = num_vc;
    c.depth = depth;
    c.local_depth = local_depth;
    c.hold_packet = hold_packet;
    c.cut_through = cut_through;
    c.store_forward = store_forward;
    c.age = age;
    c.stamps = stamps;
    c.adaptive = adaptive;
    c.pipeline = pipeline;
    c.route_kind = kind;
    c.route = route();
    c.header = {addr_w, data_w};
    c.own = surroundings().own(router);
    if (!any_route) c.sets = RouteUnit(kind, route()).sets();
    return c;
  }

  tb::Params params() const {
    const RouterTileConfig c = config();
    return {{"NumPorts", c.num_ports},
            {"NumLocal", num_local},
            {"DataW", data_w},
            {"Parity", tb::bit_literal(parity)},
            {"NumVc", num_vc},
            {"Depth", depth},
            {"LocalDepth", local_depth},
            {"HoldPacket", tb::bit_literal(hold_packet)},
            {"CutThrough", tb::bit_literal(cut_through)},
            {"StoreForward", tb::bit_literal(store_forward)},
            {"Age", tb::bit_literal(age)},
            {"Stamps", tb::bit_literal(age || stamps)},
            {"Adaptive", tb::bit_literal(adaptive)},
            {"Pipeline", pipeline},
            {"Sets", RtlValue(fmt::format("16'd{}", c.sets))}};
  }

  // Of a header on in-port `port`; beside other flits the route units show anything.
  RouteOut route_of(RandomStream& random, const RouteUnit& unit, unsigned port, const Flit& flit,
                    bool head) const {
    const RouterTileConfig c = config();
    if (head && !any_route) {
      const Header header = Header::unpack(flit.data, c.header);
      return unit.route(port, c.own, header.src, header.dst, (header.tag >> kTagOtherWay & 1) != 0);
    }
    const auto to = static_cast<std::uint32_t>(random.below(c.num_ports));
    if (head && to >= c.num_ports - num_local) return {to, VcSet::kAny};
    const auto vc = static_cast<unsigned>(random.below(std::min(num_vc, kNumberedVcs)));
    return {to,
            random.chance(0.5) ? VcSet{static_cast<std::uint8_t>(random.below(5))} : only_vc(vc)};
  }
};

// Any further ways of a header whose route is `route`; beside other flits anything.
std::uint64_t further_ways(RandomStream& random, const RouterTileConfig& c, const RouteOut& route,
                           bool head) {
  const std::uint64_t any = random.below(std::uint64_t{1} << c.num_ports);
  const std::uint64_t local = low_mask(c.num_ports) ^ low_mask(c.num_ports - c.num_local);
  // A header with an escape way to a local port has none.
  const bool alone = route.port >= c.num_ports - c.num_local || random.chance(0.1);
  return head && alone ? any & local : any;
}

// The first ones are small and cover most behaviour, so that a mutation is detected soon.
const Point kPoints[] = {
    {.max_coords = {6},
     .router = 2,
     .num_local = 2,
     .depth = 9,
     .local_depth = 7,
     .cut_through = true,
     .age = true,
     .balanced = true,
     .parity = true},
    {.max_coords = {6}, .router = 6, .num_local = 2, .depth = 5, .store_forward = true},
    {.max_coords = {3, 3}, .router = 5, .depth = 3, .adaptive = true},
    {.max_coords = {2, 2},
     .router = 4,
     .num_local = 2,
     .num_vc = 4,
     .depth = 6,
     .cut_through = true,
     .kind = RouteKind::kMesh,
     .adaptive = true,
     .stamps = true},
    {.max_coords = {6},
     .router = 2,
     .num_local = 2,
     .num_vc = 3,
     .depth = 5,
     .local_depth = 3,
     .any_route = true,
     .pipeline = 3},
    {.max_coords = {3, 3}, .router = 5, .depth = 4, .pipeline = 2},
    {.max_coords = {2, 7},
     .router = 6,
     .depth = 4,
     .kind = RouteKind::kDce,
     .deltas = {0, 1},
     .addr_w = 17},
    {.max_coords = {2, 1, 1, 0, 0}, .router = 2, .depth = 4, .kind = RouteKind::kBoard, .mains = 2},
    {.max_coords = {3, 3}, .router = 5, .addr_w = 19},
    {.max_coords = {3, 3}, .router = 0, .depth = 3, .local_depth = 2, .hold_packet = false},
    {.max_coords = {3, 2}, .router = 6, .num_vc = 1, .depth = 4, .kind = RouteKind::kMesh},
    {.max_coords = {3, 3},
     .router = 10,
     .num_vc = 5,
     .depth = 2,
     .local_depth = 1,
     .hold_packet = false,
     .age = true},
    {.max_coords = {2, 2, 3}, .router = 0x19, .depth = 5},
    {.max_coords = {4, 3},
     .router = 0x11,
     .num_local = 4,
     .num_vc = 4,
     .depth = 6,
     .balanced = true},
    {.max_coords = {3, 3}, .router = 9, .num_local = 4, .depth = 20, .kind = RouteKind::kMesh},
    {.max_coords = {3, 3},
     .router = 9,
     .num_vc = 4,
     .depth = 4,
     .hold_packet = false,
     .age = true,
     .store_forward = true},
    {.max_coords = {4, 4}, .router = 0x12, .num_vc = 25, .depth = 2, .per_dest = true},
    {.max_coords = {1, 3, 3},
     .router = 9,
     .num_vc = 4,
     .cut_through = true,
     .kind = RouteKind::kDce,
     .deltas = {0, 0, 1}},
    {.max_coords = {3, 7},
     .router = 0x12,
     .num_local = 2,
     .num_vc = 3,
     .depth = 3,
     .hold_packet = false,
     .kind = RouteKind::kDce,
     .parity = true,
     .num_rings = 2,
     .deltas = {0, 2},
     .data_w = 128},
    {.max_coords = {1, 1},
     .router = 2,
     .num_vc = 4,
     .depth = 3,
     .kind = RouteKind::kDce,
     .per_dest = true,
     .deltas = {0, 0}},
    {.max_coords = {7}, .router = 6, .num_local = 2, .num_vc = 1, .kind = RouteKind::kTree},
    {.max_coords = {7},
     .router = 9,
     .num_local = 0,
     .num_vc = 3,
     .depth = 5,
     .cut_through = true,
     .age = true,
     .kind = RouteKind::kTree},
    {.max_coords = {3},
     .router = 1,
     .num_local = 2,
     .num_vc = 4,
     .depth = 3,
     .kind = RouteKind::kOmega,
     .per_dest = true},
    {.max_coords = {7},
     .router = 5,
     .num_local = 0,
     .kind = RouteKind::kOmega,
     .store_forward = true},
    {.max_coords = {2, 1, 3, 1, 0},
     .router = 0x09,
     .depth = 6,
     .cut_through = true,
     .kind = RouteKind::kBoard,
     .mains = 2,
     .is_main = true},
    {.max_coords = {6}, .router = 2, .num_vc = 3, .depth = 4, .any_route = true},
    {.max_coords = {3, 3},
     .router = 6,
     .num_local = 2,
     .num_vc = 9,
     .depth = 3,
     .cut_through = true,
     .any_route = true},
    {.max_coords = {6},
     .router = 3,
     .num_vc = 3,
     .depth = 4,
     .hold_packet = false,
     .age = true,
     .any_route = true,
     .adaptive = true},
    {.max_coords = {3, 3},
     .router = 10,
     .num_vc = 5,
     .depth = 3,
     .local_depth = 1,
     .hold_packet = false,
     .age = true,
     .pipeline = 3},
    {.max_coords = {4, 3},
     .router = 0x11,
     .num_local = 2,
     .num_vc = 4,
     .depth = 6,
     .hold_packet = false,
     .cut_through = true,
     .balanced = true,
     .any_route = true,
     .pipeline = 3},
    {.max_coords = {3, 2},
     .router = 6,
     .num_vc = 1,
     .depth = 4,
     .age = true,
     .kind = RouteKind::kMesh,
     .store_forward = true,
     .pipeline = 3},
    {.max_coords = {2, 7},
     .router = 6,
     .depth = 4,
     .kind = RouteKind::kDce,
     .deltas = {0, 1},
     .pipeline = 3},
    {.max_coords = {2, 1, 1, 0, 0},
     .router = 2,
     .depth = 4,
     .kind = RouteKind::kBoard,
     .mains = 2,
     .pipeline = 2},
    {.max_coords = {4, 4},
     .router = 0x12,
     .num_vc = 25,
     .depth = 2,
     .per_dest = true,
     .pipeline = 3},
    {.max_coords = {3, 3},
     .router = 6,
     .depth = 5,
     .hold_packet = false,
     .cut_through = true,
     .any_route = true,
     .pipeline = 2},
    {.max_coords = {3, 3}, .router = 5, .depth = 3, .adaptive = true, .pipeline = 2},
    {.max_coords = {6}, .router = 2, .num_vc = 4, .store_forward = true, .adaptive = true},
    {.max_coords = {3, 3}, .router = 9, .depth = 20, .kind = RouteKind::kMesh, .pipeline = 3},
};

void lockstep(tb::Bench& bench, const Point& point) {
  const RouterTileConfig c = point.config();
  const RouteUnit unit(c.route_kind, c.route);
  RtlInstance rtl = bench.point(point.params(), std::size(kPoints));
  const unsigned ports = c.num_ports, first_local = c.num_ports - c.num_local;
  const unsigned words = VcRouter::words(c.num_vc);
  auto rtl_ports =
      bench.ports<VcRouter>(rtl, VcRouter::PortConfig{c, point.parity, c.header.data_w});

  VcRouter model(c);
  const auto ways = point.surroundings().passages(point.router);
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
    for (const Point& point : bench.order(kPoints)) lockstep(bench, point);
  });
}
