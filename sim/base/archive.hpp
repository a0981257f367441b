// The archives of checkpoints, by cereal: a class with a state has a template `serialize` beside
// its members, which both of them call.
#pragma once

#include <cereal/archives/binary.hpp>
#include <cereal/types/array.hpp>
#include <cereal/types/optional.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/vector.hpp>
#include <cstdint>
#include <istream>
#include <stdexcept>
#include <type_traits>

namespace weft {

using SaveArchive = cereal::BinaryOutputArchive;
using LoadArchive = cereal::BinaryInputArchive;

/// Loads the state of a run, which then goes on in a cycle. Blocks that are no models need more
/// than their state: how long ago they were in reset; and messages name them.
class RunArchive : public LoadArchive {
 public:
  RunArchive(std::istream& in, std::uint64_t cycle) : LoadArchive(in), cycle_(cycle) {}

  std::uint64_t cycle() const { return cycle_; }
  /// Number of the block that is loaded, as the cycle loop counts them.
  std::uint32_t at() const { return at_; }
  /// Cycles since it was in reset.
  std::uint32_t now() const { return static_cast<std::uint32_t>(cycle_ - origin_); }

  /// The state of block `at` comes next; it was in reset in cycle `origin`.
  void next(std::uint32_t at, std::uint64_t origin) {
    at_ = at;
    origin_ = origin;
  }

 private:
  std::uint64_t cycle_, origin_ = 0;
  std::uint32_t at_ = 0;
};

/// To be called before the state of a block: RunArchive::next, where such an archive loads.
template <class Archive>
void next_block(Archive& archive, std::uint32_t at, std::uint64_t origin = 0) {
  if constexpr (Archive::is_loading::value) {
    if (auto* const run = dynamic_cast<RunArchive*>(&archive)) run->next(at, origin);
  }
}

/// Saves or loads the state of a block, which is that of its `Model`. Verilated blocks and pairs go
/// on from the state of a model with the same configuration; they have none that can be saved.
template <class Model, class Block, class Config, class Archive>
void archive_block(Block& block, const Config& config, Archive& archive) {
  if constexpr (std::is_same_v<Block, Model>) {
    block.serialize(archive);
  } else if constexpr (Archive::is_loading::value) {
    Model model(config);
    model.serialize(archive);
    block.load(model, dynamic_cast<RunArchive&>(archive).now());
  } else {
    throw std::logic_error("checkpoint: a block that is no model");
  }
}

}  // namespace weft
