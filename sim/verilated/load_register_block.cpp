// Sets registers of `register_block` (rtl/bus/README.md) from the state of its model.
#include "sim/verilated/rtl_state.hpp"

namespace weft {

void RtlState::load(const RtlScope& at, const RegisterBlock& model, const RegisterBlock::Config& c,
                    std::uint32_t /*now*/) {
  const RegisterBlock::State& state = model.state_;
  const auto put_counts = [](const auto& counts, unsigned number) {
    return [&counts, number](RtlWord& word) {
      for (unsigned i = 0; i < number; ++i) word.put(counts[i], kCountW);
    };
  };
  const auto put_windows = [&](const auto& of_window, unsigned bits) {
    return [&of_window, bits, &c](RtlWord& word) {
      for (unsigned w = 0; w < c.windows; ++w) word.put(of_window[w], bits);
    };
  };
  at.set("dst_q", state.desc.dst);
  at.set("addr_q", state.desc.addr);
  at.set("len_q", state.desc.len);
  at.set("off_q", state.desc.off);
  at.set("tag_q", state.desc.tag);
  at.set("gap_q", state.desc.gap);
  at.set("ctrl_q", state.desc.ctrl);
  at.set("post_q", state.posted);
  at.set("next_base_q", state.next_base);
  at.set("next_key_q", state.next_key);
  at.set("number_q", state.next_window);
  at.set("base_q", put_windows(state.windows.base, kMemAddrW));
  at.set("size_q", put_windows(state.windows.size, kMemAddrW));
  at.set("window_key_q", put_windows(state.windows.key, std::max(1u, c.header.key_w)));
  at.set("cycle_q", state.cycle);
  at.set("refused_writes_q", state.refused_writes);
  at.set("job_q", state.job);
  at.set("sent_start_q", state.start_sent);
  at.set("received_start_q", state.start_received);
  at.set("link_start_q",
         put_counts(state.job ? state.start_link : state.barrier_link, c.link_counts()));
  if (c.header.key_w != 0) at.in("gen_key").set("key_q", state.key);
  if (c.timed) {
    at.in("gen_timed").set("timed_q", state.desc.timed);
    at.in("gen_timed").set("start_q", state.desc.start);
  }
  if (c.reduce) {
    at.in("gen_reduce").set("op_q", state.reduction.op);
    at.in("gen_reduce").set("type_q", state.reduction.type);
    at.in("gen_reduce").set("count_q", state.reduction.count);
  }
  if (c.barrier) {
    at.in("gen_barrier").set("enter_q", state.entered);
    at.in("gen_barrier").set("start_q", state.start_barriers);
  }
  if (c.combine) {
    const RtlScope combine = at.in("gen_combine");
    combine.set("from_q", state.order.addr);
    combine.set("to_q", state.order.to);
    combine.set("words_q", state.order.len);
    combine.set("op_q", state.order.op);
    combine.set("type_q", state.order.type);
    combine.set("count_q", state.order.count);
    combine.set("silent_q", state.order.silent);
    combine.set("discard_q", state.order.discard);
    combine.set("combine_q", state.combined);
    combine.set("posted_q", state.orders % 4);
  }

  // Values that the registers showed in the cycle before, the last one lowest.
  const NicStatus& seen = state.seen;
  const std::uint32_t singles[] = {state.errors,    seen.combines,  seen.barriers,
                                   seen.rx_refused, seen.rx_parity, seen.tx_count};
  at.set("low_q", [&](RtlWord& word) {
    for (const std::uint32_t count : seen.rx_count) word.put(count & 15, 4);
    for (const std::uint32_t count : seen.rx_arrived) word.put(count & 15, 4);
    for (const std::uint32_t count : singles) word.put(count & 15, 4);
  });
  at.set("left_q", seen.desc_free);
  if (!at.has("count_q")) return;
  at.set("count_q", put_counts(seen.rx_count, kNumRxCounts));
  at.set("arrived_q", put_counts(seen.rx_arrived, kNumRxCounts));
  at.set("link_q", put_counts(seen.rx_link, c.link_counts()));
  at.set("single_q", [&](RtlWord& word) {
    for (const std::uint32_t count : singles) word.put(count, kCountW);
  });
}

}  // namespace weft
