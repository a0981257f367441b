// Crossbars of a given size for the topologies of seed 002.
#include "sim/topology/crossbar_networks.hpp"

#include <algorithm>

namespace weft {
namespace {

CrossbarConfig shape(const Config& config, std::uint32_t n, std::uint32_t digit_lsb,
                     std::uint32_t digit_w) {
  CrossbarConfig shape;
  shape.num_out = n;
  shape.in_depth = config.router.vc_depth;
  shape.out_depth = config.router.output_depth;
  shape.route = Route::kDigit;
  shape.digit_lsb = digit_lsb;
  shape.digit_w = digit_w;
  return shape;
}

}  // namespace

CrossbarConfig detour_crossbar(const Config& config, std::uint32_t n, std::uint32_t digit_lsb,
                               std::uint32_t digit_w) {
  auto result = shape(config, n, digit_lsb, digit_w);
  result.detour = true;
  result.num_in = 2 * n;
  result.first_in = result.num_in < 8 ? result.num_in : std::min((result.num_in + 3) / 4, 64u);
  return result;
}

CrossbarConfig plain_crossbar(const Config& config, std::uint32_t n, std::uint32_t digit_lsb,
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
