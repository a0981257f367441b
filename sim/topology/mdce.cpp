// MDCE: the product of circular Banyan and cube-connected cycles planes over the same rings (seed
// 001 3).
#include <fmt/format.h>

#include <algorithm>

#include "sim/config/key_row.hpp"
#include "sim/router/route/route_digits.hpp"
#include "sim/topology/dce_networks.hpp"
#include "sim/topology/seed001_formulas.hpp"

namespace weft {
namespace {

constexpr std::uint64_t kMostPlanes = RouteDigits::kMaxDims - 1;

struct Parameters {
  std::uint32_t n = 0, banyan = 0, cubes = 0, rings = 1;
};
constexpr Key kKeys[] = {
    key<&Parameters::n>({.name = "n",
                         .least = 2,
                         .most = kMaxAddrW - 1,
                         .required = true,
                         .unit = "nodes",
                         .help = "columns, the length of a ring, and bits of each y"}),
    key<&Parameters::banyan>(
        {.name = "B", .most = kMostPlanes, .required = true, .help = "circular Banyan planes"}),
    key<&Parameters::cubes>({.name = "C",
                             .most = kMostPlanes,
                             .required = true,
                             .help = "cube-connected cycles planes"}),
    key<&Parameters::rings>(
        {.name = "P", .least = 1, .most = 8, .help = "parallel links along a ring"}),
};

DceShape read(const Config& config) {
  const auto [n, banyan, cubes, rings] = config.topology.parameters.as<Parameters>();
  DceShape shape;
  shape.columns = n;
  shape.rings = rings;
  const std::uint64_t planes = banyan + cubes;
  if (planes == 0)
    config.refuse_topology("B + C of 1 or more: without planes there are no cross links");
  const auto most =
      std::min(kMostPlanes, std::uint64_t{max_plane_bits(shape.columns)} / shape.columns);
  if (planes > most) {
    config.refuse_topology(
        fmt::format("B + C up to {} with n = {}: planes of {} bits each, and an address "
                    "holds {} bits",
                    most, shape.columns, shape.columns, kMaxAddrW));
  }
  shape.planes.assign(cubes, {shape.columns, 0});
  shape.planes.insert(shape.planes.end(), banyan, {shape.columns, 1});
  return shape;
}

}  // namespace

extern const Topology topology_mdce = {
    .kind = "mdce",
    .facts = kRouters | kNoDetours,
    .description =
        "rings of n routers with B circular Banyan and C cube-connected cycles planes, "
        "P links along the rings (seed 001)",
    .keys = table_of<Parameters>(kKeys),
    .parameters = R"({"n": 4, "B": 1, "C": 1, "P": 1})",
    .build = [](const Config& config) { return dce_network(config, read(config)); },
    .vcs = [](const Config& config) { return dce_classes(read(config)); },
    .paper =
        [](const Config& config) {
          const DceShape shape = read(config);
          const auto banyan = static_cast<std::uint32_t>(
              std::count_if(shape.planes.begin(), shape.planes.end(),
                            [](const DceShape::Plane& plane) { return plane.delta == 1; }));
          const auto cubes = static_cast<std::uint32_t>(shape.planes.size()) - banyan;
          return seed001::mdce(shape.columns, banyan, cubes, shape.rings);
        },
};

}  // namespace weft
