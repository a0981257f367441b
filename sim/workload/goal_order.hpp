// What a dependency trace means as a whole: which receive takes which message, and what happens
// before what.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "sim/workload/goal_file.hpp"

namespace weft {

/// A message of a trace: the k-th send from `src` to `dst` with a tag, which matches the k-th
/// receive of `dst` from `src` with the same tag.
struct TraceMessage {
  std::uint32_t src = 0, dst = 0;    ///< Ranks.
  std::uint32_t send = 0, recv = 0;  ///< Indices of its operations in `src` and `dst`.
  std::uint32_t index = 0;           ///< Index among the messages from `src` to `dst`, in the order
                                     ///< of their sends.
  std::uint64_t bytes = 0;
};

/// The messages of a trace by ascending source, those of one source in the order of its sends.
/// Throws ConfigError, with the line, for a send or receive without its counterpart, and for a
/// receive of fewer bytes than are sent.
std::vector<TraceMessage> match_messages(const DependencyTrace& trace);

/// An order in which starts and ends of all operations can happen. Every operation starts after
/// what it requires, and ends after it has started; a receive ends after its message's send has
/// started.
class TraceOrder {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  /// Throws ConfigError naming the operations that wait for each other in a cycle. `trace` and
  /// `messages` must outlive it.
  TraceOrder(const DependencyTrace& trace, const std::vector<TraceMessage>& messages);

  /// Index of the message that an operation sends or receives; kNone: it computes.
  std::uint32_t message_of(std::uint32_t rank, std::uint32_t op) const {
    return message_of_[first_[rank] + op];
  }

  /// Cycles until all operations have ended if a calc takes `computing(op)`, a message takes
  /// `latency(message)` from the start of its send to the end of its receive, and nothing else
  /// takes time.
  std::uint64_t longest(const std::function<std::uint64_t(const TraceOp&)>& computing,
                        const std::function<std::uint64_t(const TraceMessage&)>& latency) const;

 private:
  // Event 2 i is the start of operation i, 2 i + 1 its end; operations are numbered over all ranks.
  using Event = std::uint32_t;

  void add_edges();
  void sort();
  std::vector<Event> before(Event event) const;
  [[noreturn]] void refuse_circle(const std::vector<std::uint32_t>& open) const;
  std::uint32_t rank_of(Event event) const;
  const TraceOp& op_of(Event event) const;

  const DependencyTrace& trace_;
  const std::vector<TraceMessage>& messages_;
  std::vector<std::uint32_t> first_;       // By rank: its first operation, numbered over all ranks.
  std::vector<std::uint32_t> message_of_;  // By operation.
  std::vector<std::size_t> begin_;         // By event: begin of its followers in `followers_`.
  std::vector<Event> followers_;
  std::vector<Event> order_;
};

}  // namespace weft
