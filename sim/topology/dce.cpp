// DCE: rings of routers with one plane of cross links (seed 001 2).
#include <fmt/format.h>

#include <algorithm>

#include "sim/config/key_row.hpp"
#include "sim/topology/dce_networks.hpp"
#include "sim/topology/seed001_formulas.hpp"

namespace weft {
namespace {

struct Parameters {
  std::uint32_t n = 0, y_bits = 0, delta = 0;
};
constexpr Key kKeys[] = {
    key<&Parameters::n>({.name = "n",
                         .least = 2,
                         .most = kMaxSize,
                         .required = true,
                         .unit = "nodes",
                         .help = "columns, the length of a ring"}),
    key<&Parameters::y_bits>({.name = "y_bits",
                              .least = 1,
                              .most = kMaxAddrW - 1,
                              .required = true,
                              .help = "bits of y, at most one for each column: 2^y_bits rings"}),
    key<&Parameters::delta>({.name = "delta",
                             .most = kMaxSize,
                             .required = true,
                             .unit = "columns",
                             .help =
                                 "columns that a cross link advances: 0 (cube-connected cycles), 1 "
                                 "(circular Banyan) or more"}),
};

DceShape read(const Config& config) {
  const auto [n, y_bits, delta] = config.topology.parameters.as<Parameters>();
  const auto most = std::min(n, max_plane_bits(n));
  if (y_bits > most) {
    config.refuse_topology(fmt::format("1 to {}: at most one for each of n columns, and what an "
                                       "address of {} bits holds",
                                       most, kMaxAddrW),
                           "y_bits");
  }
  // From a column on, delta and delta + n lead to the same column.
  DceShape shape;
  shape.columns = n;
  shape.planes.push_back({.bits = y_bits, .delta = delta % n});
  return shape;
}

}  // namespace

extern const Topology topology_dce = {
    .kind = "dce",
    .facts = kRouters,
    .description =
        "rings of n routers whose cross links invert one bit of y in each column: "
        "circular Banyan, cube-connected cycles (seed 001)",
    .keys = table_of<Parameters>(kKeys),
    .parameters = R"({"n": 3, "y_bits": 3, "delta": 1})",
    .build = [](const Config& config) { return dce_network(config, read(config)); },
    .vcs = [](const Config& config) { return dce_classes(read(config)); },
    .paper =
        [](const Config& config) {
          const DceShape shape = read(config);
          return seed001::dce(shape.columns, shape.planes[0].bits, shape.planes[0].delta);
        },
};

}  // namespace weft
