// Ports of rtl/bus/weft_axi_write.sv.
#pragma once

#include "sim/bus/axi_ports.hpp"
#include "sim/bus/axi_write.hpp"
#include "sim/packet/ports.hpp"

namespace weft {

constexpr auto AxiWrite::beat_fields() {
  return std::make_tuple(port_field("valid", 1, &Beat::valid),
                         port_field("data", kDataWidth, &Beat::data),
                         port_field(
                             "strb", [](const auto& c) { return kDataWidth(c) / 8; }, &Beat::strb),
                         port_field("last", 1, &Beat::last));
}

template <class IdWidth>
constexpr auto AxiWrite::response_fields(IdWidth id_w) {
  return std::make_tuple(port_field("valid", 1, &Response::valid),
                         port_field("id", id_w, &Response::id),
                         port_field("resp", 2, &Response::resp));
}

constexpr auto AxiWrite::ports() {
  constexpr auto id_w = [](const Config& c) { return c.id_w(); };
  return port_table(
      input("base_i", &Config::axi_addr_w, &In::base),
      input("mem_wen_i", &Config::lanes, &In::mem_wen).apart(),
      input("mem_w*_i", kMemRequestFields, &In::mem_write, &Config::lanes),
      input("mem_wdata_i", kDataWidth, &In::mem_wdata, &Config::lanes),
      output("mem_wready_o", &Config::lanes, &Shown::mem_wready).apart(),
      output("aw_*_o", axi_burst_fields(id_w), &Out::aw), input("aw_ready_i", 1, &In::aw_ready),
      output("w_*_o", beat_fields(), &Out::w), input("w_ready_i", 1, &In::w_ready),
      input("b_*_i", response_fields(id_w), &In::b), output("b_ready_o", 1, &Shown::b_ready),
      output("errors_o", kCountW, &Out::errors));
}

}  // namespace weft
