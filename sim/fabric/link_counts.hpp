// Counts of the blocks of protected links.
#pragma once

#include <cstdint>

namespace weft {

/// Counts of the blocks of protected links.
struct LinkCounts {
  std::uint64_t errors = 0;   ///< Words that arrived with a wrong check code, both ways.
  std::uint64_t retries = 0;  ///< Times that a sender went back to send words again.
  std::uint64_t lost = 0;     ///< Packets that were lost or discarded.

  LinkCounts& operator+=(const LinkCounts& other) {
    errors += other.errors;
    retries += other.retries;
    lost += other.lost;
    return *this;
  }

  template <class Archive>
  void serialize(Archive& archive) {
    archive(errors, retries, lost);
  }
};

}  // namespace weft
