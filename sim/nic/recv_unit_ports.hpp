// Ports of rtl/nic/weft_recv_unit.sv.
#pragma once

#include "sim/nic/packet_id_ports.hpp"
#include "sim/nic/recv_unit.hpp"
#include "sim/packet/ports.hpp"

namespace weft {

constexpr auto RecvUnit::ports() {
  return port_table(
      input("node_i", kAddrWidth, &In::node), input("rx_*_i", kWordFields, &In::rx),
      output("rx_full_o", 1, &Out::rx_full), output("rx_credit_o", 1, &Out::rx_credit),
      input("rx_base_i", kMemAddrW, of_windows(&ReceiveWindows::base), &Config::windows),
      input("rx_size_i", kMemAddrW, of_windows(&ReceiveWindows::size), &Config::windows),
      input("rx_key_i", kKeyWidth, of_windows(&ReceiveWindows::key), &Config::windows)
          .when(kHasKeys),
      output("mem_wen_o", 1, &Out::mem_wen), output("mem_waddr_o", kMemAddrW, &Out::mem_waddr),
      output("mem_wdata_o", kDataWidth, &Out::mem_wdata),
      input("mem_wready_i", 1, &In::mem_wready).when(&Config::mem_ready),
      output("mem_wleft_o", kLenW, &Shown::mem_wleft).when(&Config::mem_ready),
      output("mem_reduce_o", 1, &Out::mem_reduce),
      output("rx_count_o", kCountW, &Out::rx_count, kNumRxCounts),
      output("rx_arrived_o", kCountW, &Out::rx_arrived, kNumRxCounts),
      output("rx_parity_o", kCountW, &Out::rx_parity),
      output("rx_refused_o", kCountW, &Out::rx_refused),
      input("restart_i", 1, &In::restart).when(kHasIds),
      input("repeated_i", 1, &In::repeated).when(kHasIds),
      output("ask_src_o", kAddrWidth, id_of(&Shown::ask, &IdOfPacket::src)).when(kHasIds),
      output("ask_id_o", kIdWidth, id_of(&Shown::ask, &IdOfPacket::id)).when(kHasIds),
      output("ack_valid_o", 1, id_of(&Out::ack, &IdOfPacket::valid)).when(kHasIds),
      output("ack_src_o", kAddrWidth, id_of(&Out::ack, &IdOfPacket::src)).when(kHasIds),
      output("ack_id_o", kIdWidth, id_of(&Out::ack, &IdOfPacket::id)).when(kHasIds),
      output("took_valid_o", 1, id_of(&Out::took, &IdOfPacket::valid)).when(kHasIds),
      output("took_src_o", kAddrWidth, id_of(&Out::took, &IdOfPacket::src)).when(kHasIds),
      output("took_id_o", kIdWidth, id_of(&Out::took, &IdOfPacket::id)).when(kHasIds),
      output("rx_repeated_o", kCountW, &Out::rx_repeated).when(kHasIds));
}

}  // namespace weft
