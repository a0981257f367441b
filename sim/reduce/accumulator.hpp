// Reduction into memory, cycle model of rtl/reduce/weft_accumulator.sv (rtl/reduce/README.md,
// accumulator; seed 003: an aggregation unit reduces what it receives).
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstdint>

#include "sim/base/error.hpp"
#include "sim/packet/packet.hpp"
#include "sim/reduce/reduce_word.hpp"

namespace weft {

/// Connects a receive unit's write port to the memory: for each word it reads the word in memory,
/// reduces the two and writes the result. All words take the same time, and a message counts as
/// stored when its last word is in memory. Words are as wide as flits.
class Accumulator {
 public:
  using Counts = std::array<std::uint32_t, kNumRxCounts>;

  struct Config {
    unsigned data_w = kHdrW;  ///< Width of a word, bits: a multiple of 64 up to kMaxFlitW.
    unsigned links = 1;       ///< Links of the interface: number of addresses that are looked for.
  };
  struct In {
    bool mem_wen = false;         ///< The receive unit writes a word.
    bool mem_reduce = false;      ///< The word is of a message that is reduced.
    bool hold = false;            ///< The receive unit writes, or its word waits: the setting
                                  ///< stays.
    std::uint32_t mem_waddr = 0;  ///< Write address, flits.
    FlitData mem_wdata;           ///< Word to write.
    FlitData mem_rdata;           ///< Word read in the cycle before; used only after a read.
    Counts rx_count = {};         ///< Messages written by the receive unit, by tag.
    Reduction reduction;          ///< Arithmetic; takes effect while no word is in progress.
  };
  struct Out {
    bool mem_wen = false;         ///< Memory is written.
    std::uint32_t mem_waddr = 0;  ///< Write address, flits; 0 without `mem_wen`.
    FlitData mem_wdata;           ///< The word; 0 without `mem_wen`.
    Counts rx_count = {};         ///< Messages in memory, by tag.

    template <class Archive>
    void serialize(Archive& archive) {
      archive(mem_wen, mem_waddr, mem_wdata, rx_count);
    }
  };

  /// Values of the output ports.
  struct Shown : Out {
    bool mem_ren = false;         ///< `reads()`.
    std::uint32_t mem_raddr = 0;  ///< The write's address if `mem_ren`, else 0.
    bool operates = false;        ///< `operates()`.
    std::uint8_t busy = 0;        ///< By address that is looked for, one bit each: `in_flight()`.
    std::uint8_t reduced = 0;     ///< By address that is looked for, one bit each: `in_flight()` of
                                  ///< words that were read.
  };
  /// Inputs of the bench and of SystemC: with the addresses that are looked for.
  struct PortIn : In {
    std::array<std::uint32_t, kMaxNicLinks> look_addr = {};
  };
  static constexpr auto ports();  // sim/reduce/accumulator_ports.hpp

  Accumulator() : Accumulator(Config{}) {}
  /// Throws ConfigError if the width is out of range.
  explicit Accumulator(const Config& config) : words_(config.data_w / 64) {
    if (config.data_w % 64 != 0 || words_ < 1 || words_ > kMaxFlitWords) {
      throw ConfigError(
          fmt::format("accumulator: data_w is {}, expected: a multiple of 64 up to {}",
                      config.data_w, kMaxFlitW));
    }
  }

  void reset() { *this = Accumulator(Config{64 * words_}); }

  /// Outputs of the present cycle, from registers.
  const Out& out() const { return out_; }

  /// Whether words of messages that are reduced are combined with those in memory.
  bool operates() const { return setting_.op != ReduceOp::kStore; }

  /// Whether a word with this address is on its way to memory; `reduced`: only a word that was
  /// read.
  bool in_flight(std::uint32_t addr, bool reduced) const {
    if (under_way_ == 0 && !out_.mem_wen) return false;
    const auto is = [&](bool valid, std::uint32_t of, bool read) {
      return valid && of == addr && (read || !reduced);
    };
    if (is(out_.mem_wen, out_.mem_waddr, out_reduced_)) return true;
    if (is(word_.valid, word_.addr, word_.reduces)) return true;
    for (unsigned n = 1; n <= latency(); ++n) {
      const Due& due = due_[(now_ + n) % kSlots];
      if (is(due.wen, due.addr, due.reduced)) return true;
    }
    return false;
  }

