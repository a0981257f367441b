// Verilated barrier unit behind the model's interface, alone and beside its model.
#pragma once

#include "sim/barrier/barrier_unit.hpp"
#include "sim/verilated/rtl_links.hpp"

namespace weft {

/// Verilated `barrier_unit`.
class RtlBarrierUnit {
 public:
  explicit RtlBarrierUnit(const BarrierUnit::Config& config, bool assertions = false)
      : rtl_(RtlLibrary::load({"barrier_unit", rtl_params(config), assertions, {}})),
        enter_(rtl_.port("enter_i")),
        up_in_(rtl_.port("up_i")),
        down_in_(rtl_.port("down_i")),
        up_(rtl_.port("up_o")),
        down_(rtl_.port("down_o")),
        count_(rtl_.port("count_o")),
        full_(rtl_.port("full_o")) {
    sample();
  }

  const BarrierUnit::Out& out() const { return out_; }
  bool idle() const { return false; }
  const BarrierUnit::Out& step(const BarrierUnit::In& in) {
    enter_.set(in.enter);
    up_in_.set(in.up);
    down_in_.set(in.down);
    rtl_.tick();
    sample();
    return out_;
  }

 private:
  void sample() {
    out_ = {.up = up_.get() != 0,
            .down = down_.get() != 0,
            .count = static_cast<std::uint32_t>(count_.get()),
            .full = full_.get() != 0};
  }

  RtlInstance rtl_;
  RtlPort enter_, up_in_, down_in_, up_, down_, count_, full_;
  BarrierUnit::Out out_;
};

/// Model and RTL of a barrier unit; shows the model's outputs.
class BothBarrierUnit {
 public:
  explicit BothBarrierUnit(const BarrierUnit::Config& config) : model_(config), rtl_(config, true) {
    compare();
  }
  const BarrierUnit::Out& out() const { return model_.out(); }
  bool idle() const { return false; }
  const BarrierUnit::Out& step(const BarrierUnit::In& in) {
    model_.step(in);
    rtl_.step(in);
    compare();
    return model_.out();
  }

 private:
  // Throws Difference for the first port in which the two differ.
  void compare() const {
    const BarrierUnit::Out &rtl = rtl_.out(), &model = model_.out();
    check_equal("barrier up_o", rtl.up, model.up);
    check_equal("barrier down_o", rtl.down, model.down);
    check_equal("barrier count_o", rtl.count, model.count);
    check_equal("barrier full_o", rtl.full, model.full);
  }

  BarrierUnit model_;
  RtlBarrierUnit rtl_;
};

}  // namespace weft
