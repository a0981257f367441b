// The state of an endpoint in a checkpoint.
#include <variant>

#include "sim/engine/checkpoint.hpp"
#include "sim/workload/workload.hpp"

namespace weft {
namespace {

template <class Archive>
void archive_any(Archive& archive, Endpoints& endpoints, std::uint32_t n) {
  std::visit(
      [&](auto& of_one_sort) {
        auto& endpoint = of_one_sort[n];
        if constexpr (requires { endpoint.serialize(archive); }) archive(endpoint);
      },
      endpoints);
}

}  // namespace

void archive_endpoint(SaveArchive& archive, Endpoints& endpoints, std::uint32_t n) {
  archive_any(archive, endpoints, n);
}
void archive_endpoint(LoadArchive& archive, Endpoints& endpoints, std::uint32_t n) {
  archive_any(archive, endpoints, n);
}

}  // namespace weft
