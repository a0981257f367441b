// Network interface for a system on chip, cycle model of rtl/bus/weft_axi_nic.sv
// (rtl/bus/README.md, axi_nic): the models of its blocks, wired.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <tuple>

#include "sim/base/error.hpp"
#include "sim/bus/axi_lite.hpp"
#include "sim/bus/axi_read.hpp"
#include "sim/bus/axi_write.hpp"
#include "sim/bus/register_block.hpp"
#include "sim/nic/nic.hpp"

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

/// A network interface whose registers are behind AXI4-Lite and whose memory is on AXI4. In a
/// cycle: `eval` with its inputs, which gives the outputs, then `tick`.
class AxiNic {
 public:
  struct Config {
    Nic::Config nic = {};                       ///< The interface; it does not reduce.
    bool barrier = false;                       ///< There is a barrier unit beside it.
    std::uint32_t mem_flits = 1u << kMemAddrW;  ///< Size of the node's memory, flits.
    unsigned axi_addr_w = 32;                   ///< Width of a byte address, bits.

    /// Of its manager's channels,
    AxiMemoryConfig reads() const { return {nic.header.data_w, nic.num_ctrl, axi_addr_w}; }
    AxiMemoryConfig writes() const { return {nic.header.data_w, nic.links(), axi_addr_w}; }
    /// and of its registers.
    RegisterBlock::Config registers() const {
      RegisterBlock::Config registers = RegisterBlock::Config::of(nic);
      registers.barrier = barrier;
      registers.mem_flits = mem_flits;
      return registers;
    }
  };
  struct In {
    AxiLite::In lite;            ///< AXI4-Lite; not its register port.
    Nic::In nic;                 ///< Links, own address, hold, restart; not the rest.
    std::uint64_t base = 0;      ///< Byte address of the node's memory, a multiple of 4096.
    bool ar_ready = false;       ///< AXI4: AR is accepted,
    bool aw_ready = false;       ///< AW is,
    bool w_ready = false;        ///< W is.
    AxiRead::Beat r;             ///< R.
    AxiWrite::Response b;        ///< B.
    std::uint32_t barriers = 0;  ///< Barriers released; with `barrier` only.
  };
  struct Out {
    AxiLite::Out lite;  ///< AXI4-Lite; not its register port.
    AxiBurst ar, aw;    ///< AXI4.
    AxiWrite::Beat w;   ///< W.
    bool r_ready = true, b_ready = true;
    std::array<Flit, Nic::kMaxLinks> tx = {};  ///< Outgoing links.
    bool rx_full = false;                      ///< Incoming link: Buffer-Full.
    std::uint8_t rx_credit = 0;                ///< Incoming credit links: credit.
    bool barrier_enter = false;                ///< The node enters its next barrier.
    bool event = false;                        ///< A register reads differently than before.
    bool waits = false, overdue = false;       ///< As of Nic::Out.
    std::uint32_t resent = 0, repeated = 0;    ///< As tx_resent and rx_repeated of NicStatus.
  };

