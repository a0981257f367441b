// Verilated blocks of links with the models' interfaces, and their cosimulation pairs.
#pragma once

#include "sim/link/credit_fifo.hpp"
#include "sim/link/credit_gate.hpp"
#include "sim/link/credit_rx.hpp"
#include "sim/link/credit_tx.hpp"
#include "sim/link/guard_rx.hpp"
#include "sim/link/guard_tx.hpp"
#include "sim/link/link_rx.hpp"
#include "sim/link/link_stage.hpp"
#include "sim/link/link_tx.hpp"
#include "sim/verilated/rtl_block.hpp"

namespace weft {

extern template class RtlBlock<LinkStage>;

/// A Verilated block of a link.
template <class BlockT>
class RtlLinkBlock : public RtlBlock<BlockT> {
 public:
  using In = typename BlockT::In;
  using BlockModel = BlockT;

  RtlLinkBlock(const typename BlockT::Config& config, const char* name, RtlForm form)
      : RtlLinkBlock::RtlBlock(name, config, form) {}
  const auto& out() const { return this->held(); }
  /// Continues from the state of `model`; `now`: as for load_registers.
  void load(const BlockT& model, std::uint32_t now) { this->load_state(model, now); }
  void step(const In& in) { this->edge(in); }
};

template <class BlockT>
using CosimLinkBlock = CosimPair<BlockT, RtlLinkBlock<BlockT>>;

}  // namespace weft
