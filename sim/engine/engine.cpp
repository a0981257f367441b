// The cycle engines by name.
#include "sim/engine/engine.hpp"

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/share/network_share.hpp"

namespace weft {
namespace {

constexpr EngineEntry kEngines[] = {
    {"model", "packets as spans, exact to the cycle (the default)", true, false, true, false,
     make_model_engine},
    {"flit", "C++ models of the blocks, every flit in every cycle", true, false, false, false,
     make_flit_engine},
    {"rtl", "Verilated instances of the RTL blocks", false, true, false, false, make_rtl_engine},
    {"gates", "the RTL as gates, all instances of a block at once", false, true, false, false,
     make_gates_engine},
    {"cosim", "`flit` and `rtl`, compared on every output of every block in every cycle", true,
     true, false, false, make_cosim_engine},
    {"rtl-top", "the whole network as one emitted top, Verilated", false, true, false, true,
     make_rtl_top_engine},
};

}  // namespace

std::span<const EngineEntry> engines() {
  return kEngines;
}

const EngineEntry& find_engine(const std::string& name) {
  std::string known;
  for (const EngineEntry& entry : kEngines) {
    if (name == entry.name) return entry;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", entry.name);
  }
  throw ConfigError("--engine", "", "\"" + name + "\"", known);
}

OwnsBlock EngineInputs::owns_block() const {
  if (share.alone()) return owns_all;
  return [this](std::uint32_t block) { return share.owns_block(block); };
}

}  // namespace weft
