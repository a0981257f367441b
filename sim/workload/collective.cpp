// A collective as the nodes of a run have it.
#include "sim/workload/collective.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "sim/base/error.hpp"
#include "sim/base/installation.hpp"
#include "sim/fabric/blocks.hpp"
#include "sim/topology/board.hpp"
#include "sim/workload/all_to_all.hpp"

namespace weft {
using nlohmann::json;
namespace {

std::span<const weft_collective> collectives() {
  std::size_t count = 0;
  const weft_collective* const table = weft_collectives(&count);
  return {table, count};
}

// The collective of that name, or nullptr.
const weft_collective* find_collective(const std::string& name) {
  const auto table = collectives();
  const auto found = std::find_if(table.begin(), table.end(),
                                  [&](const weft_collective& c) { return name == c.name; });
  return found != table.end() ? &*found : nullptr;
}

// Send controllers that it calls for.
unsigned controllers_of(const weft_collective& collective, const json& topology) {
  const bool torus = topology.at("kind") == "torus", mesh = topology.at("kind") == "mesh";
  switch (collective.controllers) {
    case WEFT_CONTROLLERS_4:
      return 4;
    case WEFT_CONTROLLERS_BY_LINKS:
      return torus ? 4 : mesh ? 2 : 1;
    case WEFT_CONTROLLERS_BY_UNITS:
      if (topology.at("kind") == "board") {
        // A number that is none is refused by the topology.
        const auto units = [&](const char* key, unsigned otherwise) {
          const auto found = topology.find(key);
          return found != topology.end() && found->is_number_unsigned()
                     ? found->get<std::uint64_t>()
                     : otherwise;
        };
        return static_cast<unsigned>(std::clamp<std::uint64_t>(
            std::max(units("mains", kDefaultMains), units("aggregators", kDefaultAggregators)), 1,
            8));
      }
      [[fallthrough]];
    case WEFT_CONTROLLERS_BY_WAYS:
      if (!(torus || mesh) || !topology.contains("dims")) return 1;
      return static_cast<unsigned>(std::clamp<std::size_t>(2 * topology.at("dims").size(), 1, 8));
    default:
      return 1;
  }
}

// A name that nobody knows is refused later.
CollectiveNeeds needs_of(const std::string& name, const json& topology) {
  const weft_collective* const collective = find_collective(name);
  if (collective == nullptr) return {.known = false};
  return {.controllers = controllers_of(*collective, topology),
          .by_hops = collective->by_hops != 0,
          .on_arrays = collective->kind != WEFT_ALL_TO_ALL,
          .reduces = collective->reduces != 0};
}

const bool registered = [] {
  register_called_for(needs_of);
  return true;
}();

// Where the configuration has what a member of the job comes from.
std::string place_of(const std::string& member, const json& topology) {
  if (member == "dims") return topology.contains("dims") ? "/topology/dims" : "/topology";
  const bool of_interface = member == "gap" || member == "controllers";
  return (of_interface ? "/nic/" : "/workload/") + member;
}

const weft_collective& known_collective(const Config& config) {
  const std::string& name = config.workload.collective;
  if (const weft_collective* const found = find_collective(name)) return *found;
  std::string known;
  for (const auto& c : collectives()) known += (known.empty() ? "" : ", ") + std::string(c.name);
  config.source.refuse("/workload/collective", name, known);
}

}  // namespace

Collective::Collective(const Config& config, const Graph& graph)
    : config_(config),
      graph_(graph),
      packets_overtake_(nic_config(config, graph).by_packet()),
      collective_(&known_collective(config)) {
  if (collective_->kind != WEFT_ALL_TO_ALL) {
    auto arrays = std::make_unique<const ArrayWork>(config_, graph_, *collective_);
    arrays_ = arrays.get();
    contents_ = std::move(arrays);
    return;
  }
  const std::uint32_t flits = config.workload.message_flits;
  if (packets_overtake_ && flits > config.nic.packet_flits &&
      collective_->cuts_blocks == WEFT_CUTS_NOTHING) {
    config.source.refuse(
        "/workload/message_flits", flits,
        fmt::format("up to nic.packet_flits = {} where links have several VCs, as packets of one "
                    "message could overtake each other",
                    config.nic.packet_flits));
  }
  contents_ = std::make_unique<const AllToAll>(config_, graph_, *collective_);
  if (collective_->refuse == nullptr) return;
  const Job first = job(0);
  const weft_refusal refusal = collective_->refuse(&first);
  if (refusal.member == nullptr) return;
  const std::string place = place_of(refusal.member, config.topology);
  config.source.refuse(place, to_json(config).at(json::json_pointer(place)),
                       fmt::format("with {}: {}", config.workload.collective, refusal.accepted));
}

Job Collective::job(std::uint32_t rank) const {
  Job job = {};
  job.rank = rank;
  job.nodes = graph_.nodes;
  job.dim_count = static_cast<std::uint32_t>(graph_.dims.size());
  std::copy(graph_.dims.begin(), graph_.dims.end(), job.dims);
  std::copy(graph_.dim_bits.begin(), graph_.dim_bits.end(), job.dim_bits);
  job.message_flits =
      arrays_ != nullptr ? config_.workload.array.flits() : config_.workload.message_flits;
  job.gap = config_.nic.gap;  // kGapHops is WEFT_GAP_HOPS, ...
  // As few parts as possible, and these as equal.
  const std::uint32_t packet = config_.nic.packet_flits;
  const std::uint32_t parts = packets_overtake_ ? (job.message_flits + packet - 1) / packet : 1;
  job.part_flits = (job.message_flits + parts - 1) / parts;
  job.areas = config_.workload.areas;
  job.barrier = config_.barrier == "hardware" ? WEFT_BARRIER_HARDWARE : WEFT_BARRIER_SOFTWARE;
  job.sync = config_.workload.sync == "local"     ? WEFT_SYNC_LOCAL
             : config_.workload.sync == "barrier" ? WEFT_SYNC_BARRIER
                                                  : WEFT_SYNC_NONE;
  job.start = loaded() ? WEFT_START_LOADED : WEFT_START_NETWORK;
  job.controllers = config_.nic.controllers;
  job.packet_flits = config_.nic.packet_flits;
  job.wraps = config_.topology.at("kind") == "torus" ? (1U << job.dim_count) - 1 : 0;
  const MemoryLayout& layout = contents_->layout();
  job.send_base = layout.send_base;
  job.recv_base = layout.recv_base;
  job.recv_bytes = layout.recv_bytes;
  job.memory_bytes = layout.memory_bytes;
  return job;
}

std::string Collective::program() const {
  if (!config_.workload.program.empty()) return config_.workload.program;
  const Job first = job(0);
  const bool parts = arrays_ == nullptr && collective_->cuts_blocks == WEFT_CUTS_PARTS &&
                     first.part_flits < first.message_flits;
  return fmt::format("{}/sw/{}{}.elf", build_dir().string(), collective_->name,
                     parts ? ".parts" : "");
}

Memory Collective::memory(std::uint32_t rank) const {
  Memory memory(contents_->layout().memory_bytes);
  contents_->fill(rank, memory);
  return memory;
}

void Collective::prepare(NicPort& port) const {
  port.set_reduces(config_.nic.reduce);
  if (!loaded()) return;
  port.write(WEFT_REG_RX_BASE, contents_->layout().recv_base);
  port.write(WEFT_REG_RX_SIZE, contents_->layout().recv_bytes);
}

}  // namespace weft
