// A dependency trace: offsets of its messages, the operations as the driver reads them, and the
// bound.
#include "sim/workload/trace_work.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <span>
#include <utility>

#include "sim/analysis/analysis.hpp"
#include "sim/analysis/latency.hpp"

namespace weft {
namespace {

using Kind = TraceOp::Kind;
using Row = weft_trace_op;

constexpr std::uint64_t kMostCycles = INT32_MAX;  // Most cycles of one weft_pause.
constexpr std::uint32_t kMostPart = (1u << kMsgLenW) - 1;

DependencyTrace trace_of(const Config& config, const Graph& graph) {
  DependencyTrace trace = read_goal(config.workload.trace.file);
  if (trace.ranks.size() != graph.nodes) {
    refuse_line(trace, trace.count_line, std::to_string(trace.ranks.size()),
                fmt::format("{}, the nodes of the network", graph.nodes));
  }
  return trace;
}

std::uint64_t quotient_up(std::uint64_t a, std::uint64_t b) {
  return a / b + (a % b != 0);
}

// The rows, lists and texts of one node, stored one after the other from an address on.
class Table {
 public:
  explicit Table(Memory& memory) : memory_(memory), words_(WEFT_BUFFER_BASE) {}

  // Reserves space for the rows; words and texts follow it.
  void begin(std::size_t rows, std::size_t words) {
    words_ = row_address(rows);
    texts_ = words_ + static_cast<std::uint32_t>(4 * words);
  }
  static std::uint32_t row_address(std::size_t row) {
    return WEFT_BUFFER_BASE + static_cast<std::uint32_t>(row * sizeof(Row));
  }
  std::uint32_t add_word(std::uint32_t value) {
    memory_.store(words_, value);
    return words_ += 4;
  }
  std::uint32_t next_word() const { return words_; }
  std::uint32_t text(const std::string& text) {
    const auto [known, is_new] = known_.emplace(text, texts_);
    if (is_new) {
      std::memcpy(memory_.data() + texts_, text.c_str(), text.size() + 1);
      texts_ += static_cast<std::uint32_t>(text.size() + 1);
    }
    return known->second;
  }

