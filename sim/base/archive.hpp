// The archives of checkpoints, by cereal: a class with a state has a template `serialize` beside
// its members, which both of them call.
#pragma once

#include <cereal/archives/binary.hpp>
#include <cereal/types/array.hpp>
#include <cereal/types/optional.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/vector.hpp>
#include <stdexcept>

namespace weft {

using SaveArchive = cereal::BinaryOutputArchive;
using LoadArchive = cereal::BinaryInputArchive;

/// The state of a block: of a model. Verilated blocks and pairs have none that can be saved.
template <class Block, class Archive>
void archive_block(Block& block, Archive& archive) {
  if constexpr (requires { block.serialize(archive); }) {
    block.serialize(archive);
  } else {
    throw std::logic_error("checkpoint: a block that is no model");
  }
}

}  // namespace weft
