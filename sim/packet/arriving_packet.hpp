// A packet that arrives at an interface, as an observer of the link sees it.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/packet/packet.hpp"

namespace weft {

/// The packet whose flits are on a link into an interface, one after the other.
struct ArrivingPacket {
  Header header = {};
  std::uint32_t body = 0;  ///< Flits of the body so far.
  bool inside = false;     ///< Its header has arrived, and its tail has not.
  bool spoilt = false;     ///< A flit has the wrong parity.

  /// Takes the next flit of the link; returns whether the packet is complete then. `parity`: flits
  /// carry parity.
  bool take(const Flit& flit, PacketForm form, bool parity) {
    if (inside) {
      ++body;
    } else {
      *this = {.header = Header::unpack(flit.data, form)};
    }
    spoilt |= parity && flit.parity != parity_of(flit, form.flit_words());
    inside = !flit.last;
    return flit.last;
  }
  /// Memory address for the body of the complete packet; none if the interface with this address
  /// and these windows drops it (rtl/nic/README.md, recv_unit).
  std::optional<std::uint32_t> place(std::uint32_t address, const ReceiveWindows& windows,
                                     PacketForm form) const {
    if (spoilt || header.dst != address || body != header.len) return {};
    return windows.place(header.off, header.len, form, kMaxWindows);
  }

  template <class Archive>
  void serialize(Archive& archive) {
    archive(header, body, inside, spoilt);
  }
};

}  // namespace weft