  static constexpr auto ports() {
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
            "tx_credit_i", [](const Config& c) { return c.nic.num_vc; },
            nic_in(&Nic::In::tx_credit), links)
            .when(credit)
            .link(),
        input("rx_*_i", fields_of_nic(kWordFields), nic_in(&Nic::In::rx), links).link(),
        output("rx_full_o", links, &Out::rx_full).when(full).link(),
        output("rx_credit_o", links, &Out::rx_credit).when(credit).link().apart(),
        output("barrier_enter_o", 1, &Out::barrier_enter).when(&Config::barrier),
        input("barrier_count_i", kCountW, &In::barriers).when(&Config::barrier),
        output("event_o", 1, &Out::event), input("hold_i", 1, nic_in(&Nic::In::hold)).when(ids),
        input("restart_i", 1, nic_in(&Nic::In::restart)).when(ids),
        output("waits_o", 1, &Out::waits).when(ids),
        output("overdue_o", 1, &Out::overdue).when(ids),
        output("tx_resent_o", kCountW, &Out::resent).when(ids),
        output("rx_repeated_o", kCountW, &Out::repeated).when(ids));
  }

  /// Throws ConfigError if a value is out of range, or the interface is to reduce.
  explicit AxiNic(const Config& config)
      : config_(config),
        registers_(config.registers()),
        nic_(with_ready(config.nic)),
        read_(config.reads()),
        write_(config.writes()) {
    reset();
  }

  void reset() {
    lite_.reset();
    registers_.reset();
    nic_.reset();
    read_.reset();
    write_.reset();
    now_ = 0;
  }

  /// Whether words of the memory are being read: then there is no restart.
  bool reads() const { return (nic_.out().mem_ren & low_mask(config_.nic.num_ctrl)) != 0; }
  /// The outputs of a cycle with these inputs; only `event` depends on one of the same cycle.
  const Out& eval(const In& in) {
    RegisterBlock::In access;
    access.wen = lite_.wen(in.lite.b_ready);
    access.waddr = lite_.out().waddr;
    access.wdata = lite_.out().wdata;
    access.raddr = lite_.out().raddr;
    access.status = nic_.out().status;
    access.status.barriers = in.barriers;
    access.memory_errors = read_.out().errors + write_.out().errors;
    registered_ = registers_.eval(access);
    out_.lite = lite_.out();
    out_.ar = read_.out().ar;
    out_.aw = write_.out().aw;
    out_.w = write_.out().w;
    out_.tx = nic_.out().tx;
    out_.rx_full = nic_.out().rx_full;
    out_.rx_credit = nic_.out().rx_credit;
    out_.barrier_enter = registered_.barrier_enter;
    out_.event = registered_.event;
    out_.waits = nic_.out().waits;
    out_.overdue = nic_.out().overdue;
    out_.resent = nic_.out().status.tx_resent;
    out_.repeated = nic_.out().status.rx_repeated;
    return out_;
  }

  /// The clock edge at the end of the cycle that was evaluated last, with these inputs.
  void tick(const In& in) {
    const Nic::Out& nic = nic_.out();
    AxiLite::In lite = in.lite;
    lite.wrefused = registered_.wrefused;
    lite.rdata = registered_.rdata;
    lite.rrefused = registered_.rrefused;

    AxiRead::In read;
    read.base = in.base;
    read.mem_ren = nic.mem_ren;
    read.ar_ready = in.ar_ready;
    read.r = in.r;
    for (unsigned c = 0; c < config_.nic.num_ctrl; ++c) {
      read.mem_read[c] = {nic.mem_raddr[c], nic.mem_rleft[c]};
    }
    AxiWrite::In write;
    write.base = in.base;
    write.mem_wen = nic.mem_wen;
    write.aw_ready = in.aw_ready;
    write.w_ready = in.w_ready;
    write.b = in.b;
    for (unsigned i = 0; i < config_.nic.links(); ++i) {
      write.mem_write[i] = {nic.mem_waddr[i], nic.mem_wleft[i]};
      write.mem_wdata[i] = nic.mem_wdata[i];
    }

    Nic::In to_nic = in.nic;
    to_nic.desc_valid = registered_.desc_valid;
    to_nic.desc = registered_.desc;
    to_nic.windows = registered_.windows;
    to_nic.now = now_++;
    to_nic.mem_rready = static_cast<std::uint16_t>(AxiRead::ready(in.r));
    to_nic.mem_wready = static_cast<std::uint8_t>(write_.ready(write));
    to_nic.mem_rdata.fill(read_.out().mem_rdata);

    nic_.step(to_nic);
    read_.step(read);
    write_.step(write);
    registers_.tick();
    lite_.step(lite);
  }

 private:
  static Nic::Config with_ready(Nic::Config nic) {
    nic.mem_ready = true;
    return nic;
  }

  Config config_;
  AxiLite lite_;
  RegisterBlock registers_;
  RegisterBlock::Out registered_;
  Nic nic_;
  AxiRead read_;
  AxiWrite write_;
  std::uint32_t now_ = 0;  // Cycles since reset.
  Out out_;
};

}  // namespace weft
