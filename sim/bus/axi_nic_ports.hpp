// Ports of rtl/bus/weft_axi_nic.sv: AXI, and those of the interface inside that lead out of it.
#pragma once

#include <string_view>

#include "sim/bus/axi_nic.hpp"
#include "sim/bus/axi_ports.hpp"
#include "sim/bus/axi_read_ports.hpp"
#include "sim/bus/axi_write_ports.hpp"
#include "sim/bus/register_block_ports.hpp"
#include "sim/nic/nic_ports.hpp"
#include "sim/packet/ports.hpp"

namespace weft {

/// A figure of the interface inside, as one of AxiNic::Config.
template <class Figure>
constexpr auto figure_of_nic(Figure figure) {
  return [figure](const auto& c) { return port_figure(figure, c.nic); };
}
/// Fields of the interface inside, with widths as figures of AxiNic::Config.
template <class Fields>
constexpr auto fields_of_nic(const Fields& fields) {
  return std::apply(
      [](const auto&... field) {
        return std::make_tuple(port_field(field.name, figure_of_nic(field.width), field.access)...);
      },
      fields);
}
/// An element of the inputs or outputs of the interface inside, from those of AxiNic.
template <class Access>
struct ElementOfNic {
  Access access;
  template <class Struct>
  constexpr decltype(auto) operator()(Struct& s, unsigned i, unsigned words) const {
    return access(s.nic, i, words);
  }
};
/// A row of the interface's port table, as a row of AxiNic's.
template <bool kIn, class Fields, class Count, class Access, class Store, class Used>
constexpr auto row_of_nic(const PortGroup<kIn, Fields, Count, Access, Store, Used>& row) {
  const auto fields = fields_of_nic(row.fields);
  const auto count = figure_of_nic(row.count);
  const auto used = [used = row.used](const auto& c) { return std::invoke(used, c.nic); };
  return PortGroup<kIn, std::remove_cv_t<decltype(fields)>, std::remove_cv_t<decltype(count)>,
                   ElementOfNic<Access>, ElementOfNic<Store>, std::remove_cv_t<decltype(used)>>{
      row.name, fields, count, {row.access}, {row.store}, used, row.role, row.lines, row.always};
}

/// Whether a row of the interface leads out of `axi_nic`: neither to its registers, which have a
/// port of this name in the other direction, nor to its memory.
constexpr bool leads_out(std::string_view name) {
  const auto other = [stem = name.substr(0, name.size() - 1)](std::string_view row) {
    return row.substr(0, row.size() - 1) != stem;
  };
  return !name.starts_with("mem_") &&
         std::apply([&](const auto&... row) { return (other(row.name) && ...); },
                    RegisterBlock::ports());
}
/// The rows of the interface that lead out of `axi_nic`.
template <std::size_t... i>
constexpr auto rows_of_nic(std::index_sequence<i...> /*rows*/) {
  constexpr auto row = []<std::size_t k>(std::integral_constant<std::size_t, k> /*number*/) {
    constexpr auto one = std::get<k>(Nic::ports());
    if constexpr (leads_out(one.name)) {
      return std::make_tuple(row_of_nic(one));
    } else {
      return std::make_tuple();
    }
  };
  return std::tuple_cat(row(std::integral_constant<std::size_t, i>())...);
}

constexpr auto AxiNic::ports() {
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
  using Lite = AxiLite;
  constexpr unsigned addr = Lite::kAddrBits, data = Lite::kDataBits;
  const auto axi =
      port_table(input("base_i", &Config::axi_addr_w, &In::base),
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
                 input("m_r_*_i", AxiRead::beat_fields(read_id, figure_of_nic(kDataWidth)), &In::r),
                 output("m_r_ready_o", 1, &Out::r_ready),
                 output("m_aw_*_o", axi_burst_fields(write_id), &Out::aw),
                 input("m_aw_ready_i", 1, &In::aw_ready),
                 output("m_w_*_o", fields_of_nic(AxiWrite::beat_fields()), &Out::w),
                 input("m_w_ready_i", 1, &In::w_ready),
                 input("m_b_*_i", AxiWrite::response_fields(write_id), &In::b),
                 output("m_b_ready_o", 1, &Out::b_ready),
                 output("barrier_enter_o", 1, &Out::barrier_enter).when(&Config::barrier),
                 input("barrier_count_i", kCountW, &In::barriers).when(&Config::barrier),
                 output("event_o", 1, &Out::event));
  constexpr std::size_t rows = std::tuple_size_v<decltype(Nic::ports())>;
  return std::tuple_cat(axi, rows_of_nic(std::make_index_sequence<rows>()));
}

}  // namespace weft
