// Base of the Verilated blocks, which have the model's interface, and of cosimulation pairs.
#pragma once

#include <string>
#include <utility>

#include "sim/verilated/rtl_params.hpp"
#include "sim/verilated/rtl_ports.hpp"

namespace weft {

/// The Verilated module of `Block`. `Config` is the configuration that the port table gets widths
/// from, `Held` the storage of the outputs.
template <class Block, class Config, class Held>
class RtlBlock {
 public:
  /// Throws Difference for the first output that differs from `model`.
  void check(const typename Block::Out& model) const {
    ports_.compare(model, [](const std::string& port, std::uint64_t rtl, std::uint64_t wanted) {
      throw Difference(port, rtl, wanted);
    });
  }

 protected:
  RtlBlock(const std::string& block, const Config& config, Held held, bool assertions)
      : rtl_(RtlLibrary::load({rtl_module(block), rtl_params(config), assertions, {}})),
        ports_(rtl_, block, config),
        held_(std::move(held)) {
    ports_.sample(held_);
  }

  void edge(const typename Block::In& in) {
    ports_.drive(in);
    rtl_.tick();
    ports_.sample(held_);
  }
  const Held& held() const { return held_; }

 private:
  RtlInstance rtl_;
  RtlPorts<Block> ports_;
  Held held_;
};

/// Cosimulation pair: model and RTL of a block, compared on every output in every cycle. Its
/// outputs are the model's.
template <class Model, class Rtl>
class CosimPair {
 public:
  template <class... More>
  explicit CosimPair(const typename Model::Config& config, const More&... more)
      : model_(config), rtl_(config, more..., true) {
    rtl_.check(model_.out());
  }

  decltype(auto) out() const { return model_.out(); }
  const Model& model() const { return model_; }
  // RTL is stepped in every cycle.
  template <class... Ins>
  bool idle(const Ins&...) const {
    return false;
  }
  bool quiet() const { return false; }
  bool status_changed() const { return true; }

  decltype(auto) step(const typename Model::In& in) {
    model_.step(in);
    rtl_.step(in);
    rtl_.check(model_.out());
    return model_.out();
  }

 private:
  Model model_;
  Rtl rtl_;
};

}  // namespace weft
