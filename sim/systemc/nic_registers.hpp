// The registers of a network interface (sw/include/weft_registers.h) as a TLM-2.0 target.
#pragma once

#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <string>

#include "sim/processor/nic_port.hpp"
#include "sim/systemc/nic_module.hpp"
#include "sim/systemc/tlm_target.hpp"
#include "sim/systemc/unit_modules.hpp"
#include "sw/include/weft_registers.h"  // For the initiators of a platform.

namespace weft {

/// The signals of a node's interface and units that the registers read and drive.
struct RegisterSignals {
  BlockSignals<Nic>& nic;
  BlockSignals<BarrierUnit>* barrier = nullptr;  ///< Null without.
  BlockSignals<CombineUnit>* combine = nullptr;  ///< Null without.
};

/// The registers of a network interface as a driver sees them, at addresses from 0. One access is
/// performed in each clock cycle, at its falling edge, in the order of arrival; b_transport returns
/// then, so that an initiator that was ahead no longer is. A message that is posted so enters the
/// interface with the next rising edge.
///
/// Registers are read and written as words: another length gets TLM_BURST_ERROR_RESPONSE, an
/// address without such a register TLM_ADDRESS_ERROR_RESPONSE, a value that the register refuses
/// TLM_GENERIC_ERROR_RESPONSE; a refused access has no effect. PRINT, RESULT and FAIL belong to the
/// processor models and are no registers here.
class NicRegisters : public TlmTarget {
 public:
  SC_HAS_PROCESS(NicRegisters);

  sc_core::sc_in<bool> clk_i{"clk_i"};
  sc_core::sc_in<bool> rst_ni{"rst_ni"};
  /// Interrupt: true in cycles in which a register other than CYCLE reads differently from before.
  sc_core::sc_signal<bool> event_o{"event_o"};

  /// Registers for the initiators of a platform. `memory_bytes`: size of the node's memory.
  NicRegisters(const sc_core::sc_module_name& name, const RegisterSignals& signals,
               const Nic::Config& nic, std::uint32_t memory_bytes)
      : NicRegisters(name, signals, nullptr,
                     std::make_unique<NicPort>(memory_bytes, nic.num_ctrl)) {
    own_->set_header(nic.header);
    own_->set_reduces(nic.reduce);
    own_->set_timed(nic.timed);
    own_->set_windows(nic.windows);
    own_->set_combines(signals.combine != nullptr);
    at_reset_ = *own_;
  }
  /// The registers of a processor model, which begins their cycles with `status()` and stops after
  /// a refused access. `port` must outlive it.
  NicRegisters(const sc_core::sc_module_name& name, const RegisterSignals& signals, NicPort& port)
      : NicRegisters(name, signals, &port, nullptr) {}

  /// Status that interface and units show in the present cycle; call it at its rising edge.
  NicStatus status() const;

 private:
  struct Access {
    tlm::tlm_generic_payload* payload;
    bool done = false;
  };

  NicRegisters(const sc_core::sc_module_name& name, const RegisterSignals& signals, NicPort* port,
               std::unique_ptr<NicPort> own)
      : TlmTarget(name),
        signals_(signals),
        own_(std::move(own)),
        port_(own_ != nullptr ? *own_ : *port),
        at_reset_(port_) {
    SC_METHOD(rise);
    dont_initialize();
    sensitive << clk_i.pos();
    SC_METHOD(fall);
    dont_initialize();
    sensitive << clk_i.neg();
    SC_METHOD(drive);
    sensitive << drive_;
  }

  void transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override {
    if (payload.get_data_length() != 4) {
      payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
      return;
    }
    if (payload.get_address() >= kBytes || payload.get_address() % 4 != 0) {
      payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
      return;
    }
    if (delay != sc_core::SC_ZERO_TIME) wait(delay);
    delay = sc_core::SC_ZERO_TIME;
    Access access{&payload};
    waiting_.push_back(&access);
    while (!access.done) wait(performed_);
  }