 private:
  Memory& memory_;
  std::uint32_t words_, texts_ = 0;
  std::map<std::string, std::uint32_t> known_;
};

}  // namespace

TraceWork::TraceWork(const Config& config, const Graph& graph, bool packets_overtake)
    : config_(config),
      graph_(graph),
      packets_overtake_(packets_overtake),
      trace_(trace_of(config, graph)),
      messages_(match_messages(trace_)),
      order_(trace_, messages_),
      received_(graph.nodes) {
  check_computing();
  place_messages();
}

void TraceWork::check_computing() const {
  for (const std::vector<TraceOp>& ops : trace_.ranks) {
    for (const TraceOp& op : ops) {
      const double cycles = static_cast<double>(op.amount) * config_.workload.trace.compute_factor;
      if (op.kind != Kind::kCalc || cycles <= static_cast<double>(kMostCycles)) continue;
      refuse_line(trace_, op.line, fmt::format("calc {}", op.amount),
                  fmt::format("up to {} cycles, with compute_factor {}", kMostCycles,
                              config_.workload.trace.compute_factor));
    }
  }
}

void TraceWork::place_messages() {
  const std::uint64_t flit_bytes = graph_.header.flit_bytes();
  const std::uint64_t window = graph_.header.window_flits();
  std::vector<std::uint64_t> sent(graph_.nodes), received(graph_.nodes);
  for (std::uint32_t m = 0; m < messages_.size(); ++m) {
    const TraceMessage& message = messages_[m];
    const std::uint64_t flits = quotient_up(message.bytes, flit_bytes);
    const TraceOp& send = trace_.ranks[message.src][message.send];
    if (flits > std::min<std::uint64_t>(window, kMostPart)) {
      refuse_line(trace_, send.line, fmt::format("{}b", message.bytes),
                  fmt::format("messages of up to {} bytes on this network",
                              std::min<std::uint64_t>(window, kMostPart) * flit_bytes));
    }
    std::uint64_t& place = received[message.dst];
    placed_.push_back({static_cast<std::uint32_t>(flits), sent[message.src], place});
    sent[message.src] += flits;
    place += flits;
    if (place > window) {
      refuse_line(trace_, send.line, fmt::format("{}b", message.bytes),
                  fmt::format("up to {} bytes of messages to one rank, {}: each has a place of its "
                              "own in the receive window",
                              window * flit_bytes, message.dst));
    }
    received_[message.dst].push_back(m);
    words_ += flits * graph_.header.flit_words();
  }
  std::uint64_t table = 0;
  for (std::uint32_t rank = 0; rank < graph_.nodes; ++rank) {
    table = std::max(table, table_bytes(rank));
  }
  const std::uint64_t table_flits = quotient_up(table, flit_bytes);
  layout_ = place_areas(table_flits + *std::ranges::max_element(sent),
                        *std::ranges::max_element(received), graph_.header, config_.source);
  bodies_ = layout_.send_base + static_cast<std::uint32_t>(table_flits * flit_bytes);
}

std::uint64_t TraceWork::table_bytes(std::uint32_t rank) const {
  std::uint64_t bytes = 0;
  for (const TraceOp& op : trace_.ranks[rank]) {
    bytes += sizeof(Row) + 4 * (op.requires_end.size() + op.requires_start.size()) +
             phase_of(op).size() + 1;
  }
  return bytes;
}

std::uint64_t TraceWork::cycles_of(const TraceOp& op) const {
  if (op.kind != Kind::kCalc) return 0;
  const double factor = config_.workload.trace.compute_factor;
  return static_cast<std::uint64_t>(std::llround(static_cast<double>(op.amount) * factor));
}

std::string TraceWork::phase_of(const TraceOp& op) const {
  constexpr const char* kKinds[] = {"calc", "send", "recv"};
  const TracePhases phases = config_.workload.trace.phases;
  if (phases == TracePhases::kNone) return {};
  const std::string kind = kKinds[static_cast<unsigned>(op.kind)];
  if (phases == TracePhases::kKinds) return kind;
  return op.label.empty() ? name_of(op) : fmt::format("{} {}", kind, op.label);
}

std::uint64_t TraceWork::word_of(const TraceMessage& message, std::uint32_t word) const {
  const std::uint64_t seed = mix64(config_.seed + message.index);
  return sent_word(seed, message.src, message.dst, word) | 1;
}

std::uint32_t TraceWork::part_flits() const {
  return packets_overtake_ ? config_.nic.packet_flits : kMostPart;
}

void TraceWork::fill(std::uint32_t rank, Memory& memory) const {
  fill_operations(rank, memory);
  const std::uint32_t words = graph_.header.flit_words();
  // Not std::ranges::equal_range: clang 14 does not compile it.
  const auto first_of = std::ranges::lower_bound(messages_, rank, {}, &TraceMessage::src);
  const auto end_of = std::ranges::upper_bound(messages_, rank, {}, &TraceMessage::src);
  for (const TraceMessage& message : std::span(first_of, end_of)) {
    const Placed& p = placed_of(message);
    const std::uint32_t first =
        bodies_ / kWordBytes + static_cast<std::uint32_t>(p.send_flit * words);
    for (std::uint32_t k = 0; k < p.flits * words; ++k) {
      memory.write_word(first + k, word_of(message, k));
    }
  }
}

void TraceWork::fill_operations(std::uint32_t rank, Memory& memory) const {
  const std::vector<TraceOp>& ops = trace_.ranks[rank];
  std::vector<std::vector<std::uint32_t>> at_start(ops.size()), at_end(ops.size());
  std::size_t words = 0;
  for (std::uint32_t i = 0; i < ops.size(); ++i) {
    for (const std::uint32_t other : ops[i].requires_start) at_start[other].push_back(i);
    for (const std::uint32_t other : ops[i].requires_end) at_end[other].push_back(i);
    words += ops[i].requires_start.size() + ops[i].requires_end.size();
  }
  weft_trace_job job = {};
  job.operations = static_cast<std::uint32_t>(ops.size());
  job.part_flits = part_flits();
  const TracePhases phases = config_.workload.trace.phases;
  job.phases = phases == TracePhases::kNone    ? WEFT_TRACE_PHASES_NONE
               : phases == TracePhases::kKinds ? WEFT_TRACE_PHASES_KINDS
                                               : WEFT_TRACE_PHASES_OPERATIONS;
  Table table(memory);
  table.begin(ops.size(), words);
  std::vector<Row> rows(ops.size());
  for (std::uint32_t i = 0; i < ops.size(); ++i) {
    const TraceOp& op = ops[i];
    Row& row = rows[i];
    row.kind = op.kind == Kind::kCalc   ? WEFT_TRACE_CALC
               : op.kind == Kind::kSend ? WEFT_TRACE_SEND
                                        : WEFT_TRACE_RECV;
    row.waits = static_cast<std::uint32_t>(op.requires_end.size() + op.requires_start.size());
    row.at_start = table.next_word();
    for (const std::uint32_t other : at_start[i]) table.add_word(Table::row_address(other));
    row.at_end = table.next_word();
    for (const std::uint32_t other : at_end[i]) table.add_word(Table::row_address(other));
    row.after = table.next_word();
    if (job.phases != WEFT_TRACE_PHASES_NONE) row.name = table.text(phase_of(op));
    row.amount = static_cast<std::uint32_t>(cycles_of(op));
    if (row.waits == 0) {
      const std::uint32_t address = Table::row_address(i);
      if (job.first == 0) {
        job.first = address;
      } else {
        rows[(job.last - WEFT_BUFFER_BASE) / sizeof(Row)].next = address;
      }
      job.last = address;
    }
    const std::uint32_t message = order_.message_of(rank, i);
    if (message != TraceOrder::kNone) add_message(messages_[message], row);
  }
  for (std::uint32_t i = 0; i < ops.size(); ++i) memory.store(Table::row_address(i), rows[i]);
  memory.store(WEFT_ARRAY_JOB_BASE, job);
}

// Adds to the row of a send or receive what its message determines.
void TraceWork::add_message(const TraceMessage& message, weft_trace_op& row) const {
  const Placed& p = placed_of(message);
  const std::uint32_t flit_bytes = graph_.header.flit_bytes();
  const auto in_window = static_cast<std::uint32_t>(p.recv_flit * flit_bytes);
  if (row.kind == WEFT_TRACE_SEND) {
    row.amount = p.flits;
    row.to = graph_.address[message.dst];
    row.offset = in_window;
    row.from = bodies_ + static_cast<std::uint32_t>(p.send_flit * flit_bytes);
  } else {
    const std::uint32_t before = layout_.recv_base + in_window - kWordBytes;
    row.poll = before + std::min(p.flits, part_flits()) * flit_bytes;
    row.last = before + p.flits * flit_bytes;
  }
}

void TraceWork::compare(std::uint32_t rank, const Memory& memory, const OnWrongWord& wrong) const {
  const std::uint32_t words = graph_.header.flit_words();
  for (const std::uint32_t m : received_[rank]) {
    const std::uint32_t first =
        layout_.recv_base / kWordBytes + static_cast<std::uint32_t>(placed_[m].recv_flit * words);
    for (std::uint32_t k = 0; k < placed_[m].flits * words; ++k) {
      const std::uint64_t expected = word_of(messages_[m], k);
      const std::uint64_t found = memory.read_word(first + k);
      if (found == expected) continue;
      wrong({.address = first + k,
             .expected = expected,
             .found = found,
             .part = WrongWord::Part::kMessage,
             .index = k,
             .owner = messages_[m].src,
             .transfer = messages_[m].index});
    }
  }
}

std::uint64_t TraceWork::link_bound() const {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> flits;
  for (std::uint32_t m = 0; m < messages_.size(); ++m) {
    flits[{messages_[m].src, messages_[m].dst}] +=
        wire_flits(placed_[m].flits, config_.nic.packet_flits);
  }
  LinkLoad load(graph_);
  for (const auto& [pair, sum] : flits) load.add(pair.first, pair.second, sum);
  return load.bound();
}

std::uint64_t TraceWork::chain_bound() const {
  // Cycles by destination, for each source.
  std::map<std::uint32_t, std::vector<std::uint64_t>> ways;
  const auto latency = [&](const TraceMessage& message) {
    std::uint64_t least = 0;
    if (graph_.nodes <= kMostSources && message.src != message.dst) {
      std::vector<std::uint64_t>& cycles = ways[message.src];
      if (cycles.empty()) cycles = least_ways(graph_, message.src, false).cycles;
      least = cycles[message.dst];
    }
    const std::uint64_t wire = wire_flits(placed_of(message).flits, config_.nic.packet_flits);
    return kSendCycles + least + quotient_up(wire, graph_.nic_links) - 1 + kReceiveCycles;
  };
  return order_.longest([&](const TraceOp& op) { return cycles_of(op); }, latency);
}

// Cycles of the rank that computes longest.
std::uint64_t TraceWork::computing_bound() const {
  std::uint64_t most = 0;
  for (const std::vector<TraceOp>& ops : trace_.ranks) {
    std::uint64_t cycles = 0;
    for (const TraceOp& op : ops) cycles += cycles_of(op);
    most = std::max(most, cycles);
  }
  return most;
}

Bound TraceWork::bound() const {
  Bound bound = {link_bound(), "links of the routes"};
  const auto larger = [&](std::uint64_t cycles, const char* by) {
    if (cycles > bound.cycles) bound = {cycles, by};
  };
  larger(chain_bound(), "the longest chain of operations");
  larger(computing_bound(), "computing of one rank");
  return bound;
}

std::string TraceWork::in_words() const {
  std::size_t ops = 0;
  for (const std::vector<TraceOp>& rank : trace_.ranks) ops += rank.size();
  return fmt::format("trace {}: {} operations, {} messages{}", trace_.file, ops, messages_.size(),
                     trace_.several_cpus ? "; a rank has one processor for all its cpus" : "");
}

}  // namespace weft
