// What the nodes of a run are to do, and the check that they did it.
#include "sim/workload/work.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>

#include "sim/analysis/analysis.hpp"
#include "sim/base/error.hpp"
#include "sim/base/installation.hpp"
#include "sim/base/random.hpp"
#include "sim/fabric/blocks.hpp"
#include "sim/topology/board.hpp"

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

// A program, its stack and the processors' bookkeeping need far less than this beside the memory.
constexpr std::uint64_t kHostBytesPerNode = 1 << 16;
// Measured: interface, source and links of a node with traffic, and a router without its buffers.
constexpr std::uint64_t kTrafficBytesPerNode = 4096, kRouterBytes = 6144;

// Of the models, without what the nodes have.
std::uint64_t router_bytes(const Graph& graph) {
  std::uint64_t bytes = 0;
  for (std::size_t b = graph.nodes; b < graph.blocks.size() && graph.has_routers(); ++b) {
    const VcRouter::Config& shape = graph.router_shapes[graph.blocks[b].shape];
    const std::uint64_t flits =
        std::uint64_t{shape.num_ports} * shape.num_vc * std::bit_ceil(shape.depth);
    bytes += kRouterBytes + flits * sizeof(Flit);
  }
  return bytes;
}

void check_host_memory(const Graph& graph, std::uint64_t bytes_per_node) {
  const auto have = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                    static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  const std::uint64_t need = graph.nodes * bytes_per_node + router_bytes(graph);
  if (need > have) {
    throw ConfigError(
        fmt::format("a network of {} nodes needs {} MiB of memory, this machine has {} MiB: fewer "
                    "nodes, smaller "
                    "messages or buffers",
                    graph.nodes, need >> 20, have >> 20));
  }
}

}  // namespace

Work::Work(const Config& config, const Graph& graph)
    : config_(config),
      graph_(graph),
      packets_overtake_(nic_config(config, graph).by_packet()),
      expected_(graph.nodes) {
  const WorkloadConfig& workload = config.workload;
  const std::uint64_t nodes = graph.nodes;
  const std::uint64_t window = graph.header.window_flits();
  std::uint64_t send_flits = 0, recv_flits = 0;
  if (workload.collective.empty()) {
    std::vector<std::uint64_t> sent(nodes), received(nodes);
    for (const Transfer& t : workload.transfers) {
      transfers_.push_back({t, static_cast<std::uint32_t>(sent[t.from]),
                            static_cast<std::uint32_t>(received[t.to])});
      sent[t.from] += t.flits;
      received[t.to] += t.flits;
      const std::uint64_t packets = wire_flits(t.flits, config.nic.packet_flits) - t.flits;
      expected_[t.to] += packets_overtake_ ? static_cast<std::uint32_t>(packets) : 1;
      words_ += t.flits;
    }
    send_flits = *std::max_element(sent.begin(), sent.end());
    recv_flits = *std::max_element(received.begin(), received.end());
    if (recv_flits > window) {
      throw ConfigError(
          fmt::format("{}: a receive window of {} flits: accepted: up to {} flits on one node",
                      config.source.at("/workload"), recv_flits, window));
    }
  } else {
    collective_ = find_collective(workload.collective);
    if (collective_ == nullptr) {
      std::string known;
      for (const auto& c : collectives())
        known += (known.empty() ? "" : ", ") + std::string(c.name);
      config.source.refuse("/workload/collective", workload.collective, known);
    }
    if (collective_->kind != WEFT_ALL_TO_ALL) {
      place_arrays();
      return;
    }
    if (packets_overtake_ && workload.message_flits > config.nic.packet_flits &&
        collective_->cuts_blocks == WEFT_CUTS_NOTHING) {
      config.source.refuse(
          "/workload/message_flits", workload.message_flits,
          fmt::format("up to nic.packet_flits = {} where links have several VCs, as packets of one "
                      "message could overtake each other",
                      config.nic.packet_flits));
    }
    send_flits = nodes * workload.message_flits;
    recv_flits = collective_->buffers * send_flits;
    words_ = nodes * send_flits;
    const std::uint64_t most = window / (nodes * collective_->buffers);
    if (workload.message_flits > most) {
      config.source.refuse("/workload/message_flits", workload.message_flits,
                           fmt::format("up to {} with {} on {} nodes: a receive window holds {} "
                                       "flits",
                                       most, workload.collective, nodes, window));
    }
  }
  send_base_ = WEFT_BUFFER_BASE;
  const std::uint64_t recv_base = send_base_ + send_flits * kFlitBytes;
  const std::uint64_t bytes = recv_base + recv_flits * kFlitBytes;
  if (bytes > (low_mask(kMemAddrW) + 1) * kFlitBytes) {
    throw ConfigError(fmt::format("{}: {} bytes of memory on one node: accepted: up to {}",
                                  config.source.at("/workload"), bytes,
                                  (low_mask(kMemAddrW) + 1) * kFlitBytes));
  }
  check_host_memory(graph,
                    workload.traffic.empty() ? bytes + kHostBytesPerNode : kTrafficBytesPerNode);
  recv_base_ = static_cast<std::uint32_t>(recv_base);
  recv_bytes_ = static_cast<std::uint32_t>(recv_flits * kFlitBytes);
  memory_bytes_ = static_cast<std::uint32_t>(bytes);
  if (collective_ == nullptr || collective_->refuse == nullptr) return;
  const Job first = job(0);
  const weft_refusal refusal = collective_->refuse(&first);
  if (refusal.member == nullptr) return;
  const std::string place = place_of(refusal.member, config.topology);
  config.source.refuse(place, to_json(config).at(json::json_pointer(place)),
                       fmt::format("with {}: {}", workload.collective, refusal.accepted));
}

