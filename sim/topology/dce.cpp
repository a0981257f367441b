// DCE: rings of routers with one plane of cross links (seed 001 2).
#include <fmt/format.h>

#include <algorithm>

#include "sim/topology/dce_networks.hpp"
#include "sim/topology/seed001_formulas.hpp"

namespace weft {
namespace {

DceShape read(const JsonPlace& place) {
  place.only_keys({"kind", "n", "y_bits", "delta"});
  DceShape shape;
  shape.columns = static_cast<std::uint32_t>(
      place.at("n", "columns, the length of a ring").number(2, kMaxSize));
  const auto most = std::min(shape.columns, max_plane_bits(shape.columns));
  DceShape::Plane plane;
  plane.bits = static_cast<std::uint32_t>(
      place.at("y_bits", "bits of y: 2^y_bits rings")
          .number(1, most,
                  fmt::format("1 to {}: at most one for each of n columns, and what an "
                              "address of {} bits holds",
                              most, kMaxAddrW)));
  // From a column on, delta and delta + n lead to the same one.
  plane.delta =
      static_cast<std::uint32_t>(
          place
              .at("delta",
                  "columns that a cross link goes on: 0 (cube-connected cycles), 1 (circular "
                  "Banyan) or more")
              .number(0, kMaxSize)) %
      shape.columns;
  shape.planes.push_back(plane);
  return shape;
}

const RegisterTopology registered{{
    .kind = "dce",
    .family = NetworkFamily::kRouters,
    .description = "rings of n routers whose cross links invert one bit of y in each column: "
                   "circular Banyan, cube-connected cycles (seed 001)",
    .parameters = R"({"n": 3, "y_bits": 3, "delta": 1})",
    .build =
        [](const Config& config) {
          return dce_network(config, read({config.topology, config.source, "/topology"}));
        },
    .vcs = [](const JsonPlace& topology) { return dce_classes(read(topology)); },
    .paper =
        [](const JsonPlace& topology) {
          const DceShape shape = read(topology);
          return seed001::dce(shape.columns, shape.planes[0].bits, shape.planes[0].delta);
        },
}};

}  // namespace
}  // namespace weft
