// Local memory of a node for the memory port of a network interface.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <systemc>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/systemc/nic_module.hpp"

namespace weft {

/// Synchronous memory of 64-bit words: a word read in cycle t is on `rdata_o` in cycle t+1, one
/// written in cycle t is in memory from t+1 on. An address beyond its end throws CheckError.
class MemoryModule : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(MemoryModule);

  sc_core::sc_in<bool> clk_i{"clk_i"};
  sc_core::sc_vector<sc_core::sc_in<bool>> ren_i;             ///< Read, by lane.
  sc_core::sc_vector<sc_core::sc_in<std::uint32_t>> raddr_i;  ///< Words.
  sc_core::sc_vector<sc_core::sc_out<std::uint64_t>> rdata_o;
  sc_core::sc_in<bool> wen_i{"wen_i"};
  sc_core::sc_in<std::uint32_t> waddr_i{"waddr_i"};  ///< Words.
  sc_core::sc_in<std::uint64_t> wdata_i{"wdata_i"};

  std::vector<std::uint64_t> words;  ///< The contents.

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

  std::uint64_t& at(std::uint32_t address) {
    if (address < words.size()) return words[address];
    throw CheckError(
        fmt::format("{}: address {} beyond {} words", this->name(), address, words.size()));
  }
};

/// The signals between the memory port of a network interface and its memory, joined to both.
class MemoryBus : public sc_core::sc_module {
 public:
  MemoryBus(const sc_core::sc_module_name& name, NicPorts& nic, MemoryModule& memory)
      : sc_module(name),
        ren_("mem_ren", nic.config().lanes()),
        raddr_("mem_raddr", nic.config().lanes()),
        rdata_("mem_rdata", nic.config().lanes()) {
    nic.mem_ren_o.bind(ren_);
    nic.mem_raddr_o.bind(raddr_);
    nic.mem_rdata_i.bind(rdata_);
    nic.mem_wen_o(wen_);
    nic.mem_waddr_o(waddr_);
    nic.mem_wdata_o(wdata_);
    memory.ren_i.bind(ren_);
    memory.raddr_i.bind(raddr_);
    memory.rdata_o.bind(rdata_);
    memory.wen_i(wen_);
    memory.waddr_i(waddr_);
    memory.wdata_i(wdata_);
  }

 private:
  sc_core::sc_vector<sc_core::sc_signal<bool>> ren_;
  sc_core::sc_vector<sc_core::sc_signal<std::uint32_t>> raddr_;
  sc_core::sc_vector<sc_core::sc_signal<std::uint64_t>> rdata_;
  sc_core::sc_signal<bool> wen_{"mem_wen"};
  sc_core::sc_signal<std::uint32_t> waddr_{"mem_waddr"};
  sc_core::sc_signal<std::uint64_t> wdata_{"mem_wdata"};
};

}  // namespace weft
