// Ports of rtl/bus/weft_axi_nic.sv.
#pragma once

#include "sim/bus/axi_nic.hpp"
#include "sim/bus/axi_ports.hpp"
#include "sim/bus/axi_read_ports.hpp"
#include "sim/bus/axi_write_ports.hpp"
#include "sim/nic/nic_ports.hpp"
#include "sim/packet/ports.hpp"

namespace weft {

/// A width by the configuration of the interface inside,
template <class Width>
constexpr auto width_of_nic(Width width) {
  return [width](const auto& c) { return port_figure(width, c.nic); };
}
/// and fields whose widths are.
template <class Fields>
constexpr auto fields_of_nic(const Fields& fields) {
  return std::apply(
      [](const auto&... field) {
        return std::make_tuple(port_field(field.name, width_of_nic(field.width), field.access)...);
      },
      fields);
}

constexpr auto AxiNic::ports() {
  constexpr auto links = [](const Config& c) { return c.nic.links(); };
  constexpr auto credit = [](const Config& c) { return c.nic.credit; };
  constexpr auto full = [](const Config& c) { return !c.nic.credit; };
  constexpr auto read_id = [](const Config& c) { return c.reads().id_w(); };
  constexpr auto write_id = [](const Config& c) { return c.writes().id_w(); };
  constexpr auto lite_in = [](auto member) {
    return [member](auto& in) -> auto& {
      return in.lite.*member;
    };
  };
  constexpr auto lite_out = [](auto member) {
    return [member](auto& out) -> auto& {
      return out.lite.*member;
    };
  };
  constexpr auto nic_in = [](auto member) {
    return [member](auto& in) -> auto& {
      return in.nic.*member;
    };
  };
  constexpr auto ids = [](const Config& c) { return kHasIds(c.nic); };
  using Lite = AxiLite;
  constexpr unsigned addr = Lite::kAddrBits, data = Lite::kDataBits;
  return port_table(
      input("node_i", width_of_nic(kAddrWidth), nic_in(&Nic::In::node)).own(),
      input("base_i", &Config::axi_addr_w, &In::base),
      input("s_aw_valid_i", 1, lite_in(&Lite::In::aw_valid)),
      output("s_aw_ready_o", 1, lite_out(&Lite::Out::aw_ready)),
      input("s_aw_addr_i", addr, lite_in(&Lite::In::aw_addr)),
      input("s_w_valid_i", 1, lite_in(&Lite::In::w_valid)),
      output("s_w_ready_o", 1, lite_out(&Lite::Out::w_ready)),
      input("s_w_data_i", data, lite_in(&Lite::In::w_data)),
      input("s_w_strb_i", 4, lite_in(&Lite::In::w_strb)),
      output("s_b_valid_o", 1, lite_out(&Lite::Out::b_valid)),
      input("s_b_ready_i", 1, lite_in(&Lite::In::b_ready)),
      output("s_b_resp_o", 2, lite_out(&Lite::Out::b_resp)),
      input("s_ar_valid_i", 1, lite_in(&Lite::In::ar_valid)),
      output("s_ar_ready_o", 1, lite_out(&Lite::Out::ar_ready)),
      input("s_ar_addr_i", addr, lite_in(&Lite::In::ar_addr)),
      output("s_r_valid_o", 1, lite_out(&Lite::Out::r_valid)),
      input("s_r_ready_i", 1, lite_in(&Lite::In::r_ready)),
      output("s_r_data_o", data, lite_out(&Lite::Out::r_data)),
      output("s_r_resp_o", 2, lite_out(&Lite::Out::r_resp)),
      output("m_ar_*_o", axi_burst_fields(read_id), &Out::ar),
      input("m_ar_ready_i", 1, &In::ar_ready),
      input("m_r_*_i", AxiRead::beat_fields(read_id, width_of_nic(kDataWidth)), &In::r),
      output("m_r_ready_o", 1, &Out::r_ready),
      output("m_aw_*_o", axi_burst_fields(write_id), &Out::aw),
      input("m_aw_ready_i", 1, &In::aw_ready),
      output("m_w_*_o", fields_of_nic(AxiWrite::beat_fields()), &Out::w),
      input("m_w_ready_i", 1, &In::w_ready),
      input("m_b_*_i", AxiWrite::response_fields(write_id), &In::b),
      output("m_b_ready_o", 1, &Out::b_ready),
      output("tx_*_o", fields_of_nic(kFlitFields), &Out::tx, links).link(),
      input("tx_full_i", links, nic_in(&Nic::In::tx_full)).when(full).link(),
      input(
          "tx_credit_i", [](const Config& c) { return c.nic.num_vc; }, nic_in(&Nic::In::tx_credit),
          links)
          .when(credit)
          .link(),
      input("rx_*_i", fields_of_nic(kWordFields), nic_in(&Nic::In::rx), links).link(),
      output("rx_full_o", links, &Out::rx_full).when(full).link(),
      output("rx_credit_o", links, &Out::rx_credit).when(credit).link().apart(),
      output("barrier_enter_o", 1, &Out::barrier_enter).when(&Config::barrier),
      input("barrier_count_i", kCountW, &In::barriers).when(&Config::barrier),
      output("event_o", 1, &Out::event), input("hold_i", 1, nic_in(&Nic::In::hold)).when(ids),
      input("restart_i", 1, nic_in(&Nic::In::restart)).when(ids),
      output("waits_o", 1, &Out::waits).when(ids), output("overdue_o", 1, &Out::overdue).when(ids),
      output("tx_resent_o", kCountW, &Out::resent).when(ids),
      output("rx_repeated_o", kCountW, &Out::repeated).when(ids));
}

}  // namespace weft
