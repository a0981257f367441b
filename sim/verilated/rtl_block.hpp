// Base of the Verilated blocks, which have the model's interface, and of cosimulation pairs.
#pragma once

#include <string>
#include <utility>

#include "sim/verilated/rtl_load.hpp"
#include "sim/verilated/rtl_params.hpp"
#include "sim/verilated/rtl_ports.hpp"

namespace weft {

/// What a Verilated block has besides the hardware.
struct RtlForm {
  RtlForm(bool with_assertions, bool with_registers = false)  // NOLINT: mostly assertions alone
      : assertions(with_assertions), registers(with_registers) {}
  bool assertions;  ///< Checks the assertions in the RTL.
  bool registers;   ///< Shows its registers (RtlSpec::loadable); slower.
};

/// The Verilated module of `Block`; `Instance` is another type only in tests.
///
/// An instance is at rest when a step has changed nothing in its whole memory (`tick_at_rest`).
/// Until an input changes it is not evaluated: only its inputs and its state decide.
template <class Block, class Instance = RtlInstance>
class RtlBlock {
 public:
  using Config = typename PortTypes<Block>::Config;
  using Held = typename PortTypes<Block>::Held;

  /// Whether a step with the inputs of the last one would change nothing.
  bool at_rest() const { return at_rest_; }
  /// Throws Difference for the first output that differs from `model`.
  void check(const typename Block::Out& model) const {
    ports_.compare(model, [](const PortDifference& what) { throw Difference(what); });
  }
  /// The instance; `load` replaces it.
  const Instance& instance() const { return rtl_; }

 protected:
  RtlBlock(const std::string& block, const Config& config, RtlForm form)
      : block_(block),
        config_(config),
        assertions_(form.assertions),
        rtl_(RtlLibrary::load(
            {rtl_module(block), rtl_params(config), form.assertions, {}, form.registers})),
        ports_(rtl_, block, config),
        held_(PortTypes<Block>::make_held(config)) {
    ports_.sample(held_);
  }

  // Continues from the state of `model`, in a new instance of a library whose registers can be set;
  // `now`: as for load_registers. A caller then notes the outputs as after an edge.
  void load_state(const Block& model, std::uint32_t now) {
    rtl_ = Instance(RtlLibrary::load(
        {rtl_module(block_), rtl_params(config_), assertions_, {}, /*loadable=*/true}));
    load_registers(rtl_, model, config_, now);
    ports_ = RtlPorts<Block>(rtl_, block_, config_);
    ports_.sample(held_);
    at_rest_ = false;
  }

  // One clock edge. Returns false if it certainly changed no output.
  bool edge(const typename Block::In& in) {
    if (ports_.drive(in)) {
      at_rest_ = false;
      rtl_.tick();
    } else {
      at_rest_ = at_rest_ || rtl_.tick_at_rest();
      if (at_rest_) return false;
    }
    ports_.sample(held_);
    return true;
  }
  // Whether these are the inputs of the last edge.
  bool driven(const typename Block::In& in) const { return ports_.driven(in); }
  const Held& held() const { return held_; }

 private:
  std::string block_;
  Config config_;
  bool assertions_;
  Instance rtl_;
  RtlPorts<Block> ports_;
  Held held_;
  bool at_rest_ = false;
};

/// Model and RTL of a block, behind the model's outputs: what cosimulation pairs and trios have in
/// common.
template <class Model, class Rtl>
class CosimBlock {
 public:
  using In = typename Model::In;
  using BlockModel = Model;

  decltype(auto) out() const { return model_.out(); }
  const Model& model() const { return model_; }
  // Always false: all are compared in every cycle, also while the RTL is at rest.
  template <class... Ins>
  bool idle(const Ins&...) const {
    return false;
  }
  bool quiet() const { return false; }
  bool status_changed() const { return true; }

 protected:
  template <class Config, class... More>
  explicit CosimBlock(const Config& config, const More&... more)
      : model_(config), rtl_(config, more...) {}

  void load_both(const Model& model, std::uint32_t now) {
    model_ = model;
    rtl_.load(model, now);
  }
  void step_both(const In& in) {
    model_.step(in);
    rtl_.step(in);
  }

  Model model_;
  Rtl rtl_;
};

/// Cosimulation pair: model and RTL of a block, compared on every output in every cycle. Its
/// outputs are the model's.
template <class Model, class Rtl>
class CosimPair : public CosimBlock<Model, Rtl> {
 public:
  /// `config`: the model's, or one derived from it. `more`: further arguments of the RTL's
  /// constructor, the last one whether its assertions are on.
  template <class Config, class... More>
  explicit CosimPair(const Config& config, const More&... more)
      : CosimBlock<Model, Rtl>(config, more...) {
    compare();
  }

  /// Continues from the state of `model`; `now`: as for load_registers. Throws Difference for the
  /// first output in which the loaded RTL differs.
  void load(const Model& model, std::uint32_t now) {
    this->load_both(model, now);
    compare();
  }
  decltype(auto) step(const typename Model::In& in) {
    this->step_both(in);
    compare();
    return this->out();
  }

 private:
  void compare() { this->rtl_.check(this->out()); }
};

}  // namespace weft
