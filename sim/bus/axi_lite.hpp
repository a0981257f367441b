// AXI4-Lite subordinate in front of a register port, cycle model of rtl/bus/weft_axi_lite.sv
// (rtl/bus/README.md, axi_lite).
#pragma once

#include <cstdint>

#include "sim/bus/axi.hpp"

namespace weft {

/// One write and one read at a time, each answered before the one after the next is performed.
class AxiLite {
 public:
  static constexpr unsigned kAddrBits = 12;  ///< Byte address of a register.
  static constexpr unsigned kDataBits = 32;

  struct In {
    bool aw_valid = false;      ///< AW: an address to write.
    std::uint32_t aw_addr = 0;  ///< AW: byte address.
    bool w_valid = false;       ///< W: data to write.
    std::uint32_t w_data = 0;   ///< W: the data.
    std::uint8_t w_strb = 0;    ///< W: strobes, one for each byte.
    bool b_ready = false;       ///< B: a response is accepted.
    bool ar_valid = false;      ///< AR: an address to read.
    std::uint32_t ar_addr = 0;  ///< AR: byte address.
    bool r_ready = false;       ///< R: a response is accepted.
    bool wrefused = false;      ///< The written register refuses; used only with `wen`.
    std::uint32_t rdata = 0;    ///< The register at `Out::raddr`.
    bool rrefused = false;      ///< There is no register at `Out::raddr`.
  };
  struct Out {
    bool aw_ready = true;  ///< An address to write is accepted.
    bool w_ready = true;   ///< Data to write are accepted.
    bool b_valid = false;  ///< Response to a write.
    AxiResp b_resp = AxiResp::kOkay;
    bool ar_ready = true;  ///< An address to read is accepted.
    bool r_valid = false;  ///< Response to a read.
    AxiResp r_resp = AxiResp::kOkay;
    std::uint32_t r_data = 0;  ///< Data read; 0 without a response, and with an error.
    std::uint32_t waddr = 0;   ///< Address to write, accepted last.
    std::uint32_t wdata = 0;   ///< Data to write, accepted last.
    std::uint32_t raddr = 0;   ///< Address to read, accepted last.
  };

  /// Values of the output ports.
  struct Shown : Out {
    bool wen = false;  ///< `wen()`.
  };
  static constexpr auto ports();  // sim/bus/axi_lite_ports.hpp

  void reset() {
    out_ = {};
    strb_ = 0;
  }

  const Out& out() const { return out_; }

  /// Whether a register is written in this cycle, with `b_ready` as in `In`.
  bool wen(bool b_ready) const {
    return performs_write(b_ready) && out_.waddr % 4 == 0 && strb_ == 0xf;
  }

  /// One clock edge; returns the outputs after it.
  const Out& step(const In& in) {
    step_write(in);
    step_read(in);
    return out_;
  }

 private:
  // An address register is full exactly while it is not ready.
  bool performs_write(bool b_ready) const {
    return !out_.aw_ready && !out_.w_ready && (b_ready || !out_.b_valid);
  }

  void step_write(const In& in) {
    const bool accept_addr = in.aw_valid && out_.aw_ready, accept_data = in.w_valid && out_.w_ready;
    if (performs_write(in.b_ready)) {
      bool error = strb_ != 0;
      if (out_.waddr % 4 != 0) error = true;
      if (wen(in.b_ready)) error = in.wrefused;
      out_.aw_ready = out_.w_ready = true;
      out_.b_valid = true;
      out_.b_resp = error ? AxiResp::kSlvErr : AxiResp::kOkay;
    } else if (in.b_ready) {
      out_.b_valid = false;
      out_.b_resp = AxiResp::kOkay;
    }
    if (accept_addr) {
      out_.aw_ready = false;
      out_.waddr = in.aw_addr;
    }
    if (accept_data) {
      out_.w_ready = false;
      out_.wdata = in.w_data;
      strb_ = in.w_strb;
    }
  }

  void step_read(const In& in) {
    const bool answer = !out_.ar_ready && (in.r_ready || !out_.r_valid);
    if (answer || in.r_ready) {
      const bool error = answer && (in.rrefused || out_.raddr % 4 != 0);
      out_.r_valid = answer;
      out_.r_resp = error ? AxiResp::kSlvErr : AxiResp::kOkay;
      out_.r_data = answer && !error ? in.rdata : 0;
    }
    if (in.ar_valid && out_.ar_ready) {
      out_.ar_ready = false;
      out_.raddr = in.ar_addr;
    } else if (answer) {
      out_.ar_ready = true;
    }
  }

  std::uint8_t strb_ = 0;  // Strobes of the data accepted last.
  Out out_;
};

}  // namespace weft
