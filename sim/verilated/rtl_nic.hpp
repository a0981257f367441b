// Verilated network interface with the model's interface, and its cosimulation pair.
#pragma once

#include "sim/nic/nic.hpp"
#include "sim/verilated/rtl_block.hpp"

namespace weft {

extern template class RtlBlock<Nic>;

/// Verilated `nic`.
class RtlNic : public RtlBlock<Nic> {
 public:
  RtlNic(const Nic::Config& config, RtlForm form)
      : RtlBlock("nic", config, form),
        credit_words_(config.credit ? config.links() * ((config.num_vc + 63) / 64) : 0) {
    note_silent();
  }

  const Nic::Out& out() const { return held(); }
  /// Whether a step with `in` would change nothing, no flit, credit or access to the memory is on
  /// the outputs, and no flit, credit or descriptor on the inputs.
  bool idle(const Nic::In& in) const { return at_rest() && silent_ && !carries(in) && driven(in); }
  bool status_changed() const { return true; }
  /// Continues from the state of `model`; `now`: as for load_registers.
  void load(const Nic& model, std::uint32_t now) {
    load_state(model, now);
    note_silent();
  }
  const Nic::Out& step(const Nic::In& in) {
    if (edge(in)) note_silent();
    return held();
  }

 private:
  void note_silent();
  bool carries(const Nic::In& in) const;

  unsigned credit_words_;  // Words of credits of all links.
  bool silent_ = false;
};

using CosimNic = CosimPair<Nic, RtlNic>;

}  // namespace weft
