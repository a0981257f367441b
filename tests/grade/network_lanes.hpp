// A whole small network in each lane, with traffic of which every word is known.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/config/config.hpp"
#include "sim/gates/gate_block.hpp"
#include "sim/topology/graph.hpp"

namespace weft::grade {

/// What every node sends: message m goes to the node 1 + m % (nodes - 1) ranks above, so that each
/// node gets one message of each number, too.
struct Traffic {
  std::uint32_t nodes = 2;
  std::uint32_t messages = 6;  ///< Of each node.
  std::uint32_t flits = 10;    ///< Of a message.

  std::uint32_t area() const { return messages * flits; }  ///< Words that a node sends.
  std::uint32_t destination(std::uint32_t node, std::uint32_t message) const {
    return (node + 1 + message % (nodes - 1)) % nodes;
  }
  /// Word `w` of what `node` sends: no two are equal.
  static std::uint64_t sent(std::uint32_t node, std::uint32_t w);
  /// Word `w` of what `node` must have received in the end.
  std::uint64_t received(std::uint32_t node, std::uint32_t w) const;
};

/// What nothing in the network repairs, and what it repairs itself.
enum class Report : std::uint8_t { kNone, kLoss, kRepair };
/// What a counter of the network reports, by the name of its port: kNone for what is no counter of
/// trouble. `repairs`: whether links send again what arrived with a wrong code.
Report report_of(const std::string& port, bool repairs);

/// The emitted top of a network as gates, one group of lanes. Each lane has nodes of its own: a
/// memory, and a driver that posts the messages, waits for the counters as software does, and uses
/// its memory anew when its messages are sent.
class NetworkLanes {
 public:
  /// Builds what the cache does not have. Throws ConfigError for a network with words of more than
  /// 64 bits, one node, or inputs that the traffic has no use for.
  NetworkLanes(const Config& config, std::uint32_t messages, std::uint32_t flits);

  GateBlock& block() { return *block_; }
  const GateLibrary& library() const { return block_->library(); }
  const Traffic& traffic() const { return traffic_; }
  std::uint32_t lanes() const { return block_->lanes(); }

  /// All lanes out of reset, before cycle 0. `clear`: the state is 0 first, else it stays.
  void reset(bool clear = true);
  /// Computes the outputs of this cycle.
  void outputs() { block_->outputs(); }
  /// What the nodes do with them, then an edge of the clock.
  void step();
  std::uint32_t cycle() const { return cycle_; }

  /// What is known of a lane.
  struct Lane {
    std::uint32_t left = 0;   ///< Nodes that wait for a message, or have one to send.
    std::uint32_t ended = 0;  ///< Cycle in which the last of them was done.
    std::uint64_t times = 0;  ///< Digest of all writes to memory with their cycles.
    /// Words that were not as planned when their node had all its messages by the counters, and
    /// writes beyond the memory.
    std::uint32_t wrong = 0;
    std::uint32_t restarts = 0;  ///< Of what is between the interfaces.
  };
  const Lane& lane(std::uint32_t l) const { return lanes_[l]; }
  /// Words of a lane that are not as planned now.
  std::uint32_t wrong_words(std::uint32_t l) const;
  /// Whether counts of received or sent messages are not as planned now.
  bool wrong_counts(std::uint32_t l) const;
  /// Whether a counter with this report is not 0 now.
  bool reports(std::uint32_t l, Report report) const;

 private:
  // What one node drives in one lane.
  struct Node {
    std::uint32_t next = 0;  // Message to be posted.
    bool posts = false, sent = false, received = false;
  };
  // The vectors of a port with `width` of them for each node, or each of its links.
  struct Port {
    std::uint32_t first = 0, width = 0;
    std::uint32_t of(std::uint32_t element) const { return first + element * width; }
  };
  struct Counter {
    std::uint32_t first, width;
    Report report;
  };

  Port port(const char* name, std::uint32_t elements) const;
  std::uint64_t* in(std::uint32_t vector) { return block_->in(0) + std::size_t{vector} * words_; }
  const std::uint64_t* out(std::uint32_t vector) const {
    return block_->out(0) + std::size_t{vector} * words_;
  }
  std::uint64_t* memory(std::uint32_t lane, std::uint32_t node) {
    return &data_[(std::size_t{lane} * traffic_.nodes + node) * 2 * traffic_.area()];
  }
  const std::uint64_t* memory(std::uint32_t lane, std::uint32_t node) const {
    return &data_[(std::size_t{lane} * traffic_.nodes + node) * 2 * traffic_.area()];
  }
  std::uint32_t wrong_words(std::uint32_t l, std::uint32_t node) const;
  std::uint64_t out_bits(std::uint32_t first, std::uint32_t width, std::uint32_t l) const;
  void set_in(std::uint32_t first, std::uint32_t width, std::uint32_t l, std::uint64_t value);
  void set_all(const std::string& name, const std::vector<std::uint64_t>& value,
               std::uint32_t width);
  void read_memories();
  void write_memories();
  void look_at_counts();
  void post();
  void recover();

  Traffic traffic_;
  std::uint32_t read_lanes_ = 1, links_ = 1;
  std::uint32_t expected_ = 0;  // Of a node's receive counter in the end.
  bool repairs_ = false, restarts_ = false;
  std::vector<std::uint32_t> addresses_;  // By node.
  // Inputs for tables of routers.
  std::vector<std::pair<std::string, std::vector<std::uint64_t>>> tables_;
  std::unique_ptr<GateBlock> block_;
  std::uint32_t words_ = 1, cycle_ = 0;
  Port ren_, raddr_, rdata_, wen_, waddr_, wdata_, free_, desc_valid_, dst_, addr_, len_, off_;
  Port tx_count_, rx_count_, rx_arrived_;
  std::vector<Counter> counters_;
  std::vector<std::uint32_t> alarms_;  // Vectors of outputs that ask for a restart.
  std::vector<Lane> lanes_;
  std::vector<Node> nodes_;                // [lane][node].
  std::vector<std::uint64_t> data_;        // Memories: [lane][node][word].
  std::vector<std::uint64_t> counted_;     // Vectors of the counts that were looked at last.
  std::vector<std::uint64_t> restarting_;  // Lanes that are held for a restart.
  std::vector<std::uint32_t> held_since_;  // By lane.
};

}  // namespace weft::grade
