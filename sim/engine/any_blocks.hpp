// One virtual interface for each kind of block, for models, Verilated blocks and
// cosimulation pairs.
#pragma once

#include <memory>
#include <string>
#include <type_traits>

#include "sim/base/archive.hpp"
#include "sim/base/error.hpp"
#include "sim/fabric/barrier_tree.hpp"
#include "sim/fabric/combine_tree.hpp"
#include "sim/fabric/link_blocks.hpp"
#include "sim/router/router_tile.hpp"
#include "sim/verilated/rtl_barrier.hpp"
#include "sim/verilated/rtl_combine.hpp"
#include "sim/verilated/rtl_crossbar.hpp"
#include "sim/verilated/rtl_link.hpp"
#include "sim/verilated/rtl_nic.hpp"
#include "sim/verilated/rtl_router.hpp"

namespace weft {

/// Of a block of another kind than these, whose state is not known. Throws ConfigError.
[[noreturn]] inline void refuse_load(const char* block) {
  throw ConfigError(std::string(block) + ": has no state that can be saved or loaded");
}
/// `block` goes on from the state of `model`; it is a model, too, or what loads one.
template <class T, class Model>
void load_block(T& block, const Model& model, std::uint32_t now) {
  if constexpr (std::is_same_v<T, Model>) {
    block = model;
  } else {
    block.load(model, now);
  }
}

/// What holds a block for an Interface, of all kinds; `Model` is the kind's.
template <class Interface, class Model, class T>
struct HeldBlock : Interface {
  template <class... More>
  explicit HeldBlock(const typename Model::Config& of, More... more)
      : config(of), block(of, more...) {}
  void load(const Model& model, std::uint32_t now) final { load_block(block, model, now); }
  void serialize(SaveArchive& archive) final { archive_block<Model>(block, config, archive); }
  void serialize(LoadArchive& archive) final { archive_block<Model>(block, config, archive); }

  typename Model::Config config;
  T block;
};

// A block's `serialize` saves or loads the state of a model.

/// A network interface; those made without a configuration have no contents.
class AnyNic {
 public:
  struct Interface {
    virtual ~Interface() = default;
    virtual void serialize(SaveArchive&) { refuse_load("nic"); }
    virtual void serialize(LoadArchive&) { refuse_load("nic"); }
    virtual const Nic::Out& out() const = 0;
    virtual void step(const Nic::In& in) = 0;
    /// Whether a step with `in` would change nothing; of pairs never.
    virtual bool idle(const Nic::In& in) const = 0;
    virtual void load(const Nic&, std::uint32_t) { refuse_load("nic"); }
  };
  using Make = std::unique_ptr<Interface> (*)(const Nic::Config& config);
  static std::unique_ptr<Interface> model(const Nic::Config& config) {
    return std::make_unique<Of<Nic>>(config);
  }
  static std::unique_ptr<Interface> rtl(const Nic::Config& config) {
    return std::make_unique<Of<RtlNic>>(config, false);
  }
  template <bool kAssertions = true>
  static std::unique_ptr<Interface> cosim(const Nic::Config& config) {
    return std::make_unique<Of<CosimNic<kAssertions>>>(config);
  }

  AnyNic() = default;
  AnyNic(const Nic::Config& config, Make make) : nic_(make(config)), out_(&nic_->out()) {}

  const Nic::Out& out() const { return *out_; }
  bool idle(const Nic::In& in) const { return nic_->idle(in); }
  bool status_changed() const { return true; }
  void step(const Nic::In& in) { nic_->step(in); }
  /// Goes on from the state of `model`, which has the same configuration; `now`: cycles since
  /// reset, as the next step's inputs have it. So do the other blocks. Throws CheckError if the RTL
  /// has a register that is not loaded, or differs; ConfigError as `RtlLibrary::load`.
  void load(const Nic& model, std::uint32_t now) { nic_->load(model, now); }

  /// The state: what a checkpoint keeps.
  template <class Archive>
  void serialize(Archive& archive) {
    nic_->serialize(archive);
  }

