// What a result needs of the endpoints after a run.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/processor/nic_port.hpp"
#include "sim/share/network_share.hpp"
#include "sim/workload/workload.hpp"

namespace weft {

/// Final state of all nodes, by number; where processes share the network, at first only of own
/// ones.
struct NodeEnds {
  /// A node with wrong words in its memory.
  struct Wrong {
    std::uint32_t node = 0;
    std::uint64_t words = 0;
    WrongWord first;
  };
  struct Program {
    std::optional<std::uint64_t> job_start, first_act, exit;  ///< Cycles of these events.
    std::uint64_t posted_messages = 0;
    std::vector<ReportedValue> values;
    std::vector<ReportedPhase> phases;

    template <class Archive>
    void serialize(Archive& archive) {
      archive(job_start, first_act, exit, posted_messages);
      archive.any_size(values);
      archive.any_size(phases);
    }
  };
  struct Traffic {
    std::uint64_t words = 0, errors = 0;  ///< Words of packet bodies that were checked on arrival,
                                          ///< and those that were wrong.
    std::uint64_t rounds = 0;             ///< Completed rounds of a closed loop.
    bool waits = false;                   ///< Waits for packets of its round.
  };

  std::vector<Wrong> wrong;       ///< Nodes with wrong words; empty if the run was stopped.
  std::vector<Program> programs;  ///< By node; empty without programs.
  std::vector<Traffic> traffic;   ///< By node; empty for other workloads.
};

/// State of the endpoints of `own` nodes after `cycles` cycles. `stopped`: before the work was
/// done.
NodeEnds node_ends(const Workload& workload, Endpoints& endpoints, const NodeSet& own,
                   std::uint64_t cycles, bool stopped);
/// Adds the ends of other processes to those of process 0. All processes call it together.
void gather(const NetworkShare& share, NodeEnds& ends);

}  // namespace weft
