// One virtual interface for each kind of block, for models, Verilated blocks, cosimulation pairs,
// and trios: pairs with gates beside them (sim/gates/cosim_trio.hpp).
#pragma once

#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

#include "sim/base/archive.hpp"
#include "sim/crossbar/crossbar.hpp"
#include "sim/fabric/barrier_tree.hpp"
#include "sim/fabric/combine_tree.hpp"
#include "sim/fabric/link_blocks.hpp"
#include "sim/nic/nic.hpp"
#include "sim/router/tile_config.hpp"
#include "sim/router/vc_router_signals.hpp"

namespace weft {

struct TrioForm;

/// Throws ConfigError: the state of a block that is no model (RTL, cosimulation pair) is not known.
[[noreturn]] void refuse_load(const char* block);
// A block's `serialize` saves or loads the state of a model.

/// A network interface of any kind. Default-constructed: without contents.
class AnyNic {
 public:
  struct Interface {
    virtual ~Interface() = default;
    virtual void serialize(SaveArchive&) { refuse_load("nic"); }
    virtual void serialize(LoadArchive&) { refuse_load("nic"); }
    virtual const Nic::Out& out() const = 0;
    virtual void step(const Nic::In& in) = 0;
    /// Whether a step with `in` would change nothing; always false for cosimulation pairs.
    virtual bool idle(const Nic::In& in) const = 0;
    virtual void load(const Nic&, std::uint32_t) { refuse_load("nic"); }
  };
  using Make = std::function<std::unique_ptr<Interface>(const Nic::Config& config)>;
  static std::unique_ptr<Interface> model(const Nic::Config& config);
  static std::unique_ptr<Interface> rtl(const Nic::Config& config);
  static std::unique_ptr<Interface> cosim(const Nic::Config& config);
  /// A pair without assertions, for faulty links: wrong words break what the RTL assumes of links.
  static std::unique_ptr<Interface> cosim_without_assertions(const Nic::Config& config);
  static Make trio(const TrioForm& form);

  AnyNic() = default;
  AnyNic(const Nic::Config& config, const Make& make) : nic_(make(config)), out_(&nic_->out()) {}
  /// An interface that is stepped with others: its `step` gives inputs only.
  explicit AnyNic(std::unique_ptr<Interface> nic)
      : nic_(std::move(nic)), out_(&nic_->out()), tells_(false) {}

  const Nic::Out& out() const { return *out_; }
  bool idle(const Nic::In& in) const { return nic_->idle(in); }
  bool status_changed() const { return tells_; }
  void step(const Nic::In& in) { nic_->step(in); }
  /// Continues from the state of `model`, which has the same configuration. `now`: cycles since
  /// reset, as in the inputs of the next step. Throws CheckError if the RTL has a register that is
  /// not loaded, or differs; ConfigError as `RtlLibrary::load`.
  void load(const Nic& model, std::uint32_t now) { nic_->load(model, now); }

  /// The state: what a checkpoint keeps.
  template <class Archive>
  void serialize(Archive& archive) {
    nic_->serialize(archive);
  }

 private:
  std::unique_ptr<Interface> nic_;
  const Nic::Out* out_ = nullptr;  // The block's outputs do not move.
  bool tells_ = true;
};

/// A router of any kind with its route units. Default-constructed: without contents.
class AnyRouter {
 public:
  struct Interface {
    virtual ~Interface() = default;
    virtual void serialize(SaveArchive&) { refuse_load("router"); }
    virtual void serialize(LoadArchive&) { refuse_load("router"); }
    virtual VcRouterSignals::Out out() const = 0;
    virtual void step(const RouterTileIn& in) = 0;
    /// Whether a step without inputs would change nothing; always false for cosimulation pairs.
    virtual bool quiet() const = 0;
    virtual const VcRouter* model() const = 0;
    virtual void load(const RouterTile&, std::uint32_t) { refuse_load("router"); }
  };
  using Make =
      std::function<std::unique_ptr<Interface>(const RouterTileConfig& config, bool parity)>;
  static std::unique_ptr<Interface> model(const RouterTileConfig& config, bool);
  static std::unique_ptr<Interface> rtl(const RouterTileConfig& config, bool parity);
  static std::unique_ptr<Interface> cosim(const RouterTileConfig& config, bool parity);
  /// A pair without assertions, for faulty links: wrong words break what the RTL assumes of links.
  static std::unique_ptr<Interface> cosim_without_assertions(const RouterTileConfig& config,
                                                             bool parity);
  static Make trio(const TrioForm& form);

  AnyRouter() = default;
  AnyRouter(const RouterTileConfig& config, bool parity, const Make& make)
      : router_(make(config, parity)), quiet_(router_->quiet()) {}

