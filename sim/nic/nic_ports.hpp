// Ports of rtl/nic/weft_nic.sv.
#pragma once

#include "sim/nic/nic_signals.hpp"
#include "sim/nic/packet_id_ports.hpp"
#include "sim/packet/ports.hpp"

namespace weft {

constexpr auto NicSignals::ports() {
  constexpr auto full = [](const Config& c) { return !c.credit; };
  constexpr auto status = [](auto member) {
    return [member](auto& out) -> auto& {
      return out.status.*member;
    };
  };
  return port_table(
      input("node_i", kAddrWidth, &In::node).own(), input("desc_valid_i", 1, &In::desc_valid),
      input("desc_*_i", kDescriptorFields, &In::desc),
      input("desc_*_i", kStartFields, &In::desc).when(&Config::timed),
      output(
          "desc_free_o", [](const Config& c) { return std::bit_width(c.queue_depth); },
          status(&NicStatus::desc_free)),
      output("tx_count_o", kCountW, status(&NicStatus::tx_count)),
      output("mem_ren_o", &Config::lanes, &Out::mem_ren).apart(),
      output("mem_raddr_o", kMemAddrW, &Out::mem_raddr, &Config::lanes),
      input("mem_rready_i", &Config::lanes, &In::mem_rready).when(&Config::mem_ready).apart(),
      output("mem_rleft_o", kLenW, &Out::mem_rleft, &Config::lanes).when(&Config::mem_ready),
      input("mem_rdata_i", kDataWidth, &In::mem_rdata, &Config::lanes),
      output("mem_wen_o", &Config::links, &Out::mem_wen).apart(),
      output("mem_waddr_o", kMemAddrW, &Out::mem_waddr, &Config::links),
      output("mem_wdata_o", kDataWidth, &Out::mem_wdata, &Config::links),
      input("mem_wready_i", &Config::links, &In::mem_wready).when(&Config::mem_ready).apart(),
      output("mem_wleft_o", kLenW, &Out::mem_wleft, &Config::links).when(&Config::mem_ready),
      output("tx_*_o", kFlitFields, &Out::tx, &Config::links).link(),
      input("tx_full_i", &Config::links, &In::tx_full).when(full).link(),
      input("tx_credit_i", &Config::num_vc, &In::tx_credit, &Config::links)
          .when(&Config::credit)
          .link(),
      input("rx_*_i", kWordFields, &In::rx, &Config::links).link(),
      output("rx_full_o", &Config::links, &Out::rx_full).when(full).link(),
      output("rx_credit_o", &Config::links, &Out::rx_credit).when(&Config::credit).link().apart(),
      input("rx_base_i", kMemAddrW, of_windows(&ReceiveWindows::base), &Config::windows),
      input("rx_size_i", kMemAddrW, of_windows(&ReceiveWindows::size), &Config::windows),
      input("rx_key_i", kKeyWidth, of_windows(&ReceiveWindows::key), &Config::windows)
          .when(kHasKeys),
      input("reduce_*_i", kReductionFields, &In::reduction).when(&Config::reduce),
      output("rx_count_o", kCountW, status(&NicStatus::rx_count), kNumRxCounts),
      output("rx_arrived_o", kCountW, status(&NicStatus::rx_arrived), kNumRxCounts),
      output("rx_link_o", kCountW, status(&NicStatus::rx_link), &Config::link_counts),
      output("rx_parity_o", kCountW, status(&NicStatus::rx_parity)),
      output("rx_refused_o", kCountW, status(&NicStatus::rx_refused)),
      input("hold_i", 1, &In::hold).when(kHasIds),
      input("restart_i", 1, &In::restart).when(kHasIds),
      output("waits_o", 1, &Out::waits).when(kHasIds),
      output("overdue_o", 1, &Out::overdue).when(kHasIds),
      output("tx_resent_o", kCountW, status(&NicStatus::tx_resent)).when(kHasIds),
      output("rx_repeated_o", kCountW, status(&NicStatus::rx_repeated)).when(kHasIds));
}

}  // namespace weft
