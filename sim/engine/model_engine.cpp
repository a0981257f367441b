// Engine `model`: C++ cycle models.
#include "sim/engine/model_engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "sim/engine/checkpoint.hpp"
#include "sim/engine/gate_network.hpp"
#include "sim/engine/probes.hpp"
#include "sim/share/network_share.hpp"
#include "sim/share/together.hpp"

namespace weft {
namespace {

class ModelEngine : public Engine {
 public:
  Outcome run(const EngineInputs& parts) const override {
    std::string why = steps_for(parts);
    if (parts.checkpoint != nullptr) {
      // A resumed run found on its way that every flit must be stepped: this one will, too.
      if (why.empty()) why = parts.checkpoint->stepped();
      const auto set = [&] { parts.checkpoint->set_stepped(why); };
      together(parts.share.processes(), set);
    }
    if (why.empty()) return run_spans(parts);
    Outcome outcome = step(parts);
    outcome.stepped = std::move(why);
    return outcome;
  }

 private:
  // The results are the same.
  static Outcome step(const EngineInputs& run) {
    std::unique_ptr<GateNetwork> gates;
    try {
      if (gates_pay(run)) gates = make_gates(run);
    } catch (const ConfigError& error) {
      if (run.say) run.say(error.what());
    }
    if (gates == nullptr) return run_flits(run);
    Outcome outcome = run_gates(run, *gates);
    outcome.notes.emplace_back("routers stepped as gates (engine gates)");
    return outcome;
  }
};

}  // namespace

std::string steps_for(const EngineInputs& run) {
  if (!run.stepped.empty()) return run.stepped;
  if (const std::string asked = run.probes.asked(); !asked.empty()) return asked;
  if (run.probes.regions() != nullptr) {
    if (run.threads != 1 || !run.share.alone()) {
      return "digests of regions on several threads or processes";
    }
    // On which of these it will be resumed is not known.
    if (run.checkpoint != nullptr) return "digests of regions with checkpoints";
  }
  if (run.config.router.hold == OutputHold::kFlit) return "router.hold is \"flit\"";
  if (!run.graph.has_one_way()) {
    return "router.routing is " + shown(run.config.router.routing) +
           ", and runs follow one way of each packet";
  }
  if (run.config.router.message_classes != 1) {
    return fmt::format("router.message_classes is {}", run.config.router.message_classes);
  }
  if (run.config.router.pipeline != 1) {
    return fmt::format("router.pipeline is {}", run.config.router.pipeline);
  }
  if (run.graph.protection != Protection::kNone) return "links are protected";
  if (run.graph.header.key_w != 0) return "receive windows have keys";
  if (run.graph.header.id_w != 0) return "packets are acknowledged";
  if (!run.graph.has_routers() && run.graph.has_delays())
    return "links of crossbars have registers";
  if (!run.config.faults.empty()) return "faults on wires";
  const auto& shapes = run.graph.shapes;
  if (std::any_of(shapes.begin(), shapes.end(), [](auto& shape) { return shape.in_depth < 4; })) {
    return "input buffers of 3 flits show Buffer-Full to every run";
  }
  return {};
}

std::unique_ptr<const Engine> make_model_engine() {
  return std::make_unique<const ModelEngine>();
}

}  // namespace weft