 private:
  template <class T>
  struct Of final : HeldBlock<Interface, Nic, T> {
    using HeldBlock<Interface, Nic, T>::HeldBlock;
    const Nic::Out& out() const override { return this->block.out(); }
    void step(const Nic::In& in) override { this->block.step(in); }
    bool idle(const Nic::In& in) const override { return this->block.idle(in); }
  };

  std::unique_ptr<Interface> nic_;
  const Nic::Out* out_ = nullptr;  // The block's outputs do not move.
};

/// A router with its route units, likewise.
class AnyRouter {
 public:
  struct Interface {
    virtual ~Interface() = default;
    virtual void serialize(SaveArchive&) { refuse_load("router"); }
    virtual void serialize(LoadArchive&) { refuse_load("router"); }
    virtual VcRouter::Out out() const = 0;
    virtual void step(const RouterTile::In& in) = 0;
    /// Whether a step without inputs would change nothing; of pairs never.
    virtual bool quiet() const = 0;
    virtual const VcRouter* model() const = 0;
    virtual void load(const RouterTile&, std::uint32_t) { refuse_load("router"); }
  };
  using Make = std::unique_ptr<Interface> (*)(const RouterTileConfig& config, bool parity);
  static std::unique_ptr<Interface> model(const RouterTileConfig& config, bool) {
    return std::make_unique<Of<RouterTile>>(config);
  }
  static std::unique_ptr<Interface> rtl(const RouterTileConfig& config, bool parity) {
    return std::make_unique<Of<RtlRouterTile>>(config, parity, false);
  }
  template <bool kAssertions = true>
  static std::unique_ptr<Interface> cosim(const RouterTileConfig& config, bool parity) {
    return std::make_unique<Of<CosimRouterTile<kAssertions>>>(config, parity);
  }

  AnyRouter() = default;
  AnyRouter(const RouterTileConfig& config, bool parity, Make make)
      : router_(make(config, parity)), quiet_(router_->quiet()) {}

  VcRouter::Out out() const { return router_->out(); }
  bool quiet() const { return quiet_; }
  void step(const RouterTile::In& in) {
    router_->step(in);
    quiet_ = router_->quiet();
  }
  void load(const RouterTile& model, std::uint32_t now) {
    router_->load(model, now);
    quiet_ = router_->quiet();
  }
  /// Null if it has no model.
  const VcRouter* model() const { return router_->model(); }

  /// The state: what a checkpoint keeps.
  template <class Archive>
  void serialize(Archive& archive) {
    router_->serialize(archive);
    if constexpr (Archive::is_loading::value) quiet_ = router_->quiet();
  }

 private:
  template <class T>
  struct Of final : HeldBlock<Interface, RouterTile, T> {
    using HeldBlock<Interface, RouterTile, T>::HeldBlock;
    VcRouter::Out out() const override { return this->block.out(); }
    void step(const RouterTile::In& in) override { this->block.step(in); }
    bool quiet() const override { return this->block.quiet(); }
    const VcRouter* model() const override {
      if constexpr (std::is_same_v<T, RouterTile>) return &this->block.router();
      if constexpr (requires(const T& pair) { pair.router().model(); }) {
        return &this->block.router().model();
      }
      return nullptr;
    }
  };

  std::unique_ptr<Interface> router_;
  bool quiet_ = true;
};

/// A crossbar, likewise.
class AnyCrossbar {
 public:
  struct Interface {
    virtual ~Interface() = default;
    virtual void serialize(SaveArchive&) { refuse_load("crossbar"); }
    virtual void serialize(LoadArchive&) { refuse_load("crossbar"); }
    virtual Crossbar::Out out() const = 0;
    virtual void step(const Crossbar::In& in) = 0;
    virtual void load(const Crossbar&, std::uint32_t) { refuse_load("crossbar"); }
  };
  using Make = std::unique_ptr<Interface> (*)(const Crossbar::Config& config, bool parity);
  static std::unique_ptr<Interface> model(const Crossbar::Config& config, bool) {
    return std::make_unique<Of<Crossbar>>(config);
  }
  static std::unique_ptr<Interface> rtl(const Crossbar::Config& config, bool parity) {
    return std::make_unique<Of<RtlCrossbar>>(config, parity, false);
  }
  template <bool kAssertions = true>
  static std::unique_ptr<Interface> cosim(const Crossbar::Config& config, bool parity) {
    return std::make_unique<Of<CosimCrossbar<kAssertions>>>(config, parity);
  }

