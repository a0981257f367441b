// Workloads and their endpoints.
#include "sim/workload/workload.hpp"

#include <memory>

namespace weft {
namespace {

template <class P, class Make>
Endpoints processors(const Graph& graph, const Collective& collective, const NodeSet& own,
                     Make make) {
  PartArray<ProcessorEndpoint<P>> endpoints(graph.nodes, !own.one_range());
  for (const std::uint32_t n : own) {
    collective.prepare(endpoints.make_at(n, make(collective.memory(n), collective.job(n))).port());
  }
  return endpoints;
}

template <class E, class W>
Endpoints one_each(const Graph& graph, const W& workload, const NodeSet& own) {
  PartArray<E> endpoints(graph.nodes, !own.one_range());
  for (const std::uint32_t n : own) endpoints.make_at(n, workload, n);
  return endpoints;
}

}  // namespace

Workload make_workload(const Config& config, const Graph& graph) {
  Workload workload = [&]() -> Workload {
    if (config.workload.is(kAnyTraffic)) {
      check_host_memory(graph, 0);
      return Workload(std::in_place_type<TrafficPlan>, config, graph);
    }
    if (!config.workload.is(kCollectives)) {
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

Endpoints make_endpoints(const Config& config, const Graph& graph, const Workload& workload,
                         const NodeSet& own) {
  if (const auto* plan = std::get_if<TrafficPlan>(&workload)) {
    return one_each<TrafficEndpoint>(graph, *plan, own);
  }
  if (const auto* transfers = std::get_if<Transfers>(&workload)) {
    return one_each<TransferEndpoint>(graph, *transfers, own);
  }
  const auto& collective = std::get<Collective>(workload);
  if (config.processor == ProcessorKind::kNative) {
    const std::string& file = config.workload.program;
    const NativeHost::Entry entry =
        file.empty() ? collective.entry().entry : load_native_program(file);
    return processors<NativeHost>(graph, collective, own, [&](Memory memory, const Job& job) {
      return NativeHost(entry, std::move(memory), job);
    });
  }
  const auto program = collective.rv32_program();
  return processors<Rv32Core>(graph, collective, own, [&](Memory memory, const Job& job) {
    return Rv32Core(program, std::move(memory), job);
  });
}

}  // namespace weft
