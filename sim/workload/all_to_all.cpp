// All-to-all.
#include "sim/workload/all_to_all.hpp"

#include <fmt/format.h>

#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "sim/analysis/symmetry.hpp"
#include "sim/schedule/cache.hpp"

namespace weft {
namespace {

// For an RV32 processor: cycles to post a message, a quarter more than WEFT_SLOT_CYCLES; and to
// copy 64 bits.
constexpr std::uint64_t kPostCycles = 20, kOwnFlitCycles = 6;

}  // namespace

// A packet that is not stored on its way is on each further link one cycle later. If it has crossed
// more links than the next packet there, that one is late; around rings such delays meet again and
// again, until no node is in its slots. They do not add up if a slot is longer by more than half
// the links that a packet crosses on average: measured on tori of up to 16 x 16 and 6 x 6 x 6,
// rings of up to 40 nodes, DCE and MDCE (sim/schedule/README.md). In other networks the delays end
// at the edges.
std::uint32_t slot_slack(const Config& config, const Graph& graph) {
  if (slot_time(config, graph) == SlotTime::kStoreForward) return 0;
  if (!graph.has_routers() || (graph.rings == 0 && !has_translations(graph))) return 0;
  std::uint32_t links = 0;
  for (std::uint32_t dst = 1; dst < graph.nodes; ++dst) {
    graph.walk(0, dst,
               [&](std::uint32_t link) { links += graph.between_switches(graph.links[link]); });
  }
  return links / (2 * graph.nodes) + 1;
}

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
  words_ = nodes * send_flits * graph.header.flit_words();
  const std::uint64_t recv_flits = collective.buffers * send_flits;
  const std::uint32_t flit_bytes = graph.header.flit_bytes();
  const std::uint64_t rows = collective.scheduled != 0 ? nodes - 1 : 0;
  const std::uint64_t table_flits = (rows * sizeof(weft_slot) + flit_bytes - 1) / flit_bytes;
  layout_ = place_areas(send_flits, recv_flits + table_flits, graph.header, config.source);
  layout_.recv_bytes = static_cast<std::uint32_t>(recv_flits * flit_bytes);
  if (rows == 0) return;
  if (!graph.has_one_way()) {
    config.source.refuse("/workload/collective", workload.collective,
                         fmt::format("one without packet time slots with router.routing \"{}\": "
                                     "these are computed for one way of each pair of nodes",
                                     word_of(config.router.routing)));
  }
  slots_ = make_schedule(graph, slot_time(config, graph), kScheduleEffort, cache_folder()).tables;
  slack_ = weft::slot_slack(config, graph);
  part_flits_ = best_part();
}

// Flits of a part: parts are as equal as possible, because a short packet after a long one would
// wait where the long one still is. The last packets are in memory some slots after the schedule,
// earlier with shorter slots, but each further part costs a header per slot.
std::uint32_t AllToAll::best_part() const {
  const std::uint64_t flits = config_.workload.message_flits;
  // Slots after the schedule: one into memory; with store and forward one more into the last
  // interface.
  const std::uint64_t after = slot_time(config_, graph_) == SlotTime::kStoreForward ? 2 : 1;
  const bool takes_time = config_.processor == ProcessorKind::kRv32;
  std::uint64_t best = 0, least = 0;
  for (std::uint64_t parts = 1; parts <= flits; ++parts) {
    const std::uint64_t part = (flits + parts - 1) / parts, slot = part + 1 + slack_;
    if (part > config_.nic.packet_flits || (parts - 1) * part >= flits) continue;
    // A late message makes others late; on a torus this lasts to the end.
    const std::uint64_t posting =
        (graph_.nodes - 1) * kPostCycles + part * kOwnFlitCycles * graph_.header.flit_words();
    const bool late = takes_time && posting > slot * slots_->slots;
    const std::uint64_t cycles = parts * slot * slots_->slots + after * slot;
    if (best != 0 && (late || cycles >= least)) continue;
    best = part;
    least = cycles;
  }
  return static_cast<std::uint32_t>(best);
}

void AllToAll::fill_table(std::uint32_t rank, Memory& memory) const {
  const std::uint32_t block = config_.workload.message_flits * graph_.header.flit_bytes();
  std::uint32_t word = table() / kWordBytes;
  for (const SlotRow& row : slots_->of(rank)) {
    const std::uint32_t tag = (row.tag & 0x07) | (row.tag & 0xF0) << 12;
    memory.write_word(word++, std::uint64_t{row.to * block} << 32 | graph_.address[row.to]);
    memory.write_word(word++, std::uint64_t{row.slot} << 32 | tag);
  }
}

void AllToAll::fill(std::uint32_t rank, Memory& memory) const {
  const std::uint32_t words = config_.workload.message_flits * graph_.header.flit_words();
  const std::uint32_t base = layout_.send_base / kWordBytes;
  std::vector<std::uint64_t> block(words);
  for (std::uint32_t d = 0; d < graph_.nodes; ++d) {
    for (std::uint32_t k = 0; k < words; ++k) block[k] = sent_word(config_.seed, rank, d, k);
    memory.write_words(base + d * words, words, block.data());
  }
  if (slots_) fill_table(rank, memory);
}

void AllToAll::compare(std::uint32_t rank, const Memory& memory, const OnWrongWord& wrong) const {
  const std::uint32_t words = config_.workload.message_flits * graph_.header.flit_words();
  const std::uint32_t base = layout_.recv_base / kWordBytes;
  std::vector<std::uint64_t> block(words);
  for (std::uint32_t s = 0; s < graph_.nodes; ++s) {
    memory.read_words(base + s * words, words, block.data());
    for (std::uint32_t k = 0; k < words; ++k) {
      const std::uint64_t expected = sent_word(config_.seed, s, rank, k);
      if (block[k] == expected) continue;
      wrong({.address = base + s * words + k,
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
                                   .reduces = config_.derived.reduces});
}

}  // namespace weft
