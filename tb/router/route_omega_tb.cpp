// Lockstep bench of the omega network's route unit.
#include <algorithm>

#include "sim/router/route/route_omega.hpp"
#include "tb/router/route_staged.hpp"

namespace {

using namespace weft;

// Switches with local ports: of the first and the last stage, and of stages beyond that. Switches
// without: of the stages between, and of the first, where local ports make no difference.
class OmegaHeaders : public tb::NodeHeaders {
 public:
  OmegaHeaders(RandomStream& random, const RouteConfig& config)
      : NodeHeaders(random, config), random_(&random), edge_(config.num_local != 0) {
    stages_ = static_cast<unsigned>(std::bit_width(config.max_coords[0]));
  }

  std::uint32_t router() const {
    if (!edge_) return static_cast<std::uint32_t>(random_->below(stages_ - 1));
    if (random_->chance(0.5)) return 0;
    const std::uint32_t last = stages_ - 1;
    switch (random_->below(8)) {
      case 0:
        return last + static_cast<std::uint32_t>(random_->below((1u << tb::kUnitAddrW) - last));
      case 1:
        return std::max(last, 1u << random_->below(tb::kUnitAddrW));
      default:
        return last;
    }
  }

 private:
  RandomStream* random_;
  unsigned stages_;
  bool edge_;
};

}  // namespace

int main(int argc, char** argv) {
  return tb::staged_bench<RouteOmega, OmegaHeaders>(argc, argv, "route_omega", 19);
}
