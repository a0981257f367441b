// The registers of Verilated blocks that correspond to the state of their models.
#pragma once

#include <array>
#include <vector>

#include "sim/barrier/barrier_unit.hpp"
#include "sim/buffer/ram.hpp"
#include "sim/bus/axi_read.hpp"
#include "sim/bus/axi_write.hpp"
#include "sim/bus/register_block.hpp"
#include "sim/combine/combine_unit.hpp"
#include "sim/crossbar/crossbar.hpp"
#include "sim/link/credit_fifo.hpp"
#include "sim/link/credit_gate.hpp"
#include "sim/link/guard_rx.hpp"
#include "sim/link/guard_tx.hpp"
#include "sim/link/link_rx.hpp"
#include "sim/link/link_stage.hpp"
#include "sim/link/link_tx.hpp"
#include "sim/nic/nic.hpp"
#include "sim/router/router_tile.hpp"
#include "sim/verilated/rtl_load.hpp"
#include "sim/verilated/rtl_registers.hpp"

namespace weft {

/// Sets all registers of a block to the state of its model: both then behave alike in every cycle.
/// A friend of the models, from whose members the registers follow. `now`: cycles since reset, as
/// in the inputs of the models' next step.
class RtlState {
 public:
  static void load(const RtlScope& at, const VcRouter& model, const VcRouter::PortConfig& config,
                   std::uint32_t now);
  static void load(const RtlScope& at, const RouteLoad& model, const RouteLoad::Config& config,
                   std::uint32_t now);
  static void load(const RtlScope& at, const Nic& model, const Nic::Config& config,
                   std::uint32_t now);
  static void load(const RtlScope& at, const Crossbar& model, const Crossbar::PortConfig& config,
                   std::uint32_t now);
  static void load(const RtlScope& at, const BarrierUnit& model, const BarrierUnit::Config& config,
                   std::uint32_t now);
  static void load(const RtlScope& at, const CombineUnit& model, const CombineUnit::Config& config,
                   std::uint32_t now);
  static void load(const RtlScope& at, const LinkStage& model, const LinkStage::Config& config,
                   std::uint32_t now);
  static void load(const RtlScope& at, const LinkTx& model, const LinkTx::Config& config,
                   std::uint32_t now);
  static void load(const RtlScope& at, const LinkRx& model, const LinkRx::Config& config,
                   std::uint32_t now);
  static void load(const RtlScope& at, const GuardTx& model, const GuardTx::Config& config,
                   std::uint32_t now);
  static void load(const RtlScope& at, const GuardRx& model, const GuardRx::Config& config,
                   std::uint32_t now);
  static void load(const RtlScope& at, const CreditGate& model, const CreditGate::Config& config,
                   std::uint32_t now);
  static void load(const RtlScope& at, const CreditFifo& model, const CreditFifo::Config& config,
                   std::uint32_t now);
  static void load(const RtlScope& at, const CreditTx& model, const CreditTx::Config& config,
                   std::uint32_t now);
  static void load(const RtlScope& at, const CreditRx& model, const CreditRx::Config& config,
                   std::uint32_t now);
  static void load(const RtlScope& at, const RegisterBlock& model,
                   const RegisterBlock::Config& config, std::uint32_t now);

  /// As rtl_counters.
  static std::vector<RtlCounter> counters(BarrierUnit& model);
  static std::vector<RtlCounter> counters(AxiRead& model);
  static std::vector<RtlCounter> counters(AxiWrite& model);
  static std::vector<RtlCounter> counters(CreditRx& model);
  static std::vector<RtlCounter> counters(GuardRx& model);
  static std::vector<RtlCounter> counters(GuardTx& model);
  static std::vector<RtlCounter> counters(LinkRx& model);
  static std::vector<RtlCounter> counters(LinkTx& model);
  static std::vector<RtlCounter> counters(RecvUnit& model);
  static std::vector<RtlCounter> counters(RegisterBlock& model);
  static std::vector<RtlCounter> counters(Nic& model);
  static std::vector<RtlCounter> counters(CombineUnit& model);
  static std::vector<RtlCounter> counters(Accumulator& model);
  static std::vector<RtlCounter> counters(ReduceLanes& model);

