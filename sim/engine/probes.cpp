// The observers of a run between two cycles.
#include "sim/engine/probes.hpp"

#include <exception>
#include <utility>

namespace weft {

Probes::Probes(const Config& config, const Graph& graph, const RunOptions& options,
               std::uint64_t waves_from, const Partition* partition, std::uint64_t measured_end)
    : graph_(graph), options_(options), trace_from_(waves_from) {
  if (!options.trace.empty()) {
    waves_.emplace(options.trace, graph, config.derived.barrier_units,
                   config.derived.combine_units);
  }
  if (partition != nullptr) regions_.emplace(*partition, measured_end);
}

void Probes::attach(const Graph& ways, RouterModels routers) {
  begun_ = true;
  if (!options_.losses && options_.events.empty()) return;
  if (observer_) return observer_->restart(ways, std::move(routers));
  observer_.emplace(graph_, std::move(routers), options_.losses, options_.events);
}

std::string Probes::asked() const {
  std::string all;
  const auto add = [&](bool asked, const char* what) {
    if (asked) all += (all.empty() ? "" : ", ") + std::string(what);
  };
  add(waves_.has_value(), "waves");
  add(options_.losses, "losses");
  add(!options_.events.empty(), "events");
  return all;
}

void Probes::sample(std::uint64_t cycle, const Wires& wires, const std::vector<NodeView>& views) {
  if (draws(cycle)) waves_->sample(cycle, wires, views);
  if (observer_) observer_->sample(cycle, wires);
}

void Probes::finish() {
  if (!begun_) return;  // Nothing was observed: existing files stay.
  begun_ = false;
  std::exception_ptr failed;
  try {
    if (waves_) waves_->finish();
  } catch (...) {
    failed = std::current_exception();
  }
  if (observer_) observer_->finish();
  if (failed) std::rethrow_exception(failed);
}

}  // namespace weft
