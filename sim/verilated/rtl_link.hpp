// Verilated registers of a link with the model's interface, and their cosimulation pair.
#pragma once

#include "sim/link/link_stage.hpp"
#include "sim/verilated/rtl_block.hpp"

namespace weft {

extern template class RtlBlock<LinkStage, LinkStage::Config, LinkStage::Held>;

/// Verilated `link_stage`.
class RtlLinkStage : public RtlBlock<LinkStage, LinkStage::Config, LinkStage::Held> {
 public:
  explicit RtlLinkStage(const LinkStage::Config& config, bool assertions = false)
      : RtlBlock("link_stage", config, LinkStage::Held(config), assertions) {}

  LinkStage::Out out() const { return {held().tx, held().back.data(), held().check}; }
  /// Whether a step with inputs of 0 would change nothing.
  bool quiet() const { return silent_; }
  void step(const LinkStage::In& in) {
    edge(in);
    std::uint64_t any = in.check | held().check;
    if (in.rx != Flit{} || held().tx != Flit{}) any = 1;
    for (std::size_t w = 0; w < held().back.size(); ++w) any |= in.back[w] | held().back[w];
    silent_ = at_rest() && any == 0;
  }

 private:
  bool silent_ = false;
};

using CosimLinkStage = CosimPair<LinkStage, RtlLinkStage>;

}  // namespace weft
