// Routers with their route units, of every kind.
#include "sim/engine/any_blocks.hpp"
#include "sim/engine/held_block.hpp"
#include "sim/gates/trio_router.hpp"
#include "sim/verilated/rtl_router.hpp"

namespace weft {
namespace {

template <class T>
struct TileOf final : HeldBlock<AnyRouter::Interface, RouterTile, T> {
  using HeldBlock<AnyRouter::Interface, RouterTile, T>::HeldBlock;
  bool quiet() const override { return this->block.quiet(); }
  const VcRouter* model() const override {
    if constexpr (std::is_same_v<T, RouterTile>) return &this->block.router();
    if constexpr (requires(const T& pair) { pair.router().model(); }) {
      return &this->block.router().model();
    }
    return nullptr;
  }
};

}  // namespace

std::unique_ptr<AnyRouter::Interface> AnyRouter::model(const RouterTileConfig& config, bool) {
  return std::make_unique<TileOf<RouterTile>>(config);
}
std::unique_ptr<AnyRouter::Interface> AnyRouter::rtl(const RouterTileConfig& config, bool parity) {
  return std::make_unique<TileOf<RtlRouterTile>>(config, parity, false);
}
std::unique_ptr<AnyRouter::Interface> AnyRouter::cosim(const RouterTileConfig& config,
                                                       bool parity) {
  return std::make_unique<TileOf<CosimRouterTile>>(config, parity, true);
}
std::unique_ptr<AnyRouter::Interface> AnyRouter::cosim_without_assertions(
    const RouterTileConfig& config, bool parity) {
  return std::make_unique<TileOf<CosimRouterTile>>(config, parity, false);
}
AnyRouter::Make AnyRouter::trio(const TrioForm& form) {
  return [form](const RouterTileConfig& config, bool parity) {
    return std::make_unique<TileOf<TrioRouterTile>>(config, parity, form);
  };
}

}  // namespace weft
