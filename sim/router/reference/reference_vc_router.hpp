// Virtual-channel router, readable cycle model of rtl/router/weft_vc_router.sv, block by block
// (rtl/router/README.md, vc_router; seed 004 [2.1], [4.2]).
#pragma once

#include <cstdint>
#include <vector>

#include "sim/packet/packet.hpp"
#include "sim/router/reference/input_unit.hpp"
#include "sim/router/reference/output_unit.hpp"
#include "sim/router/reference/switch_alloc.hpp"
#include "sim/router/reference/vc_alloc.hpp"
#include "sim/router/route/route_unit.hpp"
#include "sim/router/vc_router_interface.hpp"

namespace weft {

/// The models of the router's blocks, wired as in the RTL: a route unit and an input unit for each
/// in-port; VC allocation, switch allocation and an output unit for each out-port. Every request is
/// computed anew in every cycle. It has the interface of VcRouter, the fast model, which is
/// compared with it, and can replace it in a fabric.
class ReferenceVcRouter : public VcRouterInterface {
 public:
  /// Throws ConfigError as `checked` and the blocks do.
  explicit ReferenceVcRouter(const Config& config);

  void reset();

  /// The outputs of the present cycle, from registers; valid until the next step.
  Out out() const { return {tx_.data(), tx_valid_, credit_.data(), credit_ports_}; }

  /// One clock edge. `in` may not point into this router's own outputs.
  void step(const In& in);

  /// A step without flits and credits would change nothing, and no flit is on an output.
  /// Allocation is work-conserving: after a cycle in which nothing moved, no requester is eligible.
  bool quiet() const { return tx_valid_ == 0; }

  const Config& config() const { return config_; }

  /// Flits in the buffers.
  std::uint64_t buffered() const;

  InVcView in_vc(unsigned port, unsigned vc) const;
  /// Flit `i` of a VC's buffer, the oldest first; null if `i` is not below its occupancy. For
  /// diagnosis.
  const Flit* held(unsigned port, unsigned vc, unsigned i) const;
  OutVcView out_vc(unsigned port, unsigned vc) const;
  HolderView holder(unsigned port) const;

 private:
  // What a requester requests: an out-port, and its VC on the next link.
  struct Request {
    bool valid = false;
    unsigned port = 0, vc = 0;
  };

  bool is_local(unsigned port) const { return port >= config_.num_ports - config_.num_local; }
  RouteOut route(unsigned port, const Flit& flit) const;
  Request request(unsigned port, unsigned vc) const;
  void arrive(const In& in);
  void allocate_vcs();
  void gather_requests();
  void move_flits(std::uint32_t now);
  void show_credits();

  Config config_;
  RouteUnit route_;
  std::vector<InputUnit> inputs_;    // By in-port.
  std::vector<OutputUnit> outputs_;  // By out-port, as are the next two.
  std::vector<VcAlloc> vc_allocs_;
  std::vector<SwitchAlloc> switch_allocs_;

  // Wires of one cycle. Requester p x `num_vc` + v is VC v of in-port p.
  std::size_t req_words_ = 0;           // Words of a set of requesters.
  std::vector<VcAlloc::Vc> vcs_;        // Input of one VC allocation.
  std::vector<VcAlloc::Out> choices_;   // By out-port: output of VC allocation.
  std::vector<std::uint64_t> req_;      // By out-port: its requesters.
  std::vector<std::uint64_t> last_;     // Requesters whose word is a tail.
  std::vector<std::uint16_t> stamps_;   // By requester.
  std::vector<std::uint32_t> next_vc_;  // By requester: its VC on the next link.

  // The outputs.
  std::vector<Flit> tx_;
  std::vector<std::uint64_t> credit_;
  std::uint64_t tx_valid_ = 0, credit_ports_ = 0;
};

}  // namespace weft
