// Network interface with Buffer-Full links as a SystemC module; the ports are those of
// rtl/nic/nic.sv, with a link's or a descriptor's wires as one signal.
#pragma once

#include <cstdint>
#include <optional>
#include <systemc>

#include "sim/base/error.hpp"
#include "sim/systemc/cores.hpp"
#include "sim/systemc/signals.hpp"

namespace weft {

/// The ports of a network interface, whatever is behind them. All outputs are registers: they
/// change one delta cycle after the rising edge of `clk_i`, and one after the falling edge of
/// `rst_ni`.
class NicPorts : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk_i{"clk_i"};
  sc_core::sc_in<bool> rst_ni{"rst_ni"};              ///< Asynchronous reset, active low.
  sc_core::sc_in<std::uint32_t> node_i{"node_i"};     ///< Own address.
  sc_core::sc_in<bool> desc_valid_i{"desc_valid_i"};  ///< Ignored while `desc_free_o` is 0.
  sc_core::sc_in<Descriptor> desc_i{"desc_i"};
  sc_core::sc_out<std::uint32_t> desc_free_o{"desc_free_o"};  ///< Free places in the queue.
  sc_core::sc_out<std::uint32_t> tx_count_o{"tx_count_o"};    ///< Messages sent to the last flit.
  sc_core::sc_vector<sc_core::sc_out<bool>> mem_ren_o;        ///< Memory read, by lane.
  sc_core::sc_vector<sc_core::sc_out<std::uint32_t>> mem_raddr_o;  ///< Flits; 0 without a read.
  sc_core::sc_vector<sc_core::sc_in<std::uint64_t>> mem_rdata_i;   ///< The cycle after the read.
  sc_core::sc_out<bool> mem_wen_o{"mem_wen_o"};                    ///< Memory write.
  sc_core::sc_out<std::uint32_t> mem_waddr_o{"mem_waddr_o"};       ///< Flits; 0 without a write.
  sc_core::sc_out<std::uint64_t> mem_wdata_o{"mem_wdata_o"};       ///< 0 without a write.
  sc_core::sc_out<Flit> tx_o{"tx_o"};                              ///< Outgoing link.
  sc_core::sc_in<bool> tx_full_i{"tx_full_i"};                     ///< Its Buffer-Full.
  sc_core::sc_in<Flit> rx_i{"rx_i"};                               ///< Incoming link.
  sc_core::sc_out<bool> rx_full_o{"rx_full_o"};                    ///< Its Buffer-Full.
  sc_core::sc_in<std::uint32_t> rx_base_i{"rx_base_i"};    ///< Receive window: first word, flits.
  sc_core::sc_in<std::uint32_t> rx_size_i{"rx_size_i"};    ///< Receive window: size, flits.
  sc_core::sc_vector<sc_core::sc_in<Reduction>> reduce_i;  ///< One with Config::reduce, else none.
  sc_core::sc_vector<sc_core::sc_out<std::uint32_t>> rx_count_o;    ///< Messages stored, by tag.
  sc_core::sc_vector<sc_core::sc_out<std::uint32_t>> rx_arrived_o;  ///< Messages judged, by tag.
  sc_core::sc_out<std::uint32_t> rx_parity_o{"rx_parity_o"};        ///< Packets dropped: parity.
  sc_core::sc_out<std::uint32_t> rx_refused_o{"rx_refused_o"};  ///< Packets dropped: place, length.

  const Nic::Config& config() const { return config_; }

 protected:
  NicPorts(const sc_core::sc_module_name& name, const Nic::Config& config)
      : sc_module(name),
        mem_ren_o("mem_ren_o", config.lanes()),
        mem_raddr_o("mem_raddr_o", config.lanes()),
        mem_rdata_i("mem_rdata_i", config.lanes()),
        reduce_i("reduce_i", config.reduce ? 1 : 0),
        rx_count_o("rx_count_o", kNumRxCounts),
        rx_arrived_o("rx_arrived_o", kNumRxCounts),
        config_(config) {
    if (config.credit) throw ConfigError("nic: credit links are not for this module");
  }

  void read(Nic::In& in) const {
    in.rx[0] = rx_i.read();
    in.tx_full = tx_full_i.read();
    in.desc_valid = desc_valid_i.read();
    in.desc = desc_i.read();
    in.node = node_i.read();
    in.rx_base = rx_base_i.read();
    in.rx_size = rx_size_i.read();
    for (unsigned c = 0; c < config_.lanes(); ++c) in.mem_rdata[c] = mem_rdata_i[c].read();
    if (config_.reduce) in.reduction = reduce_i[0].read();
  }

  void write(const Nic::Out& out) {
    tx_o.write(out.tx[0]);
    rx_full_o.write(out.rx_full);
    desc_free_o.write(out.status.desc_free);
    tx_count_o.write(out.status.tx_count);
    for (unsigned c = 0; c < config_.lanes(); ++c) {
      mem_ren_o[c].write((out.mem_ren >> c & 1) != 0);
      mem_raddr_o[c].write(out.mem_raddr[c]);
    }
    mem_wen_o.write(out.mem_wen != 0);
    mem_waddr_o.write(out.mem_waddr[0]);
    mem_wdata_o.write(out.mem_wdata[0]);
    for (unsigned t = 0; t < kNumRxCounts; ++t) {
      rx_count_o[t].write(out.status.rx_count[t]);
      rx_arrived_o[t].write(out.status.rx_arrived[t]);
    }
    rx_parity_o.write(out.status.rx_parity);
    rx_refused_o.write(out.status.rx_refused);
  }

 private:
  Nic::Config config_;
};

/// A network interface; `Core` is Nic (cycle model) or RtlNic (Verilated RTL).
template <class Core>
class NicModule : public NicPorts {
 public:
  SC_HAS_PROCESS(NicModule);

  /// Throws ConfigError for a configuration that the block cannot have.
  NicModule(const sc_core::sc_module_name& name, const Nic::Config& config)
      : NicPorts(name, config), core_(make_nic<Core>(config)) {
    SC_METHOD(edge);
    dont_initialize();
    sensitive << clk_i.pos() << rst_ni.neg();
  }

 private:
  void start_of_simulation() override { write(core_->out()); }

  void edge() {
    if (rst_ni.read()) {
      read(in_);
      core_->step(in_);
      fresh_ = false;
    } else if (!fresh_) {
      core_.emplace(make_nic<Core>(config()));
      fresh_ = true;
    }
    write(core_->out());
  }

  std::optional<Core> core_;
  Nic::In in_;
  bool fresh_ = true;  // in the reset state
};

}  // namespace weft
