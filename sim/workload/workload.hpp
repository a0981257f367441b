// The workload of a run: one of three kinds.
#pragma once

#include <variant>

#include "sim/base/part_array.hpp"
#include "sim/config/config.hpp"
#include "sim/topology/graph.hpp"
#include "sim/workload/collective.hpp"
#include "sim/workload/processor_endpoint.hpp"
#include "sim/workload/traffic_endpoint.hpp"
#include "sim/workload/transfers.hpp"

namespace weft {

/// A collective run by drivers, a list of transfers, or synthetic traffic.
using Workload = std::variant<Collective, Transfers, TrafficPlan>;

/// Makes the workload of a configuration on the network that was built from it. Throws ConfigError
/// if the network does not allow the workload, or if it needs more memory than this computer has.
Workload make_workload(const Config& config, const Graph& graph);

/// Contents of the nodes' memories; nullptr for traffic, which has none.
const Contents* contents_of(const Workload& workload);
/// Lower bound of the cycles that any schedule needs; none for traffic.
Bound bound_of(const Workload& workload);

/// The endpoints of this process's nodes in a run, by rank, all of one kind.
class Endpoints : public std::variant<PartArray<ProcessorEndpoint<Rv32Core>>,
                                      PartArray<ProcessorEndpoint<NativeHost>>,
                                      PartArray<TransferEndpoint>, PartArray<TrafficEndpoint>> {
 public:
  using variant::variant;
};

/// The endpoints of `own` nodes before cycle 0. `workload` and its configuration and graph must
/// outlive them. Throws ConfigError for a program that cannot be loaded.
Endpoints make_endpoints(const Config& config, const Graph& graph, const Workload& workload,
                         const NodeSet& own);
/// The endpoints of all nodes before cycle 0.
inline Endpoints make_endpoints(const Config& config, const Graph& graph,
                                const Workload& workload) {
  return make_endpoints(config, graph, workload, NodeSet(0, graph.nodes));
}

}  // namespace weft
