// Endpoints of a run behind one virtual interface.
#include "sim/engine/any_endpoint.hpp"

#include <variant>

#include "sim/workload/workload.hpp"

namespace weft {

PartArray<AnyEndpoint> any_endpoints(Endpoints& endpoints, const NodeSet& own) {
  return std::visit(
      [&own](auto& of_one_sort) {
        PartArray<AnyEndpoint> any(of_one_sort.size());
        for (const std::uint32_t n : own) any.make_at(n, of_one_sort[n]);
        return any;
      },
      endpoints);
}

}  // namespace weft
