// Network interfaces of every kind.
#include "sim/engine/any_blocks.hpp"
#include "sim/engine/held_block.hpp"
#include "sim/gates/cosim_trio.hpp"
#include "sim/verilated/rtl_nic.hpp"

namespace weft {
namespace {

template <class T>
struct NicOf final : HeldBlock<AnyNic::Interface, Nic, T> {
  using HeldBlock<AnyNic::Interface, Nic, T>::HeldBlock;
  bool idle(const Nic::In& in) const override { return this->block.idle(in); }
};

using TrioNic = NicOf<CosimTrio<Nic, RtlNic>>;

}  // namespace

std::unique_ptr<AnyNic::Interface> AnyNic::model(const Nic::Config& config) {
  return std::make_unique<NicOf<Nic>>(config);
}
std::unique_ptr<AnyNic::Interface> AnyNic::rtl(const Nic::Config& config) {
  return std::make_unique<NicOf<RtlNic>>(config, false);
}
std::unique_ptr<AnyNic::Interface> AnyNic::cosim(const Nic::Config& config) {
  return std::make_unique<NicOf<CosimNic>>(config, true);
}
std::unique_ptr<AnyNic::Interface> AnyNic::cosim_without_assertions(const Nic::Config& config) {
  return std::make_unique<NicOf<CosimNic>>(config, false);
}
AnyNic::Make AnyNic::trio(const TrioForm& form) {
  return [form](const Nic::Config& config) { return std::make_unique<TrioNic>(config, form); };
}

}  // namespace weft
