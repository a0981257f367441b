// Packet pacing, cycle model of rtl/nic/weft_pacer.sv (rtl/README.md, pacer; seed 000 [0043],
// [0044]).
#pragma once

#include <cstdint>

#include "sim/packet/packet.hpp"

namespace weft {

/// Keeps an inter-packet gap of `gap` packet times after a packet.
class Pacer {
 public:
  struct In {
    bool start = false;       ///< A packet's tail is sent; only while `Out::ready`.
    std::uint32_t flits = 0;  ///< Length of the packet, header included.
    std::uint32_t gap = 0;    ///< Inter-packet gap after the packet, packet times.
  };
  struct Out {
    bool ready = true;  ///< A packet may begin.
  };

  static constexpr auto ports();  // sim/nic/pacer_ports.hpp

  void reset() {
    left_ = 0;
    out_ = {};
  }

  const Out& out() const { return out_; }

  const Out& step(const In& in) {
    if (in.start) {
      left_ = in.gap * in.flits;
    } else if (left_ != 0) {
      --left_;
    }
    out_.ready = left_ == 0;
    return out_;
  }

  /// The state: what a checkpoint keeps.
  template <class Archive>
  void serialize(Archive& archive) {
    archive(left_, out_.ready);
  }

 private:
  friend class RtlState;  // Loads the state into RTL (sim/verilated/rtl_state.hpp).

  std::uint32_t left_ = 0;  // Cycles of the gap that are left.
  Out out_;
};

}  // namespace weft
