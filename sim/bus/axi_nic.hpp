// Network interface for a system on chip, cycle model of rtl/bus/weft_axi_nic.sv
// (rtl/bus/README.md, axi_nic): the models of its blocks, wired.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>

#include "sim/base/error.hpp"
#include "sim/bus/axi_lite.hpp"
#include "sim/bus/axi_read.hpp"
#include "sim/bus/axi_write.hpp"
#include "sim/bus/register_block.hpp"
#include "sim/nic/nic.hpp"

namespace weft {

/// A network interface whose registers are behind AXI4-Lite and whose memory is on AXI4. In each
/// cycle call `eval` with its inputs, which returns the outputs, then `tick`.
class AxiNic {
 public:
  struct Config {
    Nic::Config nic = {};                       ///< The interface; it does not reduce.
    bool barrier = false;                       ///< There is a barrier unit beside it.
    std::uint32_t mem_flits = 1u << kMemAddrW;  ///< Size of the node's memory, flits.
    unsigned axi_addr_w = 32;                   ///< Width of a byte address, bits.

    /// Configuration of the read channels of its manager port.
    AxiMemoryConfig reads() const { return {nic.header.data_w, nic.num_ctrl, axi_addr_w}; }
    AxiMemoryConfig writes() const { return {nic.header.data_w, nic.links(), axi_addr_w}; }
    /// Configuration of its register block.
    RegisterBlock::Config registers() const {
      RegisterBlock::Config registers = RegisterBlock::Config::of(nic);
      registers.barrier = barrier;
      registers.mem_flits = mem_flits;
      return registers;
    }
  };
  struct In {
    AxiLite::In lite;            ///< AXI4-Lite, without its register port.
    Nic::In nic;                 ///< Links, own address, hold, restart; other members are not used.
    std::uint64_t base = 0;      ///< Byte address of the node's memory, a multiple of 4096.
    bool ar_ready = false;       ///< AXI4: AR is accepted.
    bool aw_ready = false;       ///< AXI4: AW is accepted.
    bool w_ready = false;        ///< AXI4: W is accepted.
    AxiRead::Beat r;             ///< AXI4: R.
    AxiWrite::Response b;        ///< AXI4: B.
    std::uint32_t barriers = 0;  ///< Barriers released; with `barrier` only.
  };
  struct Out {
    AxiLite::Out lite;  ///< AXI4-Lite, without its register port.
    AxiBurst ar, aw;    ///< AXI4: AR and AW.
    AxiWrite::Beat w;   ///< AXI4: W.
    bool r_ready = true, b_ready = true;
    bool barrier_enter = false;  ///< The node enters its next barrier.
    bool event = false;          ///< A register reads differently than before.
    Nic::Out nic;                ///< Links, and signals of restarts; other members are not used.
  };

  static constexpr auto ports();  // sim/bus/axi_nic_ports.hpp

  /// Throws ConfigError if a value is out of range, or the interface is to reduce.
  explicit AxiNic(const Config& config)
      : config_(config),
        registers_(config.registers()),
        nic_(with_ready(config.nic)),
        read_(config.reads()),
        write_(config.writes()) {
    reset();
  }

  void reset() {
    lite_.reset();
    registers_.reset();
    nic_.reset();
    read_.reset();
    write_.reset();
    now_ = 0;
  }

  /// Whether words of the memory are being read: then there is no restart.
  bool reads() const { return (nic_.out().mem_ren & low_mask(config_.nic.num_ctrl)) != 0; }
  /// Returns the outputs of a cycle with these inputs; only `event` depends on an input of the same
  /// cycle.
  const Out& eval(const In& in) {
    RegisterBlock::In access;
    access.wen = lite_.wen(in.lite.b_ready);
    access.waddr = lite_.out().waddr;
    access.wdata = lite_.out().wdata;
    access.raddr = lite_.out().raddr;
    access.status = nic_.out().status;
    access.status.barriers = in.barriers;
    access.memory_errors = read_.out().errors + write_.out().errors;
    registered_ = registers_.eval(access);
    out_.lite = lite_.out();
    out_.ar = read_.out().ar;
    out_.aw = write_.out().aw;
    out_.w = write_.out().w;
    out_.barrier_enter = registered_.barrier_enter;
    out_.event = registered_.event;
    out_.nic = nic_.out();
    return out_;
  }

  /// The clock edge at the end of the cycle that was evaluated last, with these inputs.
  void tick(const In& in) {
    const Nic::Out& nic = nic_.out();
    AxiLite::In lite = in.lite;
    lite.wrefused = registered_.wrefused;
    lite.rdata = registered_.rdata;
    lite.rrefused = registered_.rrefused;

    AxiRead::In read;
    read.base = in.base;
    read.mem_ren = nic.mem_ren;
    read.ar_ready = in.ar_ready;
    read.r = in.r;
    for (unsigned c = 0; c < config_.nic.num_ctrl; ++c) {
      read.mem_read[c] = {nic.mem_raddr[c], nic.mem_rleft[c]};
    }
    AxiWrite::In write;
    write.base = in.base;
    write.mem_wen = nic.mem_wen;
    write.aw_ready = in.aw_ready;
    write.w_ready = in.w_ready;
    write.b = in.b;
    for (unsigned i = 0; i < config_.nic.links(); ++i) {
      write.mem_write[i] = {nic.mem_waddr[i], nic.mem_wleft[i]};
      write.mem_wdata[i] = nic.mem_wdata[i];
    }

    Nic::In to_nic = in.nic;
    to_nic.desc_valid = registered_.desc_valid;
    to_nic.desc = registered_.desc;
    to_nic.windows = registered_.windows;
    to_nic.now = now_++;
    to_nic.mem_rready = static_cast<std::uint16_t>(AxiRead::ready(in.r));
    to_nic.mem_wready = static_cast<std::uint8_t>(write_.ready(write));
    to_nic.mem_rdata.fill(read_.out().mem_rdata);

    nic_.step(to_nic);
    read_.step(read);
    write_.step(write);
    registers_.tick();
    lite_.step(lite);
  }

 private:
  static Nic::Config with_ready(Nic::Config nic) {
    nic.mem_ready = true;
    return nic;
  }

  Config config_;
  AxiLite lite_;
  RegisterBlock registers_;
  RegisterBlock::Out registered_;
  Nic nic_;
  AxiRead read_;
  AxiWrite write_;
  std::uint32_t now_ = 0;  // Cycles since reset.
  Out out_;
};

}  // namespace weft
