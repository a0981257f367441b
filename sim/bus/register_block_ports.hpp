// Ports of rtl/bus/weft_register_block.sv.
#pragma once

#include "sim/bus/register_block_signals.hpp"
#include "sim/packet/ports.hpp"

namespace weft {

constexpr auto RegisterBlockSignals::ports() {
  constexpr auto free_width = [](const Config& c) { return std::bit_width(c.queue_depth); };
  constexpr auto status = [](auto member) {
    return [member](auto& in) -> auto& {
      return in.status.*member;
    };
  };
  constexpr auto descriptor = std::tuple_cat(kDescriptorFields, kStartFields);
  return port_table(
      input("wen_i", 1, &In::wen), input("waddr_i", kRegAddrW, &In::waddr),
      input("wdata_i", 32, &In::wdata), output("wrefused_o", 1, &Out::wrefused),
      input("raddr_i", kRegAddrW, &In::raddr), output("rdata_o", 32, &Out::rdata),
      output("rrefused_o", 1, &Out::rrefused), output("event_o", 1, &Out::event),
      output("desc_valid_o", 1, &Out::desc_valid), output("desc_*_o", descriptor, &Out::desc),
      input("desc_free_i", free_width, status(&NicStatus::desc_free)),
      input("tx_count_i", kCountW, status(&NicStatus::tx_count)),
      input("rx_count_i", kCountW, status(&NicStatus::rx_count), kNumRxCounts),
      input("rx_arrived_i", kCountW, status(&NicStatus::rx_arrived), kNumRxCounts),
      input("rx_link_i", kCountW, status(&NicStatus::rx_link), &Config::link_counts),
      input("rx_parity_i", kCountW, status(&NicStatus::rx_parity)),
      input("rx_refused_i", kCountW, status(&NicStatus::rx_refused)),
      output("rx_base_o", kMemAddrW, of_windows(&ReceiveWindows::base), &Config::windows),
      output("rx_size_o", kMemAddrW, of_windows(&ReceiveWindows::size), &Config::windows),
      output("rx_key_o", kKeyWidth, of_windows(&ReceiveWindows::key), &Config::windows)
          .when(kHasKeys),
      output("reduce_*_o", kReductionFields, &Out::reduction),
      output("barrier_enter_o", 1, &Out::barrier_enter),
      input("barrier_count_i", kCountW, status(&NicStatus::barriers)),
      output("combine_post_o", 1, &Out::combine_post),
      output("order_*_o", kOrderFields, &Out::order),
      input("combine_done_i", kCountW, status(&NicStatus::combines)),
      input("memory_errors_i", 32, &In::memory_errors));
}

}  // namespace weft
