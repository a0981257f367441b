// A block three times: its model, its Verilated RTL, and what Yosys makes of the RTL.
#pragma once

#include <filesystem>
#include <tuple>

#include "sim/gates/gate_check.hpp"
#include "sim/verilated/rtl_block.hpp"

namespace weft {

/// What a trio has besides the hardware.
struct TrioForm {
  bool assertions = false;        ///< Checks the assertions in the RTL.
  std::filesystem::path liberty;  ///< As RtlSpec::liberty.

  operator RtlForm() const { return {assertions, /*with_registers=*/true}; }
};
/// The form among the arguments of a constructor: the last one.
template <class... More>
const TrioForm& trio_form(const More&... more) {
  return std::get<sizeof...(More) - 1>(std::tie(more...));
}

/// As CosimPair, with the RTL as gates beside the two: all outputs of all three are compared in
/// every cycle, and the registers of RTL and gates. Its outputs are the model's.
template <class Model, class Rtl>
class CosimTrio : public CosimBlock<Model, Rtl> {
 public:
  /// As CosimPair's; the last argument is a TrioForm in place of the RTL's RtlForm.
  template <class Config, class... More>
  explicit CosimTrio(const Config& config, const More&... more)
      : CosimBlock<Model, Rtl>(config, more...),
        gates_(this->rtl_.instance(), trio_form(more...).liberty) {
    compare();
  }

  /// Continues from the state of `model`; `now`: as for load_registers. Throws Difference for the
  /// first output in which they differ, CheckError for a flop that has no register in the RTL.
  void load(const Model& model, std::uint32_t now) {
    this->load_both(model, now);
    gates_.load(this->rtl_.instance());
    compare();
  }
  decltype(auto) step(const typename Model::In& in) {
    this->step_both(in);
    gates_.step();
    compare();
    return this->out();
  }
  /// The gates, to force nets.
  GateBlock& gates() { return gates_.gates(); }

 private:
  void compare() {
    try {
      this->rtl_.check(this->out());
    } catch (const Difference& difference) {
      gates_.explain(difference);
    }
    gates_.check();
  }

  GateCheck gates_;
};

}  // namespace weft
