// The nodes of one part of a network on engine `model`, with endpoints of any type.
#pragma once

#include <cstdint>
#include <memory>

#include "sim/base/archive.hpp"
#include "sim/fabric/barrier_tree.hpp"
#include "sim/fabric/combine_tree.hpp"
#include "sim/spans/loaded_packets.hpp"
#include "sim/spans/node_state.hpp"
#include "sim/workload/traffic_sums.hpp"

namespace weft {

class Endpoints;
class WordWatch;

/// What the nodes of all parts of this process share. All of it must outlive the nodes.
struct AllNodes {
  const Graph& graph;
  const Nic::Config& nic;
  Endpoints& endpoints;
  NodeStates& states;
  Cycle limit;                         ///< The run ends before this cycle at the latest.
  BarrierTree<BarrierUnit>* barriers;  ///< Null without barrier units.
  CombineTree<CombineUnit>* combines;  ///< Null without combine units.
  WordWatch* watch;  ///< Notified of writes to the memory of its node; null: nothing is watched.
};

/// The nodes of a part. There is a virtual call for each part and cycle, not for each node.
class PartNodes {
 public:
  /// No node.
  static constexpr std::uint32_t kNone = NetworkBasis::kNone;

  explicit PartNodes(std::uint32_t nodes) : running_(nodes) {}
  virtual ~PartNodes() = default;

  /// Steps the nodes whose endpoint or interface has something to do in this cycle.
  virtual void step(Cycle cycle, RegionSums& sums) = 0;
  /// First cycle from the next one on in which there is something to do, or `limit` if that is
  /// earlier. Call it before the next `step`.
  virtual Cycle next(Cycle limit) const = 0;
  /// Replaces the steps of the cycles before `cycle`, in which there is nothing to do.
  virtual void skip_to(Cycle cycle) = 0;
  /// Applies the news of the network, after its step in the same cycle.
  virtual void take_news(Cycle cycle, RegionSums& sums) = 0;
  /// Memory read of a node's combine unit, in `cycle`.
  virtual void read(std::uint32_t n, std::uint32_t address, FlitData& word, Cycle cycle) = 0;
  /// Memory write of a node's combine unit, in `cycle`.
  virtual void write(std::uint32_t n, std::uint32_t address, const FlitData& word, Cycle cycle) = 0;
  /// Notes that the node's barrier unit shows a release, or its combine unit a completed order,
  /// from `cycle` on.
  virtual void released(std::uint32_t n, Cycle cycle) = 0;
  /// Whether an endpoint acts after `cycle` although nothing moves.
  virtual bool acts_later(Cycle cycle) = 0;
  /// Ends the run: does what is still due before `cycle`.
  virtual void end(Cycle cycle, RegionSums& sums) = 0;
  /// The region of a packet that is still in the network; 0 without a partition.
  virtual std::uint32_t region_of(const Packet& packet) const = 0;

  /// The state: what a checkpoint keeps.
  virtual void serialize(SaveArchive& archive) = 0;
  virtual void serialize(LoadArchive& archive) = 0;
  /// Checks a loaded state like SpanNetwork::check_loaded.
  virtual void check_loaded(Cycle cycle, const LoadedPackets& packets) const = 0;
  virtual bool good_header(const Packet& packet, const LoadedPackets& packets) const = 0;

  std::uint32_t running() const { return running_; }
  bool dropped() const { return dropped_; }
  /// The lowest node with an error in the last step; none: kNone.
  std::uint32_t failed() const { return failed_; }

 protected:
  bool dropped_ = false;
  std::uint32_t failed_ = kNone;
  std::uint32_t running_;
};

class Packets;

/// Makes the nodes of one part of `network`, a SpanNetwork or SpanCrossbars: the `own` nodes.
template <class Net>
std::unique_ptr<PartNodes> make_part_nodes(const AllNodes& all, const NodeSet& own, Net& network,
                                           Packets& packets);

}  // namespace weft
