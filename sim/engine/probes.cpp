// Who looks at a run between two cycles.
#include "sim/engine/probes.hpp"

#include <utility>

namespace weft {

Probes::Probes(const Config& config, const Graph& graph, const RunOptions& options,
               std::uint64_t trace_from, const Partition* partition, std::uint64_t measured_end)
    : graph_(graph), options_(options), trace_from_(trace_from) {
  if (!options.trace.empty()) trace_.emplace(options.trace, graph, config.barrier_units);
  if (partition != nullptr) regions_.emplace(*partition, measured_end);
}

void Probes::attach(RouterModels routers) {
  if (!options_.losses && options_.events.empty()) return;
  observer_.emplace(graph_, std::move(routers), options_.losses, options_.events);
}

void Probes::sample(std::uint64_t cycle, const Wires& wires, const std::vector<NodeView>& views) {
  if (draws(cycle)) trace_->sample(cycle, wires, views);
  if (regions_) regions_->sample(cycle, wires);
  if (observer_) observer_->sample(cycle, wires);
}

void Probes::finish() {
  if (trace_) trace_->finish();
  if (observer_) observer_->finish();
}

}  // namespace weft
