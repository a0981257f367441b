// Workloads and their endpoints.
#include "sim/workload/workload.hpp"

#include <memory>

namespace weft {
namespace {

template <class P, class Make>
Endpoints processors(const Graph& graph, const Collective& collective, Make make) {
  std::vector<ProcessorEndpoint<P>> endpoints;
  endpoints.reserve(graph.nodes);
  for (std::uint32_t n = 0; n < graph.nodes; ++n) {
    endpoints.emplace_back(make(collective.memory(n), collective.job(n)));
    collective.prepare(endpoints.back().port());
  }
  return endpoints;
}

template <class E, class W>
Endpoints one_each(const Graph& graph, const W& workload) {
  std::vector<E> endpoints;
  endpoints.reserve(graph.nodes);
  for (std::uint32_t n = 0; n < graph.nodes; ++n) endpoints.emplace_back(workload, n);
  return endpoints;
}

}  // namespace

Workload make_workload(const Config& config, const Graph& graph) {
  Workload workload = [&]() -> Workload {
    if (!config.workload.traffic.empty()) {
      check_host_memory(graph, 0);
      return Workload(std::in_place_type<TrafficPlan>, config, graph);
    }
    if (config.workload.collective.empty()) {
      return Workload(std::in_place_type<Transfers>, config, graph);
    }
    return Workload(std::in_place_type<Collective>, config, graph);
  }();
  if (const Contents* const contents = contents_of(workload)) {
    check_host_memory(graph, contents->layout().memory_bytes);
  }
  return workload;
}

const Contents* contents_of(const Workload& workload) {
  if (const auto* collective = std::get_if<Collective>(&workload)) return &collective->contents();
  return std::get_if<Transfers>(&workload);
}

Bound bound_of(const Workload& workload) {
  const Contents* const contents = contents_of(workload);
  return contents != nullptr ? contents->bound() : Bound{};
}

std::uint64_t quiet_cycles_of(const Workload& workload) {
  const auto* const collective = std::get_if<Collective>(&workload);
  return collective != nullptr && collective->trace() != nullptr
             ? collective->trace()->quiet_cycles()
             : 0;
}

Endpoints make_endpoints(const Config& config, const Graph& graph, const Workload& workload) {
  if (const auto* plan = std::get_if<TrafficPlan>(&workload)) {
    return one_each<TrafficEndpoint>(graph, *plan);
  }
  if (const auto* transfers = std::get_if<Transfers>(&workload)) {
    return one_each<TransferEndpoint>(graph, *transfers);
  }
  const auto& collective = std::get<Collective>(workload);
  if (config.processor == "native") {
    const std::string& own = config.workload.program;
    const NativeHost::Entry entry =
        own.empty() ? collective.entry().entry : load_native_program(own);
    return processors<NativeHost>(graph, collective, [&](Memory memory, const Job& job) {
      return NativeHost(entry, std::move(memory), job);
    });
  }
  const std::string path = collective.program();
  const auto program = std::make_shared<const Rv32Program>(load_elf(path), path);
  return processors<Rv32Core>(graph, collective, [&](Memory memory, const Job& job) {
    return Rv32Core(program, std::move(memory), job);
  });
}

}  // namespace weft
