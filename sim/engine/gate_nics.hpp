// The network interfaces of a network as gates, seen from its nodes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sim/engine/any_blocks.hpp"
#include "sim/fabric/block_array.hpp"
#include "sim/gates/gate_block.hpp"
#include "sim/gates/lane_registers.hpp"

namespace weft {

/// Inputs and outputs of interfaces in lanes, but for their links: descriptors, memory, settings
/// and status. What nodes give is gathered, and transposed for 64 lanes at once; each node's
/// Nic::Out is brought up to date where something has changed. Different threads may use different
/// groups.
class GateNics {
 public:
  /// `node_of`: by lane of `gates`, kOpen for a lane without a node; `nodes`: of the network;
  /// `only_posts`: the endpoints look at free descriptors and dropped packets alone, between two
  /// calls of `show_all`.
  GateNics(const Nic::Config& config, GateBlock& gates, const std::vector<std::uint32_t>& node_of,
           std::uint32_t nodes, bool only_posts);

  ~GateNics();

  /// The interfaces by node, without contents where there is no lane. Their steps give inputs; this
  /// object must outlive them. Call it once.
  std::vector<AnyNic> nics();
  /// Gives what was gathered to the lanes of a group. Returns whether there was anything.
  bool drive(std::uint32_t group);
  /// As of BlockArray, for a group.
  void read_memory(std::uint32_t group, NodeMemory& memory);
  void write_memory(std::uint32_t group, NodeMemory& memory);
  /// Brings what endpoints look at among the nodes' outputs up to date, and notes in `calls` which
  /// must look at them.
  void show(std::uint32_t group);
  /// Brings all of it up to date, also what no endpoint looks at.
  void show_all();
  /// As BlockArray::calls.
  const std::uint8_t* calls() const { return calls_.data(); }

 private:
  class LaneNic;
  // A field of a descriptor: where it is in the words that are gathered, and its input.
  struct DescField {
    std::uint32_t word, lsb, width, input;
    std::uint64_t (*get)(const Descriptor&);
  };
  // A number among the outputs.
  struct StatusField {
    std::uint32_t first, width;
    std::uint32_t& (*of)(NicStatus& status, unsigned index);  // Null: it is `flag`.
    std::uint32_t index;
    bool Nic::Out::*flag = nullptr;
    bool calls = false;  // Nodes must look at it.
    // Between two cycles a counter moves on by less than 2^kTells: its low bits show whether it
    // does.
    std::uint32_t tells() const { return std::min(width, kTells); }
  };
  static constexpr std::uint32_t kTells = 5;
  // Of a port with several elements: the first vector, and vectors of an element.
  struct Vectors {
    std::uint32_t first = 0, stride = 0;
  };

  void find_descriptor();
  void find_status(bool only_posts);
  void give(LaneNic& nic, const Nic::In& in);
  void load(LaneNic& nic, const Nic& model, std::uint32_t now);
  void set(LaneNic& nic, const Nic::In& in);
  Vectors element(const char* name, unsigned elements) const;
  void put_rows(const std::uint64_t* rows, std::uint64_t lanes, std::uint64_t* to,
                unsigned count) const;
  std::uint64_t bits(const std::uint64_t* out, const Vectors& of, unsigned element) const;
  void gather(const std::uint64_t* out, const Vectors& of, unsigned element, unsigned lsb,
              std::uint64_t* rows) const;
  void show_status(std::uint32_t word, const std::uint64_t* out);
  void show_field(const StatusField& field, std::uint32_t word, const std::uint64_t* out,
                  std::uint64_t lanes);

  const Nic::Config config_;
  const unsigned flit_words_;
  GateBlock& gates_;
  const std::uint32_t words_;  // Of a vector.
  const std::vector<std::uint32_t> node_of_;
  std::vector<std::unique_ptr<LaneNic>> made_;  // Until `nics` gives them away.
  std::vector<LaneNic*> nic_of_;                // By lane.
  std::vector<std::uint8_t> calls_;
  std::vector<DescField> desc_;
  std::uint32_t desc_words_ = 0;
  std::vector<StatusField> status_;
  std::size_t watched_ = 0;  // The first of these are shown in every cycle.
  Vectors ren_, raddr_, wen_, waddr_, wdata_, rdata_;
  // What was given since the last step: descriptors [word][lane], by lanes of 64 which; words read
  // from memory [read lane][lane][word of the flit].
  std::vector<std::uint64_t> descs_, posted_, read_, came_;
  std::vector<std::uint8_t> given_;         // By group.
  std::optional<LaneRegisters> registers_;  // Made when the first state is loaded.
  // The instance into which it was loaded: so its libraries are not read again for each lane.
  std::shared_ptr<const void> loaded_;
  // By 64 lanes: nodes, and which of them have calls; bits of the status.
  std::vector<std::uint64_t> nodes_, called_, before_;
};

}  // namespace weft
