// Address generator, cycle model of rtl/nic/weft_dma.sv (rtl/README.md, dma; seed 002 fig. 2, part
// 8).
#pragma once

#include <cstdint>

#include "sim/packet/packet.hpp"

namespace weft {

/// Consecutive memory addresses, one in each cycle in which the memory accepts it.
class Dma {
 public:
  struct In {
    bool start = false;      ///< Begin a transfer; only while `Out::idle`.
    std::uint32_t addr = 0;  ///< First address, flits.
    std::uint32_t len = 0;   ///< Length, flits; 1 or more.
    bool ready = true;       ///< The request is accepted.
  };
  struct Out {
    bool idle = true;        ///< No request, or the last request of a transfer.
    bool req = false;        ///< Request to read or write memory.
    std::uint32_t addr = 0;  ///< Address of the request, flits; 0 without one.
    bool last = false;       ///< Last request of its transfer.
  };

  /// Values of the output ports.
  struct Shown : Out {
    bool free = true;        ///< `idle(ready)`.
    std::uint32_t left = 0;  ///< `left()`.
  };
  static constexpr auto ports();  // sim/nic/dma_ports.hpp

  void reset() {
    next_ = end_ = 0;
    out_ = {};
  }

  const Out& out() const { return out_; }

  /// `idle_o`: whether a transfer may start in this cycle; `ready`: a request is accepted.
  bool idle(bool ready) const { return !out_.req || (out_.last && ready); }
  /// `left_o`: requests of the transfer after the present one.
  std::uint32_t left() const { return end_ - next_; }

  const Out& step(const In& in) {
    // A request that is not accepted stays.
    return in.ready || !out_.req ? go_on(in) : out_;
  }

  /// A step in which the request, if there is one, is accepted.
  const Out& go_on(const In& in) {
    if (in.start) {
      next_ = in.addr;
      end_ = in.addr + in.len;
    }
    if (next_ == end_) {
      out_ = {};
      return out_;
    }
    out_.req = true;
    return step_on();
  }

  /// As go_on, without a start, during a transfer: while `Out::req`, but not with the last request.
  const Out& step_on() {
    out_.addr = next_ & static_cast<std::uint32_t>(low_mask(kMemAddrW));
    out_.last = out_.idle = ++next_ == end_;
    return out_;
  }

  /// The state: what a checkpoint keeps.
  template <class Archive>
  void serialize(Archive& archive) {
    archive(next_, end_, out_.idle, out_.req, out_.addr, out_.last);
    archive.require(out_.last == (out_.req && next_ == end_) &&
                    out_.idle == (!out_.req || out_.last) && (out_.req || next_ == end_));
  }

 private:
  std::uint32_t next_ = 0, end_ = 0;  // Addresses not requested yet, not wrapped.
  Out out_;
};

}  // namespace weft
