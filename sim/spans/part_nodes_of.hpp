// The body of make_part_nodes (sim/spans/part_nodes.hpp), for the files that compile it.
#pragma once

#include <variant>

#include "sim/spans/nodes.hpp"
#include "sim/workload/workload.hpp"

namespace weft {

template <class Net>
std::unique_ptr<PartNodes> make_part_nodes(const AllNodes& all, const NodeSet& own, Net& network,
                                           Packets& packets) {
  return std::visit(
      [&]<class E>(PartArray<E>& endpoints) -> std::unique_ptr<PartNodes> {
        return std::make_unique<SpanNodes<E, Net>>(all, endpoints, own, network, packets);
      },
      all.endpoints);
}

}  // namespace weft
