// Counts of the flits on the links of a fabric.
#pragma once

#include <cstdint>

#include "sim/fabric/digest.hpp"
#include "sim/packet/packet.hpp"

namespace weft {

/// Counts of one thread; their sums do not depend on the number of threads.
struct Counters {
  Digest digest;  ///< Digest of all flits on all links in all cycles.
  std::uint64_t flit_hops = 0;
  std::uint64_t flits = 0;     ///< Flits that entered the fabric.
  std::uint64_t packets = 0;   ///< Packets that entered the fabric.
  std::uint64_t combined = 0;  ///< Words on the links of the combining tree.

  /// Counts a flit that has left a network interface.
  void entered(const Flit& flit) {
    ++flits;
    packets += flit.last;
  }

  Counters& operator+=(const Counters& other) {
    digest += other.digest;
    flit_hops += other.flit_hops;
    flits += other.flits;
    packets += other.packets;
    combined += other.combined;
    return *this;
  }

  template <class Archive>
  void serialize(Archive& archive) {
    archive(digest, flit_hops, flits, packets, combined);
  }
};

}  // namespace weft
