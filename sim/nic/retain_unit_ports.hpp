// Ports of rtl/nic/weft_retain_unit.sv.
#pragma once

#include "sim/nic/packet_id_ports.hpp"
#include "sim/nic/retain_unit.hpp"
#include "sim/packet/ports.hpp"

namespace weft {

/// Ports of a message that may be part of a longer one.
inline constexpr auto kPartFields =
    std::tuple_cat(kMessageFields, std::make_tuple(port_field("more", 1, &Descriptor::more)));

constexpr auto RetainUnit::ports() {
  return port_table(
      input(
          "ctrl_i", [](const Config& c) { return index_width(c.num_ctrl); }, &In::ctrl),
      input("hold_i", 1, &In::hold), input("restart_i", 1, &In::restart),
      input("desc_valid_i", 1, &In::desc_valid), input("desc_*_i", kMessageFields, &In::desc),
      output("desc_ready_o", 1, &Out::desc_ready), output("empty_o", 1, &Out::empty),
      output("pkt_valid_o", 1, &Shown::valid), output("pkt_*_o", kPartFields, &Shown::packet),
      input("pkt_ready_i", 1, &In::pkt_ready),
      input("ack_valid_i", 1, id_of(&In::ack, &IdOfPacket::valid), &Config::links),
      input("ack_src_i", kAddrWidth, id_of(&In::ack, &IdOfPacket::src), &Config::links),
      input("ack_id_i", kIdWidth, id_of(&In::ack, &IdOfPacket::id), &Config::links),
      output("sent_o", 1, &Out::sent), output("resent_o", 1, &Out::resent),
      output("waits_o", 1, &Out::waits), output("overdue_o", 1, &Out::overdue));
}

}  // namespace weft
