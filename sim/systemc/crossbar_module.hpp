// Crossbar as a SystemC module; the ports are those of rtl/crossbar/crossbar.sv, with a link's
// wires as one signal. The own address is part of the configuration.
#pragma once

#include <cstdint>
#include <optional>
#include <systemc>
#include <vector>

#include "sim/systemc/cores.hpp"
#include "sim/systemc/signals.hpp"

namespace weft {

/// The ports of a crossbar, whatever is behind them. All outputs are registers: they change one
/// delta cycle after the rising edge of `clk_i`, and one after the falling edge of `rst_ni`.
class CrossbarPorts : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk_i{"clk_i"};
  sc_core::sc_in<bool> rst_ni{"rst_ni"};                ///< Asynchronous reset, active low.
  sc_core::sc_vector<sc_core::sc_in<Flit>> rx_i;        ///< Incoming links, `num_in`.
  sc_core::sc_vector<sc_core::sc_out<bool>> rx_full_o;  ///< Their Buffer-Full.
  sc_core::sc_vector<sc_core::sc_out<Flit>> tx_o;       ///< Outputs, then detours; `num_tx`.
  sc_core::sc_vector<sc_core::sc_in<bool>> tx_full_i;   ///< Their Buffer-Full.

  const Crossbar::Config& config() const { return config_; }

 protected:
  CrossbarPorts(const sc_core::sc_module_name& name, const Crossbar::Config& config)
      : sc_module(name),
        rx_i("rx_i", config.num_in),
        rx_full_o("rx_full_o", config.num_in),
        tx_o("tx_o", config.num_tx()),
        tx_full_i("tx_full_i", config.num_tx()),
        config_(config),
        rx_(config.num_in),
        rx_valid_((config.num_in + 63) / 64),
        tx_full_((config.num_tx() + 63) / 64) {}

  /// The inputs of the present cycle; the view lasts until the next call.
  Crossbar::In read() {
    rx_valid_.assign(rx_valid_.size(), 0);
    tx_full_.assign(tx_full_.size(), 0);
    for (std::size_t i = 0; i < rx_.size(); ++i) {
      rx_[i] = rx_i[i].read();
      rx_valid_[i / 64] |= std::uint64_t{rx_[i].valid} << i % 64;
    }
    for (std::size_t t = 0; t < tx_full_i.size(); ++t) {
      tx_full_[t / 64] |= std::uint64_t{tx_full_i[t].read()} << t % 64;
    }
    return {rx_.data(), rx_valid_.data(), tx_full_.data()};
  }

  void write(const Crossbar::Out& out) {
    for (std::size_t t = 0; t < tx_o.size(); ++t) tx_o[t].write(out.tx[t]);
    for (std::size_t i = 0; i < rx_.size(); ++i) {
      rx_full_o[i].write((out.rx_full[i / 64] >> i % 64 & 1) != 0);
    }
  }

 private:
  Crossbar::Config config_;
  std::vector<Flit> rx_;
  std::vector<std::uint64_t> rx_valid_, tx_full_;
};

/// A crossbar; `Core` is Crossbar (cycle model) or RtlCrossbar (Verilated RTL).
template <class Core>
class CrossbarModule : public CrossbarPorts {
 public:
  SC_HAS_PROCESS(CrossbarModule);

  /// `parity`: the links carry parity. Throws ConfigError for a configuration that the block cannot
  /// have.
  CrossbarModule(const sc_core::sc_module_name& name, const Crossbar::Config& config, bool parity)
      : CrossbarPorts(name, config), parity_(parity), core_(make_crossbar<Core>(config, parity)) {
    SC_METHOD(edge);
    dont_initialize();
    sensitive << clk_i.pos() << rst_ni.neg();
  }

 private:
  void start_of_simulation() override { write(core_->out()); }

  void edge() {
    if (rst_ni.read()) {
      core_->step(read());
      fresh_ = false;
    } else if (!fresh_) {
      core_.emplace(make_crossbar<Core>(config(), parity_));
      fresh_ = true;
    }
    write(core_->out());
  }

  bool parity_;
  std::optional<Core> core_;
  bool fresh_ = true;  // in the reset state
};

}  // namespace weft
