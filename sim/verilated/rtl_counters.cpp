// The counters of events that models and RTL have, by the names of their registers.
#include <fmt/format.h>

#include "sim/verilated/rtl_state.hpp"

namespace weft {

std::vector<RtlCounter> RtlState::counters(BarrierUnit& model) {
  return {{&model.out_.count, {{"count_q"}}}};
}

std::vector<RtlCounter> RtlState::counters(AxiRead& model) {
  return {{&model.out_.errors, {{"errors_q"}}}};
}

std::vector<RtlCounter> RtlState::counters(AxiWrite& model) {
  return {{&model.out_.errors, {{"errors_q"}}}};
}

std::vector<RtlCounter> RtlState::counters(CreditRx& model) {
  return {{&model.errors_, {{"errors_q"}}}};
}

std::vector<RtlCounter> RtlState::counters(GuardRx& model) {
  return {{&model.lost_, {{"lost_q"}}}, {&model.errors_, {{"errors_q"}}}};
}

std::vector<RtlCounter> RtlState::counters(GuardTx& model) {
  return {{&model.credit_rx_.errors_, {{"u_credit_rx.errors_q"}}}};
}

std::vector<RtlCounter> RtlState::counters(LinkRx& model) {
  return {{&model.errors_, {{"errors_q"}}}};
}

std::vector<RtlCounter> RtlState::counters(LinkTx& model) {
  return {{&model.retries_, {{"retries_q"}}},
          {&model.credits_.errors_, {{"u_credit_rx.errors_q"}}}};
}

std::vector<RtlCounter> RtlState::counters(RecvUnit& model) {
  std::vector<RtlCounter> all = {{&model.out_.rx_parity, {{"parity_q"}}},
                                 {&model.out_.rx_refused, {{"refused_q"}}}};
  for (unsigned tag = 0; tag < kNumRxCounts; ++tag) {
    all.push_back({&model.out_.rx_count[tag], {{"count_q", tag * kCountW}}});
    all.push_back({&model.out_.rx_arrived[tag], {{"arrived_q", tag * kCountW}}, true});
  }
  if (model.form_.id_w != 0) all.push_back({&model.out_.rx_repeated, {{"gen_ids.repeated_q"}}});
  return all;
}

std::vector<RtlCounter> RtlState::counters(CombineUnit& model) {
  return {{&model.out_.done, {{"done_q"}}}};
}

std::vector<RtlCounter> RtlState::counters(Accumulator& model) {
  std::vector<RtlCounter> all;
  for (unsigned tag = 0; tag < kNumRxCounts; ++tag) {
    all.push_back({&model.out_.rx_count[tag], {{"count_q", tag * kCountW}}});
  }
  return all;
}

std::vector<RtlCounter> RtlState::counters(ReduceLanes& model) {
  std::vector<RtlCounter> all;
  for (unsigned i = 0; i < model.lanes_.size(); ++i) {
    for (RtlCounter& one : counters(model.lanes_[i])) {
      one.parts[0].name = fmt::format("gen_link[{}].u_accumulator.{}", i, one.parts[0].name);
      all.push_back(std::move(one));
    }
  }
  return all;
}

// What an interface shows is the sum of its receive units' counters, which with reductions pass its
// lane to memory.
std::vector<RtlCounter> RtlState::counters(Nic& model) {
  NicStatus& status = model.out_.status;
  std::vector<RtlCounter> all = {{&status.tx_count, {{"tx_count_q"}}}};
  if (model.reliable_) all.push_back({&status.tx_resent, {{"gen_resent.tx_resent_q"}}});
  for (unsigned link = 0; link <= model.further_.size(); ++link) {
    const std::string unit = fmt::format("gen_recv[{}].u_recv.", link);
    RecvUnit::Out& out = model.receiver(link).out_;
    const auto add = [&](std::uint32_t& value, const char* name, std::uint32_t& shown) {
      all.push_back({&value, {{unit + name}}});
      all.push_back({&shown, {}, true});
    };
    add(out.rx_parity, "parity_q", status.rx_parity);
    add(out.rx_refused, "refused_q", status.rx_refused);
    if (model.reliable_) add(out.rx_repeated, "gen_ids.repeated_q", status.rx_repeated);
    for (unsigned tag = 0; tag < kNumRxCounts && !model.lanes_; ++tag) {
      all.push_back({&out.rx_count[tag], {{unit + "count_q", tag * kCountW}}});
      all.push_back({&out.rx_arrived[tag], {{unit + "arrived_q", tag * kCountW}}, true});
      all.push_back({&status.rx_count[tag], {}, true});
      all.push_back({&status.rx_arrived[tag], {}, true});
      all.push_back({&status.rx_link[link * kNumRxCounts + tag], {}, true});
    }
  }
  return all;
}

// Of the counters at its inputs the block has low bits, and with assertions all.
std::vector<RtlCounter> RtlState::counters(RegisterBlock& model) {
  constexpr unsigned kLow = 4;
  RegisterBlock::State& state = model.state_;
  NicStatus& seen = state.seen;
  std::vector<RtlCounter> all = {{&state.cycle, {{"cycle_q"}}},
                                 {&state.refused_writes, {{"refused_writes_q"}}}};
  for (unsigned tag = 0; tag < kNumRxCounts; ++tag) {
    all.push_back({&seen.rx_count[tag], {{"count_q", tag * kCountW}, {"low_q", tag * kLow, kLow}}});
    all.push_back({&seen.rx_arrived[tag],
                   {{"arrived_q", tag * kCountW}, {"low_q", (kNumRxCounts + tag) * kLow, kLow}},
                   true});
  }
  for (unsigned i = 0; i < model.c_.link_counts(); ++i) {
    all.push_back({&seen.rx_link[i], {{"link_q", i * kCountW}}});
  }
  const auto single = [&](unsigned i, std::uint32_t& value) {
    all.push_back(
        {&value, {{"single_q", i * kCountW}, {"low_q", (2 * kNumRxCounts + i) * kLow, kLow}}});
  };
  single(0, state.errors);
  if (model.c_.combine) {
    single(1, seen.combines);
    all.push_back({&state.orders, {{"gen_combine.posted_q", 0, 2}}, true});
  }
  if (model.c_.barrier) single(2, seen.barriers);
  single(3, seen.rx_refused);
  single(4, seen.rx_parity);
  single(5, seen.tx_count);
  return all;
}

}  // namespace weft
