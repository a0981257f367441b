// Stimulus of the SystemC bench: random descriptors, idle, back-pressure and resets, the same for
// models and RTL; data are verified in the receiving memories.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <string>
#include <systemc>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/random.hpp"
#include "sim/reduce/reduce_word.hpp"
#include "tb/lib/bench.hpp"
#include "tb/systemc/crossbar_system.hpp"

namespace weft::tb {

/// Works in rounds: messages are posted for a while, then all must arrive (or a reset ends the
/// round), then both machines' memories are compared with what they must hold. Throws CheckError
/// for wrong data and NoProgressError when a round does not end.
class Stimulus : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Stimulus);

  /// Stops the simulation with the first round that ends after `cycles` cycles.
  Stimulus(const sc_core::sc_module_name& name, const sc_core::sc_clock& clk, Drive& drive,
           CrossbarSystem& model, CrossbarSystem& rtl, std::uint64_t cycles, std::uint64_t seed)
      : sc_module(name),
        drive_(drive),
        model_(model),
        rtl_(rtl),
        cycles_(cycles),
        random_(seed),
        post_(kNodes),
        go_(kLinks) {
    for (unsigned n = 0; n < kNodes; ++n) {
      auto& words = model.memories[n]->words;
      for (FlitData& data : words) data.word[0] = random_();
      rtl.memories[n]->words = expected_[n] = words;
    }
    SC_METHOD(edge);
    dont_initialize();
    sensitive << clk.posedge_event();
    SC_METHOD(between_edges);
    dont_initialize();
    sensitive << clk.negedge_event();
  }

  std::uint64_t messages() const { return messages_; }  ///< Stored and verified.
  std::uint64_t words() const { return words_; }        ///< Body words in them.
  unsigned rounds() const { return rounds_; }
  unsigned resets() const { return resets_; }

 private:
  static constexpr std::uint64_t kPatience = 20'000;  // cycles that a round may take to drain

  // Reset falls and rises between clock edges.
  void between_edges() {
    if (reset_left_ == 0) return;
    drive_.rst_n.write(--reset_left_ == 0);
  }

  void edge() {
    ++cycle_;
    if (!drive_.rst_n.read()) {
      if (reset_left_ == 1) begin_round();
      return;
    }
    for (unsigned n = 0; n < kNodes; ++n) {
      if (model_.signals[n]->at<"desc_valid_i">().read() &&
          model_.signals[n]->at<"desc_free_o">().read() != 0)
        accepted(n);
      drive_processor(n);
    }
    for (unsigned i = 0; i < kLinks; ++i) {
      drive_.stop[i].write((stopped_ >> i & 1) != 0 && !go_[i].next(random_));
    }
    if (cycle_ > last_post_) wait_for_the_rest();
    if (random_.chance(0.00005)) reset();
  }

  // A descriptor that was not accepted stays or is replaced by another one.
  void drive_processor(unsigned n) {
    const bool posts = cycle_ < last_post_ && post_[n].next(random_);
    const Descriptor desc = posts ? message(n) : model_.signals[n]->at<"desc_i">().read();
    for (CrossbarSystem* system : {&model_, &rtl_}) {
      system->signals[n]->at<"desc_i">().write(desc);
      system->signals[n]->at<"desc_valid_i">().write(posts);
    }
  }

  Descriptor message(unsigned src) {
    const auto dst = static_cast<std::uint32_t>(random_.below(kNodes));
    const std::uint32_t words_left = kSlot - used_[dst][src];
    std::uint32_t len = static_cast<std::uint32_t>(random_.below(random_.chance(0.2) ? 100 : 20));
    if (len > words_left) len = 0;
    return {.dst = dst,
            .addr = static_cast<std::uint32_t>(random_.below(kSource - len)),
            .len = len,
            .off = src * kSlot + used_[dst][src],
            .tag = static_cast<std::uint32_t>(random_.below(1u << kTagW)),
            .gap = random_.chance(0.8) ? 0 : static_cast<std::uint32_t>(random_.below(4)),
            .timed = random_.chance(0.2),
            .start = static_cast<std::uint32_t>(cycle_ - begin_ + random_.below(100))};
  }

  // No word is written twice in a round, so that neither the order of messages matters nor which
  // other messages are in flight when one is reduced.
  void accepted(unsigned src) {
    const Descriptor desc = model_.signals[src]->at<"desc_i">().read();
    auto& target = expected_[desc.dst];
    const Reduction& r = reduction_[desc.dst];
    for (std::uint32_t k = 0; k < desc.len; ++k) {
      std::uint64_t& memory_word = target[kSource + desc.off + k].word[0];
      const std::uint64_t word = expected_[src][desc.addr + k].word[0];
      memory_word =
          reduces(desc.tag) ? reduce_word(r.op, r.type, r.count, memory_word, word) : word;
    }
    used_[desc.dst][src] += desc.len;
    ++expected_counts_[desc.dst][desc.tag % kNumRxCounts];
    ++posted_;
    posted_words_ += desc.len;
  }

  bool all_arrived() const {
    for (unsigned n = 0; n < kNodes; ++n) {
      for (unsigned t = 0; t < kNumRxCounts; ++t) {
        if (model_.signals[n]->vector<"rx_count_o">()[t].read() != expected_counts_[n][t])
          return false;
      }
    }
    return true;
  }

  void wait_for_the_rest() {
    if (all_arrived()) {
      verify();
      messages_ += posted_;
      words_ += posted_words_;
      ++rounds_;
      if (cycle_ >= cycles_) sc_core::sc_stop();
      posted_ = posted_words_ = 0;
      used_ = {};
      plan();
    } else if (cycle_ > last_post_ + kPatience) {
      throw NoProgressError(fmt::format(
          "cycle {}: messages have not arrived {} cycles after the last", cycle_, kPatience));
    }
  }

  void verify() const {
    for (unsigned n = 0; n < kNodes; ++n) {
      for (const CrossbarSystem* system : {&model_, &rtl_}) {
        const auto& words = system->memories[n]->words;
        for (std::size_t a = 0; a < words.size(); ++a) {
          if (words[a] == expected_[n][a]) continue;
          throw CheckError(fmt::format("cycle {}, {}.memory_{}: word {} is {:#x}, expected {:#x}",
                                       cycle_, system->basename(), n, a, words[a].word[0],
                                       expected_[n][a].word[0]));
        }
      }
      const BlockSignals<Nic>& status = *model_.signals[n];
      if (status.at<"rx_parity_o">().read() != 0 || status.at<"rx_refused_o">().read() != 0) {
        throw CheckError(fmt::format("cycle {}, nic_{}: packets were dropped", cycle_, n));
      }
    }
  }

  // The next clock edge is a normal one for all; reset falls after it.
  void reset() {
    reset_left_ = 2 + static_cast<unsigned>(random_.below(4));
    for (CrossbarSystem* system : {&model_, &rtl_}) {
      for (auto& signals : system->signals) signals->at<"desc_valid_i">().write(false);
    }
    ++resets_;
  }

  // After reset: messages in flight are lost, the memories keep their contents.
  void begin_round() {
    for (unsigned n = 0; n < kNodes; ++n) {
      if (model_.memories[n]->words != rtl_.memories[n]->words) {
        throw CheckError(fmt::format("cycle {}: memory_{} differs after reset", cycle_, n));
      }
      expected_[n] = model_.memories[n]->words;
    }
    posted_ = posted_words_ = 0;
    used_ = {};
    expected_counts_ = {};
    begin_ = cycle_;
    plan();
  }

  void plan() {
    last_post_ = cycle_ + 100 + random_.below(3000);
    stopped_ = random_.chance(0.3) ? 0 : random_() & random_();
    // All messages have been stored; the first one of this round is later.
    for (unsigned n = 0; n < kNodes; ++n) {
      reduction_[n] = {static_cast<ReduceOp>(random_.below(kReduceOps)),
                       static_cast<ReduceType>(random_.below(kReduceTypes)),
                       static_cast<std::uint32_t>(1 + random_.below(9))};
      for (CrossbarSystem* system : {&model_, &rtl_}) {
        system->signals[n]->at<"reduce_i">().write(reduction_[n]);
      }
    }
  }

  Drive& drive_;
  CrossbarSystem& model_;
  CrossbarSystem& rtl_;
  std::uint64_t cycles_, cycle_ = 0, last_post_ = 0, begin_ = 0;  // begin_: of the last reset
  RandomStream random_;
  std::vector<Pressure> post_, go_;
  std::array<std::vector<FlitData>, kNodes> expected_;
  std::array<std::array<std::uint32_t, kNodes>, kNodes> used_ = {};  // by destination and source
  std::array<std::array<std::uint32_t, kNumRxCounts>, kNodes> expected_counts_ = {};  // since reset
  std::array<Reduction, kNodes> reduction_ = {};
  std::uint64_t posted_ = 0, posted_words_ = 0, messages_ = 0, words_ = 0;
  unsigned reset_left_ = 3, rounds_ = 0, resets_ = 0;  // the first reset is the start
  std::uint64_t stopped_ = 0;                          // links with stops in this round
};

}  // namespace weft::tb
