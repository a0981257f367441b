// The memory port of a network interface as a TLM-2.0 initiator.
#pragma once

#include <fmt/format.h>
#include <tlm.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <systemc>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/systemc/nic_module.hpp"
#include "sim/systemc/unit_modules.hpp"

namespace weft {

/// Reads and writes flits in a node's memory for its interface and its combine unit, by
/// b_transport. Their reads of a cycle are done at its rising edge and their writes at its falling
/// edge, the combine unit's words last: a processor that accesses memory between the two comes
/// after the reads and before the writes.
///
/// The interface needs a memory that answers in the same cycle: a delay that a target adds is
/// ignored, and a target that waits, or answers with an error, is a CheckError.
class MemoryInitiator : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(MemoryInitiator);

  sc_core::sc_in<bool> clk_i{"clk_i"};
  tlm_utils::simple_initiator_socket<MemoryInitiator> socket{"socket"};

  /// `flit_bytes`: bytes of a flit, in which addresses are counted. `nic`, and `combine` unless it
  /// is null, must outlive it.
  MemoryInitiator(const sc_core::sc_module_name& name, unsigned flit_bytes, BlockSignals<Nic>& nic,
                  BlockSignals<CombineUnit>* combine = nullptr)
      : sc_module(name), flit_bytes_(flit_bytes) {
    add(nic);
    if (combine != nullptr) add(*combine);
    SC_THREAD(serve);
  }

 private:
  struct Reader {
    const sc_core::sc_signal<bool>* enable;
    const sc_core::sc_signal<std::uint32_t>* address;
    sc_core::sc_signal<FlitData>* data;
  };
  struct Writer {
    const sc_core::sc_signal<bool>* enable;
    const sc_core::sc_signal<std::uint32_t>* address;
    const sc_core::sc_signal<FlitData>* data;
  };
  struct Write {
    std::uint32_t address;
    FlitData data;
  };

  template <class Block>
  void add(BlockSignals<Block>& signals) {
    auto& reads = signals.template vector<"mem_ren_o">();
    for (unsigned i = 0; i < reads.size(); ++i) {
      readers_.push_back({&reads[i], &signals.template vector<"mem_raddr_o">()[i],
                          &signals.template vector<"mem_rdata_i">()[i]});
    }
    auto& writes = signals.template vector<"mem_wen_o">();
    for (unsigned i = 0; i < writes.size(); ++i) {
      writers_.push_back({&writes[i], &signals.template vector<"mem_waddr_o">()[i],
                          &signals.template vector<"mem_wdata_o">()[i]});
    }
  }

  void serve() {
    std::vector<Write> writes;
    for (;;) {
      wait(clk_i.posedge_event());
      for (const Reader& reader : readers_) {
        if (!reader.enable->read()) continue;
        FlitData data;
        access(tlm::TLM_READ_COMMAND, reader.address->read(), data);
        reader.data->write(data);
      }
      writes.clear();
      for (const Writer& writer : writers_) {
        if (writer.enable->read()) writes.push_back({writer.address->read(), writer.data->read()});
      }
      if (writes.empty()) continue;
      wait(clk_i.negedge_event());
      for (Write& write : writes) access(tlm::TLM_WRITE_COMMAND, write.address, write.data);
    }
  }

  void access(tlm::tlm_command command, std::uint32_t flit, FlitData& data) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(sc_dt::uint64{flit} * flit_bytes_);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(data.word.data()));
    payload.set_data_length(flit_bytes_);
    payload.set_streaming_width(flit_bytes_);
    const sc_core::sc_time before = sc_core::sc_time_stamp();
    sc_core::sc_time delay;
    socket->b_transport(payload, delay);
    if (!payload.is_response_ok()) {
      throw CheckError(fmt::format("{}: {} of {} bytes at 0x{:x}: {}", name(),
                                   command == tlm::TLM_READ_COMMAND ? "read" : "write", flit_bytes_,
                                   payload.get_address(), payload.get_response_string()));
    }
    if (sc_core::sc_time_stamp() != before) {
      throw CheckError(fmt::format(
          "{}: the memory waited, expected: one that answers at once, and adds to the delay",
          name()));
    }
  }

  unsigned flit_bytes_;
  std::vector<Reader> readers_;
  std::vector<Writer> writers_;
};

}  // namespace weft
