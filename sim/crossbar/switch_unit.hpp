// N:1 switch, cycle model of rtl/crossbar/weft_switch_unit.sv (rtl/README.md, switch_unit; seed 002
// fig. 5).
#pragma once

#include <cstdint>

#include "sim/arbiter/rr_arbiter.hpp"
#include "sim/packet/packet.hpp"

namespace weft {

/// A selector and its priority control. Words pass in the same cycle: `eval` returns the outputs of
/// a cycle for its inputs, `tick` is the clock edge at its end, with the same inputs.
class SwitchUnit {
 public:
  struct Config {
    unsigned num_in = 4;  ///< Inputs, 1 to 64.
  };
  struct In {
    const Flit* offers = nullptr;  ///< One word for each input, offered if `valid`.
    bool ready = false;            ///< The word at the output is taken in this cycle.
  };
  struct Out {
    Flit word;                ///< The word at the output; all 0 if there is none.
    std::uint64_t ready = 0;  ///< The input whose word is taken in this cycle, at most one bit.
  };

  /// Configuration of the RTL, which also has the width of a word.
  struct PortConfig : Config {
    bool parity = false;      ///< Links carry parity.
    unsigned data_w = kHdrW;  ///< Width of a flit without parity, bits.
  };
  static constexpr auto ports();  // sim/crossbar/switch_unit_ports.hpp

  /// Throws ConfigError if `num_in` is out of range.
  explicit SwitchUnit(const Config& config) : num_in_(config.num_in), arbiter_({config.num_in}) {}

  void reset() { arbiter_.reset(); }

  Out eval(const In& in) const {
    const RrArbiter::Out& granted = arbiter_.out();
    if (granted.gnt == 0 || !in.offers[granted.idx].valid) return {};
    return {in.offers[granted.idx], in.ready ? granted.gnt : 0};
  }

  void tick(const In& in) {
    std::uint64_t req = 0;
    for (unsigned i = 0; i < num_in_; ++i) req |= std::uint64_t{in.offers[i].valid} << i;
    const Out out = eval(in);
    arbiter_.step({req, out.ready != 0 && out.word.last});
  }

  /// The state: what a checkpoint keeps.
  template <class Archive>
  void serialize(Archive& archive) {
    archive(arbiter_);
  }

 private:
  friend class RtlState;  // Loads the state into RTL (sim/verilated/rtl_state.hpp).

  unsigned num_in_;
  RrArbiter arbiter_;
};

}  // namespace weft