  AnyCrossbar() = default;
  AnyCrossbar(const Crossbar::Config& config, bool parity, Make make)
      : crossbar_(make(config, parity)) {}

  Crossbar::Out out() const { return crossbar_->out(); }
  bool quiet() const { return false; }
  void step(const Crossbar::In& in) { crossbar_->step(in); }
  void load(const Crossbar& model, std::uint32_t now) { crossbar_->load(model, now); }

  /// The state: what a checkpoint keeps.
  template <class Archive>
  void serialize(Archive& archive) {
    crossbar_->serialize(archive);
  }

 private:
  template <class T>
  struct Of final : HeldBlock<Interface, Crossbar, T> {
    using HeldBlock<Interface, Crossbar, T>::HeldBlock;
    Crossbar::Out out() const override { return this->block.out(); }
    void step(const Crossbar::In& in) override { this->block.step(in); }
  };

  std::unique_ptr<Interface> crossbar_;
};

/// A barrier unit.
class AnyBarrierUnit {
 public:
  struct Interface {
    virtual ~Interface() = default;
    virtual void serialize(SaveArchive&) { refuse_load("barrier unit"); }
    virtual void serialize(LoadArchive&) { refuse_load("barrier unit"); }
    virtual const BarrierUnit::Out& out() const = 0;
    virtual void step(const BarrierUnit::In& in) = 0;
    /// Whether a step without pulses would change nothing; only an RTL instance at rest tells.
    virtual bool idle() const = 0;
    virtual void load(const BarrierUnit&, std::uint32_t) { refuse_load("barrier_unit"); }
  };
  using Make = std::unique_ptr<Interface> (*)(const BarrierUnit::Config& config);
  static std::unique_ptr<Interface> model(const BarrierUnit::Config& config) {
    return std::make_unique<Of<BarrierUnit>>(config);
  }
  static std::unique_ptr<Interface> rtl(const BarrierUnit::Config& config) {
    return std::make_unique<Of<RtlBarrierUnit>>(config);
  }
  static std::unique_ptr<Interface> cosim(const BarrierUnit::Config& config) {
    return std::make_unique<Of<CosimBarrierUnit>>(config);
  }

  AnyBarrierUnit(const BarrierUnit::Config& config, Make make) : unit_(make(config)) {}
  AnyBarrierUnit(const BarrierUnit::Config& config, const struct AnyUnits& makes);

  const BarrierUnit::Out& out() const { return unit_->out(); }
  bool idle() const { return idle_; }
  void step(const BarrierUnit::In& in) {
    unit_->step(in);
    idle_ = unit_->idle();
  }
  void load(const BarrierUnit& model, std::uint32_t now) {
    unit_->load(model, now);
    idle_ = false;
  }

  /// The state: what a checkpoint keeps.
  template <class Archive>
  void serialize(Archive& archive) {
    unit_->serialize(archive);
    if constexpr (Archive::is_loading::value) idle_ = unit_->idle();
  }

 private:
  template <class T>
  struct Of final : HeldBlock<Interface, BarrierUnit, T> {
    using HeldBlock<Interface, BarrierUnit, T>::HeldBlock;
    const BarrierUnit::Out& out() const override { return this->block.out(); }
    void step(const BarrierUnit::In& in) override { this->block.step(in); }
    bool idle() const override {
      if constexpr (std::is_same_v<T, RtlBarrierUnit>) return this->block.idle();
      return false;
    }
  };