  VcRouterSignals::Out out() const { return router_->out(); }
  bool quiet() const { return quiet_; }
  void step(const RouterTileIn& in) {
    router_->step(in);
    quiet_ = router_->quiet();
  }
  void load(const RouterTile& model, std::uint32_t now) {
    router_->load(model, now);
    quiet_ = router_->quiet();
  }
  /// The router's model; null if it has none.
  const VcRouter* router_model() const { return router_->model(); }

  /// The state: what a checkpoint keeps.
  template <class Archive>
  void serialize(Archive& archive) {
    router_->serialize(archive);
    if constexpr (Archive::is_loading::value) quiet_ = router_->quiet();
  }

 private:
  std::unique_ptr<Interface> router_;
  bool quiet_ = true;
};

/// A crossbar of any kind. Default-constructed: without contents.
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
  using Make =
      std::function<std::unique_ptr<Interface>(const Crossbar::Config& config, bool parity)>;
  static std::unique_ptr<Interface> model(const Crossbar::Config& config, bool);
  static std::unique_ptr<Interface> rtl(const Crossbar::Config& config, bool parity);
  static std::unique_ptr<Interface> cosim(const Crossbar::Config& config, bool parity);
  /// A pair without assertions, for faulty links: wrong words break what the RTL assumes of links.
  static std::unique_ptr<Interface> cosim_without_assertions(const Crossbar::Config& config,
                                                             bool parity);
  static Make trio(const TrioForm& form);

  AnyCrossbar() = default;
  AnyCrossbar(const Crossbar::Config& config, bool parity, const Make& make)
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
  std::unique_ptr<Interface> crossbar_;
};

struct AnyUnits;

/// The unit of a node in a tree, of any kind; `Unit`: the model.
template <class Unit>
class AnyUnit {
 public:
  struct Interface {
    virtual ~Interface() = default;
    virtual void serialize(SaveArchive&) { refuse_load("unit of a tree"); }
    virtual void serialize(LoadArchive&) { refuse_load("unit of a tree"); }
    virtual const typename Unit::Out& out() const = 0;
    virtual void step(const typename Unit::In& in) = 0;
    /// Whether a step without pulses would change nothing; only an RTL instance at rest tells.
    virtual bool idle() const = 0;
    virtual void load(const Unit&, std::uint32_t) { refuse_load("unit of a tree"); }
  };
  using Make = std::function<std::unique_ptr<Interface>(const typename Unit::Config& config)>;
  static std::unique_ptr<Interface> model(const typename Unit::Config& config);
  static std::unique_ptr<Interface> rtl(const typename Unit::Config& config);
  static std::unique_ptr<Interface> cosim(const typename Unit::Config& config);
  static Make trio(const TrioForm& form);

  AnyUnit(const typename Unit::Config& config, const Make& make) : unit_(make(config)) {}
  AnyUnit(const typename Unit::Config& config, const AnyUnits& makes);

  const typename Unit::Out& out() const { return unit_->out(); }
  bool idle() const { return idle_; }
  void step(const typename Unit::In& in) {
    unit_->step(in);
    idle_ = unit_->idle();
  }
  void load(const Unit& model, std::uint32_t now) {
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
  std::unique_ptr<Interface> unit_;
  bool idle_ = false;
};
using AnyBarrierUnit = AnyUnit<BarrierUnit>;
using AnyCombineUnit = AnyUnit<CombineUnit>;

/// Block of a link: Verilated; a cosimulation pair, with assertions or without; a trio.
std::unique_ptr<LinkBlock> make_rtl_link(const LinkBlockConfig& config);
std::unique_ptr<LinkBlock> make_cosim_link(const LinkBlockConfig& config);
std::unique_ptr<LinkBlock> make_cosim_link_without_assertions(const LinkBlockConfig& config);
MakeLinkBlock make_trio_link(const TrioForm& form);

/// Factories of the units of the trees and of the blocks in links.
struct AnyUnits {
  AnyBarrierUnit::Make barrier;
  AnyCombineUnit::Make combine;
  MakeLinkBlock link;
};
template <class Unit>
AnyUnit<Unit>::AnyUnit(const typename Unit::Config& config, const AnyUnits& makes)
    : AnyUnit(config, [&] {
        if constexpr (std::is_same_v<Unit, BarrierUnit>) return makes.barrier;
        if constexpr (std::is_same_v<Unit, CombineUnit>) return makes.combine;
      }()) {}

template <>
struct BarrierUnitOf<AnyNic> {
  using Type = AnyBarrierUnit;
};
template <>
struct CombineUnitOf<AnyNic> {
  using Type = AnyCombineUnit;
};

}  // namespace weft
