// Localized traffic (seed 001, section 5 (5)): the nearer a node in each coordinate, the likelier.
//
// The paper says that the difference in each coordinate is exponentially distributed, with a mean
// of half of the coordinate's largest value. It leaves open what that means for whole numbers and
// at the edges. Here, for each coordinate by itself, a length is drawn from the exponential
// distribution and rounded to the nearest whole number, and a sign is drawn with equal probability;
// both are drawn again while they lead outside of 0 to the maximum coordinate, also on rings, which
// count as lines here. All coordinates are drawn again if they name the node itself.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "sim/config/key_row.hpp"
#include "sim/traffic/traffic.hpp"

namespace weft {
namespace {

// Below this mean of all coordinates, in steps, too many draws would name the node itself.
constexpr double kLeastMean = 0.25;

// exp(-t), t above 0, the same on every computer: a library's logarithms and powers are not.
double decay(double t) {
  unsigned halvings = 0;
  for (; t > 0.125; t *= 0.5) ++halvings;
  // Taylor's series; a division is between product and sum, so that no computer can fuse them.
  double sum = 1;
  for (unsigned k = 12; k > 0; --k) sum = 1 - sum * t / k;
  for (; halvings > 0; --halvings) sum *= sum;
  return sum;
}

// One coordinate, 0 to `most`, of a destination.
class Coordinate {
 public:
  Coordinate(std::uint32_t most, double mean) : most_(most) {
    if (most == 0) return;
    reach_[0] = decay(1 / mean);
    for (unsigned i = 1; i < kSteps; ++i) reach_[i] = reach_[i - 1] * reach_[i - 1];
    one_ = decay(0.5 / mean);
  }

  std::uint32_t draw(std::uint32_t own, RandomStream& random) const {
    if (most_ == 0) return 0;
    for (;;) {
      const std::uint64_t word = random();
      const std::uint32_t length = length_of(RandomStream::fraction_of(word));
      const bool down = (word & 1) != 0;
      if (length > (down ? own : most_ - own)) continue;
      return down ? own - length : own + length;
    }
  }

 private:
  // The longest length that is reached with more than the probability drawn.
  std::uint32_t length_of(double drawn) const {
    if (one_ <= drawn) return 0;
    return reached(drawn, one_, 1, reach_.data(), static_cast<unsigned>(std::bit_width(most_)));
  }

  static constexpr unsigned kSteps = 32;
  std::uint32_t most_;
  double one_ = 0;                      // Probability of 1/2 or more, which is rounded to 1 or
                                        // more.
  std::array<double, kSteps> reach_{};  // Probability of 2^i more than what was reached.
};

struct Parameters {
  double mean = 0.5;
};
constexpr Key kKeys[] = {key<&Parameters::mean>(
    {.name = "mean", .help = "of the difference in each coordinate, over its largest value"})};

DrawDestination build(const Config& config, const Graph& graph) {
  const auto [mean] = config.workload.parameters.as<Parameters>();
  const std::uint32_t most = *std::max_element(graph.dims.begin(), graph.dims.end()) - 1;
  if (mean * most < kLeastMean) {
    config.source.refuse("/workload/mean", mean,
                         fmt::format("{} to 1 on this network, whose largest coordinate is {}",
                                     kLeastMean / most, most));
  }
  std::vector<Coordinate> coordinates;
  for (const std::uint32_t size : graph.dims) {
    coordinates.emplace_back(size - 1, mean * (size - 1));
  }
  return [coordinates, dims = graph.dims](std::uint32_t src, RandomStream& random) {
    for (;;) {
      std::uint32_t dst = 0, unit = 1, rest = src;
      for (std::size_t d = 0; d < dims.size(); ++d) {
        dst += coordinates[d].draw(rest % dims[d], random) * unit;
        rest /= dims[d];
        unit *= dims[d];
      }
      if (dst != src) return dst;
    }
  };
}

}  // namespace

extern const TrafficPattern traffic_localized = {
    .name = "localized",
    .description =
        "the difference in each coordinate is exponentially distributed; its mean as a "
        "fraction of the coordinate's largest value",
    .keys = table_of<Parameters>(kKeys),
    .build = build,
};

}  // namespace weft
