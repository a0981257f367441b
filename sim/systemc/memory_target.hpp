// Main memory of a node as a TLM-2.0 target.
#pragma once

#include <cstdint>
#include <cstring>

#include "sim/processor/memory.hpp"
#include "sim/systemc/tlm_target.hpp"

namespace weft {

/// Byte-addressed memory from address 0, with direct memory interface. Accesses of any length and
/// alignment; one that ends outside gets TLM_ADDRESS_ERROR_RESPONSE.
class MemoryTarget : public TlmTarget {
 public:
  /// `memory` must outlive it; each access adds `latency` to the initiator's delay.
  MemoryTarget(const sc_core::sc_module_name& name, Memory& memory,
               const sc_core::sc_time& latency = sc_core::SC_ZERO_TIME)
      : TlmTarget(name), memory_(memory), latency_(latency) {}

 private:
  void transport(tlm::tlm_generic_payload& access, sc_core::sc_time& delay) override {
    if (!copy(access)) {
      access.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
      return;
    }
    delay += latency_;
    access.set_dmi_allowed(true);
    access.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  unsigned debug(tlm::tlm_generic_payload& access) override {
    return copy(access) ? access.get_data_length() : 0;
  }
  bool direct(tlm::tlm_generic_payload&, tlm::tlm_dmi& dmi) override {
    dmi.set_dmi_ptr(memory_.data());
    dmi.set_start_address(0);
    dmi.set_end_address(memory_.bytes() - 1);
    dmi.set_granted_access(tlm::tlm_dmi::DMI_ACCESS_READ_WRITE);
    dmi.set_read_latency(latency_);
    dmi.set_write_latency(latency_);
    return true;
  }

  // Returns false outside the memory.
  bool copy(tlm::tlm_generic_payload& access) {
    const sc_dt::uint64 address = access.get_address();
    const unsigned bytes = access.get_data_length();
    if (address > UINT32_MAX || !memory_.contains(static_cast<std::uint32_t>(address), bytes)) {
      return false;
    }
    std::uint8_t* const at = memory_.data() + address;
    if (access.is_read()) {
      std::memcpy(access.get_data_ptr(), at, bytes);
    } else if (access.is_write()) {
      std::memcpy(at, access.get_data_ptr(), bytes);
    }
    return true;
  }

  Memory& memory_;
  sc_core::sc_time latency_;
};

}  // namespace weft
