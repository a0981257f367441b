// A network for tests of processors: every node has a descriptor queue, each message arrives
// complete a fixed time after it was sent and is stored, or reduced, another fixed time later. Only
// the timing towards the processor is that of the NIC.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "sim/processor/processor.hpp"
#include "sim/reduce/reduce_word.hpp"

namespace weft::ideal {

struct Settings {
  std::uint32_t queue_depth = 4;
  std::uint32_t delay = 7;     ///< Cycles from the last flit sent to the message arrived.
  std::uint32_t store = 3;     ///< Cycles from the message arrived to the message stored.
  std::uint32_t barrier = 20;  ///< Cycles from the last node entered to the barrier released.
};

/// Messages under all tags.
inline std::uint32_t arrived_in_all(const NicStatus& status) {
  return std::accumulate(status.rx_arrived.begin(), status.rx_arrived.end(), 0u);
}

/// A message as a node posted it.
struct Sent {
  Descriptor descriptor;
  std::uint32_t arrived_before = 0;  ///< Messages that its node was told of when it posted.
  std::uint32_t least_arrived = 0;   ///< The least number of tag 0 that arrived at any node.
  std::uint32_t barriers = 0;        ///< Hardware barriers released to its node.
  std::uint64_t cycle = 0;
};

template <class P>
class Fabric {
 public:
  /// `addresses[r]`: network address of rank r.
  Fabric(std::vector<P>& nodes, std::vector<std::uint32_t> addresses, Settings settings)
      : nodes_(nodes),
        addresses_(std::move(addresses)),
        settings_(settings),
        ports_(nodes.size()),
        sent(nodes.size()),
        entered(nodes.size()) {
    for (Port& port : ports_) port.status.desc_free = settings_.queue_depth;
  }

 private:
  using Words = std::vector<std::uint64_t>;
  struct Queued {
    Descriptor descriptor;
    Words body;  ///< As it was when the message was posted.
  };
  struct Port {
    NicStatus status;
    std::deque<Queued> queue;
    std::uint64_t busy_until = 0;
    bool on_its_way = false;  ///< Posted in the cycle before: reaches the queue in this one.
    Descriptor arriving;
  };
  struct InFlight {
    std::uint64_t due;
    std::size_t target;
    Queued message;
  };

  std::vector<P>& nodes_;
  std::vector<std::uint32_t> addresses_;
  Settings settings_;
  std::vector<Port> ports_;
  std::deque<InFlight> flying_;   ///< Sent, not arrived.
  std::deque<InFlight> arrived_;  ///< Arrived, not stored.
  std::uint64_t cycle_ = 0;
  std::uint32_t least_arrived_ = 0;
  std::deque<std::uint64_t> releases_;  ///< Cycles in which barriers are released.
  std::uint32_t complete_ = 0;          ///< Barriers that all nodes have entered.

 public:
  std::vector<std::vector<Sent>> sent;  ///< By source, in the order of posting.
  std::vector<std::uint32_t> entered;   ///< Hardware barriers that each node entered.
  std::string error;                    ///< First thing that the network could not do.

  const NicStatus& status(std::size_t node) const { return ports_[node].status; }
  std::uint64_t cycle() const { return cycle_; }

  /// One cycle: processors see what the NICs published, then the NICs take what they posted in
  /// the cycle before.
  void step() {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      Port& port = ports_[i];
      const bool queued = port.on_its_way;
      const Descriptor descriptor = port.arriving;
      nodes_[i].step(port.status, cycle_);
      port.on_its_way = nodes_[i].port().posted();
      if (port.on_its_way) {
        port.arriving = nodes_[i].port().descriptor();
        sent[i].push_back({port.arriving, arrived_in_all(port.status), least_arrived_,
                           port.status.barriers, cycle_});
      }
      entered[i] += nodes_[i].port().entered();
      if (queued) port.queue.push_back({descriptor, body_of(i, descriptor)});
      if (port.queue.size() > settings_.queue_depth) error = "descriptor queue overflows";
    }
    for (std::size_t i = 0; i < nodes_.size(); ++i) serve(i);
    while (!flying_.empty() && flying_.front().due <= cycle_) {
      ++ports_[flying_.front().target]
            .status.rx_arrived[flying_.front().message.descriptor.tag & 3];
      arrived_.push_back(flying_.front());
      arrived_.back().due = cycle_ + settings_.store;
      flying_.pop_front();
    }
    while (!arrived_.empty() && arrived_.front().due <= cycle_) {
      store(arrived_.front());
      arrived_.pop_front();
    }
    release_barriers();
    least_arrived_ = UINT32_MAX;
    for (const Port& port : ports_) {
      least_arrived_ = std::min(least_arrived_, port.status.rx_arrived[0]);
    }
    ++cycle_;
  }

  /// Runs until every processor has stopped; false after `limit` cycles.
  bool run(std::uint64_t limit) {
    while (cycle_ < limit) {
      step();
      bool all = true;
      for (const P& node : nodes_) {
        all = all &&
              (node.state() == ProcessorState::kHalted || node.state() == ProcessorState::kFaulted);
      }
      if (all) return true;
    }
    return false;
  }

 private:
  void serve(std::size_t i) {
    Port& port = ports_[i];
    if (port.busy_until == cycle_ && cycle_ != 0) {
      ++port.status.tx_count;
      send(i, std::move(port.queue.front()));
      port.queue.pop_front();
    }
    if (port.busy_until <= cycle_ && !port.queue.empty()) {
      port.busy_until = cycle_ + 1 + port.queue.front().descriptor.len;
    }
    port.status.desc_free = settings_.queue_depth - static_cast<std::uint32_t>(port.queue.size());
  }

  Words body_of(std::size_t node, const Descriptor& d) const {
    Words body(d.len);
    for (std::uint32_t i = 0; i < d.len; ++i) body[i] = nodes_[node].memory().read_word(d.addr + i);
    return body;
  }

  // Between its post and the end of its sending a message's body must stay as it is.
  void send(std::size_t from, Queued message) {
    const Descriptor& d = message.descriptor;
    if (body_of(from, d) != message.body) error = "a body changed before it was sent";
    std::size_t to = 0;
    while (to < addresses_.size() && addresses_[to] != d.dst) ++to;
    if (to == addresses_.size()) {
      error = "no node has address " + std::to_string(d.dst);
      return;
    }
    flying_.push_back({cycle_ + settings_.delay, to, std::move(message)});
  }

  void release_barriers() {
    const std::uint32_t complete = *std::min_element(entered.begin(), entered.end());
    for (; complete_ < complete; ++complete_) releases_.push_back(cycle_ + settings_.barrier);
    for (; !releases_.empty() && releases_.front() <= cycle_; releases_.pop_front()) {
      for (Port& port : ports_) ++port.status.barriers;
    }
  }

  void store(const InFlight& arrived) {
    const Descriptor& d = arrived.message.descriptor;
    P& target = nodes_[arrived.target];
    if (d.off + d.len > target.port().windows().size[0]) {
      error = "message outside the receive window";
      return;
    }
    const Reduction reduction = target.port().reduction();
    for (std::uint32_t i = 0; i < d.len; ++i) {
      const std::uint32_t at = target.port().windows().base[0] + d.off + i;
      std::uint64_t word = arrived.message.body[i];
      if (reduction.op != ReduceOp::kStore && reduces(d.tag)) {
        word = reduce_word(reduction.op, reduction.type, reduction.count,
                           target.memory().read_word(at), word);
      }
      target.memory().write_word(at, word);
    }
    ++ports_[arrived.target].status.rx_count[d.tag & 3];
  }
};

}  // namespace weft::ideal
