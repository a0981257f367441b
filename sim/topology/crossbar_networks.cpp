// What the crossbar topologies of seed 002 share.
#include "sim/topology/crossbar_networks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "sim/core/packet.hpp"

namespace weft {
namespace {

Crossbar::Config shape(const Config& config, std::uint32_t n, std::uint32_t digit_lsb,
                       std::uint32_t digit_w) {
  Crossbar::Config shape;
  shape.num_out = n;
  shape.in_depth = config.router.vc_depth;
  shape.out_depth = config.router.output_depth;
  shape.route = Route::kDigit;
  shape.digit_lsb = digit_lsb;
  shape.digit_w = digit_w;
  return shape;
}

}  // namespace

std::vector<std::uint32_t> read_dims(const JsonPlace& place, std::size_t least, std::size_t most,
                                     std::uint32_t least_size) {
  const std::string count =
      least == most ? std::to_string(least) : fmt::format("{} to {}", least, most);
  const auto places = place.elements(
      least, most,
      fmt::format("a list of {} sizes, each {} to {}", count, least_size, kMaxCrossbar));
  std::vector<std::uint32_t> dims;
  for (const auto& p : places) {
    dims.push_back(static_cast<std::uint32_t>(p.number(least_size, kMaxCrossbar)));
  }
  if (std::all_of(dims.begin(), dims.end(), [](auto n) { return n == 1; })) {
    place.refuse("sizes that make 2 PEs or more; one PE has nothing to send to");
  }
  const auto bits = digit_places(dims).back();
  if (bits > kAddrW) {
    place.refuse(fmt::format(
        "sizes whose digits fit an address of {} bits (these need {}; {} PEs where all sizes are "
        "powers of two)",
        kAddrW, bits, 1u << kAddrW));
  }
  return dims;
}

std::vector<std::uint32_t> digit_places(const std::vector<std::uint32_t>& dims) {
  std::vector<std::uint32_t> places = {0};
  for (const auto n : dims) {
    places.push_back(places.back() + static_cast<std::uint32_t>(std::bit_width(n - 1)));
  }
  return places;
}

Graph nodes_of(const std::vector<std::uint32_t>& dims) {
  Graph graph;
  graph.dims = dims;
  const auto places = digit_places(dims);
  std::uint32_t nodes = 1;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    graph.dim_bits.push_back(places[i + 1] - places[i]);
    nodes *= dims[i];
  }
  for (std::uint32_t rank = 0; rank < nodes; ++rank) {
    std::uint32_t address = 0, rest = rank;
    for (std::size_t i = 0; i < dims.size(); ++i) {
      address |= rest % dims[i] << places[i];
      rest /= dims[i];
    }
    graph.add_nic(fmt::format("nic_{}", rank), address);
  }
  return graph;
}

Crossbar::Config detour_crossbar(const Config& config, std::uint32_t n, std::uint32_t digit_lsb,
                                 std::uint32_t digit_w) {
  auto result = shape(config, n, digit_lsb, digit_w);
  result.detour = true;
  result.num_in = 2 * n;
  result.first_in = result.num_in < 8 ? result.num_in : std::min((result.num_in + 3) / 4, 64u);
  return result;
}

Crossbar::Config plain_crossbar(const Config& config, std::uint32_t n, std::uint32_t digit_lsb,
                                std::uint32_t digit_w) {
  auto result = shape(config, n, digit_lsb, digit_w);
  result.detour = false;
  result.num_in = n;
  result.first_in = std::min(n, 32u);
  return result;
}

std::uint64_t count_crosspoints(const Graph& graph) {
  std::uint64_t sum = 0;
  for (const Block& block : graph.blocks) {
    if (block.kind == Block::Kind::kCrossbar) {
      sum += std::uint64_t{block.num_in} * graph.shapes[block.shape].num_out;
    }
  }
  return sum;
}

}  // namespace weft
