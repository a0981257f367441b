// Ports of rtl/bus/weft_axi_read.sv.
#pragma once

#include "sim/bus/axi_ports.hpp"
#include "sim/bus/axi_read.hpp"
#include "sim/packet/ports.hpp"

namespace weft {

template <class IdWidth, class Width>
constexpr auto AxiRead::beat_fields(IdWidth id_w, Width data_w) {
  return std::make_tuple(port_field("valid", 1, &Beat::valid), port_field("id", id_w, &Beat::id),
                         port_field("data", data_w, &Beat::data),
                         port_field("resp", 2, &Beat::resp), port_field("last", 1, &Beat::last));
}

constexpr auto AxiRead::ports() {
  constexpr auto id_w = [](const Config& c) { return c.id_w(); };
  return port_table(
      input("base_i", &Config::axi_addr_w, &In::base),
      input("mem_ren_i", &Config::lanes, &In::mem_ren).apart(),
      input("mem_r*_i", kMemRequestFields, &In::mem_read, &Config::lanes),
      output("mem_rready_o", &Config::lanes, &Shown::mem_rready).apart(),
      output("mem_rdata_o", kDataWidth, &Out::mem_rdata, &Config::lanes),
      output("ar_*_o", axi_burst_fields(id_w), &Out::ar), input("ar_ready_i", 1, &In::ar_ready),
      input("r_*_i", beat_fields(id_w, kDataWidth), &In::r),
      output("r_ready_o", 1, &Shown::r_ready), output("errors_o", kCountW, &Out::errors));
}

}  // namespace weft
