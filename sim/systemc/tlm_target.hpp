// Base of the TLM-2.0 targets: loosely timed and approximately timed accesses from one function.
#pragma once

// tlm_utils spawns processes.
#ifndef SC_INCLUDE_DYNAMIC_PROCESSES
#define SC_INCLUDE_DYNAMIC_PROCESSES
#endif
#include <tlm.h>
#include <tlm_utils/peq_with_get.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <systemc>

namespace weft {

/// A target of 32-bit sockets. A derived class performs an access in `transport`, as b_transport.
///
/// Approximately timed, the four phases of one transaction follow each other, and a further request
/// waits: END_REQ in the cycle of BEGIN_REQ if the target is idle, BEGIN_RESP when the access is
/// performed, END_RESP by the initiator.
class TlmTarget : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(TlmTarget);

  tlm_utils::simple_target_socket<TlmTarget> socket{"socket"};

 protected:
  explicit TlmTarget(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_b_transport(this, &TlmTarget::b_transport);
    socket.register_nb_transport_fw(this, &TlmTarget::nb_transport_fw);
    socket.register_get_direct_mem_ptr(this, &TlmTarget::direct);
    socket.register_transport_dbg(this, &TlmTarget::debug);
    SC_THREAD(serve);
  }

  /// Performs an access that has no byte enables, and sets its response; in a thread, so that it
  /// may wait. `delay`: how far the initiator is ahead.
  virtual void transport(tlm::tlm_generic_payload& access, sc_core::sc_time& delay) = 0;
  virtual bool direct(tlm::tlm_generic_payload&, tlm::tlm_dmi&) { return false; }
  /// Bytes read or written without time or side effects.
  virtual unsigned debug(tlm::tlm_generic_payload&) { return 0; }

 private:
  void b_transport(tlm::tlm_generic_payload& access, sc_core::sc_time& delay) {
    access.set_dmi_allowed(false);
    if (access.get_byte_enable_ptr() != nullptr) {
      access.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    } else if (access.get_streaming_width() < access.get_data_length() ||
               access.get_data_length() == 0) {
      access.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    } else if (access.get_command() == tlm::TLM_IGNORE_COMMAND) {
      access.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
    } else {
      transport(access, delay);
    }
  }

  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& access, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) {
    if (phase == tlm::BEGIN_REQ) {
      if (access.has_mm()) access.acquire();
      requests_.notify(access, delay);
      return tlm::TLM_ACCEPTED;
    }
    if (phase == tlm::END_RESP) {
      ended_.notify(delay);
      return tlm::TLM_COMPLETED;
    }
    SC_REPORT_ERROR(name(), "nb_transport_fw: expected: BEGIN_REQ or END_RESP");
    return tlm::TLM_ACCEPTED;
  }

  void serve() {
    for (;;) {
      tlm::tlm_generic_payload* access = requests_.get_next_transaction();
      if (access == nullptr) {
        wait(requests_.get_event());
        continue;
      }
      if (send(*access, tlm::END_REQ) != tlm::TLM_COMPLETED) {
        sc_core::sc_time delay;
        b_transport(*access, delay);
        if (delay != sc_core::SC_ZERO_TIME) wait(delay);
        if (send(*access, tlm::BEGIN_RESP) == tlm::TLM_ACCEPTED) wait(ended_);
      }
      if (access->has_mm()) access->release();
    }
  }

  // Waits for the delay that the initiator adds in its own answer.
  tlm::tlm_sync_enum send(tlm::tlm_generic_payload& access, tlm::tlm_phase phase) {
    sc_core::sc_time delay;
    const tlm::tlm_sync_enum answer = socket->nb_transport_bw(access, phase, delay);
    if (answer != tlm::TLM_ACCEPTED && delay != sc_core::SC_ZERO_TIME) wait(delay);
    return answer;
  }

  tlm_utils::peq_with_get<tlm::tlm_generic_payload> requests_{"requests"};
  sc_core::sc_event ended_;
};

}  // namespace weft
