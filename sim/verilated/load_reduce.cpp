// Sets registers of the blocks of rtl/reduce from the state of their models.
#include <bit>

#include "sim/verilated/rtl_state.hpp"

namespace weft {

namespace {

void rounds_nothing(const RtlScope& at) {
  for (const char* name : {"sign_q", "exp_q", "man_q", "half_q", "more_q"}) at.clear(name);
}

}  // namespace

// A word that is not divided is rotated by four bits in each stage. Its remainder stays 0 with a
// divisor of 1.
void load_mean_div(const RtlScope& at, const std::array<std::uint64_t, 18>& words) {
  constexpr unsigned kStages = 16;
  at.set("word_q", [&](RtlWord& word) {
    for (unsigned s = 0; s <= kStages; ++s) {
      word.put(std::rotl(words[s], static_cast<int>(4 * s)), 64);
    }
  });
  at.set("div_q", [&](RtlWord& word) {
    for (unsigned s = 0; s < kStages; ++s) word.put(1, kMeanCountW);
  });
  at.set("whole_q", words[kStages + 1]);
  for (const char* name : {"rest_q", "lower_rest_q", "upper_divide_q", "lower_divide_q",
                           "upper_left_q", "wide_q", "side_q", "round_q"}) {
    at.clear(name);
  }
  for (unsigned l = 0; l < 2; ++l) rounds_nothing(at.in("gen_result", l).in("u_round"));
}

// The models compute a result when its word enters. So the words inside are loaded as results,
// which pass the other stages like words that are stored.
void load_reduce_unit(const RtlScope& at, const ReduceStages& stages, bool mean) {
  const auto bits = [&](const char* name, unsigned first, unsigned count, bool any) {
    at.set(name, [&](RtlWord& word) {
      for (unsigned n = first; n < first + count; ++n) word.put(any && stages[n].valid, 1);
    });
  };
  const auto word_of = [&](unsigned n) { return stages[n].valid ? stages[n].word : 0; };
  const unsigned last = mean ? kMeanLatency : kReduceLatency;
  at.set("inside_q", [&](RtlWord& word) {
    for (unsigned n = 1; n < kMeanLatency; ++n) word.put(n < last && stages[n].valid, 1);
  });
  if (at.has("short_q")) {
    bits("short_q", 1, kReduceLatency, !mean);
    bits("long_q", 1, kMeanLatency, mean);
    at.set("mean_was_q", mean);
  }
  at.set("early_q", [&](RtlWord& word) {
    for (unsigned n = 1; n <= 3; ++n) word.put(word_of(n), 64);
  });
  at.set("late_q", word_of(4));
  at.set("result_q", mean ? word_of(5) : 0);
  at.set("valid_q", stages[last].valid);
  at.set("word_q", word_of(last));
  at.clear("side_q");
  for (const char* name : {"u_low", "u_high", "u_cross_a", "u_cross_b"}) {
    for (const char* stage : {"part_q", "low_q", "high_q", "product_q"}) at.in(name).clear(stage);
  }
  for (unsigned l = 0; l < 2; ++l) {
    const RtlScope element = at.in("gen_element", l).in("u_element");
    for (const char* name :
         {"side1_q", "minus1_q", "large1_q", "small1_q", "distance1_q", "side2_q", "minus2_q",
          "large2_q", "small2_q", "side3_q", "sum3_q", "nan4_q", "inf4_q"}) {
      element.clear(name);
    }
    for (const char* stage : {"part_q", "low_q", "high_q", "product_q"}) {
      element.in("u_multiplier").clear(stage);
    }
    rounds_nothing(element.in("u_round"));
  }

  std::array<std::uint64_t, 18> divided = {};
  for (unsigned n = 0; n < divided.size(); ++n) {
    divided[n] = mean ? word_of(kReduceLatency + 1 + n) : 0;
  }
  load_mean_div(at.in("u_mean"), divided);
}

void RtlState::accumulator(const RtlScope& at, const Accumulator& lane, unsigned data_w) {
  const bool mean = lane.setting_.op == ReduceOp::kMean;
  const unsigned latency = lane.latency();
  // By cycles since the receive unit's write, minus one: the first is about to enter the reduce
  // unit, the last is at the port to memory.
  std::array<Accumulator::Due, kMeanLatency + 1> words = {};
  words[0].wen = lane.word_.valid;
  words[0].reduced = lane.word_.reduces;
  words[0].addr = lane.word_.addr;
  for (unsigned n = 1; n < latency; ++n) {
    words[n] = lane.due_[(lane.now_ + latency - n) % Accumulator::kSlots];
  }
  words[latency].wen = lane.out_.mem_wen;
  words[latency].reduced = lane.out_reduced_;
  words[latency].addr = lane.out_.mem_waddr;
  words[latency].word = lane.out_.mem_wdata;

  at.set("op_q", lane.setting_.op);
  at.set("type_q", lane.setting_.type);
  at.set("divisor_q", lane.setting_.count);
  at.set("valid_q", [&](RtlWord& word) {
    for (const Accumulator::Due& due : words) word.put(due.wen, 1);
  });
  at.set("reads_q", [&](RtlWord& word) {
    for (const Accumulator::Due& due : words) word.put(due.wen && due.reduced, 1);
  });
  at.set("addr_q", [&](RtlWord& word) {
    for (const Accumulator::Due& due : words) word.put(due.addr & low_mask(kMemAddrW), kMemAddrW);
  });
  at.set("seen_q", [&](RtlWord& word) {
    for (const std::uint32_t count : lane.seen_) word.put(count & 1, 1);
  });
  at.set("news_q", [&](RtlWord& word) {
    for (unsigned n = 0; n < kMeanLatency; ++n) {
      const bool inside = n < latency;
      word.put(inside ? lane.due_[(lane.now_ + latency - n) % Accumulator::kSlots].news : 0,
               kNumRxCounts);
    }
  });
  const auto counts = [](const auto& of_tag) {
    return [&](RtlWord& word) {
      for (const std::uint32_t count : of_tag) word.put(count, kCountW);
    };
  };
  at.set("count_q", counts(lane.out_.rx_count));
  if (at.has("counted_q")) at.set("counted_q", counts(lane.seen_));
  at.set_data("word_q", lane.word_.word.word.data(), data_w);
  for (unsigned l = 0; l < data_w / 64; ++l) {
    ReduceStages stages;
    for (unsigned n = 1; n < words.size(); ++n) stages[n] = {words[n].wen, words[n].word.word[l]};
    load_reduce_unit(at.in("gen_lane", l).in("u_reduce"), stages, mean);
  }
}

void RtlState::reduce_lanes(const RtlScope& at, const ReduceLanes& lanes, unsigned data_w) {
  at.set("first_q", [&](RtlWord& word) { word.put_bit(lanes.first_); });
  for (unsigned i = 0; i < lanes.lanes_.size(); ++i) {
    accumulator(at.in("gen_link", i).in("u_accumulator"), lanes.lanes_[i], data_w);
  }
}

}  // namespace weft
