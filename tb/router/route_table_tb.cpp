// Lockstep bench of the route unit with a table.
#include "sim/router/route/route_table.hpp"
#include "sim/router/route/route_unit.hpp"
#include "tb/router/route_lockstep.hpp"

namespace {

using namespace weft;

struct Point {
  std::uint32_t addresses;
  unsigned links, local;
};
// One port and entry, no local port, entries that cross words of 64 bits, tables above them, all
// addresses that there can be.
const Point kPoints[] = {{16, 4, 1},  {1, 1, 0},    {7, 2, 0},   {16, 4, 4},
                         {100, 6, 3}, {333, 30, 2}, {64, 55, 9}, {1u << kMaxAddrW, 2, 1}};

// Random tables; `row` has what was written, entry by entry.
RouteTables::Row random_row(RandomStream& random, const Point& point) {
  RouteTables::Row row(point.addresses);
  for (auto& entry : row) {
    entry.port = static_cast<std::uint8_t>(random.below(point.links + point.local));
    if (entry.port < point.links) entry.set = static_cast<VcSet>(random.below(kVcSets));
  }
  return row;
}

}  // namespace

int main(int argc, char** argv) {
  return tb::bench_main(argc, argv, "route_table", [](tb::Bench& bench) {
    for (const Point& point : bench.order(kPoints)) {
      RtlInstance rtl = bench.point({{"NumDst", point.addresses},
                                     {"NumLinks", point.links},
                                     {"NumLocal", point.local},
                                     {"AddrW", tb::kUnitAddrW}},
                                    std::size(kPoints));
      const unsigned ports = point.links + point.local;
      RouteConfig config;
      config.num_links = point.links;
      config.num_local = point.local;
      const auto tables = std::make_shared<RouteTables>(point.addresses);
      std::vector<RouteTables::Row> rows;
      std::vector<std::uint32_t> numbers;
      for (unsigned p = 0; p < ports; ++p) {
        rows.push_back(random_row(bench.random, point));
        numbers.push_back(tables->add_row(rows.back(), point.links));
      }
      tables->add_router({numbers.back()});  // Another router before it.
      tables->add_router(numbers);
      tables->finish();
      config.tables = tables;
      const RouteUnit::PortConfig shape{RouteKind::kTable, config, tb::kUnitAddrW};
      auto rtl_ports = bench.ports<RouteUnit>(rtl, shape);
      const RouteTable model(config);
      std::vector<std::vector<std::uint64_t>> packed;
      for (unsigned p = 0; p < ports; ++p) packed.push_back(tables->packed(1, p, shape.port_w()));
      // Every cycle of a table of all addresses drives a megabyte.
      if (point.addresses > 4096) bench.shorten_share(4000);
      for (; bench.running(); bench.next()) {
        const auto port = static_cast<std::uint32_t>(bench.random.below(ports));
        const bool node = bench.random.chance(0.9);
        const auto dst = static_cast<std::uint32_t>(
            bench.random.below(node ? point.addresses : 1u << tb::kUnitAddrW));
        const RouteOut route = model.route(port, 1, 0, dst);
        const auto src = static_cast<std::uint32_t>(bench.random.below(1u << tb::kUnitAddrW));
        RouteUnit::In in{port, 1, src, dst, bench.random.chance(0.5), packed[port].data()};
        in.reverse = bench.random.chance(0.5);
        rtl_ports.drive(in);
        rtl.eval();
        bench.equal(rtl_ports, route);
        // The route must also be as it was written.
        if (dst < point.addresses &&
            (route.port != rows[port][dst].port || route.set != rows[port][dst].set)) {
          throw CheckError("a route is not as it was written");
        }
        bench.transferred();
      }
    }
  });
}
