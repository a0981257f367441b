// Ports of rtl/bus/weft_axi_lite.sv.
#pragma once

#include "sim/bus/axi_lite.hpp"
#include "sim/packet/ports.hpp"

namespace weft {

constexpr auto AxiLite::ports() {
  return port_table(
      input("aw_valid_i", 1, &In::aw_valid), output("aw_ready_o", 1, &Out::aw_ready),
      input("aw_addr_i", kAddrBits, &In::aw_addr), input("w_valid_i", 1, &In::w_valid),
      output("w_ready_o", 1, &Out::w_ready), input("w_data_i", kDataBits, &In::w_data),
      input("w_strb_i", 4, &In::w_strb), output("b_valid_o", 1, &Out::b_valid),
      input("b_ready_i", 1, &In::b_ready), output("b_resp_o", 2, &Out::b_resp),
      input("ar_valid_i", 1, &In::ar_valid), output("ar_ready_o", 1, &Out::ar_ready),
      input("ar_addr_i", kAddrBits, &In::ar_addr), output("r_valid_o", 1, &Out::r_valid),
      input("r_ready_i", 1, &In::r_ready), output("r_data_o", kDataBits, &Out::r_data),
      output("r_resp_o", 2, &Out::r_resp), output("reg_wen_o", 1, &Shown::wen),
      output("reg_waddr_o", kAddrBits, &Out::waddr), output("reg_wdata_o", kDataBits, &Out::wdata),
      input("reg_wrefused_i", 1, &In::wrefused), output("reg_raddr_o", kAddrBits, &Out::raddr),
      input("reg_rdata_i", kDataBits, &In::rdata), input("reg_rrefused_i", 1, &In::rrefused));
}

}  // namespace weft
