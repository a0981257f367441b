// From Buffer-Full to credits, cycle model of rtl/link/weft_credit_gate.sv (rtl/link/README.md).
#pragma once

#include <fmt/format.h>

#include <cstdint>

#include "sim/base/error.hpp"
#include "sim/packet/packet.hpp"

namespace weft {

/// Turns a link with Buffer-Full into a credit link with one VC. Flits have VC 0 and stamp 0.
class CreditGate {
 public:
  struct Config {
    static constexpr unsigned num_vc = 1;  ///< VCs of the credit link.

    unsigned depth = 4;       ///< Credits to start with: slots of the receiver, 2 or more.
    bool parity = false;      ///< Flits carry parity.
    unsigned data_w = kHdrW;  ///< Width of a flit without parity, bits.
  };
  /// Inputs. `credit`: a word for 64 lines; null: all 0.
  struct In {
    Flit rx;                                ///< From the sender.
    const std::uint64_t* credit = nullptr;  ///< From the receiver.
  };
  struct Out {
    bool full = false;  ///< To the sender.
    Flit tx;            ///< To the receiver.
  };
  static constexpr auto ports();  // sim/link/credit_gate_ports.hpp

  /// Throws ConfigError if the depth is out of range.
  explicit CreditGate(const Config& config) : depth_(config.depth) {
    if (config.depth < 2) {
      throw ConfigError(fmt::format("credit_gate: depth {}, expected: 2 or more", config.depth));
    }
    reset();
  }

  void reset() {
    out_ = {};
    count_ = depth_;
  }

  const Out& out() const { return out_; }

  /// One clock edge.
  void step(const In& in) {
    // A credit in excess of all slots, which errors on wires can bring, is ignored.
    const bool credit = in.credit != nullptr && (*in.credit & 1) != 0 && count_ != depth_;
    count_ = count_ - in.rx.valid + credit;
    out_ = {count_ < 2, in.rx};
  }

  /// The state: what a checkpoint keeps.
  template <class Archive>
  void serialize(Archive& archive) {
    archive(count_, out_.full, out_.tx);
    archive.require(count_ <= depth_);
  }

 private:
  friend class RtlState;  // Loads the state into RTL (sim/verilated/rtl_state.hpp).

  std::uint32_t depth_, count_ = 0;
  Out out_;
};

}  // namespace weft
