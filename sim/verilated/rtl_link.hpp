// Verilated blocks of links with the models' interfaces, and their cosimulation pairs.
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

/// Storage of a block's outputs.
template <class BlockT>
struct HeldOf {
  using Type = typename BlockT::Out;
  static Type make(const typename BlockT::Config&) { return {}; }
};
template <class BlockT>
requires requires {
  typename BlockT::Held;
}
struct HeldOf<BlockT> {
  using Type = typename BlockT::Held;
  static Type make(const typename BlockT::Config& config) { return Type(config); }
};

/// A Verilated block of a link.
template <class BlockT>
class RtlLinkBlock
    : public RtlBlock<BlockT, typename BlockT::Config, typename HeldOf<BlockT>::Type> {
 public:
  using In = typename BlockT::In;

  RtlLinkBlock(const typename BlockT::Config& config, const char* name, bool assertions)
      : RtlLinkBlock::RtlBlock(name, config, HeldOf<BlockT>::make(config), assertions) {}
  const auto& out() const { return this->held(); }
  void step(const In& in) { this->edge(in); }
};

template <class BlockT>
using CosimLinkBlock = CosimPair<BlockT, RtlLinkBlock<BlockT>>;

}  // namespace weft
