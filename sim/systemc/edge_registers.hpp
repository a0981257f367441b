// Registers of an edge of the barrier tree or the combining tree, as a SystemC module.
#pragma once

#include <algorithm>
#include <cstddef>
#include <systemc>
#include <vector>

namespace weft {

/// Registers: `later` is the value of `from_i` some cycles before. In the emitted network these are
/// the registers of weft_link_stage.
template <class Value>
class EdgeRegisters : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(EdgeRegisters);

  sc_core::sc_in<bool> clk_i{"clk_i"};
  sc_core::sc_in<bool> rst_ni{"rst_ni"};  ///< Asynchronous reset, active low.
  sc_core::sc_in<Value> from_i{"from_i"};
  sc_core::sc_signal<Value> later{"later"};

  /// `count`: number of registers, 1 or more.
  EdgeRegisters(const sc_core::sc_module_name& name, unsigned count)
      : sc_module(name), values_(count) {
    SC_METHOD(step);
    dont_initialize();
    sensitive << clk_i.pos() << rst_ni.neg();
  }

 private:
  void step() {
    if (!rst_ni.read()) {
      std::fill(values_.begin(), values_.end(), Value{});
    } else {
      values_[next_] = from_i.read();
      next_ = next_ + 1 == values_.size() ? 0 : next_ + 1;
    }
    later.write(values_[next_]);
  }

  std::vector<Value> values_;
  std::size_t next_ = 0;  // Index of the oldest value.
};

}  // namespace weft
