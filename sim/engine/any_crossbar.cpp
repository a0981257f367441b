// Crossbars of every kind.
#include "sim/engine/any_blocks.hpp"
#include "sim/engine/held_block.hpp"
#include "sim/gates/cosim_trio.hpp"
#include "sim/verilated/rtl_crossbar.hpp"

namespace weft {
namespace {

template <class T>
using CrossbarOf = HeldBlock<AnyCrossbar::Interface, Crossbar, T>;

using TrioCrossbar = CrossbarOf<CosimTrio<Crossbar, RtlCrossbar>>;

}  // namespace

std::unique_ptr<AnyCrossbar::Interface> AnyCrossbar::model(const Crossbar::Config& config, bool) {
  return std::make_unique<CrossbarOf<Crossbar>>(config);
}
std::unique_ptr<AnyCrossbar::Interface> AnyCrossbar::rtl(const Crossbar::Config& config,
                                                         bool parity) {
  return std::make_unique<CrossbarOf<RtlCrossbar>>(config, parity, false);
}
std::unique_ptr<AnyCrossbar::Interface> AnyCrossbar::cosim(const Crossbar::Config& config,
                                                           bool parity) {
  return std::make_unique<CrossbarOf<CosimCrossbar>>(config, parity, true);
}
std::unique_ptr<AnyCrossbar::Interface> AnyCrossbar::cosim_without_assertions(
    const Crossbar::Config& config, bool parity) {
  return std::make_unique<CrossbarOf<CosimCrossbar>>(config, parity, false);
}
AnyCrossbar::Make AnyCrossbar::trio(const TrioForm& form) {
  return [form](const Crossbar::Config& config, bool parity) {
    return std::make_unique<TrioCrossbar>(config, parity, form);
  };
}

}  // namespace weft