  void rise() {
    if (own_ == nullptr) return;
    if (!rst_ni.read()) {
      port_ = at_reset_;
      cycle_ = 0;
      event_o.write(false);
      return;
    }
    port_.begin_cycle(status(), cycle_++);
    event_o.write(port_.take_event());
  }

  // Runs a delta cycle later, so that an access that begins at the edge is included.
  void fall() { drive_.notify(sc_core::SC_ZERO_TIME); }

  void drive() {
    if (!waiting_.empty() && rst_ni.read()) {
      Access* const access = waiting_.front();
      waiting_.pop_front();
      perform(*access->payload);
      access->done = true;
      performed_.notify();
    }
    auto& nic = signals_.nic;
    nic.at<"desc_valid_i">() = port_.posted();
    if (port_.posted()) nic.at<"desc_i">() = port_.descriptor();
    const ReceiveWindows& windows = port_.windows();
    for (unsigned w = 0; w < nic.vector<"rx_base_i">().size(); ++w) {
      nic.vector<"rx_base_i">()[w] = windows.base[w];
      nic.vector<"rx_size_i">()[w] = windows.size[w];
      if (w < nic.vector<"rx_key_i">().size()) nic.vector<"rx_key_i">()[w] = windows.key[w];
    }
    for (auto& reduction : nic.vector<"reduce_i">()) reduction = port_.reduction();
    if (signals_.barrier != nullptr) signals_.barrier->at<"enter_i">() = port_.entered();
    if (signals_.combine == nullptr) return;
    signals_.combine->at<"post_i">() = port_.combines();
    if (port_.combines()) signals_.combine->at<"order_i">() = port_.combine_order();
  }

  void perform(tlm::tlm_generic_payload& payload) {
    const auto reg = static_cast<std::uint32_t>(payload.get_address());
    NicPort trial = port_;
    std::uint32_t value = 0;
    if (payload.is_read()) {
      value = trial.read(reg);
      std::memcpy(payload.get_data_ptr(), &value, sizeof value);
    } else {
      std::memcpy(&value, payload.get_data_ptr(), sizeof value);
      trial.write(reg, value);
    }
    // Reads are refused only where there is no register.
    const bool none = payload.is_read() || trial.fault().ends_with("which cannot be written");
    payload.set_response_status(!trial.faulted() ? tlm::TLM_OK_RESPONSE
                                : none           ? tlm::TLM_ADDRESS_ERROR_RESPONSE
                                                 : tlm::TLM_GENERIC_ERROR_RESPONSE);
    if (!trial.faulted() || own_ == nullptr) {
      port_ = trial;
    } else if (!payload.is_read()) {
      port_.count_refused_write();
    }
  }

  static constexpr sc_dt::uint64 kBytes = 0x1000;

  RegisterSignals signals_;
  std::unique_ptr<NicPort> own_;  // Null: those of a processor model.
  NicPort& port_;
  NicPort at_reset_;
  std::uint64_t cycle_ = 0;
  std::deque<Access*> waiting_;
  sc_core::sc_event drive_, performed_;
};

inline NicStatus NicRegisters::status() const {
  const auto& nic = signals_.nic;
  NicStatus status;
  status.desc_free = nic.at<"desc_free_o">().read();
  status.tx_count = nic.at<"tx_count_o">().read();
  for (unsigned t = 0; t < kNumRxCounts; ++t) {
    status.rx_count[t] = nic.vector<"rx_count_o">()[t].read();
    status.rx_arrived[t] = nic.vector<"rx_arrived_o">()[t].read();
  }
  const auto& by_link = nic.vector<"rx_link_o">();
  for (unsigned i = 0; i < by_link.size(); ++i) status.rx_link[i] = by_link[i].read();
  status.rx_parity = nic.at<"rx_parity_o">().read();
  status.rx_refused = nic.at<"rx_refused_o">().read();
  if (signals_.barrier != nullptr) status.barriers = signals_.barrier->at<"count_o">().read();
  if (signals_.combine != nullptr) status.combines = signals_.combine->at<"done_o">().read();
  return status;
}

}  // namespace weft
