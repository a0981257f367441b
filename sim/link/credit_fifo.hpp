// From credits to Buffer-Full, cycle model of rtl/link/weft_credit_fifo.sv (rtl/link/README.md).
#pragma once

#include <fmt/format.h>

#include <cstdint>

#include "sim/base/error.hpp"
#include "sim/buffer/fifo.hpp"
#include "sim/packet/packet.hpp"

namespace weft {

/// Turns a credit link with one VC into a link with Buffer-Full.
class CreditFifo {
 public:
  struct Config {
    static constexpr unsigned num_vc = 1;  ///< VCs of the credit link.

    unsigned depth = 4;       ///< Slots: the credits that the sender starts with, 1 or more.
    bool parity = false;      ///< Flits carry parity.
    unsigned data_w = kHdrW;  ///< Width of a flit without parity, bits.
  };
  struct In {
    Flit rx;            ///< From the sender; its VC and stamp are ignored.
    bool full = false;  ///< From the receiver.
  };
  struct Out {
    Flit tx;                   ///< To the receiver.
    std::uint64_t credit = 0;  ///< To the sender: the line of its VC.
  };
  static constexpr auto ports();  // sim/link/credit_fifo_ports.hpp

  /// Throws ConfigError if the depth is out of range.
  explicit CreditFifo(const Config& config) : waiting_(config.depth) {
    if (config.depth < 1) {
      throw ConfigError(fmt::format("credit_fifo: depth {}, expected: 1 or more", config.depth));
    }
  }

  void reset() {
    waiting_.reset();
    out_ = {};
  }

  const Out& out() const { return out_; }

  /// One clock edge.
  void step(const In& in) {
    out_ = {};
    if (!in.full && !waiting_.empty()) {
      out_.tx = waiting_.front();
      waiting_.pop();
    }
    if (in.rx.valid) {
      Flit flit = in.rx;
      flit.vc = flit.stamp = 0;
      if (!in.full && !out_.tx.valid) {
        out_.tx = flit;
      } else {
        waiting_.push(flit);
      }
    }
    out_.credit = out_.tx.valid;
  }

  /// The state: what a checkpoint keeps.
  template <class Archive>
  void serialize(Archive& archive) {
    archive(waiting_, out_.tx, out_.credit);
  }

 private:
  friend class RtlState;  // Loads the state into RTL (sim/verilated/rtl_state.hpp).

  Fifo<Flit> waiting_;
  Out out_;
};

}  // namespace weft
