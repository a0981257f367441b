// The cycle engines by name.
#include "sim/engine/engine.hpp"

#include <fmt/format.h>

#include "sim/base/error.hpp"

namespace weft {
namespace {

constexpr EngineEntry kEngines[] = {
    {"model", "C++ cycle models (the default)", true, make_model_engine},
    {"flit", "C++ cycle models, every flit stepped through every block", true, make_flit_engine},
    {"rtl", "Verilated instances of the RTL blocks", false, make_rtl_engine},
    {"cosim", "both, compared on every output of every block in every cycle", true,
     make_cosim_engine},
    {"rtl-top", "the whole network as one emitted top, Verilated", false, make_rtl_top_engine},
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

}  // namespace weft
