// Ports of rtl/nic/weft_ack_unit.sv.
#pragma once

#include "sim/nic/ack_unit.hpp"
#include "sim/nic/packet_id_ports.hpp"
#include "sim/packet/ports.hpp"

namespace weft {

constexpr auto AckUnit::ports() {
  return port_table(
      input("node_i", kAddrWidth, &In::node), input("restart_i", 1, &In::restart),
      input("ask_src_i", kAddrWidth, id_of(&In::ask, &IdOfPacket::src), &Config::links),
      input("ask_id_i", kIdWidth, id_of(&In::ask, &IdOfPacket::id), &Config::links),
      output("repeated_o", &Config::links, &Shown::repeated),
      input("took_valid_i", 1, id_of(&In::took, &IdOfPacket::valid), &Config::links),
      input("took_src_i", kAddrWidth, id_of(&In::took, &IdOfPacket::src), &Config::links),
      input("took_id_i", kIdWidth, id_of(&In::took, &IdOfPacket::id), &Config::links),
      output("*_o", kWordFields, &Shown::offer, &Config::links),
      input("ready_i", &Config::links, &In::ready), output("pending_o", 1, &Out::pending));
}

}  // namespace weft
