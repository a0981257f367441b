// MDCE: the product of circular Banyan and cube-connected cycles planes over the same rings (seed
// 001 3).
#include <fmt/format.h>

#include <algorithm>

#include "sim/topology/dce_networks.hpp"
#include "sim/topology/seed001_formulas.hpp"

namespace weft {
namespace {

DceShape read(const JsonPlace& place) {
  place.only_keys({"kind", "n", "B", "C", "P"});
  constexpr std::uint64_t kMostPlanes = RouteDigits::kMaxDims - 1;
  DceShape shape;
  shape.columns = static_cast<std::uint32_t>(
      place.at("n", "columns, and bits of each y").number(2, max_plane_bits(2)));
  const auto banyan = place.at("B", "circular Banyan planes").number(0, kMostPlanes);
  const auto cubes = place.at("C", "cube-connected cycles planes").number(0, kMostPlanes);
  const auto planes = banyan + cubes;
  if (planes == 0) place.refuse("B + C of 1 or more: without planes there are no cross links");
  const auto most =
      std::min(kMostPlanes, std::uint64_t{max_plane_bits(shape.columns)} / shape.columns);
  if (planes > most) {
    place.refuse(
        fmt::format("B + C up to {} with n = {}: planes of {} bits each, and an address "
                    "holds {} bits",
                    most, shape.columns, shape.columns, kMaxAddrW));
  }
  if (place.has("P")) {
    shape.rings = static_cast<std::uint32_t>(place.member("P").number(1, 8));
  }
  shape.planes.assign(cubes, {shape.columns, 0});
  shape.planes.insert(shape.planes.end(), banyan, {shape.columns, 1});
  return shape;
}

const RegisterTopology registered{{
    .kind = "mdce",
    .family = NetworkFamily::kRouters,
    .description = "rings of n routers with B circular Banyan and C cube-connected cycles planes, "
                   "P links along the rings (seed 001)",
    .parameters = R"({"n": 4, "B": 1, "C": 1, "P": 1})",
    .build =
        [](const Config& config) {
          return dce_network(config, read({config.topology, config.source, "/topology"}));
        },
    .vcs = [](const JsonPlace& topology) { return dce_classes(read(topology)); },
    .paper =
        [](const JsonPlace& topology) {
          const DceShape shape = read(topology);
          const auto banyan = static_cast<std::uint32_t>(
              std::count_if(shape.planes.begin(), shape.planes.end(),
                            [](const DceShape::Plane& plane) { return plane.delta == 1; }));
          const auto cubes = static_cast<std::uint32_t>(shape.planes.size()) - banyan;
          return seed001::mdce(shape.columns, banyan, cubes, shape.rings);
        },
}};

}  // namespace
}  // namespace weft
