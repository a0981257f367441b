// Lockstep bench of the fat tree's route unit.
#include "sim/router/route/route_tree.hpp"
#include "tb/router/route_staged.hpp"

namespace {

using namespace weft;

// Switches of all levels; nodes are connected to those of the first, which without VCs by
// destination makes no difference.
class TreeHeaders : public tb::NodeHeaders {
 public:
  TreeHeaders(RandomStream& random, const RouteConfig& config)
      : NodeHeaders(random, config),
        random_(&random),
        edge_(config.num_local != 0),
        from_(config.per_dest ? 2 : 1) {
    number_w_ = static_cast<unsigned>(std::bit_width(config.max_coords[0])) - 1;
  }

  std::uint32_t router() const {
    const auto level =
        edge_ ? 1 : from_ + static_cast<std::uint32_t>(random_->below(number_w_ + 2 - from_));
    return level << number_w_ | static_cast<std::uint32_t>(random_->below(1u << number_w_));
  }
  // Mostly below the switch.
  std::uint32_t near(std::uint32_t here, std::uint32_t dst) const {
    const std::uint32_t level = here >> number_w_, number = here & ((1u << number_w_) - 1);
    const auto free = static_cast<std::uint32_t>(low_mask(level));
    const auto other =
        static_cast<std::uint32_t>(random_->chance(0.3) << random_->below(tb::kUnitAddrW));
    return ((number << 1 & ~free) | (dst & free)) ^ other;
  }

 private:
  RandomStream* random_;
  unsigned number_w_ = 0;
  bool edge_;
  std::uint32_t from_;  // Lowest level of switches without local ports.
};

}  // namespace

int main(int argc, char** argv) {
  return tb::staged_bench<RouteTree, TreeHeaders>(argc, argv, "route_tree", 19);
}