  std::unique_ptr<Interface> unit_;
  bool idle_ = false;
};

/// A combine unit.
class AnyCombineUnit {
 public:
  struct Interface {
    virtual ~Interface() = default;
    virtual void serialize(SaveArchive&) { refuse_load("combine unit"); }
    virtual void serialize(LoadArchive&) { refuse_load("combine unit"); }
    virtual const CombineUnit::Out& out() const = 0;
    virtual void step(const CombineUnit::In& in) = 0;
    /// As of barrier units.
    virtual bool idle() const = 0;
    virtual void load(const CombineUnit&, std::uint32_t) { refuse_load("combine_unit"); }
  };
  using Make = std::unique_ptr<Interface> (*)(const CombineUnit::Config& config);
  static std::unique_ptr<Interface> model(const CombineUnit::Config& config) {
    return std::make_unique<Of<CombineUnit>>(config);
  }
  static std::unique_ptr<Interface> rtl(const CombineUnit::Config& config) {
    return std::make_unique<Of<RtlCombineUnit>>(config);
  }
  static std::unique_ptr<Interface> cosim(const CombineUnit::Config& config) {
    return std::make_unique<Of<CosimCombineUnit>>(config);
  }

  AnyCombineUnit(const CombineUnit::Config& config, Make make) : unit_(make(config)) {}
  AnyCombineUnit(const CombineUnit::Config& config, const struct AnyUnits& makes);

  const CombineUnit::Out& out() const { return unit_->out(); }
  bool idle() const { return idle_; }
  void step(const CombineUnit::In& in) {
    unit_->step(in);
    idle_ = unit_->idle();
  }
  void load(const CombineUnit& model, std::uint32_t now) {
    unit_->load(model, now);
    idle_ = false;
  }

  /// The state: what a checkpoint keeps.
  template <class Archive>
  void serialize(Archive& archive) {
    unit_->serialize(archive);
    if constexpr (Archive::is_loading::value) idle_ = unit_->idle();
  }

 private:
  template <class T>
  struct Of final : HeldBlock<Interface, CombineUnit, T> {
    using HeldBlock<Interface, CombineUnit, T>::HeldBlock;
    const CombineUnit::Out& out() const override { return this->block.out(); }
    void step(const CombineUnit::In& in) override { this->block.step(in); }
    bool idle() const override { return this->block.idle(); }
  };

  std::unique_ptr<Interface> unit_;
  bool idle_ = false;
};

/// The Verilated block of a link, and its cosimulation pair, with assertions or without.
inline std::unique_ptr<LinkBlock> make_rtl_link(const LinkBlockConfig& config) {
  return std::visit(
      []<class Form>(const Form& form) -> std::unique_ptr<LinkBlock> {
        return std::make_unique<LinkBlockOf<RtlLinkBlock<typename Form::Block>>>(form.config,
                                                                                 form.name, false);
      },
      config);
}
template <bool kAssertions = true>
std::unique_ptr<LinkBlock> make_cosim_link(const LinkBlockConfig& config) {
  return std::visit(
      []<class Form>(const Form& form) -> std::unique_ptr<LinkBlock> {
        using Pair = CosimLinkBlock<typename Form::Block, kAssertions>;
        return std::make_unique<LinkBlockOf<Pair>>(form.config, form.name);
      },
      config);
}

/// What makes the units of the trees and the blocks in links.
struct AnyUnits {
  AnyBarrierUnit::Make barrier;
  AnyCombineUnit::Make combine;
  MakeLinkBlock link;
};
inline AnyBarrierUnit::AnyBarrierUnit(const BarrierUnit::Config& config, const AnyUnits& makes)
    : AnyBarrierUnit(config, makes.barrier) {}
inline AnyCombineUnit::AnyCombineUnit(const CombineUnit::Config& config, const AnyUnits& makes)
    : AnyCombineUnit(config, makes.combine) {}

template <>
struct BarrierUnitOf<AnyNic> {
  using Type = AnyBarrierUnit;
};
template <>
struct CombineUnitOf<AnyNic> {
  using Type = AnyCombineUnit;
};

}  // namespace weft
