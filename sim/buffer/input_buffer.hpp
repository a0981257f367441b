// Input buffer circuit of a crossbar, cycle model of rtl/buffer/weft_input_buffer.sv
// (rtl/README.md, input_buffer; seed 002 fig. 4), and the destination decoder that Crossbar shares.
#pragma once

#include <fmt/format.h>

#include <cstdint>

#include "sim/base/error.hpp"
#include "sim/buffer/decoder_kind.hpp"
#include "sim/buffer/fifo.hpp"
#include "sim/packet/packet.hpp"

namespace weft {

/// Destination decoder 43-0 of seed 002 fig. 4.
struct DestinationDecoder {
  static constexpr unsigned kNowhere = ~0u;

  Route route = Route::kDigit;
  unsigned num_out = 4;    ///< Destinations without the detour.
  unsigned digit_lsb = 0;  ///< Lowest bit of the decoded digit (kSwitch: of the Y digit).
  unsigned digit_w = 2;    ///< Width of that digit, bits; 0 if it has one value only.
  std::uint32_t own = 0;   ///< Own address.
  PacketForm header = {};  ///< Form of packets.

  /// Throws ConfigError with the name `block` if the digit or the number of destinations is
  /// invalid.
  void check(const char* block) const {
    if (digit_lsb + digit_w > header.addr_w) {
      throw ConfigError(fmt::format("{}: address digit of {} bits from bit {}, an address has {}",
                                    block, digit_w, digit_lsb, header.addr_w));
    }
    const unsigned least = route == Route::kSwitch ? 3 : 1;
    if (num_out < least) {
      throw ConfigError(fmt::format("{}: {} outputs, expected: {} or more", block, num_out, least));
    }
  }

  /// Destination of the packet with this header flit: `num_out` is the detour, which exists only
  /// for an input with `detour`; `kNowhere` is a destination that does not exist.
  unsigned decode(std::uint64_t word, bool detour) const {
    const auto dst = static_cast<std::uint32_t>(word >> kHdrDstLsb & low_mask(header.addr_w));
    if (route == Route::kSwitch) {
      const std::uint32_t differs = dst ^ own;
      return differs >> digit_lsb != 0 ? 2 : differs != 0 ? 1 : 0;
    }
    const unsigned upper = digit_lsb + digit_w;
    if (detour && dst >> upper != own >> upper) return num_out;
    const auto digit = static_cast<unsigned>(dst >> digit_lsb & low_mask(digit_w));
    return digit < num_out ? digit : kNowhere;
  }
};

/// Input register, transfer buffer, read register and output register of one link. Every stage
/// advances as soon as the next one is free or becomes free. So together they are a queue in front
/// of the output register in which each word waits for at least a fixed number of cycles.
class InputBuffer {
 public:
  struct Config {
    unsigned depth = 8;     ///< Words in input register and transfer buffer together; 3 or more.
    unsigned num_dest = 5;  ///< Destinations, the detour (if any) last.
    bool detour = true;     ///< The last destination is the detour to the next dimension.
    Route route = Route::kDigit;
    unsigned digit_lsb = 0;
    unsigned digit_w = 2;
    std::uint32_t own = 0;   ///< Own address.
    PacketForm header = {};  ///< Form of packets.
  };
  struct In {
    Flit rx;             ///< Link: word that arrives.
    bool ready = false;  ///< The word in the output register is taken; only while it is valid.
  };
  struct Out {
    /// Output register; `valid`: it requests its destination. It keeps the last word after that was
    /// taken.
    Flit word;
    unsigned dest = 0;  ///< Destination whose request line is up while the word is valid.
    bool full = false;  ///< Link: Buffer-Full.
  };

  /// Configuration of the RTL, which also has the width of a word.
  struct PortConfig : Config {
    bool parity = false;  ///< Links carry parity.
  };
  /// The request lines: that of the destination is up while there is a word.
  struct RequestLines {
    static std::uint64_t get(const Out& out, unsigned word, unsigned /*bits*/) {
      return out.word.valid && out.dest / 64 == word ? std::uint64_t{1} << out.dest % 64 : 0;
    }
  };
  static constexpr auto ports();  // sim/buffer/input_buffer_ports.hpp

  /// Throws ConfigError for an invalid depth, digit or number of destinations.
  explicit InputBuffer(const Config& config)
      : depth_(config.depth),
        detour_(config.detour),
        decoder_{config.route,     config.num_dest - config.detour,
                 config.digit_lsb, config.digit_w,
                 config.own,       config.header},
        // The transfer buffer and the read register.
        queue_(config.depth + 1) {
    if (depth_ < 3) throw ConfigError(fmt::format("input_buffer: depth {} is below 3", depth_));
    decoder_.check("input_buffer");
  }

  void reset() {
    queue_.reset();
    arrived_ = {};
    out_ = {};
    head_ = true;
    now_ = 0;
  }

  const Out& out() const { return out_; }

  /// One clock edge; returns the outputs after it. Throws CheckError if an arriving word cannot be
  /// stored or a header has no valid destination.
  const Out& step(const In& in) {
    ++now_;
    if (!out_.word.valid || in.ready) {
      out_.word.valid = !queue_.empty() && queue_.front().from <= now_;
      if (out_.word.valid) {
        out_.word = queue_.front().word;
        queue_.pop();
        if (head_) out_.dest = decoder_.decode(out_.word.data, detour_);
        head_ = out_.word.last;
        if (out_.dest == DestinationDecoder::kNowhere) out_.word.valid = false;
      }
    }
    if (arrived_.word.valid) queue_.push(arrived_);  // A word sent despite Buffer-Full may be lost.
    arrived_ = {in.rx, now_ + kStages};
    // The oldest word is in the read register from the last cycle of its minimum delay on.
    const bool read = !queue_.empty() && queue_.front().from <= now_ + 1;
    out_.full = queue_.count() + in.rx.valid - read >= depth_ - 1;
    return out_;
  }

 private:
  /// Edges between the input register and the output register.
  static constexpr std::uint64_t kStages = 3;

  struct Waiting {
    Flit word;
    std::uint64_t from = 0;  // first cycle in which it can be in the output register
  };

  unsigned depth_;
  bool detour_;
  DestinationDecoder decoder_;
  Fifo<Waiting> queue_;
  Waiting arrived_;  // Word in the input register.
  Out out_;
  bool head_ = true;  // the next word is a header
  std::uint64_t now_ = 0;
};

}  // namespace weft
