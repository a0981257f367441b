// A collective: its jobs, programs and memories.
#include "sim/workload/collective.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "sim/base/error.hpp"
#include "sim/base/installation.hpp"
#include "sim/fabric/blocks.hpp"
#include "sim/processor/rv32_program.hpp"
#include "sim/topology/topology.hpp"
#include "sim/workload/all_to_all.hpp"
#include "sim/workload/program_work.hpp"

namespace weft {
using nlohmann::json;
namespace {

// JSON pointer of the key from which a member of the job is derived.
std::string pointer_of(const std::string& member, const Config& config) {
  if (member == "dims")
    return config.topology.parameters.has("dims") ? "/topology/dims" : "/topology";
  const bool of_interface = member == "gap" || member == "controllers";
  return (of_interface ? "/nic/" : "/workload/") + member;
}

}  // namespace

const weft_collective& own_program() {
  static const weft_collective program = [] {
    weft_collective entry = {};
    entry.name = "program";
    entry.kind = WEFT_PROGRAM;
    entry.controllers = WEFT_CONTROLLERS_1;
    entry.description = "a program of your own (workload.program)";
    return entry;
  }();
  return program;
}

const weft_collective& find_collective(const std::string& name) {
  if (name == own_program().name) return own_program();
  std::size_t count = 0;
  const weft_collective* const table = weft_collectives(&count);
  return *std::find_if(table, table + count,
                       [&](const weft_collective& c) { return name == c.name; });
}

unsigned send_controllers(const weft_collective& collective, const Config& config) {
  const auto& ask = find_topology(config.topology.kind).controllers;
  const CalledControllers called = ask ? ask(config) : CalledControllers{};
  switch (collective.controllers) {
    case WEFT_CONTROLLERS_1:
      return 1;
    case WEFT_CONTROLLERS_4:
      return 4;
    case WEFT_CONTROLLERS_BY_LINKS:
      return called.by_links;
    case WEFT_CONTROLLERS_BY_WAYS:
      return called.by_ways;
    case WEFT_CONTROLLERS_BY_UNITS:
      return called.by_units;
  }
  return 1;
}

Config with_algorithm(const Config& config, const weft_collective& algorithm) {
  Config changed = config;
  changed.derived.algorithm = algorithm.name;
  if (changed.nic.controllers == 0) {
    changed.nic.controllers = send_controllers(algorithm, config);
  }
  return changed;
}

Collective::Collective(const Config& config, const Graph& graph)
    : config_(config),
      graph_(graph),
      packets_overtake_(nic_config(config, graph).by_packet()),
      collective_(&find_collective(config.derived.algorithm)) {
  if (collective_->kind == WEFT_BARRIER) {
    auto barrier = std::make_unique<const BarrierWork>(config_, graph_);
    barrier_ = barrier.get();
    contents_ = std::move(barrier);
    return;
  }
  if (collective_->kind == WEFT_TRACE) {
    auto trace = std::make_unique<const TraceWork>(config_, graph_, packets_overtake_);
    trace_ = trace.get();
    contents_ = std::move(trace);
    return;
  }
  if (own_) {
    contents_ = std::make_unique<const ProgramWork>(config_, graph_);
    return;
  }
  if (collective_->kind != WEFT_ALL_TO_ALL) {
    auto arrays =
        std::make_unique<const ArrayWork>(config_, graph_, *collective_, !packets_overtake_);
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
  auto all_to_all = std::make_unique<const AllToAll>(config_, graph_, *collective_);
  all_to_all_ = all_to_all.get();
  contents_ = std::move(all_to_all);
  if (collective_->refuse == nullptr) return;
  const Job first = job(0);
  const weft_refusal refusal = collective_->refuse(&first);
  if (refusal.member == nullptr) return;
  const std::string pointer = pointer_of(refusal.member, config);
  config.source.refuse(pointer, to_json(config).at(json::json_pointer(pointer)),
                       fmt::format("with {}: {}", config.workload.collective, refusal.accepted));
}

std::string Collective::picked() const {
  const WorkloadConfig& work = config_.workload;
  const std::string& runs = config_.derived.algorithm;
  return runs == work.collective || !work.program.empty() ? "" : runs;
}

std::string Collective::chosen() const {
  const WorkloadConfig& work = config_.workload;
  if (own_) return {};
  if (trace_ != nullptr) return trace_->in_words();
  if (!work.program.empty()) {
    return fmt::format("program {}, with the hardware of {}", work.program,
                       config_.derived.algorithm);
  }
  if (picked().empty()) return {};
  std::string text = "picked: " + picked();
  if (work.array.order != ArrayConfig{}.order) text += ", order " + word_of(work.array.order);
  if (arrays_ == nullptr && work.sync != WorkloadConfig{}.sync)
    text += ", sync " + word_of(work.sync);
  if (collective_->by_hops != 0) text += ", gap " + to_json(config_)["nic"]["gap"].dump();
  return text;
}

Job Collective::job(std::uint32_t rank) const {
  Job job = {};
  job.rank = rank;
  job.nodes = graph_.nodes;
  job.dim_count = static_cast<std::uint32_t>(graph_.dims.size());
  std::copy(graph_.dims.begin(), graph_.dims.end(), job.dims);
  std::copy(graph_.dim_bits.begin(), graph_.dim_bits.end(), job.dim_bits);
  job.message_flits = arrays_ != nullptr ? config_.workload.array.flits()
                      : arrays_ == nullptr && all_to_all_ == nullptr
                          ? 0
                          : config_.workload.message_flits;
  job.gap = config_.nic.gap;  // kGapHops is WEFT_GAP_HOPS, and so on.
  // As few parts as possible, of lengths as equal as possible.
  const std::uint32_t packet = config_.nic.packet_flits;
  const bool cut = packets_overtake_ && job.message_flits > packet;
  const std::uint32_t parts = cut ? (job.message_flits + packet - 1) / packet : 1;
  job.part_flits = (job.message_flits + parts - 1) / parts;
  job.areas = config_.workload.areas;
  job.barrier =
      config_.barrier == BarrierKind::kHardware ? WEFT_BARRIER_HARDWARE : WEFT_BARRIER_SOFTWARE;
  job.sync = config_.workload.sync == Sync::kLocal     ? WEFT_SYNC_LOCAL
             : config_.workload.sync == Sync::kBarrier ? WEFT_SYNC_BARRIER
                                                       : WEFT_SYNC_NONE;
  job.start = loaded() ? WEFT_START_LOADED : WEFT_START_NETWORK;
  job.controllers = config_.nic.controllers;
  job.packet_flits = config_.nic.packet_flits;
  job.flit_bytes = graph_.header.flit_bytes();
  // Only in networks where a step along a dimension is a link: there drivers can count hops.
  job.wraps = graph_.is_grid() ? graph_.rings : 0;
  const MemoryLayout& layout = contents_->layout();
  job.send_base = layout.send_base;
  job.recv_base = layout.recv_base;
  job.recv_bytes = layout.recv_bytes;
  job.memory_bytes = layout.memory_bytes;
  if (all_to_all_ != nullptr && all_to_all_->slots() != nullptr) {
    job.table = all_to_all_->table();
    job.table_rows = graph_.nodes - 1;
    job.table_slots = all_to_all_->slots()->slots;
    job.slot_slack = all_to_all_->slot_slack();
    job.part_flits = all_to_all_->part_flits();
  }
  return job;
}

std::string Collective::program() const {
  if (!config_.workload.program.empty()) return config_.workload.program;
  const unsigned width = graph_.header.data_w;
  const std::string of_width = width == kHdrW ? "" : fmt::format(".w{}", width);
  return fmt::format("{}/sw/{}{}.elf", build_dir().string(), collective_->name, of_width);
}

std::shared_ptr<const Rv32Program> Collective::rv32_program() const {
  const std::string path = program();
  if (config_.workload.program.empty() && !std::filesystem::exists(path)) {
    config_.source.refuse(
        "/processor", config_.processor,
        "native, or packages gcc-riscv64-unknown-elf and "
        "picolibc-riscv64-unknown-elf when Weft is built: they were not there, so "
        "that rv32 processors have no programs");
  }
  auto program = std::make_shared<const Rv32Program>(load_elf(path), path);
  const unsigned width = graph_.header.data_w, its = 8 * program->flit_bytes();
  if (its != 0 && its != width) {
    config_.source.refuse(
        "/workload/program", path,
        fmt::format("a program for flits of {0} bits, as link.width_bits is (weft cc --width {0}); "
                    "this one is for {1} bits",
                    width, its));
  }
  return program;
}

Memory Collective::memory(std::uint32_t rank) const {
  Memory memory(contents_->layout().memory_bytes);
  contents_->fill(rank, memory);
  return memory;
}

void Collective::prepare(NicPort& port) const {
  port.set_most_messages(config_.max_messages);
  port.set_reduces(config_.derived.reduces);
  port.set_timed(config_.derived.timed);
  port.set_windows(config_.derived.windows);
  port.set_combines(config_.derived.combine_units);
  port.set_header(graph_.header);
  port.set_counted_flits(packets_overtake_ ? config_.nic.packet_flits : 0);
  if (!loaded()) return;
  port.write(WEFT_REG_RX_BASE, contents_->layout().recv_base);
  port.write(WEFT_REG_RX_SIZE, contents_->layout().recv_bytes);
}

}  // namespace weft
