// Verilated register block with the model's interface.
#pragma once

#include "sim/bus/register_block.hpp"
#include "sim/verilated/rtl_load.hpp"
#include "sim/verilated/rtl_params.hpp"
#include "sim/verilated/rtl_ports.hpp"

namespace weft {

/// Verilated `register_block`, with its assertions.
class RtlRegisterBlock {
 public:
  /// `registers`: as of RtlForm.
  explicit RtlRegisterBlock(const RegisterBlock::Config& config, bool registers = false)
      : config_(config),
        rtl_(RtlLibrary::load(
            {rtl_module("register_block"), rtl_params(config), true, {}, registers})),
        ports_(rtl_, "register_block", config) {
    ports_.sample(out_);
  }

  const RegisterBlock::Out& out() const { return out_; }
  /// Continues from the state of `model`, in a new instance of a library whose registers can be
  /// set.
  void load(const RegisterBlock& model) {
    rtl_ = RtlInstance(RtlLibrary::load(
        {rtl_module("register_block"), rtl_params(config_), true, {}, /*loadable=*/true}));
    load_registers(rtl_, model, config_, 0);
    ports_ = RtlPorts<RegisterBlock>(rtl_, "register_block", config_);
    ports_.sample(out_);
  }
  /// Returns the outputs of a cycle with these inputs.
  const RegisterBlock::Out& eval(const RegisterBlock::In& in) {
    ports_.drive(in);
    rtl_.eval();
    ports_.sample(out_);
    return out_;
  }
  /// The clock edge at the end of the cycle that was evaluated last; its inputs stay.
  const RegisterBlock::Out& tick() {
    rtl_.tick();
    ports_.sample(out_);
    return out_;
  }
  /// A number of clock edges, with the inputs of the cycle that was evaluated last.
  void tick(std::uint64_t edges) {
    for (; edges != 0; --edges) rtl_.tick();
  }
  /// Calls `differ(PortDifference)` for each output that differs from `model`.
  template <class Differ>
  void compare(const RegisterBlock::Out& model, Differ differ) const {
    ports_.compare(model, differ);
  }

  /// The instance; `load` replaces it.
  const RtlInstance& instance() const { return rtl_; }

 private:
  RegisterBlock::Config config_;
  RtlInstance rtl_;
  RtlPorts<RegisterBlock> ports_;
  RegisterBlock::Out out_;
};

}  // namespace weft
