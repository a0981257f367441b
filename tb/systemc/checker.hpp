// Checker of the SystemC bench: models against Verilated RTL, and both against bare models that are
// stepped without SystemC, on every output in every cycle.
#pragma once

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <bit>
#include <cstdint>
#include <string>
#include <systemc>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/crossbar/crossbar.hpp"
#include "tb/systemc/crossbar_system.hpp"

namespace weft::tb {

/// Compares at each rising edge, before the modules' outputs change. Throws CheckError.
class Checker : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Checker);

  Checker(const sc_core::sc_module_name& name, const sc_core::sc_clock& clk, const Drive& drive,
          const CrossbarSystem& model, const CrossbarSystem& rtl)
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
    now_ = rst_n_.read() ? now_ + 1 : 0;
  }

  // Reset is asynchronous: its effect is seen before the edge.
  void check_nic(unsigned n) {
    Nic& bare = bare_nics_[n];
    if (!rst_n_.read()) bare.reset();
    compare_outputs(*model_.nics[n], *rtl_.nics[n], bare.out());
    flits_ += bare.out().tx[0].valid;
    if (rst_n_.read()) bare.step(nic_inputs_.read(*model_.nics[n], now_));
  }

  void check_crossbar(std::size_t b) {
    Crossbar& bare = bare_crossbars_[b];
    if (!rst_n_.read()) bare.reset();
    compare_outputs(*model_.crossbars[b], *rtl_.crossbars[b], bare.out());
    flits_ += static_cast<unsigned>(std::popcount(bare.out().tx_valid[0]));
    if (rst_n_.read()) {
      bare.step(BlockInputs<Crossbar>(bare.config()).read(*model_.crossbars[b], now_));
    }
  }

  template <class Block>
  void compare_outputs(const BlockPorts<Block>& model, const BlockPorts<Block>& rtl,
                       const typename Block::Out& bare) {
    using Table = BlockTable<Block>;
    Table::for_each([&]<std::size_t g>() {
      if constexpr (!Table::template Group<g>::kInput) {
        const auto& outputs = model.template group<g>();
        for (unsigned i = 0; i < outputs.size(); ++i) {
          equal(model, std::get<g>(Table::kTable).name, i, rtl.template group<g>()[i].read(),
                outputs[i].read(), Table::template get<g>(bare, i));
        }
        compared_ += outputs.size();
      }
    });
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
  const CrossbarSystem& model_;
  const CrossbarSystem& rtl_;
  std::vector<Nic> bare_nics_;
  std::vector<Crossbar> bare_crossbars_;
  BlockInputs<Nic> nic_inputs_{kNic};
  std::uint32_t now_ = 0;  // cycles since reset
  std::uint64_t cycles_ = 0, compared_ = 0, flits_ = 0;
};

}  // namespace weft::tb
