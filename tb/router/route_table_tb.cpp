// Lockstep bench of the route unit with a table.
#include <memory>
#include <optional>
#include <vector>

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

/// A router with other random tables, the second of its network.
struct Network {
  Network(RandomStream& random, const Point& point, const RouteConfig& shape)
      : config(shape), model(with_tables(random, point)) {
    const RouteUnit::PortConfig ports{RouteKind::kTable, config, tb::kUnitAddrW};
    for (unsigned p = 0; p < rows.size(); ++p) {
      packed.push_back(config.tables->packed(1, p, ports.port_w()));
    }
  }

  RouteConfig config;
  std::vector<RouteTables::Row> rows;  // As written, by in-port.
  RouteTable model;
  std::vector<std::vector<std::uint64_t>> packed;

 private:
  const RouteConfig& with_tables(RandomStream& random, const Point& point) {
    const auto tables = std::make_shared<RouteTables>(point.addresses);
    std::vector<std::uint32_t> numbers;
    for (unsigned p = 0; p < point.links + point.local; ++p) {
      rows.push_back(random_row(random, point));
      numbers.push_back(tables->add_row(rows.back(), point.links));
    }
    tables->add_router({numbers.back()});
    tables->add_router(numbers);
    tables->finish();
    config.tables = tables;
    return config;
  }
};

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
      std::optional<Network> network(std::in_place, bench.random, point, config);
      const RouteUnit::PortConfig shape{RouteKind::kTable, network->config, tb::kUnitAddrW};
      auto rtl_ports = bench.ports<RouteUnit>(rtl, shape);
      // Every cycle of a table of all addresses drives a megabyte.
      if (point.addresses > 4096) bench.shorten_share(4000);
      for (; bench.running(); bench.next()) {
        if (bench.random.below(std::uint64_t{16} * ports * point.addresses) == 0) {
          network.emplace(bench.random, point, config);
        }
        const auto port = static_cast<std::uint32_t>(bench.random.below(ports));
        // Of a node, with any one bit wrong, or any.
        auto dst = static_cast<std::uint32_t>(bench.random.below(point.addresses));
        const auto kind = bench.random.below(16);
        if (kind == 0) dst = static_cast<std::uint32_t>(bench.random.below(1u << tb::kUnitAddrW));
        if (kind == 1) dst ^= 1u << bench.random.below(tb::kUnitAddrW);
        const RouteOut route = network->model.route(port, 1, 0, dst);
        const auto src = static_cast<std::uint32_t>(bench.random.below(1u << tb::kUnitAddrW));
        RouteUnit::In in{port, 1, src, dst, bench.random.chance(0.5), network->packed[port].data()};
        in.reverse = bench.random.chance(0.5);
        rtl_ports.drive(in);
        rtl.eval();
        bench.equal(rtl_ports, route);
        // The route must also be as it was written.
        if (dst < point.addresses && (route.port != network->rows[port][dst].port ||
                                      route.set != network->rows[port][dst].set)) {
          throw CheckError("a route is not as it was written");
        }
        bench.transferred();
      }
    }
  });
}
