// All-to-all.
#include "sim/workload/all_to_all.hpp"

#include <fmt/format.h>

#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "sim/schedule/cache.hpp"

namespace weft {
namespace {

constexpr std::uint32_t kMostSlots = 0xFFFF;  // In a row of a table.
constexpr std::uint32_t kInTurn = 15;         // Controller of messages that take any in turn.

}  // namespace

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
  const std::uint64_t recv_flits = collective.buffers * send_flits;
  const std::uint64_t rows = collective.scheduled != 0 ? nodes - 1 : 0;
  layout_ = place_areas(send_flits, recv_flits + rows, config.source);
  layout_.recv_bytes = static_cast<std::uint32_t>(recv_flits * kFlitBytes);
  if (rows == 0) return;
  slots_ = cached_schedule(config, graph, cache_folder());
  if (slots_->slots > kMostSlots) {
    config.source.refuse("/topology", config.topology,
                         fmt::format("a network on which an all-to-all takes up to {} slots, not "
                                     "{}, with {}",
                                     kMostSlots, slots_->slots, workload.collective));
  }
}

// Message m is followed on its controller by the next one that has the same, round robin or named;
// after the last one that is the first of the table's repetition.
void AllToAll::fill_table(std::uint32_t rank, Memory& memory) const {
  const std::span<const SlotRow> rows = slots_->of(rank);
  const std::uint32_t controllers = config_.nic.controllers;
  const auto count = static_cast<std::uint32_t>(rows.size());
  std::vector<bool> held(count);
  std::vector<std::uint32_t> when(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const bool named = rows[i].tag >> 4 != kInTurn;
    std::uint32_t next = i + (named ? 1 : controllers), slot = 0;
    while (named && rows[next % count].tag >> 4 != rows[i].tag >> 4) ++next;
    slot = rows[next % count].slot + next / count * slots_->slots;
    std::uint32_t gap = slot - rows[i].slot;
    gap = gap > 0 ? gap - 1 : 0;
    if (gap > WEFT_MAX_GAP) {
      held[next % count] = true;
      gap = 0;
    }
    when[i] = rows[i].slot << 16 | gap << 8 | (rows[i].tag & 0xF7);
  }
  const std::uint32_t base = table() / kFlitBytes;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t high = when[i] | (held[i] ? WEFT_SLOT_HELD : 0);
    const std::uint32_t low = graph_.address[rows[i].to] | rows[i].to << 16;
    memory.write_flit(base + i, std::uint64_t{high} << 32 | low);
  }
}

void AllToAll::fill(std::uint32_t rank, Memory& memory) const {
  const std::uint32_t flits = config_.workload.message_flits;
  const std::uint32_t base = layout_.send_base / kFlitBytes;
  std::vector<std::uint64_t> block(flits);
  for (std::uint32_t d = 0; d < graph_.nodes; ++d) {
    for (std::uint32_t k = 0; k < flits; ++k) block[k] = sent_word(config_.seed, rank, d, k);
    memory.write_flits(base + d * flits, flits, block.data());
  }
  if (slots_) fill_table(rank, memory);
}

void AllToAll::compare(std::uint32_t rank, const Memory& memory, const OnWrongWord& wrong) const {
  const std::uint32_t flits = config_.workload.message_flits;
  const std::uint32_t base = layout_.recv_base / kFlitBytes;
  std::vector<std::uint64_t> block(flits);
  for (std::uint32_t s = 0; s < graph_.nodes; ++s) {
    memory.read_flits(base + s * flits, flits, block.data());
    for (std::uint32_t k = 0; k < flits; ++k) {
      const std::uint64_t expected = sent_word(config_.seed, s, rank, k);
      if (block[k] == expected) continue;
      wrong({.address = base + s * flits + k,
             .expected = expected,
             .found = block[k],
             .part = WrongWord::Part::kBlock,
             .index = k,
             .owner = s});
    }
  }
}

Bound AllToAll::bound() const {
  std::vector<std::uint32_t> members(graph_.nodes);
  std::iota(members.begin(), members.end(), 0);
  return collective_bound(graph_, {.goal = CollectiveGoal::kAllToAll,
                                   .words = config_.workload.message_flits,
                                   .members = std::move(members),
                                   .packet_flits = config_.nic.packet_flits,
                                   .reduces = config_.nic.reduce});
}

}  // namespace weft