void Work::place_arrays() {
  array_ = std::make_unique<const ArrayWork>(config_, graph_, *collective_);
  send_base_ = array_->send_base();
  recv_base_ = array_->recv_base();
  recv_bytes_ = array_->recv_bytes();
  memory_bytes_ = array_->memory_bytes();
  words_ = array_->words();
  check_host_memory(graph_, memory_bytes_ + kHostBytesPerNode);
}

Job Work::job(std::uint32_t rank) const {
  Job job = {};
  job.rank = rank;
  job.nodes = graph_.nodes;
  job.dim_count = static_cast<std::uint32_t>(graph_.dims.size());
  std::copy(graph_.dims.begin(), graph_.dims.end(), job.dims);
  std::copy(graph_.dim_bits.begin(), graph_.dim_bits.end(), job.dim_bits);
  job.message_flits =
      array_ != nullptr ? config_.workload.array.flits() : config_.workload.message_flits;
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
  job.send_base = send_base_;
  job.recv_base = recv_base_;
  job.recv_bytes = recv_bytes_;
  job.memory_bytes = memory_bytes_;
  return job;
}

std::string Work::program() const {
  const Job first = job(0);
  const bool parts = array_ == nullptr && collective_->cuts_blocks == WEFT_CUTS_PARTS &&
                     first.part_flits < first.message_flits;
  return fmt::format("{}/sw/{}{}.elf", build_dir().string(), collective_->name,
                     parts ? ".parts" : "");
}

// `src` and `dst` are ranks, or for transfers the number of the transfer and 0.
std::uint64_t Work::pattern(std::uint32_t src, std::uint32_t dst, std::uint32_t word) const {
  return mix64((std::uint64_t{src} << 42 ^ std::uint64_t{dst} << 21 ^ word) + config_.seed);
}

void Work::fill(std::uint32_t rank, Memory& memory) const {
  if (array_ != nullptr) {
    array_->fill(rank, memory);
    return;
  }
  const std::uint32_t base = send_base_ / kFlitBytes;
  if (collective_ != nullptr) {
    const std::uint32_t flits = config_.workload.message_flits;
    for (std::uint32_t d = 0; d < graph_.nodes; ++d) {
      for (std::uint32_t k = 0; k < flits; ++k) {
        memory.write_flit(base + d * flits + k, pattern(rank, d, k));
      }
    }
    return;
  }
  for (std::uint32_t i = 0; i < transfers_.size(); ++i) {
    const Placed& p = transfers_[i];
    if (p.transfer.from != rank) continue;
    for (std::uint32_t k = 0; k < p.transfer.flits; ++k) {
      memory.write_flit(base + p.send_flit + k, pattern(i, 0, k));
    }
  }
}

std::uint64_t Work::errors(std::uint32_t rank, const Memory& memory) const {
  if (array_ != nullptr) return array_->errors(rank, memory);
  const std::uint32_t base = recv_base_ / kFlitBytes;
  std::uint64_t errors = 0;
  if (collective_ != nullptr) {
    const std::uint32_t flits = config_.workload.message_flits;
    for (std::uint32_t s = 0; s < graph_.nodes; ++s) {
      for (std::uint32_t k = 0; k < flits; ++k) {
        errors += memory.read_flit(base + s * flits + k) != pattern(s, rank, k);
      }
    }
    return errors;
  }
  for (std::uint32_t i = 0; i < transfers_.size(); ++i) {
    const Placed& p = transfers_[i];
    if (p.transfer.to != rank) continue;
    for (std::uint32_t k = 0; k < p.transfer.flits; ++k) {
      errors += memory.read_flit(base + p.recv_flit + k) != pattern(i, 0, k);
    }
  }
  return errors;
}

std::uint64_t Work::bound_cycles() const {
  if (array_ != nullptr) return array_->bound_cycles();
  const std::uint32_t packet = config_.nic.packet_flits;
  if (collective_ != nullptr) {
    return all_to_all_bound(graph_, wire_flits(config_.workload.message_flits, packet));
  }
  LinkLoad load(graph_);
  for (const Placed& p : transfers_) {
    load.add(p.transfer.from, p.transfer.to, wire_flits(p.transfer.flits, packet));
  }
  return load.bound();
}

void prepare_port(NicPort& port, const Work& work) {
  port.set_reduces(work.reduces());
  port.set_header(work.header());
  if (!work.loaded()) return;
  port.write(WEFT_REG_RX_BASE, work.recv_base());
  port.write(WEFT_REG_RX_SIZE, work.recv_bytes());
}

TransferHost::TransferHost(const Work& work, const Graph& graph, std::uint32_t rank)
    : expected_(work.expected_count(rank)),
      window_base_(work.recv_base() / kFlitBytes),
      window_flits_(work.recv_bytes() / kFlitBytes),
      memory_(work.memory_bytes()) {
  for (const Work::Placed& p : work.transfers()) {
    if (p.transfer.from != rank) continue;
    orders_.push_back({p.transfer.start,
                       {.dst = graph.address[p.transfer.to],
                        .addr = work.send_base() / kFlitBytes + p.send_flit,
                        .len = p.transfer.flits,
                        .off = p.recv_flit,
                        .tag = 0,
                        .gap = p.transfer.gap}});
  }
  work.fill(rank, memory_);
}

void TransferHost::step(const NicStatus& status, std::uint64_t cycle) {
  // Last cycle's post is not in `desc_free` yet.
  const std::uint32_t free = status.desc_free - (posted_ ? 1 : 0);
  posted_ = next_ < orders_.size() && free > 0 && cycle >= orders_[next_].start;
  if (posted_) ++next_;
  done_ = status.tx_count == orders_.size() && status.rx_count[0] == expected_;
}

}  // namespace weft
