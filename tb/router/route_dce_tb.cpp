// Lockstep bench of the route unit of DCE and MDCE networks.
#include "sim/router/route/route_dce.hpp"
#include "tb/router/route_lockstep.hpp"

namespace {

using namespace weft;

RouteConfig network(std::vector<std::uint32_t> max_coords, std::vector<std::uint32_t> deltas,
                    unsigned rings, unsigned local, bool per_dest = false) {
  RouteConfig config;
  config.max_coords = std::move(max_coords);
  config.deltas = std::move(deltas);
  config.num_rings = rings;
  config.num_local = local;
  config.per_dest = per_dest;
  return config;
}

// Circular Banyan, cube-connected cycles and products; more columns than bits, as many, fewer (bits
// that no column has are ignored), columns that are no power of two; long cross links.
const RouteConfig kPoints[] = {
    network({3, 15, 15}, {0, 0, 1}, 1, 1),  // (1,1)-MDCE, 1,024 nodes
    network({4, 31, 15}, {0, 3, 1}, 3, 2),  //
    network({2, 7}, {0, 1}, 1, 1),          //
    network({2, 7}, {0, 0}, 2, 4),          //
    network({7, 127}, {0, 7}, 1, 1),        // 8 x 128: the eighth column has no cross link
    network({1, 3, 3, 3, 3, 1, 0, 1}, {0, 1, 0, 1, 0, 1, 0, 0}, 4, 3, true),  // most dimensions
    network({0, 1}, {0, 0}, 1, 1),                                            //
    network({1, 7, 0, 1}, {9, 1, 1, 0}, 5, 1),                                //
    network({15, 4095}, {0, 9}, 7, 1),                                        //
    network({3, 1023, 255}, {0, 2, 1}, 2, 2),                                 //
};

}  // namespace

int main(int argc, char** argv) {
  return tb::bench_main(argc, argv, "route_dce", [](tb::Bench& bench) {
    for (const RouteConfig& config : bench.order(kPoints)) {
      tb::Params params = tb::unit_params(config);
      params.emplace_back("NumRings", config.num_rings);
      params.emplace_back("Deltas", tb::digits_literal(config.deltas));
      RtlInstance rtl = bench.point(params, std::size(kPoints));
      tb::compare_routes<RouteDce>(bench, rtl, config);
    }
  });
}
