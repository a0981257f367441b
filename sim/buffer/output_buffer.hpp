// Output buffer and link register, cycle model of rtl/buffer/weft_output_buffer.sv (rtl/README.md,
// output_buffer; seed 002 fig. 3, part 22).
#pragma once

#include "sim/buffer/fifo.hpp"
#include "sim/packet/packet.hpp"

namespace weft {

/// A FIFO in front of the link register; with depth 0 the register alone.
class OutputBuffer {
 public:
  struct Config {
    unsigned depth = 4;  ///< Words before the link register; 0 for the register alone.
  };
  struct In {
    Flit offer;         ///< Word offered, if `valid`.
    bool full = false;  ///< Link: Buffer-Full of the receiver.
  };

  /// Configuration of the RTL, which also has the width of a word.
  struct PortConfig : Config {
    bool parity = false;      ///< Links carry parity.
    unsigned data_w = kHdrW;  ///< Width of a flit without parity, bits.
  };
  /// Values of the output ports.
  struct Out {
    Flit tx;             ///< `out()`.
    bool ready = false;  ///< `ready()`.
  };
  static constexpr auto ports();  // sim/buffer/output_buffer_ports.hpp

  explicit OutputBuffer(const Config& config) : waiting_(config.depth) {}

  void reset() {
    waiting_.reset();
    tx_ = {};
  }

  /// Whether an offered word would be taken in this cycle, with the receiver's Buffer-Full `full`.
  bool ready(bool full) const { return waiting_.depth() == 0 ? !full : !waiting_.full(); }

  /// Link: the word in the link register; all 0 if there is none.
  const Flit& out() const { return tx_; }

  /// One clock edge; returns the link register after it.
  const Flit& step(const In& in) {
    const bool taken = in.offer.valid && ready(in.full);
    tx_ = {};
    if (waiting_.depth() == 0) {
      if (taken) tx_ = in.offer;
      return tx_;
    }
    if (!waiting_.empty() && !in.full) {
      tx_ = waiting_.front();
      waiting_.pop();
    }
    if (taken) waiting_.push(in.offer);
    return tx_;
  }

 private:
  Fifo<Flit> waiting_;
  Flit tx_;
};

}  // namespace weft
