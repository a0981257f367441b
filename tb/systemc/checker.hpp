// Checker of the SystemC bench: models against Verilated RTL, and both against bare models that are
// stepped without SystemC, on every output in every cycle.
#pragma once

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <array>
#include <cstdint>
#include <string>
#include <systemc>
#include <vector>

#include "sim/base/error.hpp"
#include "tb/systemc/machine.hpp"

namespace weft::tb {

/// All inputs of a network interface in the present cycle, read from its ports.
inline Nic::In inputs(const NicPorts& nic) {
  Nic::In in;
  in.rx[0] = nic.rx_i.read();
  in.tx_full = nic.tx_full_i.read();
  in.desc_valid = nic.desc_valid_i.read();
  in.desc = nic.desc_i.read();
  in.node = nic.node_i.read();
  in.rx_base = nic.rx_base_i.read();
  in.rx_size = nic.rx_size_i.read();
  in.reduction = nic.reduce_i[0].read();
  for (unsigned c = 0; c < kNic.lanes(); ++c) in.mem_rdata[c] = nic.mem_rdata_i[c].read();
  return in;
}

/// All its outputs.
inline Nic::Out outputs(const NicPorts& nic) {
  Nic::Out out;
  out.tx[0] = nic.tx_o.read();
  out.rx_full = nic.rx_full_o.read();
  out.mem_wen = nic.mem_wen_o.read() ? 1 : 0;
  out.mem_waddr[0] = nic.mem_waddr_o.read();
  out.mem_wdata[0] = nic.mem_wdata_o.read();
  out.status.desc_free = nic.desc_free_o.read();
  out.status.tx_count = nic.tx_count_o.read();
  out.status.rx_parity = nic.rx_parity_o.read();
  out.status.rx_refused = nic.rx_refused_o.read();
  for (unsigned c = 0; c < kNic.lanes(); ++c) {
    out.mem_ren = static_cast<std::uint16_t>(out.mem_ren | nic.mem_ren_o[c].read() << c);
    out.mem_raddr[c] = nic.mem_raddr_o[c].read();
  }
  for (unsigned t = 0; t < kNumRxCounts; ++t) {
    out.status.rx_count[t] = nic.rx_count_o[t].read();
    out.status.rx_arrived[t] = nic.rx_arrived_o[t].read();
  }
  return out;
}

/// Compares at each rising edge, before the modules' outputs change. Throws CheckError.
class Checker : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Checker);

  Checker(const sc_core::sc_module_name& name, const sc_core::sc_clock& clk, const Drive& drive,
          const Machine& model, const Machine& rtl)
      : sc_module(name), rst_n_(drive.rst_n), model_(model), rtl_(rtl) {
    bare_nics_.assign(kNodes, Nic(kNic));
    for (const auto& crossbar : model.crossbars) bare_crossbars_.emplace_back(crossbar->config());
    SC_METHOD(edge);
    dont_initialize();
    sensitive << clk.posedge_event();
  }

  std::uint64_t cycles() const { return cycles_; }
  std::uint64_t compared() const { return compared_; }  ///< Output ports, over all cycles.
  std::uint64_t flits() const { return flits_; }        ///< Words on links, each link counted.

 private:
  void edge() {
    for (unsigned n = 0; n < kNodes; ++n) check_nic(n);
    for (std::size_t b = 0; b < bare_crossbars_.size(); ++b) check_crossbar(b);
    ++cycles_;
  }

  void check_nic(unsigned n) {
    Nic& bare = bare_nics_[n];
    // Reset is asynchronous: its effect is seen before the edge.
    if (!rst_n_.read()) bare.reset();
    const NicPorts &model = *model_.nics[n], &rtl = *rtl_.nics[n];
    const Nic::Out out = outputs(model);
    try {
      compare(outputs(rtl), out);
    } catch (const Difference& difference) {
      fail(model, difference.what());
    }
    if (out != bare.out()) fail(model, "SystemC module and bare model differ");
    compared_ += 10 + 2 * kNic.lanes() + 2 * kNumRxCounts;
    flits_ += out.tx[0].valid;
    if (rst_n_.read()) bare.step(inputs(model));
  }

  void check_crossbar(std::size_t b) {
    Crossbar& bare = bare_crossbars_[b];
    if (!rst_n_.read()) bare.reset();
    const CrossbarPorts &model = *model_.crossbars[b], &rtl = *rtl_.crossbars[b];
    std::array<Flit, 2 * kColumns> rx;
    std::uint64_t rx_valid = 0, tx_full = 0;
    for (unsigned t = 0; t < bare.config().num_tx(); ++t) {
      const Flit& flit = model.tx_o[t].read();
      equal(model, "tx_o", t, rtl.tx_o[t].read(), flit, bare.out().tx[t]);
      flits_ += flit.valid;
      tx_full |= std::uint64_t{model.tx_full_i[t].read()} << t;
    }
    for (unsigned i = 0; i < bare.config().num_in; ++i) {
      equal(model, "rx_full_o", i, rtl.rx_full_o[i].read(), model.rx_full_o[i].read(),
            (bare.out().rx_full[0] >> i & 1) != 0);
      rx[i] = model.rx_i[i].read();
      rx_valid |= std::uint64_t{rx[i].valid} << i;
    }
    compared_ += bare.config().num_tx() + bare.config().num_in;
    if (rst_n_.read()) bare.step({rx.data(), &rx_valid, &tx_full});
  }

  template <class Value>
  void equal(const sc_core::sc_module& at, const char* port, unsigned index, const Value& rtl,
             const Value& model, const Value& bare) const {
    if (rtl == model && model == bare) return;
    fail(at, fmt::format("port {}[{}]: RTL {}, model {}, bare model {}", port, index,
                         fmt::streamed(rtl), fmt::streamed(model), fmt::streamed(bare)));
  }

  [[noreturn]] void fail(const sc_core::sc_module& at, const std::string& what) const {
    throw CheckError(fmt::format("cycle {}, instance {}: {}", cycles_, at.basename(), what));
  }

  const sc_core::sc_signal<bool>& rst_n_;
  const Machine& model_;
  const Machine& rtl_;
  std::vector<Nic> bare_nics_;
  std::vector<Crossbar> bare_crossbars_;
  std::uint64_t cycles_ = 0, compared_ = 0, flits_ = 0;
};

}  // namespace weft::tb
