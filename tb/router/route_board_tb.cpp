// Lockstep bench of the route unit of system boards.
#include "sim/router/route/route_board.hpp"
#include "tb/router/route_lockstep.hpp"

namespace {

using namespace weft;

struct Point {
  std::vector<std::uint32_t> max_coords;
  unsigned mains;
  bool is_main;
  unsigned num_local = 1;
  bool per_dest = false;

  RouteConfig config() const {
    RouteConfig config;
    config.max_coords = max_coords;
    config.mains = mains;
    config.is_main = is_main;
    config.num_local = num_local;
    config.per_dest = per_dest;
    return config;
  }
};

// Headers, and the routers of one kind of units.
class UnitHeaders : public tb::NodeHeaders {
 public:
  UnitHeaders(RandomStream& random, const RouteConfig& config)
      : NodeHeaders(random, config), random_(&random), config_(config) {}

  std::uint32_t router() const {
    const auto unit_w = static_cast<unsigned>(std::bit_width(config_.max_coords[0]));
    for (;;) {
      const std::uint32_t here = address();
      if (((here & low_mask(unit_w)) < config_.mains) == config_.is_main) return here;
    }
  }
  // Near on the board, or along the rings.
  std::uint32_t near(std::uint32_t here, std::uint32_t dst) const {
    return random_->chance(0.5) ? NodeHeaders::near(here, dst) : NodeHeaders::near(dst, here);
  }

 private:
  RandomStream* random_;
  RouteConfig config_;
};

// Boards of seed 003 first; one board, odd and even rings, units that are a power of two and not.
const Point kPoints[] = {
    {{11, 3, 3, 3, 3}, 8, true, 2},      {{11, 3, 3, 3, 3}, 8, false, 8},
    {{6, 2, 4, 1, 2}, 4, true, 3},       {{6, 4, 2, 1, 2}, 3, false, 4},
    {{1, 0, 0, 0, 0}, 1, true, 1},       {{1, 0, 0, 0, 0}, 1, false, 2},
    {{16, 5, 1, 0, 2}, 7, true, 8},      {{16, 5, 1, 0, 2}, 10, false, 5},
    {{3, 1, 1, 1, 1}, 2, true, 1, true}, {{4, 2, 1, 0, 1}, 3, false, 2, true},
    {{1, 255, 2, 0, 6}, 1, false, 1},    {{31, 0, 9, 6, 0}, 30, false, 8},
    {{31, 1, 9, 6, 0}, 2, true, 1},      {{16, 1, 2, 2, 2}, 1, true, 1},
    {{11, 3, 1, 0, 3}, 8, true, 4},      {{4, 1, 0, 2, 3}, 3, true, 5},
};

}  // namespace

int main(int argc, char** argv) {
  return tb::bench_main(argc, argv, "route_board", [](tb::Bench& bench) {
    for (const Point& point : bench.order(kPoints)) {
      const RouteConfig config = point.config();
      RtlInstance rtl = bench.point({{"MaxCoords", tb::digits_literal(config.max_coords)},
                                     {"AddrW", tb::unit_addr_w(config)},
                                     {"Mains", config.mains},
                                     {"IsMain", tb::bit_literal(config.is_main)},
                                     {"NumLocal", config.num_local},
                                     {"PerDest", tb::bit_literal(config.per_dest)}},
                                    static_cast<unsigned>(std::size(kPoints)));
      tb::compare_routes<RouteBoard, UnitHeaders>(bench, rtl, config);
    }
  });
}
