// Replaces waves if the writer of FST files, which comes with Verilator, was missing when Weft was
// built.
#include "sim/base/error.hpp"
#include "sim/observe/waves.hpp"

namespace weft {

Waves::Waves(const std::filesystem::path& file, const Graph& graph, bool, bool)
    : graph_(graph), draft_(file) {
  throw ConfigError("--trace", "", file.string(),
                    "a Weft that was built where package verilator is installed, which brings the "
                    "writer of waves");
}
Waves::~Waves() = default;
void Waves::sample(std::uint64_t, const Wires&, const std::vector<NodeView>&) {}
void Waves::finish() {}
void Waves::FstClose::operator()(void*) const {}

}  // namespace weft
