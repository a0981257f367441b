// Holders of a block of any kind behind a virtual interface (sim/engine/any_blocks.hpp).
#pragma once

#include <type_traits>
#include <utility>

#include "sim/base/archive.hpp"

namespace weft {

/// Continues `block` from the state of `model`; `block` is a model, too, or has a `load`.
template <class T, class Model>
void load_block(T& block, const Model& model, std::uint32_t now) {
  if constexpr (std::is_same_v<T, Model>) {
    block = model;
  } else {
    block.load(model, now);
  }
}

/// Holds a block of type `T` for its Interface; `Model` is the model of that kind of block.
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
