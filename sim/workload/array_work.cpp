// A collective on arrays: memory, connection tables, checks and bound.
#include "sim/workload/array_work.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>

#include "sim/base/error.hpp"
#include "sim/fabric/unit_tree.hpp"

namespace weft {
namespace {

static_assert(WEFT_ARRAY_JOB_BASE + sizeof(weft_array_job) <= WEFT_PROGRAM_BASE);

// The boards of the network; throws unless the collective runs on them with these settings.
Boards checked_boards(const Config& config, const Graph& graph, const weft_collective& collective) {
  Boards boards(graph);
  const ArrayConfig& array = config.workload.array;
  const auto refuse = [&](const char* member, const ShownValue& value,
                          const std::string& expected) {
    config.source.refuse(member, value,
                         fmt::format("with {}: {}", config.workload.collective, expected));
  };
  if (collective.boards != 0 && boards.aggregators == 0) {
    refuse("/topology/kind", config.topology.kind,
           "a network of boards, by whose parts this algorithm goes; others run on any network");
  }
  if (boards.units() > WEFT_MOST_UNITS) {
    refuse("/topology", to_json(config.topology),
           fmt::format("up to {} units a board", WEFT_MOST_UNITS));
  }
  const std::uint32_t members = boards.members();
  if (array.root >= members) {
    refuse("/workload/root", array.root,
           fmt::format("0 to {}{}", members - 1,
                       boards.aggregators == 0 ? "" : ": main units are numbered board by board"));
  }
  if (array.op == ReduceOp::kMean && array.reduces) {
    if (members >= 1u << kMeanCountW) {
      refuse("/workload/op", "mean", fmt::format("up to {} members", low_mask(kMeanCountW)));
    }
    if (array.chunks > 1) {
      refuse("/workload/chunks", array.chunks,
             "1 with op \"mean\": an interface divides all that it reduces, or nothing");
    }
  }
  // A round has a transfer for each main unit of a board, or for each aggregation unit.
  if (array.transit != Transit::kCutThrough &&
      (array.chunks > 1 || array.segments() > 1 ||
       std::max(boards.mains, boards.aggregators) > WEFT_ROUND_TRANSFERS)) {
    refuse("/workload/transit", array.transit,
           fmt::format("\"cut_through\"; \"store_and_forward\" with allreduce_nested and "
                       "allreduce_flat, one chunk of up to {} bytes, and up to {} main and {} "
                       "aggregation units a board",
                       ArrayConfig::kSegmentFlits * array.flit_bytes, WEFT_ROUND_TRANSFERS,
                       WEFT_ROUND_TRANSFERS));
  }
  if (collective.halves == 0) return boards;
  if (array.steps != ArrayConfig::kAllSteps && array.steps > boards.steps()) {
    refuse("/workload/steps", array.steps,
           fmt::format("\"all\", or 0 to {} on these boards", boards.steps()));
  }
  for (const std::uint32_t size : boards.dims) {
    if (!std::has_single_bit(size)) {
      refuse("/topology/dims", to_json(config.topology).at("dims"),
             "powers of two, for halving and doubling; others take any");
    }
  }
  return boards;
}

CollectiveGoal goal_of(enum weft_kind kind) {
  switch (kind) {
    case WEFT_REDUCE_SCATTER:
      return CollectiveGoal::kReduceScatter;
    case WEFT_ALLGATHER:
      return CollectiveGoal::kAllgather;
    case WEFT_BROADCAST:
      return CollectiveGoal::kBroadcast;
    case WEFT_REDUCE:
      return CollectiveGoal::kReduce;
    default:
      return CollectiveGoal::kAllreduce;
  }
}

}  // namespace

ArrayWork::ArrayWork(const Config& config, const Graph& graph, const weft_collective& collective,
                     bool in_order)
    : config_(config),
      graph_(graph),
      kind_(collective.kind),
      in_order_(in_order),
      reference_(config, graph, checked_boards(config, graph, collective), collective) {
  words_ = reference_.words();
  const ArrayConfig& array = config.workload.array;
  const std::uint32_t segment = std::min(array.flits(), ArrayConfig::kSegmentFlits);
  const std::uint32_t mail_bytes = WEFT_MAIL_SLOTS * array.flit_bytes;
  layout_.recv_base = WEFT_BUFFER_BASE + mail_bytes;
  layout_.send_base = layout_.recv_base + mail_bytes;
  // For nodes that need memory after the array, the window includes all of that memory.
  const auto stored_flits = [&](std::uint32_t flits) {
    ArrayConfig other = array;
    other.bytes = flits * array.flit_bytes;
    return (collective.buffers - 1) * flits + 2 * transit_flits(other, reference_.boards());
  };
  const std::uint32_t stored = stored_flits(array.flits());
  const std::uint32_t window = WEFT_MAIL_SLOTS + segment + stored,
                      room = graph.header.window_flits();
  if ((stored != 0 && array.segments() > 1) || window > room) {
    std::uint32_t most = std::min(array.flits(), ArrayConfig::kSegmentFlits);
    while (WEFT_MAIL_SLOTS + most + stored_flits(most) > room) --most;
    config.source.refuse("/workload/bytes", array.bytes,
                         fmt::format("up to {} with {}, for a receive window that also holds what "
                                     "it needs beside the array",
                                     most * array.flit_bytes, config.workload.collective));
  }
  layout_.recv_bytes = window * array.flit_bytes;
  layout_.memory_bytes = layout_.send_base + (array.flits() + stored) * array.flit_bytes;
  // Later turns save what mailboxes overlay there (weft_open_turn).
  if (array.segments() > 1) layout_.memory_bytes += mail_bytes;
}

void ArrayWork::fill(std::uint32_t rank, Memory& memory) const {
  const Boards& boards = reference_.boards();
  weft_array_job job = array_job(config_.workload.array, boards, rank);
  job.in_order = in_order_;
  std::memcpy(memory.data() + WEFT_ARRAY_JOB_BASE, &job, sizeof job);
  if (!boards.is_main(rank)) return;
  for (std::uint32_t w = 0; w < config_.workload.array.words(); ++w) {
    memory.write_word(layout_.send_base / kWordBytes + w,
                      reference_.before(boards.member(rank), w));
  }
}

void ArrayWork::compare(std::uint32_t rank, const Memory& memory, const OnWrongWord& wrong) const {
  const Boards& boards = reference_.boards();
  if (!boards.is_main(rank)) return;
  const std::vector<std::uint32_t>& owners = reference_.owners();
  const ArrayConfig& array = config_.workload.array;
  for (std::uint32_t w = 0; w < array.words(); ++w) {
    const std::uint32_t address = layout_.send_base / kWordBytes + w;
    const auto expected = reference_.expected(boards.member(rank), w);
    const std::uint64_t found = memory.read_word(address);
    if (!expected || *expected == found) continue;
    WrongWord word = {.address = address,
                      .expected = *expected,
                      .found = found,
                      .part = WrongWord::Part::kArray,
                      .index = w,
                      .element_type = array.type};
    if (!owners.empty()) word.owner = boards.rank(owners[w / array.flit_words()]);
    wrong(word);
  }
}

std::vector<UnitArray> ArrayWork::states(
    const std::function<const Memory&(std::uint32_t rank)>& memory) const {
  const ArrayConfig& array = config_.workload.array;
  std::vector<UnitArray> states;
  const auto add = [&]<class T>(std::uint32_t rank, T /*of an element*/) {
    std::vector<T> elements;
    for (std::uint32_t e = 0; e < array.bytes / sizeof(T); ++e) {
      elements.push_back(memory(rank).load<T>(layout_.send_base + e * sizeof(T)));
    }
    states.push_back({rank, std::move(elements)});
  };
  for (std::uint32_t rank = 0; rank < graph_.nodes; ++rank) {
    if (reference_.boards().is_main(rank)) continue;
    if (array.type == ReduceType::kFp32) {
      add(rank, float{});
    } else if (array.type == ReduceType::kInt64) {
      add(rank, std::int64_t{});
    } else {
      add(rank, std::int32_t{});
    }
  }
  return states;
}

std::optional<BoardFlits> ArrayWork::board_flits(const std::vector<std::uint64_t>& load) const {
  const Boards& boards = reference_.boards();
  if (boards.aggregators == 0) return {};
  BoardFlits flits;
  for (std::uint32_t link = 0; link < graph_.links.size(); ++link) {
    const Link& l = graph_.links[link];
    if (!graph_.between_switches(l)) continue;
    const std::uint32_t from = (l.src_block - graph_.nodes) / boards.units();
    const std::uint32_t to = (l.dst_block - graph_.nodes) / boards.units();
    if (from == to) flits.on_board += load[link];
    for (std::size_t d = 0; d < flits.along.size() && from != to; ++d) {
      if (boards.coordinate(from, d) != boards.coordinate(to, d)) flits.along[d] += load[link];
    }
  }
  return flits;
}

Bound ArrayWork::bound() const {
  const Boards& boards = reference_.boards();
  const ArrayConfig& array = config_.workload.array;
  CollectiveWork work = {.goal = goal_of(kind_),
                         .words = array.flits(),
                         .members = {},
                         .own = {},
                         .root = array.root,
                         .packet_flits = config_.nic.packet_flits,
                         .reduces = config_.derived.reduces,
                         .tree_depths = {}};
  if (config_.derived.combine_units) work.tree_depths = UnitTree(graph_).depths();
  if (array.steps < boards.steps()) work.goal = CollectiveGoal::kLeave;
  for (std::uint32_t rank = 0; rank < graph_.nodes; ++rank) {
    if (boards.is_main(rank)) work.members.push_back(rank);
  }
  if (!reference_.owners().empty()) work.own.resize(boards.members());
  for (const std::uint32_t member : reference_.owners()) ++work.own[member];
  return collective_bound(graph_, work);
}

}  // namespace weft
