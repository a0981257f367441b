// Verilated blocks behind the models' interface, and a model and its RTL side by side.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/crossbar/crossbar.hpp"
#include "sim/network/emit.hpp"
#include "sim/network/verilate.hpp"
#include "sim/nic/nic.hpp"

namespace weft {

/// Library of the network interface with the parameters of `config`.
std::shared_ptr<const RtlLibrary> nic_library(const NicParams& params, bool assertions);
/// Library of one crossbar.
std::shared_ptr<const RtlLibrary> crossbar_library(const Crossbar::Config& shape, unsigned flit_w,
                                                   bool assertions);

/// Ports of a `nic`, alone or as one slice of the vectors of `weft_top`.
class RtlNicPorts {
 public:
  /// `index` of `count` interfaces whose ports stand side by side in `rtl`.
  RtlNicPorts(const RtlInstance& rtl, const NicParams& params, unsigned index, unsigned count);

  /// Drives everything but the links.
  void drive(const Nic::In& in);
  /// Reads everything but the links.
  void sample(Nic::Out& out) const;

 private:
  struct Slice {
    RtlPort port;
    unsigned lsb = 0, width = 1;
    std::uint64_t get() const { return port.bits(lsb, width); }
    void set(std::uint64_t value) { port.set_bits(lsb, width, value); }
  };

  unsigned lanes_;
  bool posted_ = true;  // the descriptor ports may differ from 0
  Slice desc_valid_, desc_dst_, desc_addr_, desc_len_, desc_off_, desc_tag_, desc_gap_, rx_base_,
      rx_size_;
  Slice desc_free_, tx_count_, mem_ren_, mem_wen_, mem_waddr_, mem_wdata_, rx_parity_, rx_refused_;
  std::vector<Slice> mem_rdata_, mem_raddr_, rx_count_;
};

/// Verilated `nic`.
class RtlNic {
 public:
  RtlNic(std::shared_ptr<const RtlLibrary> library, const NicParams& params);

  const Nic::Out& out() const { return out_; }
  bool idle(const Nic::In&) const { return false; }
  bool status_changed() const { return true; }
  const Nic::Out& step(const Nic::In& in);

 private:
  void sample();

  RtlInstance rtl_;
  RtlNicPorts ports_;
  bool parity_;
  RtlPort node_, tx_valid_, tx_last_, tx_data_, tx_full_, rx_valid_, rx_last_, rx_data_, rx_full_;
  Nic::Out out_ = {};
};

/// Verilated `crossbar`.
class RtlCrossbar {
 public:
  RtlCrossbar(std::shared_ptr<const RtlLibrary> library, const Crossbar::Config& config,
              unsigned flit_w);

  Crossbar::Out out() const {
    return {tx_.data(), tx_valid_.data(), rx_full_.data(), rx_full_changed_.data()};
  }
  bool quiet() const { return false; }
  void step(const Crossbar::In& in);
  /// Throws Difference where an outgoing link shows anything but 0 beside no word: `out` holds
  /// words only.
  void check_silent_links() const;

 private:
  void sample();

  RtlInstance rtl_;
  unsigned num_in_, num_tx_, flit_w_;
  RtlPort port_rx_valid_, port_rx_last_, port_rx_data_, port_rx_full_;
  RtlPort port_tx_valid_, port_tx_last_, port_tx_data_, port_tx_full_;
  std::vector<Flit> tx_;
  std::vector<std::uint64_t> rx_before_, tx_valid_, rx_full_, rx_full_changed_;
};

/// A difference between RTL and model: what the first one was. The engine adds cycle and instance.
struct Difference : CheckError {
  Difference(std::string port_name, std::uint64_t rtl_value, std::uint64_t model_value)
      : CheckError(
            fmt::format("port {}: RTL {:#x}, model {:#x}", port_name, rtl_value, model_value)) {}
};

/// Throws Difference for the first port in which the outputs of two interfaces differ.
void compare(const Nic::Out& rtl, const Nic::Out& model);
/// The same for two crossbars of one configuration.
void compare(const Crossbar::Out& rtl, const Crossbar::Out& model, const Crossbar::Config& config);

/// Model and RTL of an interface; shows the model's outputs.
class BothNic {
 public:
  BothNic(Nic model, RtlNic rtl) : model_(std::move(model)), rtl_(std::move(rtl)) {
    compare(rtl_.out(), model_.out());
  }
  const Nic::Out& out() const { return model_.out(); }
  bool idle(const Nic::In&) const { return false; }
  bool status_changed() const { return true; }
  const Nic::Out& step(const Nic::In& in) {
    model_.step(in);
    compare(rtl_.step(in), model_.out());
    return model_.out();
  }

 private:
  Nic model_;
  RtlNic rtl_;
};

/// Model and RTL of a crossbar; shows the model's outputs.
class BothCrossbar {
 public:
  BothCrossbar(Crossbar model, RtlCrossbar rtl) : model_(std::move(model)), rtl_(std::move(rtl)) {
    check();
  }
  Crossbar::Out out() const { return model_.out(); }
  bool quiet() const { return false; }
  void step(const Crossbar::In& in) {
    model_.step(in);
    rtl_.step(in);
    check();
  }

 private:
  void check() const {
    compare(rtl_.out(), model_.out(), model_.config());
    rtl_.check_silent_links();
  }

  Crossbar model_;
  RtlCrossbar rtl_;
};

}  // namespace weft
