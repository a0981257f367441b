// Memory with one write port and one read port, cycle model of rtl/buffer/weft_ram.sv
// (rtl/README.md, ram).
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "sim/packet/packet.hpp"

namespace weft {

/// Least depth of a FIFO whose RTL keeps its words in a memory that is read synchronously. For its
/// model there is no difference.
inline constexpr unsigned kRamDepth = 16;

/// `depth` words; a step writes and reads one each. Its storage is allocated once, at construction.
class Ram {
 public:
  struct Config {
    unsigned data_w = 64;  ///< Bits of a word, 1 to 512.
    unsigned depth = 16;   ///< Words.

    /// Bits of the number of a word.
    unsigned idx_w() const { return depth > 1 ? std::bit_width(depth - 1) : 1; }
  };
  /// The numbers of words are below `depth`; a word is not written and read in the same cycle.
  struct In {
    bool wen = false, ren = false;
    std::uint32_t widx = 0, ridx = 0;
    FlitData wdata;
  };
  struct Out {
    FlitData rdata;  ///< Result of the last read.
  };
  static constexpr auto ports();  // sim/buffer/ram_ports.hpp

  explicit Ram(const Config& config) : words_(config.depth) {}

  const Out& out() const { return out_; }

  /// One clock edge. A reset changes nothing.
  const Out& step(const In& in) {
    if (in.ren) out_.rdata = words_[in.ridx];
    if (in.wen) words_[in.widx] = in.wdata;
    return out_;
  }

 private:
  std::vector<FlitData> words_;
  Out out_;
};

}  // namespace weft
