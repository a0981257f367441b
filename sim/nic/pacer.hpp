// Packet pacing, cycle model of rtl/nic/pacer.sv (rtl/README.md, pacer; seed 000 [0043], [0044]).
#pragma once

#include <cstdint>

namespace weft {

/// Silence of `gap` packet times after a packet.
class Pacer {
 public:
  struct In {
    bool start = false;       ///< A packet's last flit is handed on; only while `Out::ready`.
    std::uint32_t flits = 0;  ///< Its length, header included.
    std::uint32_t gap = 0;    ///< Silence after it, packet times.
  };
  struct Out {
    bool ready = true;  ///< A packet may begin.
  };

  void reset() {
    silence_ = 0;
    out_ = {};
  }

  const Out& out() const { return out_; }

  const Out& step(const In& in) {
    if (in.start) {
      silence_ = in.gap * in.flits;
    } else if (silence_ != 0) {
      --silence_;
    }
    out_.ready = silence_ == 0;
    return out_;
  }

 private:
  std::uint32_t silence_ = 0;  // Cycles of silence that are left.
  Out out_;
};

}  // namespace weft