  /// Whether the memory is read for the word that the receive unit writes in this cycle. In the RTL
  /// this is the port `mem_ren_o`; `mem_raddr_o` is then the write's address, else 0.
  bool reads(bool mem_wen, bool mem_reduce) const { return mem_wen && mem_reduce && operates(); }

  /// Whether a step without a word of the receive unit, with these counts, changes nothing but the
  /// setting. The setting takes effect at any step before the next write, so such steps may be
  /// skipped.
  bool idle(const Counts& rx_count) const {
    return under_way_ == 0 && !out_.mem_wen && rx_count == seen_;
  }

  /// Whether the last step changed `Out::rx_count`.
  bool counted() const { return counted_; }

  /// Throws CheckError if a word is to be reduced whose previous value is not yet written;
  /// ReduceLanes lets such a word wait.
  const Out& step(const In& in) {
    if (reads(in.mem_wen, in.mem_reduce) && in_flight(in.mem_waddr, false)) {
      throw CheckError(fmt::format(
          "flit {:#x} of a memory is reduced while it is on its way to memory", in.mem_waddr));
    }
    unsigned news = 0;  // A receive unit counts one message a cycle, of any tag.
    for (unsigned t = 0; t < kNumRxCounts; ++t) news |= unsigned{in.rx_count[t] != seen_[t]} << t;
    seen_ = in.rx_count;
    const bool quiet = under_way_ == 0 && !out_.mem_wen && !in.hold && news == 0;

    if (word_.valid) {
      Due& due = due_[(now_ + latency()) % kSlots];
      due.wen = true;
      due.addr = word_.addr;
      due.reduced = word_.reduces;
      due.word = word_.word;
      if (word_.reduces) {
        reduce_words(setting_, words_, in.mem_rdata.word.data(), due.word.word.data());
      }
    }
    word_ = {in.mem_wen, reads(in.mem_wen, in.mem_reduce), in.mem_waddr, in.mem_wdata};
    if (news != 0) due_[(now_ + 1 + latency()) % kSlots].news = news;
    under_way_ += unsigned{in.mem_wen} + unsigned{news != 0};
    if (quiet) setting_ = in.reduction;

    Due& due = due_[++now_ % kSlots];
    out_.mem_wen = due.wen;
    out_.mem_waddr = due.addr;
    out_reduced_ = due.reduced;
    out_.mem_wdata = due.word;
    counted_ = due.news != 0;
    for (unsigned t = 0; t < kNumRxCounts; ++t) out_.rx_count[t] += due.news >> t & 1;
    under_way_ -= unsigned{due.wen} + unsigned{counted_};
    due = {};
    return out_;
  }

  /// The state: what a checkpoint keeps.
  template <class Archive>
  void serialize(Archive& archive) {
    archive(setting_, now_, under_way_, counted_, out_reduced_, word_, seen_, out_, due_);
  }

 private:
  friend class RtlState;  // Loads the state into RTL (sim/verilated/rtl_state.hpp).

  static constexpr unsigned kSlots = 32;  // More than the longest latency.
  static_assert(kSlots > kMeanLatency + 1 && kSlots > kReduceLatency + 1);

  // Latency of all words in flight: the setting stays while there are any.
  unsigned latency() const {
    return setting_.op == ReduceOp::kMean ? kMeanLatency : kReduceLatency;
  }

  struct Word {
    bool valid = false, reduces = false;
    std::uint32_t addr = 0;
    FlitData word;

    template <class Archive>
    void serialize(Archive& archive) {
      archive(valid, reduces, addr, word);
    }
  };
  // Outputs of a later cycle.
  struct Due {
    bool wen = false, reduced = false;
    unsigned news = 0;  // Messages that count, one bit for each tag.
    std::uint32_t addr = 0;
    FlitData word;

    template <class Archive>
    void serialize(Archive& archive) {
      archive(wen, reduced, news, addr, word);
    }
  };

  unsigned words_;  // 64-bit words in a word.
  Reduction setting_;
  unsigned now_ = 0;        // Number of the step.
  unsigned under_way_ = 0;  // Words and counts that are in progress.
  bool counted_ = false;
  bool out_reduced_ = false;  // The word at the outputs was read.
  Word word_;                 // Word of the cycle before, whose read data arrives in this cycle.
  Counts seen_ = {};
  Out out_;
  std::array<Due, kSlots> due_ = {};
};

}  // namespace weft
