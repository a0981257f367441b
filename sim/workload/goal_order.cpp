// Messages of a dependency trace, and the order of its events.
#include "sim/workload/goal_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

namespace weft {
namespace {

using Kind = TraceOp::Kind;

// Sends and receives of one source, destination and tag, in the order of the file.
struct Pairing {
  std::vector<std::uint32_t> sends, recvs;
};
using Pairings = std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>, Pairing>;

Pairings pairings_of(const DependencyTrace& trace) {
  Pairings pairings;
  for (std::uint32_t rank = 0; rank < trace.ranks.size(); ++rank) {
    const std::vector<TraceOp>& ops = trace.ranks[rank];
    for (std::uint32_t i = 0; i < ops.size(); ++i) {
      const TraceOp& op = ops[i];
      if (op.kind == Kind::kSend) pairings[{rank, op.peer, op.tag}].sends.push_back(i);
      if (op.kind == Kind::kRecv) pairings[{op.peer, rank, op.tag}].recvs.push_back(i);
    }
  }
  return pairings;
}

}  // namespace

std::vector<TraceMessage> match_messages(const DependencyTrace& trace) {
  std::vector<TraceMessage> messages;
  for (const auto& [key, pairing] : pairings_of(trace)) {
    const auto& [src, dst, tag] = key;
    const auto& [sends, recvs] = pairing;
    const std::size_t pairs = std::min(sends.size(), recvs.size());
    if (sends.size() != recvs.size()) {
      const bool sent = sends.size() > recvs.size();
      const TraceOp& op = sent ? trace.ranks[src][sends[pairs]] : trace.ranks[dst][recvs[pairs]];
      refuse_line(trace, op.line, name_of(op),
                  fmt::format("as many recv as send: rank {} has {} send to {} with tag {}, which "
                              "has {} recv for them",
                              src, sends.size(), dst, tag, recvs.size()));
    }
    for (std::size_t k = 0; k < pairs; ++k) {
      const TraceOp& send = trace.ranks[src][sends[k]];
      const TraceOp& recv = trace.ranks[dst][recvs[k]];
      if (recv.amount < send.amount) {
        refuse_line(trace, recv.line, fmt::format("{}b", recv.amount),
                    fmt::format("{} bytes or more, as many as are sent in line {}", send.amount,
                                send.line));
      }
      messages.push_back({src, dst, sends[k], recvs[k], 0, send.amount});
    }
  }
  std::ranges::sort(messages, {}, [](const TraceMessage& m) { return std::pair(m.src, m.send); });
  std::map<std::uint32_t, std::uint32_t> sent;  // Messages of one source, by destination.
  for (std::size_t m = 0; m < messages.size(); ++m) {
    if (m != 0 && messages[m].src != messages[m - 1].src) sent.clear();
    messages[m].index = sent[messages[m].dst]++;
  }
  return messages;
}

TraceOrder::TraceOrder(const DependencyTrace& trace, const std::vector<TraceMessage>& messages)
    : trace_(trace), messages_(messages) {
  std::uint32_t ops = 0;
  for (const std::vector<TraceOp>& rank : trace.ranks) {
    first_.push_back(ops);
    ops += static_cast<std::uint32_t>(rank.size());
  }
  message_of_.assign(ops, kNone);
  for (std::uint32_t m = 0; m < messages.size(); ++m) {
    message_of_[first_[messages[m].src] + messages[m].send] = m;
    message_of_[first_[messages[m].dst] + messages[m].recv] = m;
  }
  add_edges();
  sort();
}

// The events that an event comes directly after.
std::vector<TraceOrder::Event> TraceOrder::before(Event event) const {
  std::vector<Event> events;
  const std::uint32_t first = first_[rank_of(event)];
  const TraceOp& op = op_of(event);
  if (event % 2 == 0) {
    for (const std::uint32_t other : op.requires_end) events.push_back(2 * (first + other) + 1);
    for (const std::uint32_t other : op.requires_start) events.push_back(2 * (first + other));
    return events;
  }
  events.push_back(event - 1);
  if (op.kind == Kind::kRecv) {
    const TraceMessage& message = messages_[message_of_[event / 2]];
    events.push_back(2 * (first_[message.src] + message.send));
  }
  return events;
}

std::uint32_t TraceOrder::rank_of(Event event) const {
  const auto after = std::ranges::upper_bound(first_, event / 2);
  return static_cast<std::uint32_t>(after - first_.begin()) - 1;
}

const TraceOp& TraceOrder::op_of(Event event) const {
  const std::uint32_t rank = rank_of(event);
  return trace_.ranks[rank][event / 2 - first_[rank]];
}

void TraceOrder::add_edges() {
  const auto events = static_cast<Event>(2 * message_of_.size());
  begin_.assign(events + 1, 0);
  for (Event e = 0; e < events; ++e) {
    for (const Event earlier : before(e)) ++begin_[earlier + 1];
  }
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  followers_.resize(begin_.back());
  std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
  for (Event e = 0; e < events; ++e) {
    for (const Event earlier : before(e)) followers_[next[earlier]++] = e;
  }
}

void TraceOrder::sort() {
  const std::size_t events = begin_.size() - 1;
  std::vector<std::uint32_t> open(events);  // By event: number of preceding events that have no
                                            // place in the order yet.
  for (const Event follower : followers_) ++open[follower];
  for (Event e = 0; e < events; ++e) {
    if (open[e] == 0) order_.push_back(e);
  }
  for (std::size_t i = 0; i < order_.size(); ++i) {
    for (std::size_t f = begin_[order_[i]]; f < begin_[order_[i] + 1]; ++f) {
      if (--open[followers_[f]] == 0) order_.push_back(followers_[f]);
    }
  }
  if (order_.size() != events) refuse_circle(open);
}

void TraceOrder::refuse_circle(const std::vector<std::uint32_t>& open) const {
  const auto is_open = [&](Event e) { return open[e] != 0; };
  // Each open event has an open one before it: going back from any of them, the path ends in a
  // cycle.
  std::vector<Event> way;
  std::vector<std::uint32_t> place(open.size(), kNone);
  Event at =
      static_cast<Event>(std::ranges::find_if(open, [](auto n) { return n != 0; }) - open.begin());
  while (place[at] == kNone) {
    place[at] = static_cast<std::uint32_t>(way.size());
    way.push_back(at);
    const std::vector<Event> earlier = before(at);
    at = *std::ranges::find_if(earlier, is_open);
  }
  std::vector<Event> circle(way.begin() + place[at], way.end());
  // The start and the end of an operation are one step. (Not std::ranges::unique: clang 14, which
  // compiles this file for fuzzing, cannot read GCC 12's version.)
  const auto same_operation = [](Event a, Event b) { return a / 2 == b / 2; };
  circle.erase(std::unique(circle.begin(), circle.end(), same_operation), circle.end());
  if (circle.size() > 1 && circle.front() / 2 == circle.back() / 2) circle.pop_back();
  circle.push_back(circle.front());
  std::string text;
  for (const Event e : circle) {
    text += fmt::format("{}{} of rank {}", text.empty() ? "" : ", which waits for ",
                        name_of(op_of(e)), rank_of(e));
  }
  const TraceOp& op = op_of(circle.front());
  refuse_line(trace_, op.line, name_of(op), "operations that do not wait in a circle: " + text);
}

std::uint64_t TraceOrder::longest(
    const std::function<std::uint64_t(const TraceOp&)>& computing,
    const std::function<std::uint64_t(const TraceMessage&)>& latency) const {
  std::vector<std::uint64_t> time(order_.size());
  for (const Event e : order_) {
    const bool is_start = e % 2 == 0;
    const TraceOp& op = op_of(e);
    for (std::size_t f = begin_[e]; f < begin_[e + 1]; ++f) {
      const Event follower = followers_[f];
      std::uint64_t takes = 0;
      if (is_start && follower == e + 1) {
        takes = op.kind == Kind::kCalc ? computing(op) : 0;
      } else if (is_start && follower % 2 == 1) {
        takes = latency(messages_[message_of_[e / 2]]);
      }
      time[follower] = std::max(time[follower], time[e] + takes);
    }
  }
  return time.empty() ? 0 : *std::ranges::max_element(time);
}

}  // namespace weft
