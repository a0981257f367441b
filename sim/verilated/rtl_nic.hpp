// Verilated network interface behind the model's interface, alone and beside its model.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "sim/verilated/rtl_links.hpp"

namespace weft {

/// Ports of a `nic` towards its processor and memory, alone or as one slice of the vectors of
/// `weft_top`.
class RtlNicPorts {
 public:
  /// `index` of `count` interfaces whose ports stand side by side in `rtl`.
  RtlNicPorts(const RtlInstance& rtl, const Nic::Config& config, unsigned index, unsigned count);

  void drive(const Nic::In& in);
  void sample(Nic::Out& out) const;

 private:
  struct Slice {
    RtlPort port;
    unsigned lsb = 0, width = 1;
    std::uint64_t get() const { return port.bits(lsb, width); }
    void set(std::uint64_t value) { port.set_bits(lsb, width, value); }
  };

  bool posted_ = true;  // the descriptor ports may differ from 0
  bool reduces_;
  Slice desc_valid_, desc_dst_, desc_addr_, desc_len_, desc_off_, desc_tag_, desc_gap_, desc_ctrl_,
      rx_base_, rx_size_, reduce_op_, reduce_type_, reduce_count_;
  Slice desc_free_, tx_count_, mem_ren_, mem_wen_, rx_parity_, rx_refused_;
  std::vector<Slice> mem_rdata_, mem_raddr_, mem_waddr_, mem_wdata_, rx_count_, rx_arrived_;
};

/// Verilated `nic`.
class RtlNic {
 public:
  RtlNic(const Nic::Config& config, bool assertions);

  const Nic::Out& out() const { return out_; }
  bool idle(const Nic::In&) const { return false; }
  bool status_changed() const { return true; }
  const Nic::Out& step(const Nic::In& in);

 private:
  void sample();

  unsigned links_, num_vc_;
  bool credit_;
  RtlInstance rtl_;
  RtlNicPorts ports_;
  RtlPort node_, tx_full_, rx_full_, tx_credit_, rx_credit_;
  RtlFlits tx_, rx_;
  Nic::Out out_ = {};
};

/// Throws Difference for the first port in which the outputs of two interfaces differ.
void compare(const Nic::Out& rtl, const Nic::Out& model);

/// Model and RTL of an interface; shows the model's outputs.
class BothNic {
 public:
  explicit BothNic(const Nic::Config& config) : model_(config), rtl_(config, true) {
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

}  // namespace weft
