// Sets registers of `barrier_unit` and `combine_unit` (rtl/barrier/README.md,
// rtl/combine/README.md) from the state of their models.
#include <bit>

#include "sim/verilated/rtl_state.hpp"

namespace weft {

void RtlState::load(const RtlScope& at, const BarrierUnit& model, const BarrierUnit::Config& c,
                    std::uint32_t /*now*/) {
  const unsigned flight_w = std::bit_width(c.max_flight);
  at.set("pending_q", [&](RtlWord& word) {
    for (unsigned p = 0; p <= c.num_child; ++p) word.put(model.arrived_[p], flight_w);
  });
  if (c.hold_cycles != 0) {
    at.in("gen_hold").set("hold_q", [&](RtlWord& word) {
      for (unsigned k = 0; k < c.hold_cycles; ++k) {
        // Released k + 1 cycles ago.
        const std::uint64_t due = model.now_ - 1 - k + c.hold_cycles;
        bool held = false;
        for (unsigned i = 0; i < model.held_; ++i) {
          held |= model.due_[(model.first_ + i) % BarrierUnit::kRing] == due;
        }
        word.put(held, 1);
      }
    });
  }
  at.set("up_q", model.out_.up);
  at.set("down_q", model.out_.down);
  at.set("flight_q", model.flight_);
  at.set("count_q", model.out_.count);
  // Barriers that the own node has entered, that have gone up and are not released.
  at.set_checked("above_q", c.is_root ? 0u : model.flight_ - model.arrived_[0] - model.held_);
}

// A result that is in the reduce units is loaded as the result from the first one on: the second
// one then adds nothing. `from`: cycles from the result on the link to its entry in `ring_`.
void RtlState::combine_slow(const RtlScope& at, const CombineUnit& unit, unsigned from) {
  const CombineUnit::Config& c = unit.c_;
  const unsigned latency = c.num_child * kReduceLatency;
  // By cycles since the word was combined.
  std::array<CombineUnit::Up, 2 * kReduceLatency + 1> words = {};
  for (unsigned n = 1; n < latency; ++n) {
    words[n] = unit.ring_[(unit.now_ + from + latency - n) % CombineUnit::kRing];
  }
  const auto put_some = [&](unsigned first) {
    return [&, first](RtlWord& word) {
      for (unsigned n = first; n < first + kReduceLatency; ++n) {
        word.put(words[n].valid && words[n].some, 1);
      }
    };
  };
  const auto unit_of = [&](const RtlScope& reduce, unsigned first, unsigned l) {
    ReduceStages stages;
    for (unsigned n = 0; n < kReduceLatency; ++n) {
      stages[n + 1] = {words[first + n].valid, words[first + n].word.word[l]};
    }
    load_reduce_unit(reduce, stages, false);
  };
  at.set("some1_q", put_some(1));
  const RtlScope two = at.in("gen_two");
  for (unsigned l = 0; l < c.data_w / 64; ++l) {
    unit_of(at.in("gen_lane", l).in("u_first"), 1, l);
    if (c.num_child > 1) unit_of(two.in("gen_lane", l).in("u_second"), 1 + kReduceLatency, l);
  }
  if (c.num_child == 1) return;
  two.clear("word_q");
  two.set("some2_q", put_some(1 + kReduceLatency));
  const CombineOrder& order = unit.last_combined();
  two.set("op_q", order.op == ReduceOp::kMean ? ReduceOp::kSum : order.op);
  two.set("type_q", order.type);
}

void RtlState::combine_root(const RtlScope& at, const CombineUnit& unit) {
  const CombineOrder& order = unit.last_combined();
  const bool mean = order.op == ReduceOp::kMean;
  at.set("mean_q", mean);
  at.set("fp_q", order.type == ReduceType::kFp32);
  at.set("wide_q", order.type == ReduceType::kInt64);
  at.set("div_q", order.count);
  // By stage of the division: its words are divided already.
  std::array<CombineUnit::Up, CombineUnit::kDivision> words = {};
  for (unsigned s = 0; s < words.size() && mean; ++s) {
    words[s] = unit.ring_[(unit.now_ + words.size() - 1 - s) % CombineUnit::kRing];
    if (words[s].valid) unit.divide(order, words[s].word);
  }
  at.set("divides_q", [&](RtlWord& word) {
    for (const CombineUnit::Up& divided : words) word.put(divided.valid, 1);
  });
  for (unsigned l = 0; l < unit.c_.data_w / 64; ++l) {
    std::array<std::uint64_t, 18> stages = {};
    for (unsigned s = 0; s < stages.size(); ++s) {
      if (words[s].valid) stages[s] = words[s].word.word[l];
    }
    load_mean_div(at.in("gen_lane", l).in("u_mean"), stages);
  }
}

void RtlState::load(const RtlScope& at, const CombineUnit& model, const CombineUnit::Config& c,
                    std::uint32_t /*now*/) {
  for (unsigned i = 0; i < kCombineOrders; ++i) {
    const CombineOrder& order = model.orders_[i];
    at.set("order_q", i, [&](RtlWord& word) {
      word.put(order.discard, 1).put(order.silent, 1).put(order.count, kMeanCountW);
      word.put(static_cast<unsigned>(order.type), kReduceTypeW);
      word.put(static_cast<unsigned>(order.op), kReduceOpW);
      word.put(order.len, kMsgLenW).put(order.to, kMemAddrW).put(order.addr, kMemAddrW);
    });
  }
  at.set("post_q", model.post_);
  at.set("used_q", model.used_);
  at.set("fetch_orders_q", model.fetch_.orders);
  at.set("comb_orders_q", model.combine_.orders);
  at.set("fetch_at_q", model.fetch_.order);
  at.set("comb_at_q", model.combine_.order);
  at.set("end_at_q", model.end_.order);
  at.set("fetch_word_q", model.fetch_.words);
  at.set("comb_word_q", model.combine_.words);
  at.set("end_word_q", model.end_.words);
  at.set("reads_q", model.reads_);
  at.set("ren_q", model.out_.mem_ren);
  at.set("raddr_q", model.out_.mem_raddr);
  at.set("own_room_q", model.own_room_);
  at.set("room_q", model.room_);
  at.set("drain_q", model.drain_);
  at.set("credit_q", model.out_.credit);
  at.set("ends_q", model.ends_);
  at.set("wen_q", model.out_.mem_wen);
  at.set("waddr_q", model.out_.mem_waddr);
  at.set_data("wdata_q", model.out_.mem_wdata.word.data(), c.data_w);
  at.set("down_q", model.out_.down.valid);
  at.set_data("down_word_q", model.out_.down.word.word.data(), c.data_w);
  at.set("done_q", model.out_.done);
  load_fifo(
      at.in("u_own"), {CombineUnit::kOwnDepth}, model.own_.count(),
      [&](RtlWord& word, unsigned i) { word.put_data(model.own_.word(i).word.data(), c.data_w); });
  for (unsigned child = 0; child < c.num_child; ++child) {
    const Fifo<CombineUnit::Up>& words = model.of_child_[child];
    load_fifo(at.in("gen_child", child).in("gen_exists").in("u_fifo"), {c.depth}, words.count(),
              [&](RtlWord& word, unsigned i) {
                word.put_data(words.word(i).word.word.data(), c.data_w).put(words.word(i).some, 1);
              });
  }
  // The result on the link; at the root the one that goes to the end or into the division. It may
  // have come by either path; it is loaded into the quick one, which has a register.
  const bool divides = c.is_root && model.last_combined().op == ReduceOp::kMean;
  const unsigned from = divides ? CombineUnit::kDivision : 0;
  const CombineUnit::Up& result =
      c.is_root ? model.ring_[(model.now_ + from) % CombineUnit::kRing] : model.out_.up;
  at.set("quick_q", result.valid);
  at.set("quick_some_q", result.valid && result.some);
  if (result.valid) at.set_data("quick_word_q", result.word.word.data(), c.data_w);
  at.clear("quick_word_q");
  if (c.num_child != 0) combine_slow(at.in("gen_slow"), model, from);
  if (c.is_root) combine_root(at.in("gen_root"), model);
}

}  // namespace weft
