// Ids of packets that are acknowledged (rtl/nic/README.md, retain_unit).
#pragma once

#include <fmt/format.h>

#include <bit>
#include <cstdint>

#include "sim/base/error.hpp"
#include "sim/packet/packet.hpp"

namespace weft {

/// Id of a packet: the bits of its offset below the key. Between two restarts the network has at
/// most one packet or acknowledgement with a given source, destination, controller and slot.
struct PacketId {
  bool ack = false;        ///< The packet acknowledges the one with this id.
  std::uint32_t ctrl = 0;  ///< Send controller, from 0 on.
  std::uint32_t slot = 0;
  bool gen = false;  ///< Distinguishes successive packets with the same destination and slot.

  bool operator==(const PacketId&) const = default;
};

inline constexpr unsigned kMostSlots = 16;  ///< Most packets of a controller that may wait.

/// Widths of an id's fields.
struct IdForm {
  unsigned num_ctrl = 1;  ///< Send controllers.
  unsigned slots = 0;     ///< Packets of each controller that may wait: 2, 4, 8 or 16; 0: there are
                          ///< no ids.

  constexpr unsigned slot_w() const { return static_cast<unsigned>(std::countr_zero(slots)); }
  /// Width of an id without its bit `ack`; 0 without ids.
  constexpr unsigned plain_w() const {
    return slots == 0 ? 0 : static_cast<unsigned>(std::bit_width(num_ctrl - 1)) + slot_w() + 1;
  }
  /// Width of an id.
  constexpr unsigned width() const { return slots == 0 ? 0 : plain_w() + 1; }

  /// The id without its bit `ack`, as a number.
  constexpr std::uint32_t pack(const PacketId& id) const {
    return (id.ctrl << slot_w() | id.slot) << 1 | std::uint32_t{id.gen};
  }
  constexpr PacketId unpack(std::uint32_t bits) const {
    return {(bits >> plain_w() & 1) != 0,
            (bits & static_cast<std::uint32_t>(low_mask(plain_w()))) >> (slot_w() + 1),
            bits >> 1 & (slots - 1), (bits & 1) != 0};
  }
  /// What the id adds to an offset, for packets of `form`.
  constexpr std::uint32_t in_offset(const PacketId& id, PacketForm form) const {
    return (std::uint32_t{id.ack} << plain_w() | pack(id)) << form.place_w();
  }
};

/// Throws ConfigError, naming the block, unless controllers may have that many slots and packets of
/// `form` have room for such ids.
inline void check_ids(const char* block, IdForm ids, PacketForm form) {
  if (ids.slots < 2 || ids.slots > kMostSlots || !std::has_single_bit(ids.slots)) {
    throw ConfigError(
        fmt::format("{}: slots is {}, expected: 2, 4, 8 or {}", block, ids.slots, kMostSlots));
  }
  if (form.id_w != ids.width()) {
    throw ConfigError(fmt::format("{}: id_w is {}, expected: {}", block, form.id_w, ids.width()));
  }
}

/// Source and id of a packet, as blocks of an interface pass them on.
struct IdOfPacket {
  bool valid = false;
  std::uint32_t src = 0;  ///< Address.
  std::uint32_t id = 0;   ///< The id without its bit `ack`.

  bool operator==(const IdOfPacket&) const = default;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(valid, src, id);
  }
};
/// The id in an offset, without its bit `ack`, as a number.
constexpr std::uint32_t plain_id(std::uint32_t off, PacketForm form) {
  return off >> form.place_w() & static_cast<std::uint32_t>(low_mask(form.id_w - 1));
}
/// An offset without the id.
constexpr std::uint32_t without_id(std::uint32_t off, PacketForm form) {
  return off & ~static_cast<std::uint32_t>(low_mask(form.id_w) << form.place_w());
}
/// Whether a packet with this offset is an acknowledgement.
constexpr bool is_ack(std::uint32_t off, PacketForm form) {
  return form.id_w != 0 && (off >> (form.place_w() + form.id_w - 1) & 1) != 0;
}

}  // namespace weft
