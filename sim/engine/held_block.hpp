// What holds a block of any kind behind a virtual interface (sim/engine/any_blocks.hpp).
#pragma once

#include <type_traits>
#include <utility>

#include "sim/base/archive.hpp"

namespace weft {

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
  decltype(std::declval<const Interface&>().out()) out() const final { return block.out(); }
  void step(const typename Model::In& in) final { block.step(in); }
  void load(const Model& model, std::uint32_t now) final { load_block(block, model, now); }
  void serialize(SaveArchive& archive) final { archive_block<Model>(block, config, archive); }
  void serialize(LoadArchive& archive) final { archive_block<Model>(block, config, archive); }

  typename Model::Config config;
  T block;
};

}  // namespace weft
