// Virtual-channel router, cycle model of rtl/router/weft_vc_router.sv, block by block
// (rtl/router/README.md, vc_router; seed 004 [2.1], [4.2]).
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/packet/packet.hpp"
#include "sim/router/input_unit.hpp"
#include "sim/router/output_unit.hpp"
#include "sim/router/switch_alloc.hpp"
#include "sim/router/switch_hold.hpp"
#include "sim/router/vc_alloc.hpp"
#include "sim/router/vc_router_signals.hpp"
#include "sim/router/way_select.hpp"

namespace weft {

/// The models of the router's blocks, wired as in the RTL: an input unit for each in-port; VC
/// allocation, switch allocation and an output unit for each out-port. In a cycle only the blocks
/// with something to do are stepped; every request is computed anew. A route unit beside each
/// in-port gives it the out-port and VC set of a header (`RouterTile`).
class VcRouter : public VcRouterSignals {
 public:
  /// Throws ConfigError if a value is out of range or contradicts another.
  explicit VcRouter(const Config& config);

  void reset();

  /// The outputs of the present cycle, from registers; valid until the next step.
  Out out() const { return {tx_.data(), tx_valid_, credit_.data(), credit_ports_}; }

  /// One clock edge. `in` may not point into this router's own outputs.
  void step(const In& in);

  /// Whether a step without flits and credits would change nothing, and no flit is on an output.
  /// Allocation is work-conserving: after a cycle in which nothing moved, no requester is eligible,
  /// unless a register between the pipeline's stages changed.
  bool quiet() const { return tx_valid_ == 0 && !stages_changed_; }

  const Config& config() const { return config_; }

  /// Whether the next flit that arrives on a VC of an in-port is a header.
  bool expects_head(unsigned port, unsigned vc) const { return inputs_[port].expects_head(vc); }

  /// Flits in the buffers.
  std::uint64_t buffered() const;
  /// Whether an in-port holds no flit and returns no credit.
  bool empty(unsigned port) const;

  InVcView in_vc(unsigned port, unsigned vc) const;
  /// Flit `i` of a VC's buffer, the oldest first; null if `i` is not below its occupancy. For
  /// diagnosis.
  const Flit* held(unsigned port, unsigned vc, unsigned i) const;
  OutVcView out_vc(unsigned port, unsigned vc) const;
  HolderView holder(unsigned port) const;

  /// The state: what a checkpoint keeps.
  template <class Archive>
  void serialize(Archive& archive) {
    for (InputUnit& input : inputs_) archive(input);
    for (OutputUnit& output : outputs_) archive(output);
    for (SwitchAlloc& alloc : switch_allocs_) archive(alloc);
    for (SwitchHold& hold : switch_holds_) archive(hold);
    if (way_select_) archive(*way_select_);
    archive(owners_, stages_changed_, choices_, chosen_, holding_, tx_, credit_, tx_valid_,
            credit_ports_);
    archive.require(consistent());
  }

 private:
  friend class RtlState;  // Loads the state into RTL (sim/verilated/rtl_state.hpp).

  // Request of a requester: an out-port, and its VC on the next link. `further`: one of a header's
  // further routes.
  struct Request {
    bool valid = false;
    unsigned port = 0, vc = 0;
    bool further = false;
  };

  bool consistent() const;
  bool is_local(unsigned port) const { return port >= first_local_; }
  unsigned out_vcs(unsigned port) const { return is_local(port) ? 1 : config_.num_vc; }
  bool ahead() const { return config_.pipeline == 3; }
  // Whether VC allocation selects a VC of the set.
  static bool has_choice(VcSet set) { return set < VcSet::kSame; }
  // VC of the next link that a set without VC allocation names, for a header on VC `v`.
  unsigned only_vc(VcSet set, unsigned v) const;
  // Credits that a header needs.
  std::uint32_t need_of(const Flit& header, unsigned port) const;
  VcAlloc::Out allocate(unsigned port) const;
  const VcAlloc::Choice& choice(unsigned port, VcSet set);
  Request request(unsigned port, unsigned vc);
  Request further_request(unsigned port, unsigned vc);
  void arrive(const In& in);
  void gather_requests();
  void move_flits(const In& in);
  void note(unsigned requester, const Flit& word, bool head);
  void move(unsigned port, unsigned requester);
  void settle(const In& in, std::uint64_t moved);
  void allocate_ahead();
  void gather_ahead();
  void move_ahead(const In& in);
  void show_credits();

  Config config_;
  unsigned first_local_;
  bool chooses_;  // There is VC allocation towards neighbours.
  std::uint64_t all_ports_;
  std::vector<InputUnit> inputs_;    // By in-port.
  std::vector<OutputUnit> outputs_;  // By out-port, like vc_allocs_ and switch_allocs_.
  std::vector<VcAlloc> vc_allocs_;
  std::vector<SwitchAlloc> switch_allocs_;  // By out-port; with pipeline 1 and 2.
  std::vector<SwitchHold> switch_holds_;    // By out-port; with pipeline 3.
  std::vector<std::uint32_t> owners_;       // By VC of an out-port: requester that sent on it last.

  // Wires of one cycle. Requester p x `num_vc` + v is VC v of in-port p. A set of ports is one
  // word.
  std::size_t req_words_ = 0;           // Words of a set of requesters.
  std::vector<VcAlloc::Out> choices_;   // By out-port: output of VC allocation; see `chosen_`.
  std::uint64_t chosen_ = 0;            // Out-ports whose `choices_` are computed: a header needs
                                        // them.
  std::uint64_t asked_ = 0;             // Out-ports with a requester.
  std::vector<std::uint64_t> req_;      // By out-port: its requesters; empty between cycles.
  std::vector<std::uint64_t> last_;     // Requesters whose word is a tail.
  std::vector<std::uint64_t> head_;     // Requesters whose word is a header.
  std::vector<std::uint16_t> stamps_;   // By requester: stamp.
  std::vector<std::uint32_t> next_vc_;  // By requester: its VC on the next link.
  std::vector<std::uint8_t> further_;   // By requester: it requests a further route.
  std::uint64_t popped_ = 0;            // In-ports from which a flit leaves.
  std::uint64_t arrived_ = 0;           // In-ports at which a flit arrives.

  // Whether a step without flits and credits may change registers between the stages.
  bool stages_changed_ = false;
  // Pipeline 3, by out-port: output of VC allocation in this cycle. `choices_` is that of the cycle
  // before, and `chosen_` the out-ports whose VCs or credits have changed since.
  std::vector<VcAlloc::Out> next_choices_;
  std::vector<std::uint64_t> may_;  // By out-port: requesters whose word can move.
  std::uint64_t holding_ = 0;       // Out-ports that a requester holds.

  std::optional<WaySelect> way_select_;  // Used with `adaptive`.

  // The outputs.
  std::vector<Flit> tx_;
  std::vector<std::uint64_t> credit_;
  std::uint64_t tx_valid_ = 0, credit_ports_ = 0;
};

}  // namespace weft
