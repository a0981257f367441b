// Ports of rtl/buffer/weft_ram.sv.
#pragma once

#include "sim/buffer/ram.hpp"
#include "sim/packet/ports.hpp"

namespace weft {

constexpr auto Ram::ports() {
  constexpr auto idx_w = [](const Config& c) { return c.idx_w(); };
  return port_table(input("wen_i", 1, &In::wen), input("widx_i", idx_w, &In::widx),
                    input("wdata_i", &Config::data_w, &In::wdata), input("ren_i", 1, &In::ren),
                    input("ridx_i", idx_w, &In::ridx),
                    output("rdata_o", &Config::data_w, &Out::rdata));
}

}  // namespace weft
