// Units of the trees and blocks in links, of every kind.
#include "sim/base/error.hpp"
#include "sim/engine/any_blocks.hpp"
#include "sim/engine/held_block.hpp"
#include "sim/gates/cosim_trio.hpp"
#include "sim/verilated/rtl_barrier.hpp"
#include "sim/verilated/rtl_combine.hpp"
#include "sim/verilated/rtl_link.hpp"

namespace weft {
namespace {

template <class Unit, class T>
struct UnitOf final : HeldBlock<typename AnyUnit<Unit>::Interface, Unit, T> {
  using HeldBlock<typename AnyUnit<Unit>::Interface, Unit, T>::HeldBlock;
  bool idle() const override {
    if constexpr (requires { this->block.idle(); }) return this->block.idle();
    return false;
  }
};

std::unique_ptr<LinkBlock> make_cosim(const LinkBlockConfig& config, bool assertions) {
  return std::visit(
      [assertions]<class Form>(const Form& form) -> std::unique_ptr<LinkBlock> {
        using Pair = CosimLinkBlock<typename Form::Block>;
        return std::make_unique<LinkBlockOf<Pair>>(form.config, form.name, assertions);
      },
      config);
}

}  // namespace

template <>
std::unique_ptr<AnyBarrierUnit::Interface> AnyBarrierUnit::model(
    const BarrierUnit::Config& config) {
  return std::make_unique<UnitOf<BarrierUnit, BarrierUnit>>(config);
}
template <>
std::unique_ptr<AnyBarrierUnit::Interface> AnyBarrierUnit::rtl(const BarrierUnit::Config& config) {
  return std::make_unique<UnitOf<BarrierUnit, RtlBarrierUnit>>(config);
}
template <>
std::unique_ptr<AnyBarrierUnit::Interface> AnyBarrierUnit::cosim(
    const BarrierUnit::Config& config) {
  return std::make_unique<UnitOf<BarrierUnit, CosimBarrierUnit>>(config, true);
}
template <>
AnyBarrierUnit::Make AnyBarrierUnit::trio(const TrioForm& form) {
  using Trio = CosimTrio<BarrierUnit, RtlBarrierUnit>;
  return [form](const BarrierUnit::Config& config) {
    return std::make_unique<UnitOf<BarrierUnit, Trio>>(config, form);
  };
}

template <>
std::unique_ptr<AnyCombineUnit::Interface> AnyCombineUnit::model(
    const CombineUnit::Config& config) {
  return std::make_unique<UnitOf<CombineUnit, CombineUnit>>(config);
}
template <>
std::unique_ptr<AnyCombineUnit::Interface> AnyCombineUnit::rtl(const CombineUnit::Config& config) {
  return std::make_unique<UnitOf<CombineUnit, RtlCombineUnit>>(config);
}
template <>
std::unique_ptr<AnyCombineUnit::Interface> AnyCombineUnit::cosim(
    const CombineUnit::Config& config) {
  return std::make_unique<UnitOf<CombineUnit, CosimCombineUnit>>(config, true);
}
template <>
AnyCombineUnit::Make AnyCombineUnit::trio(const TrioForm& form) {
  using Trio = CosimTrio<CombineUnit, RtlCombineUnit>;
  return [form](const CombineUnit::Config& config) {
    return std::make_unique<UnitOf<CombineUnit, Trio>>(config, form);
  };
}

std::unique_ptr<LinkBlock> make_rtl_link(const LinkBlockConfig& config) {
  return std::visit(
      []<class Form>(const Form& form) -> std::unique_ptr<LinkBlock> {
        return std::make_unique<LinkBlockOf<RtlLinkBlock<typename Form::Block>>>(form.config,
                                                                                 form.name, false);
      },
      config);
}
std::unique_ptr<LinkBlock> make_cosim_link(const LinkBlockConfig& config) {
  return make_cosim(config, true);
}
std::unique_ptr<LinkBlock> make_cosim_link_without_assertions(const LinkBlockConfig& config) {
  return make_cosim(config, false);
}
MakeLinkBlock make_trio_link(const TrioForm& trio) {
  return [trio](const LinkBlockConfig& config) {
    return std::visit(
        [&trio]<class Form>(const Form& form) -> std::unique_ptr<LinkBlock> {
          using Trio = CosimTrio<typename Form::Block, RtlLinkBlock<typename Form::Block>>;
          return std::make_unique<LinkBlockOf<Trio>>(form.config, form.name, trio);
        },
        config);
  };
}

void refuse_load(const char* block) {
  throw ConfigError(std::string(block) + ": has no state that can be saved or loaded");
}

}  // namespace weft