 private:
  static void input_unit(const RtlScope& at, const InputUnit& unit,
                         const VcRouter::PortConfig& config);
  static void order(const RtlScope& at, const PacketOrder& order);
  static void output_unit(const RtlScope& at, const OutputUnit& unit, unsigned data_w, bool parity,
                          bool stamps);
  static void link_register(const RtlScope& at, const Flit& tx, unsigned data_w, bool parity);
  static void rr_arbiter(const RtlScope& at, const RrArbiter& arbiter);

  static void crossbar_input(const RtlScope& at, const Crossbar& model, unsigned i,
                             const Crossbar::PortConfig& config);

  static void pacer(const RtlScope& at, const Pacer& pacer);
  static void dma(const RtlScope& at, const Dma& dma);
  static void send_unit(const RtlScope& at, const SendUnit& unit, const Nic::Config& config,
                        std::uint32_t now);
  static void inject_unit(const RtlScope& at, const InjectUnit& unit, const Flit& tx,
                          const Nic::Config& config, std::uint32_t now);
  static void retain_unit(const RtlScope& at, const RetainUnit& unit, const Nic::Config& config);
  static void ack_unit(const RtlScope& at, const Nic& nic, const Nic::Config& config);
  static void recv_unit(const RtlScope& at, const RecvUnit& unit, const Nic::Config& config);
  static void nic_link(const RtlScope& at, const Nic& nic, const Nic::Config& config);

  static void credit_tx(const RtlScope& at, const CreditTx& unit);
  static void credit_rx(const RtlScope& at, const CreditRx& unit);
  static void combine_slow(const RtlScope& at, const CombineUnit& unit, unsigned from);
  static void combine_root(const RtlScope& at, const CombineUnit& unit);

  static void reduce_lanes(const RtlScope& at, const ReduceLanes& lanes, unsigned data_w);
  static void accumulator(const RtlScope& at, const Accumulator& lane, unsigned data_w);
};

/// Words on their way through a `reduce_unit`, by the cycles since they entered: 1 to kMeanLatency.
/// `word` is the result.
struct ReduceStage {
  bool valid = false;
  std::uint64_t word = 0;
};
using ReduceStages = std::array<ReduceStage, kMeanLatency + 1>;
/// Loads a `mean_div` with words that it does not divide: those of its stages, then its result.
void load_mean_div(const RtlScope& at, const std::array<std::uint64_t, 18>& words);
/// Loads a `reduce_unit`; `mean`: the stream may contain means.
void load_reduce_unit(const RtlScope& at, const ReduceStages& stages, bool mean);

/// Structure of a `fifo` (rtl/buffer/README.md).
struct FifoForm {
  unsigned depth = 1;
  bool registered = false;
};

/// Loads a `fifo` of `count` words; `put(word, i)` writes the i-th oldest. Their place in its ring
/// makes no difference.
template <class Put>
void load_fifo(const RtlScope& at, const FifoForm& form, unsigned count, Put put) {
  const bool in_ram = form.depth >= kRamDepth, front = in_ram || form.registered;
  const unsigned words = !in_ram && form.registered && form.depth > 1 ? form.depth - 1 : form.depth;
  const unsigned behind = front && count != 0 ? count - 1 : count;
  for (unsigned i = 0; i < behind; ++i) {
    at.set("mem_q", i, [&](RtlWord& word) { put(word, i + count - behind); });
  }
  at.clear("mem_q");
  at.set("rptr_q", 0u);
  at.set("wptr_q", behind % words);
  at.set("count_q", count);
  if (!front) return;
  const RtlScope of_front = at.in("gen_front");
  if (in_ram) {
    of_front.in("gen_ram").clear("ram_q");
    of_front.in("gen_ram").set("from_ram_q", 0u);
  }
  if (count != 0) of_front.set("front_q", [&](RtlWord& word) { put(word, 0u); });
  of_front.clear("front_q");
}

}  // namespace weft
