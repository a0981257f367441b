// Local memory of a node for the memory port of a network interface.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <systemc>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/systemc/nic_module.hpp"

namespace weft {

/// Synchronous memory of words as wide as flits: a word read in cycle t is on `rdata_o` in cycle
/// t+1, one written in cycle t is in memory from t+1 on. An address beyond its end throws
/// CheckError.
class MemoryModule : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(MemoryModule);

  sc_core::sc_in<bool> clk_i{"clk_i"};
  sc_core::sc_vector<sc_core::sc_in<bool>> ren_i;             ///< By lane: read.
  sc_core::sc_vector<sc_core::sc_in<std::uint32_t>> raddr_i;  ///< By lane: read address, words.
  sc_core::sc_vector<sc_core::sc_out<FlitData>> rdata_o;
  sc_core::sc_in<bool> wen_i{"wen_i"};
  sc_core::sc_in<std::uint32_t> waddr_i{"waddr_i"};  ///< Write address, words.
  sc_core::sc_in<FlitData> wdata_i{"wdata_i"};

  std::vector<FlitData> words;  ///< The contents.

  MemoryModule(const sc_core::sc_module_name& name, unsigned lanes, std::size_t size)
      : sc_module(name),
        ren_i("ren_i", lanes),
        raddr_i("raddr_i", lanes),
        rdata_o("rdata_o", lanes),
        words(size) {
    SC_METHOD(edge);
    dont_initialize();
    sensitive << clk_i.pos();
  }

 private:
  void edge() {
    for (std::size_t lane = 0; lane < ren_i.size(); ++lane) {
      if (ren_i[lane].read()) rdata_o[lane].write(at(raddr_i[lane].read()));
    }
    if (wen_i.read()) at(waddr_i.read()) = wdata_i.read();
  }

  FlitData& at(std::uint32_t address) {
    if (address < words.size()) return words[address];
    throw CheckError(
        fmt::format("{}: address {} beyond {} words", this->name(), address, words.size()));
  }
};

/// Connects a memory to the signals of its network interface.
inline void join_memory(MemoryModule& memory, BlockSignals<Nic>& nic) {
  memory.ren_i.bind(nic.vector<"mem_ren_o">());
  memory.raddr_i.bind(nic.vector<"mem_raddr_o">());
  memory.rdata_o.bind(nic.vector<"mem_rdata_i">());
  memory.wen_i.bind(nic.at<"mem_wen_o">());
  memory.waddr_i.bind(nic.at<"mem_waddr_o">());
  memory.wdata_i.bind(nic.at<"mem_wdata_o">());
}

}  // namespace weft
