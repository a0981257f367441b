// Registers and counters of each block that has them.
#include "sim/verilated/rtl_load.hpp"

#include "sim/verilated/rtl_state.hpp"

namespace weft {

template <class Block>
void load_registers(RtlInstance& rtl, const Block& model,
                    const typename PortTypes<Block>::Config& config, std::uint32_t now) {
  RtlRegisters all(rtl);
  RtlState::load(RtlScope(all), model, config, now);
  all.finish();
  rtl.eval();
}
template void load_registers(RtlInstance&, const VcRouter&, const PortTypes<VcRouter>::Config&,
                             std::uint32_t);
template void load_registers(RtlInstance&, const RouteLoad&, const PortTypes<RouteLoad>::Config&,
                             std::uint32_t);
template void load_registers(RtlInstance&, const Nic&, const PortTypes<Nic>::Config&,
                             std::uint32_t);
template void load_registers(RtlInstance&, const Crossbar&, const PortTypes<Crossbar>::Config&,
                             std::uint32_t);
template void load_registers(RtlInstance&, const BarrierUnit&,
                             const PortTypes<BarrierUnit>::Config&, std::uint32_t);
template void load_registers(RtlInstance&, const CombineUnit&,
                             const PortTypes<CombineUnit>::Config&, std::uint32_t);
template void load_registers(RtlInstance&, const LinkStage&, const PortTypes<LinkStage>::Config&,
                             std::uint32_t);
template void load_registers(RtlInstance&, const LinkTx&, const PortTypes<LinkTx>::Config&,
                             std::uint32_t);
template void load_registers(RtlInstance&, const LinkRx&, const PortTypes<LinkRx>::Config&,
                             std::uint32_t);
template void load_registers(RtlInstance&, const GuardTx&, const PortTypes<GuardTx>::Config&,
                             std::uint32_t);
template void load_registers(RtlInstance&, const GuardRx&, const PortTypes<GuardRx>::Config&,
                             std::uint32_t);
template void load_registers(RtlInstance&, const CreditGate&, const PortTypes<CreditGate>::Config&,
                             std::uint32_t);
template void load_registers(RtlInstance&, const CreditFifo&, const PortTypes<CreditFifo>::Config&,
                             std::uint32_t);
template void load_registers(RtlInstance&, const CreditTx&, const PortTypes<CreditTx>::Config&,
                             std::uint32_t);
template void load_registers(RtlInstance&, const CreditRx&, const PortTypes<CreditRx>::Config&,
                             std::uint32_t);
template void load_registers(RtlInstance&, const RegisterBlock&,
                             const PortTypes<RegisterBlock>::Config&, std::uint32_t);

template <class Block>
std::vector<RtlCounter> rtl_counters(Block& model) {
  return RtlState::counters(model);
}
template std::vector<RtlCounter> rtl_counters(BarrierUnit&);
template std::vector<RtlCounter> rtl_counters(AxiRead&);
template std::vector<RtlCounter> rtl_counters(AxiWrite&);
template std::vector<RtlCounter> rtl_counters(CreditRx&);
template std::vector<RtlCounter> rtl_counters(GuardRx&);
template std::vector<RtlCounter> rtl_counters(GuardTx&);
template std::vector<RtlCounter> rtl_counters(LinkRx&);
template std::vector<RtlCounter> rtl_counters(LinkTx&);
template std::vector<RtlCounter> rtl_counters(RecvUnit&);
template std::vector<RtlCounter> rtl_counters(RegisterBlock&);
template std::vector<RtlCounter> rtl_counters(Nic&);
template std::vector<RtlCounter> rtl_counters(CombineUnit&);
template std::vector<RtlCounter> rtl_counters(Accumulator&);
template std::vector<RtlCounter> rtl_counters(ReduceLanes&);

}  // namespace weft
