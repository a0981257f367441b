// A network as gates continues from the state of models, as a checkpoint has it: Verilated
// instances take it over (sim/verilated/rtl_state.hpp), and their registers go into the lanes.
#include "sim/base/archive.hpp"
#include "sim/engine/gate_network.hpp"
#include "sim/verilated/rtl_crossbar.hpp"
#include "sim/verilated/rtl_router.hpp"

namespace weft {
namespace {

// The module itself, or of a tile the router and, with ugal, the loads of its links.
struct Instance {
  const RtlInstance* rtl;
  const char* scope;
};

void load_lane(GateBlock& gates, std::uint32_t lane, std::vector<LaneRegisters>& registers,
               const std::vector<Instance>& instances, const std::string& block) {
  if (registers.empty()) {
    std::vector<const LaneRegisters*> all;
    registers.reserve(instances.size());
    for (const Instance& one : instances) {
      all.push_back(&registers.emplace_back(gates.library(), *one.rtl, one.scope));
    }
    check_loads_all(gates.library(), all, block);
  }
  for (std::size_t i = 0; i < instances.size(); ++i) {
    registers[i].load(gates, lane, *instances[i].rtl);
  }
}

}  // namespace

void GateNetwork::load(LoadArchive& archive, std::uint32_t block) {
  const std::uint32_t now = dynamic_cast<RunArchive&>(archive).now();
  const std::uint32_t lane = lane_of_[block].second;
  Kind& kind = kinds_[lane_of_[block].first];
  const auto take = [&](auto& model, auto rtl, const auto& instances_of) {
    archive_model(model, archive);
    rtl->load(model, now);
    if (kind.loaded == nullptr) kind.loaded = rtl;
    const std::vector<Instance> instances = instances_of(*rtl);
    load_lane(*kind.gates, lane, kind.registers, instances, graph_.blocks[block].name);
  };
  if (!graph_.has_routers()) {
    const CrossbarConfig config = graph_.crossbar_config(block);
    Crossbar model(config);
    return take(model, std::make_shared<RtlCrossbar>(config, parity_, RtlForm(false, true)),
                [](const RtlCrossbar& rtl) -> std::vector<Instance> {
                  return {{&rtl.instance(), ""}};
                });
  }
  const RouterTileConfig config = graph_.router_config(block);
  RouterTile model(config);
  take(model, std::make_shared<RtlRouterTile>(config, parity_, RtlForm(false, true)),
       [](const RtlRouterTile& rtl) {
         std::vector<Instance> instances = {{&rtl.router().instance(), "u_router."}};
         if (const auto* const loads = rtl.routing().loads()) {
           instances.push_back({&loads->instance(), "u_load."});
         }
         return instances;
       });
}

void GateNetwork::resume(const Wires& wires, std::uint64_t origin) {
  origin_ = origin;
  std::array<std::uint64_t, kMaxFlitWords> words;
  for (std::uint32_t k = 0; k < kinds_.size(); ++k) {
    Kind& kind = kinds_[k];
    kind.gates->outputs();
    for (std::uint32_t g = 0; g < groups_[k].size(); ++g) {
      Group& group = groups_[k][g];
      for (std::uint32_t i = 0; i < group.links.size(); ++i) {
        const std::uint32_t link = group.links[i];
        if (link == kOpen || !wires.has_flit(link)) continue;
        group.valid[i / 64] |= group.shown[i / 64] & std::uint64_t{1} << i % 64;
        if (group.places[i] == kOpen) continue;
        const Flit& flit = wires.on(link);
        flit.store(words.data(), flit_words_);
        put_row(group.places[i], words.data(), sides_of(flit));
      }
    }
  }
  for (std::uint32_t g = 0; g < groups_.back().size(); ++g) nics_->show(g);
}

}  // namespace weft
