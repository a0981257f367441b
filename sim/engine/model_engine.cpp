// Engine `model`: C++ cycle models.
#include "sim/engine/model_engine.hpp"

#include <string>
#include <utility>

namespace weft {
namespace {

class ModelEngine : public Engine {
 public:
  Outcome run(const RunParts& parts) const override {
    std::string why = steps_for(parts);
    if (why.empty()) return run_by_runs(parts);
    Outcome outcome = run_by_flits(parts);
    outcome.stepped = std::move(why);
    return outcome;
  }
};

}  // namespace

std::unique_ptr<const Engine> make_model_engine() {
  return std::make_unique<const ModelEngine>();
}

}  // namespace weft
