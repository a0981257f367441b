// All-to-all.
#include "sim/workload/all_to_all.hpp"

#include <fmt/format.h>

#include <vector>

#include "sim/analysis/analysis.hpp"

namespace weft {

AllToAll::AllToAll(const Config& config, const Graph& graph, const weft_collective& collective)
    : config_(config), graph_(graph) {
  const WorkloadConfig& workload = config.workload;
  const std::uint64_t nodes = graph.nodes;
  const std::uint64_t room = graph.header.window_flits();
  const std::uint64_t most = room / (nodes * collective.buffers);
  if (workload.message_flits > most) {
    config.source.refuse("/workload/message_flits", workload.message_flits,
                         fmt::format("up to {} with {} on {} nodes: a receive window holds {} "
                                     "flits",
                                     most, workload.collective, nodes, room));
  }
  const std::uint64_t send_flits = nodes * workload.message_flits;
  words_ = nodes * send_flits;
  layout_ = place_areas(send_flits, collective.buffers * send_flits, config.source);
}

void AllToAll::fill(std::uint32_t rank, Memory& memory) const {
  const std::uint32_t flits = config_.workload.message_flits;
  const std::uint32_t base = layout_.send_base / kFlitBytes;
  std::vector<std::uint64_t> block(flits);
  for (std::uint32_t d = 0; d < graph_.nodes; ++d) {
    for (std::uint32_t k = 0; k < flits; ++k) block[k] = sent_word(config_.seed, rank, d, k);
    memory.write_flits(base + d * flits, flits, block.data());
  }
}

std::uint64_t AllToAll::errors(std::uint32_t rank, const Memory& memory) const {
  const std::uint32_t flits = config_.workload.message_flits;
  const std::uint32_t base = layout_.recv_base / kFlitBytes;
  std::uint64_t errors = 0;
  std::vector<std::uint64_t> block(flits);
  for (std::uint32_t s = 0; s < graph_.nodes; ++s) {
    memory.read_flits(base + s * flits, flits, block.data());
    for (std::uint32_t k = 0; k < flits; ++k) {
      errors += block[k] != sent_word(config_.seed, s, rank, k);
    }
  }
  return errors;
}

std::uint64_t AllToAll::bound_cycles() const {
  return all_to_all_bound(graph_,
                          wire_flits(config_.workload.message_flits, config_.nic.packet_flits));
}

}  // namespace weft
