// Engine `model`: C++ cycle models.
#include "sim/engine/model_engine.hpp"

#include "sim/engine/class_limit.hpp"

namespace weft {
namespace {

class ModelEngine : public Engine {
 public:
  void check(const Config& config, const Graph& graph, const RunOptions&) const override {
    check_model_classes(config, graph);
  }
  Outcome run(const RunParts& parts) const override {
    return parts.graph.has_routers() ? run_router_models(parts) : run_crossbar_models(parts);
  }
};

}  // namespace

std::unique_ptr<const Engine> make_model_engine() {
  return std::make_unique<const ModelEngine>();
}

}  // namespace weft
